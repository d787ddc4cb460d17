/* SPDX-License-Identifier: MIT */
/*
 * What people type who know other programs (trafilatura, readability-cli, jusText, html2text, defuddle,
 * pandoc, wget, curl), and what it
 * is here. Example: `dana extract --json page.html` is answered by "unknown option --json; here it is -f json".
 */
#include "cli/options.h"

#define PAGES "extract"
#define ARCHIVES "filter"
#define BOTH "extract|filter"
#define ALL "extract|filter|explain"

static const struct foreign {
	const char *commands; /* in which it is unknown */
	const char *name;     /* as it is typed, or "-f VALUE" */
	const char *here;     /* NULL: its value is an argument */
} table[] = {
	{ PAGES "|explain", "-u", NULL },
	{ PAGES "|explain", "--URL", NULL },
	{ ARCHIVES, "-u", "dana extract URL fetches a page; dana filter reads an archive whose URL is an argument" },
	{ ARCHIVES, "--url", "dana extract URL fetches a page; dana filter reads an archive whose URL is an argument" },
	{ "serve", "--port", "here it is --listen 127.0.0.1:PORT" },
	{ "serve", "-p", "here it is --listen 127.0.0.1:PORT" },
	{ "serve", "--bind", "here it is --listen ADDRESS:PORT" },
	{ "serve", "--address", "here it is --listen ADDRESS:PORT" },
	{ "serve", "--cors", "here it is --allow-origin ORIGIN" },
	{ "serve", "--workers", "here it is --jobs N" },
	{ PAGES, "--json", "here it is -f json" },
	{ ARCHIVES, "--json", "JSON, an object a line, is what is written without -f" },
	{ BOTH, "--csv", "here it is -f csv" },
	{ BOTH, "--tsv", "here it is -f tsv" },
	{ PAGES, "--xml", "here it is -f xml" },
	{ PAGES, "--xmltei", "here it is -f tei" },
	{ PAGES, "--tei", "here it is -f tei" },
	{ PAGES, "--html", "here it is -f html" },
	{ PAGES, "--md", "here it is -f markdown" },
	{ ARCHIVES, "--md", "here it is --text markdown" },
	{ PAGES, "--txt", "text is what is written without -f" },
	{ BOTH, "--output-format", "here it is -f FORMAT" },
	{ BOTH, "--parquet", "python3 -m pip install pyarrow, and danatext.scan(...).to_parquet(FILE) in Python" },
	{ BOTH, "--lang", "here it is --plugin language:include=LANG" },
	{ BOTH, "--language", "here it is --plugin language:include=LANG" },
	{ BOTH, "--target-language", "here it is --plugin language:include=LANG" },
	{ PAGES, "--with-metadata", "-f json has the metadata, and --markdown frontmatter=1 puts it before Markdown" },
	{ ARCHIVES, "--with-metadata", "here it is --plugin metadata" },
	{ PAGES, "--only-with-metadata", "-f json has the metadata, where pages without can be left out" },
	{ PAGES, "--dedup", "pages are compared with others by dana filter --plugin dedup-lines" },
	{ PAGES, "--deduplicate", "pages are compared with others by dana filter --plugin dedup-lines" },
	{ ARCHIVES, "--dedup", "here it is --plugin dedup-exact, dedup-near or dedup-lines" },
	{ ARCHIVES, "--deduplicate", "here it is --plugin dedup-exact, dedup-near or dedup-lines" },
	{ BOTH, "--precision", "here it is -m learned:recall=30" },
	{ BOTH, "--recall", "here it is -m learned:recall=70" },
	{ BOTH, "--favor-precision", "here it is -m learned:recall=30" },
	{ BOTH, "--favor-recall", "here it is -m learned:recall=70" },
	{ BOTH, "--no-comments", "here it is --comments drop" },
	{ BOTH, "--no-tables", "here it is --tables drop" },
	{ BOTH, "--links", "here it is --text markdown, which has links" },
	{ BOTH, "--images", "here it is --text markdown --markdown images=1" },
	{ BOTH, "--formatting", "here it is --text markdown" },
	{ BOTH, "--fast", "here there is one speed; dana methods lists methods with theirs" },
	{ BOTH, "--prune-xpath", "here it is --exclude SELECTORS, of CSS" },
	{ PAGES, "--input-file", "URLs and files are arguments: xargs -a LIST dana extract -f jsonl" },
	{ PAGES, "--inputfile", "URLs and files are arguments: xargs -a LIST dana extract -f jsonl" },
	{ PAGES, "-i", "URLs and files are arguments: xargs -a LIST dana extract -f jsonl" },
	{ PAGES, "--list", "URLs and files are arguments: xargs -a LIST dana extract -f jsonl" },
	{ ARCHIVES, "--input-file", "here it is --list FILE" },
	{ ARCHIVES, "--inputfile", "here it is --list FILE" },
	{ ARCHIVES, "-i", "here it is --list FILE" },
	{ BOTH, "--input-dir", "a folder is an argument" },
	{ BOTH, "--inputdir", "a folder is an argument" },
	{ BOTH, "--outputdir", "here it is --output-dir DIR" },
	{ BOTH, "--output-directory", "here it is --output-dir DIR" },
	{ PAGES, "-P", "here it is --output-dir DIR" },
	{ PAGES, "--output-document", "here it is --output FILE" },
	{ PAGES, "--keep-dirs", "-O keeps the folders" },
	{ BOTH, "--parallel", "here it is -j N" },
	{ BOTH, "--crawl", "dana does not crawl: wget2 and others write archives, which dana filter reads" },
	{ BOTH, "--sitemap", "dana does not crawl: wget2 and others write archives, which dana filter reads" },
	{ BOTH, "--feed", "dana does not crawl: wget2 and others write archives, which dana filter reads" },
	{ PAGES, "--property", "-f json has all that is known: dana extract -f json URL | jq -r .metadata.author" },
	{ PAGES, "--properties", "-f json has all that is known: dana extract -f json URL | jq -r .metadata.author" },
	{ PAGES, "-p", "-f json has all that is known: dana extract -f json URL | jq -r .metadata.author" },
	{ PAGES "|explain", "--base", "here it is --url URL" },
	{ PAGES "|explain", "--base-url", "here it is --url URL" },
	{ PAGES "|explain", "--baseurl", "here it is --url URL" },
	{ ALL, "--encoding", "here it is --charset NAME" },
	{ ALL, "-H", "here it is --header 'NAME: VALUE'" },
	{ ALL, "-A", "here it is --user-agent TEXT" },
	{ ALL, "-U", "here it is --user-agent TEXT" },
	{ ALL, "-k", "here it is --insecure" },
	{ ALL, "-L", "redirects are followed without an option" },
	{ ALL, "--location", "redirects are followed without an option" },
	{ ALL, "--compressed", "encodings are decoded without an option" },
	{ ALL, "--no-check-certificate", "here it is --insecure" },
	{ PAGES, "-t", "here it is -f FORMAT, of what is written" },
	{ PAGES, "--to", "here it is -f FORMAT, of what is written" },
	{ PAGES, "--from", "pages are HTML without an option" },
	{ PAGES, "--input-format", "pages are HTML without an option" },
	{ PAGES, "--standalone", "here it is --markdown frontmatter=1, with -f markdown" },
	{ PAGES, "-s", "here it is --markdown frontmatter=1, with -f markdown" },
	{ PAGES, "--wrap", "lines are not wrapped" },
	{ PAGES, "--body-width", "lines are not wrapped" },
	{ PAGES, "--metadata", "-f json has the metadata, and --markdown frontmatter=1 puts it before Markdown" },
	{ PAGES, "--title", "here it is --markdown title=1, with -f markdown" },
	{ PAGES, "--ignore-links", "here it is --markdown links=0, with -f markdown" },
	{ PAGES, "--ignore-images", "images are left out without --markdown images=1" },
	{ PAGES, "--no-images", "images are left out without --markdown images=1" },
	{ PAGES, "--ignore-emphasis", "here it is --markdown emphasis=0, with -f markdown" },
	{ PAGES, "--ignore-tables", "here it is --tables drop" },
	{ PAGES, "--keep-classes", "-f html has no classes; dana explain shows the page with them" },
	{ PAGES, "--stoplist", "no stop words are needed: every language is read by one method" },
	{ PAGES, "--no-headings", "here it is --markdown heading=0" },
	{ ALL, "--enc-force", "here it is --charset NAME" },
	{ ALL, "--enc-default", "here it is --charset NAME" },
	{ ALL, "--from-encoding", "here it is --charset NAME" },
	{ PAGES "|explain", "--timeout", "here it is --max-time SECONDS" },
	{ PAGES "|explain", "-T", "here it is --max-time SECONDS" },
	{ PAGES "|explain", "--cookie", "here it is --header 'Cookie: NAME=VALUE'" },
	{ PAGES "|explain", "-b", "here it is --header 'Cookie: NAME=VALUE'" },
	{ PAGES, "-f md", "markdown" },
	{ PAGES, "-f txt", "text" },
	{ PAGES, "-f plain", "text" },
	{ PAGES, "-f xmltei", "tei" },
	{ PAGES, "-f ndjson", "jsonl" },
	{ ARCHIVES, "-f ndjson", "jsonl" },
	{ ARCHIVES, "-f json", "jsonl" },
	{ ARCHIVES, "-f wet", "warc" },
	{ ARCHIVES, "-f md", "--text markdown" },
	{ ARCHIVES, "-f markdown", "--text markdown" },
};

bool foreign_find(const char *command, struct slice typed, const char **here)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (slice_equal(typed, slice_from_text(table[i].name)) &&
		    word_index(table[i].commands, slice_from_text(command)) >= 0) {
			*here = table[i].here;
			return true;
		}
	}
	return false;
}
