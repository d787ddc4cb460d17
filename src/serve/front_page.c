/* SPDX-License-Identifier: MIT */
/* One form, no script. A file can be dropped on its field, as on every such field of a browser. */
#include "serve/front_page.h"

#include "dana/dana.h"

static const char head[] =
	"<!doctype html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<link rel=\"icon\" href=\"data:,\">\n"
	"<title>dana: the main text of a page</title>\n"
	"<style>\n"
	":root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #767676; --soft: #f2f4f7; --act: "
	"#0b5394; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"  :root { --ink: #e8e8e8; --paper: #16181b; --line: #8a8f98; --soft: #22262b; --act: #7fb2e5; }\n"
	"}\n"
	"* { box-sizing: border-box; }\n"
	"body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }\n"
	"main { max-width: 50rem; margin: 0 auto; padding: 1rem; }\n"
	"h1 { font-size: 1.5rem; line-height: 1.2; margin: .5rem 0; }\n"
	"label { display: block; font-weight: 600; margin: 1.25rem 0 .35rem; }\n"
	"input, textarea, select, button { font: inherit; color: inherit; }\n"
	"input[type=file], textarea, select { width: 100%; border: 1px solid var(--line); border-radius: .4rem; "
	"padding: .6rem; background: var(--soft); }\n"
	"input[type=file] { border-style: dashed; padding: 1.5rem .6rem; }\n"
	"textarea { min-height: 12rem; font-family: ui-monospace, monospace; font-size: .875rem; resize: vertical; }\n"
	"button { width: 100%; margin: 1.5rem 0; padding: .8rem; border: 0; border-radius: .4rem; background: "
	"var(--act); color: var(--paper); font-weight: 600; cursor: pointer; }\n"
	":focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }\n"
	"code { background: var(--soft); padding: .1rem .3rem; border-radius: .2rem; overflow-wrap: anywhere; }\n"
	"@media (min-width: 40rem) { button { width: auto; padding: .8rem 2rem; } select { width: auto; } }\n"
	"</style>\n"
	"</head>\n"
	"<body>\n"
	"<main>\n"
	"<h1>What is the main text of this page?</h1>\n"
	"<p>Give a page, and see which of its blocks are kept, which are dropped, and why.</p>\n"
	"<form action=\"/explain\" method=\"post\" enctype=\"multipart/form-data\" accept-charset=\"utf-8\">\n"
	"<label for=\"file\">An HTML file: choose it, or drop it here</label>\n"
	"<input type=\"file\" id=\"file\" name=\"file\" accept=\".html,.htm,.xhtml,text/html\">\n"
	"<label for=\"html\">or HTML, pasted</label>\n"
	"<textarea id=\"html\" name=\"html\" spellcheck=\"false\" autocapitalize=\"off\" "
	"autocomplete=\"off\"></textarea>\n"
	"<label for=\"method\">Method</label>\n"
	"<select id=\"method\" name=\"method\">\n";

static const char foot[] = "</select>\n"
			   "<p><button>Explain</button></p>\n"
			   "</form>\n"
			   "<p>For programs: <code>POST /extract</code> with the page as the body gives its text, "
			   "<code>POST /filter</code> with an\n"
			   "archive the documents in it. <code>GET /healthz</code> and <code>GET /metrics</code> say "
			   "how the service is.</p>\n"
			   "</main>\n"
			   "</body>\n"
			   "</html>\n";

int front_page_write(const char *method, struct buf *out)
{
	size_t len = strcspn(method, ":");
	const char *name;
	buf_append_text(out, head);
	for (size_t i = 0; (name = dana_method_name(i)); i++) {
		bool chosen = strlen(name) == len && memcmp(name, method, len) == 0;
		buf_printf(out, "<option%s>%s</option>\n", chosen ? " selected" : "", name);
	}
	return buf_append_text(out, foot);
}
