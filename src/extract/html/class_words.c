/* SPDX-License-Identifier: MIT */
/*
 * Words are looked up in a table by bisection, in lower case. Languages have many ways of being named; these are those
 * of the generators of pages and of the highlighters (Prism, highlight.js, Pygments, Rouge, Chroma, SyntaxHighlighter,
 * pandoc).
 *
 * Example: class="hljs language-go" has the language "go", and class="highlight ruby" the bare language "ruby".
 */
#include "extract/html/class_words.h"

#include "base/ascii.h"
#include "base/cpu.h"

/* Sorted by the bytes of the words. */
/* clang-format off */
const struct class_word_entry class_word_table[] = {
	{ "-off-screen", CLASS_READER }, { "a11y-hidden", CLASS_READER }, { "a11y-only", CLASS_READER },
	{ "a11y-text", CLASS_READER }, { "a11y-visually-hidden", CLASS_READER },
	{ "accessibility-text", CLASS_READER }, { "accessible-hidden", CLASS_READER },
	{ "accessible-text", CLASS_READER }, { "ace_gutter", CLASS_GUTTER }, { "ace_text-layer", CLASS_CODE },
	{ "anchor", CLASS_ANCHOR | CLASS_ORNAMENT }, { "anchor-link", CLASS_ANCHOR | CLASS_ORNAMENT },
	{ "anchorjs-link", CLASS_ANCHOR | CLASS_ORNAMENT }, { "apache", CLASS_LANGUAGE },
	{ "arithmatex", CLASS_FORMULA }, { "asm", CLASS_LANGUAGE }, { "assistive-text", CLASS_READER },
	{ "awk", CLASS_LANGUAGE }, { "bash", CLASS_LANGUAGE }, { "batch", CLASS_LANGUAGE },
	{ "blob-num", CLASS_GUTTER }, { "block", CLASS_BLOCK }, { "btn-copy", CLASS_COPY }, { "c", CLASS_LANGUAGE },
	{ "c++", CLASS_LANGUAGE }, { "cdk-visually-hidden", CLASS_READER }, { "clipboard-copy", CLASS_COPY },
	{ "clojure", CLASS_LANGUAGE }, { "cm-content", CLASS_CODE }, { "cm-gutters", CLASS_GUTTER },
	{ "cmake", CLASS_LANGUAGE }, { "code", CLASS_NO_LANGUAGE }, { "code-block-title", CLASS_COPY },
	{ "code-copy", CLASS_COPY }, { "code-example", CLASS_HIGHLIGHT }, { "code-header", CLASS_COPY },
	{ "code-lang", CLASS_COPY }, { "code-line-number", CLASS_GUTTER }, { "code__line-number", CLASS_GUTTER },
	{ "codeblock", CLASS_HIGHLIGHT }, { "codeblock__header", CLASS_COPY }, { "codemirror-code", CLASS_CODE },
	{ "codemirror-gutter-wrapper", CLASS_GUTTER }, { "codemirror-gutters", CLASS_GUTTER },
	{ "codemirror-linenumber", CLASS_GUTTER }, { "console", CLASS_LANGUAGE },
	{ "contains-task-list", CLASS_TASK }, { "copy", CLASS_COPY | CLASS_ORNAMENT }, { "copy-btn", CLASS_COPY },
	{ "copy-code-button", CLASS_COPY }, { "copy-icon", CLASS_COPY }, { "copybtn", CLASS_COPY },
	{ "cpp", CLASS_LANGUAGE }, { "crayon-info", CLASS_COPY }, { "crayon-num", CLASS_GUTTER },
	{ "crayon-nums", CLASS_GUTTER }, { "crayon-pre", CLASS_CODE }, { "crayon-toolbar", CLASS_COPY },
	{ "cs", CLASS_LANGUAGE }, { "csharp", CLASS_LANGUAGE }, { "css", CLASS_LANGUAGE }, { "d-block", CLASS_BLOCK },
	{ "d-flex", CLASS_BLOCK }, { "d-grid", CLASS_BLOCK }, { "d-none", CLASS_HIDDEN }, { "dart", CLASS_LANGUAGE },
	{ "default", CLASS_NO_LANGUAGE }, { "diff", CLASS_LANGUAGE }, { "diff-line-num", CLASS_GUTTER },
	{ "display-none", CLASS_HIDDEN }, { "docker", CLASS_LANGUAGE }, { "dockerfile", CLASS_LANGUAGE },
	{ "dp-highlighter", CLASS_CODE }, { "edit", CLASS_TOOL | CLASS_ORNAMENT },
	{ "edit-link", CLASS_TOOL | CLASS_ORNAMENT }, { "editlink", CLASS_TOOL | CLASS_ORNAMENT },
	{ "editsection", CLASS_EDIT }, { "element-invisible", CLASS_READER },
	{ "elementor-screen-only", CLASS_READER }, { "elixir", CLASS_LANGUAGE },
	{ "ember-visually-hidden", CLASS_READER }, { "enlighter", CLASS_CODE }, { "erlang", CLASS_LANGUAGE },
	{ "fallback", CLASS_NO_LANGUAGE }, { "file-line-num", CLASS_GUTTER }, { "flex", CLASS_BLOCK },
	{ "footnote", CLASS_NOTE_REFERENCE }, { "footnote-anchor", CLASS_NOTE_REFERENCE },
	{ "footnote-ref", CLASS_NOTE_REFERENCE }, { "footnote-reference", CLASS_NOTE_REFERENCE },
	{ "footnoteref", CLASS_NOTE_REFERENCE }, { "footnotes", CLASS_NOTES }, { "footref", CLASS_NOTE_REFERENCE },
	{ "for-screen-reader", CLASS_READER }, { "for-screenreader", CLASS_READER }, { "fortran", CLASS_LANGUAGE },
	{ "fsharp", CLASS_LANGUAGE }, { "go", CLASS_LANGUAGE }, { "golang", CLASS_LANGUAGE },
	{ "govuk-visually-hidden", CLASS_READER }, { "gradle", CLASS_LANGUAGE }, { "graphql", CLASS_LANGUAGE },
	{ "grid", CLASS_BLOCK }, { "groovy", CLASS_LANGUAGE }, { "gutter", CLASS_GUTTER },
	{ "hanchor", CLASS_ANCHOR }, { "hash-link", CLASS_ANCHOR | CLASS_ORNAMENT }, { "haskell", CLASS_LANGUAGE },
	{ "header-anchor", CLASS_ANCHOR | CLASS_ORNAMENT }, { "headerlink", CLASS_ANCHOR | CLASS_ORNAMENT },
	{ "heading-anchor", CLASS_ANCHOR | CLASS_ORNAMENT }, { "heading-link", CLASS_ANCHOR | CLASS_ORNAMENT },
	{ "headline-hash", CLASS_ANCHOR }, { "hidden", CLASS_HIDDEN }, { "hidden-visually", CLASS_READER },
	{ "hiddenvisually", CLASS_READER }, { "hide-visually", CLASS_READER },
	{ "highlight", CLASS_HIGHLIGHT | CLASS_NO_LANGUAGE }, { "hljs", CLASS_NO_LANGUAGE },
	{ "hljs-ln-n", CLASS_GUTTER }, { "hljs-ln-numbers", CLASS_GUTTER }, { "hover-info", CLASS_COPY },
	{ "html", CLASS_LANGUAGE }, { "http", CLASS_LANGUAGE }, { "ini", CLASS_LANGUAGE },
	{ "is-offscreen", CLASS_READER }, { "is-sr-only", CLASS_READER }, { "is-vishidden", CLASS_READER },
	{ "is-visually-hidden", CLASS_READER }, { "java", CLASS_LANGUAGE }, { "javascript", CLASS_LANGUAGE },
	{ "js", CLASS_LANGUAGE }, { "js-file-line-container", CLASS_CODE }, { "json", CLASS_LANGUAGE },
	{ "jsx", CLASS_LANGUAGE }, { "julia", CLASS_LANGUAGE }, { "katex-display", CLASS_FORMULA },
	{ "katex-html", CLASS_KATEX_SHOWN }, { "kotlin", CLASS_LANGUAGE }, { "lang", CLASS_COPY },
	{ "language-name", CLASS_COPY }, { "latex", CLASS_LANGUAGE }, { "lean", CLASS_LANGUAGE },
	{ "less", CLASS_LANGUAGE }, { "line-num", CLASS_GUTTER }, { "line-number", CLASS_GUTTER },
	{ "line-numbers", CLASS_COPY }, { "line-numbers-rows", CLASS_GUTTER },
	{ "line-numbers-wrapper", CLASS_GUTTER | CLASS_NUMBERS }, { "line__number", CLASS_GUTTER },
	{ "lineno", CLASS_GUTTER }, { "linenodiv", CLASS_GUTTER }, { "linenos", CLASS_GUTTER },
	{ "linenr", CLASS_GUTTER }, { "linenumber", CLASS_GUTTER }, { "linenumbers", CLASS_GUTTER },
	{ "lines-num", CLASS_GUTTER }, { "lisp", CLASS_LANGUAGE }, { "literal-block", CLASS_NO_LANGUAGE },
	{ "ln", CLASS_GUTTER }, { "lnt", CLASS_GUTTER }, { "lua", CLASS_LANGUAGE }, { "makefile", CLASS_LANGUAGE },
	{ "marginnote", CLASS_SIDENOTE }, { "markdown", CLASS_LANGUAGE }, { "markdownit-anchor", CLASS_ANCHOR },
	{ "math", CLASS_FORMULA }, { "mathjax", CLASS_FORMULA_COPY }, { "mathjax_chtml", CLASS_FORMULA_COPY },
	{ "mathjax_display", CLASS_FORMULA_COPY }, { "mathjax_preview", CLASS_FORMULA_COPY },
	{ "mathjax_process", CLASS_FORMULA }, { "mathjax_svg", CLASS_FORMULA_COPY }, { "matlab", CLASS_LANGUAGE },
	{ "md", CLASS_LANGUAGE }, { "mjx-math", CLASS_FORMULA_COPY }, { "move", CLASS_LANGUAGE },
	{ "mui-visually-hidden", CLASS_READER }, { "mw-editsection", CLASS_EDIT },
	{ "mw-editsection-like", CLASS_EDIT }, { "mysql", CLASS_LANGUAGE }, { "nasm", CLASS_LANGUAGE },
	{ "nginx", CLASS_LANGUAGE }, { "nhsuk-u-visually-hidden", CLASS_READER }, { "nim", CLASS_LANGUAGE },
	{ "no-highlight", CLASS_NO_LANGUAGE }, { "nohighlight", CLASS_NO_LANGUAGE }, { "none", CLASS_NO_LANGUAGE },
	{ "notranslate", CLASS_NO_LANGUAGE }, { "null", CLASS_NO_LANGUAGE }, { "objc", CLASS_LANGUAGE },
	{ "ocaml", CLASS_LANGUAGE }, { "off-screen", CLASS_READER }, { "offscreen", CLASS_READER },
	{ "offscreen-text", CLASS_READER }, { "only-screenreader", CLASS_READER }, { "only-sr", CLASS_READER },
	{ "output", CLASS_NO_LANGUAGE }, { "pascal", CLASS_LANGUAGE }, { "perl", CLASS_LANGUAGE },
	{ "permalink", CLASS_ANCHOR | CLASS_ORNAMENT }, { "php", CLASS_LANGUAGE }, { "plain", CLASS_NO_LANGUAGE },
	{ "plaintext", CLASS_NO_LANGUAGE }, { "plsql", CLASS_LANGUAGE }, { "powershell", CLASS_LANGUAGE },
	{ "prolog", CLASS_LANGUAGE }, { "properties", CLASS_LANGUAGE }, { "protobuf", CLASS_LANGUAGE },
	{ "py", CLASS_LANGUAGE }, { "python", CLASS_LANGUAGE }, { "r", CLASS_LANGUAGE }, { "raw", CLASS_NO_LANGUAGE },
	{ "rb", CLASS_LANGUAGE }, { "react-code-lines", CLASS_CODE }, { "react-line-number", CLASS_GUTTER },
	{ "react-line-numbers", CLASS_GUTTER }, { "react-syntax-highlighter-line-number", CLASS_GUTTER },
	{ "rouge-gutter", CLASS_GUTTER }, { "rs", CLASS_LANGUAGE }, { "ruby", CLASS_LANGUAGE },
	{ "rust", CLASS_LANGUAGE }, { "scala", CLASS_LANGUAGE }, { "scheme", CLASS_LANGUAGE },
	{ "screen-reader", CLASS_READER }, { "screen-reader-offscreen", CLASS_READER },
	{ "screen-reader-only", CLASS_READER }, { "screen-reader-shortcut", CLASS_READER },
	{ "screen-reader-text", CLASS_READER | CLASS_ORNAMENT }, { "screen-readers-only", CLASS_READER },
	{ "screen_reader_text", CLASS_READER }, { "screenreader", CLASS_READER },
	{ "screenreader-only", CLASS_READER }, { "screenreader-text", CLASS_READER },
	{ "screenreaders-only", CLASS_READER }, { "scss", CLASS_LANGUAGE }, { "secedit", CLASS_EDIT },
	{ "sed", CLASS_LANGUAGE }, { "sh", CLASS_LANGUAGE }, { "shell", CLASS_LANGUAGE },
	{ "show-for-sr", CLASS_READER }, { "show-on-focus-sr", CLASS_READER }, { "sidenote", CLASS_SIDENOTE },
	{ "slds-assistive-text", CLASS_READER }, { "solidity", CLASS_LANGUAGE }, { "sourcecode", CLASS_NO_LANGUAGE },
	{ "sql", CLASS_LANGUAGE }, { "sr-element", CLASS_READER }, { "sr-only", CLASS_READER | CLASS_ORNAMENT },
	{ "sr-only-focusable", CLASS_READER }, { "sr_only", CLASS_READER }, { "sronly", CLASS_READER },
	{ "svelte", CLASS_LANGUAGE }, { "swift", CLASS_LANGUAGE }, { "syntaxhighlighter", CLASS_CODE },
	{ "task", CLASS_TASK }, { "task-list", CLASS_TASK }, { "task-list-control", CLASS_TASK },
	{ "task-list-item", CLASS_TASK }, { "task-list-item-checkbox", CLASS_TASK },
	{ "task-list-label", CLASS_TASK }, { "task_list", CLASS_TASK }, { "tex", CLASS_LANGUAGE | CLASS_FORMULA },
	{ "tex2jax_process", CLASS_FORMULA }, { "text", CLASS_NO_LANGUAGE }, { "text-sr-only", CLASS_READER },
	{ "toc-anchor", CLASS_ANCHOR }, { "toml", CLASS_LANGUAGE }, { "toolbar", CLASS_COPY },
	{ "ts", CLASS_LANGUAGE }, { "tsx", CLASS_LANGUAGE }, { "txt", CLASS_NO_LANGUAGE },
	{ "typescript", CLASS_LANGUAGE }, { "u-hidden-visually", CLASS_READER }, { "u-hiddenvisually", CLASS_READER },
	{ "u-off-screen", CLASS_READER }, { "u-offscreen", CLASS_READER }, { "u-screen-reader-only", CLASS_READER },
	{ "u-screenreader", CLASS_READER }, { "u-sr-only", CLASS_READER }, { "u-visually-hidden", CLASS_READER },
	{ "u-visuallyhidden", CLASS_READER }, { "ui-helper-hidden-accessible", CLASS_READER },
	{ "undefined", CLASS_NO_LANGUAGE }, { "usa-sr-only", CLASS_READER }, { "view-lines", CLASS_CODE },
	{ "vim", CLASS_LANGUAGE }, { "vishidden", CLASS_READER }, { "visible-for-screen-readers", CLASS_READER },
	{ "visual-hidden", CLASS_READER }, { "visually-hidden", CLASS_READER | CLASS_ORNAMENT },
	{ "visually-hidden-focusable", CLASS_READER }, { "visually-hidden-text", CLASS_READER },
	{ "visually-hide", CLASS_READER }, { "visually_hidden", CLASS_READER }, { "visuallyhidden", CLASS_READER },
	{ "visuallyhidden-text", CLASS_READER }, { "visuallyhiddenfocusable", CLASS_READER },
	{ "vue", CLASS_LANGUAGE }, { "wasm", CLASS_LANGUAGE }, { "wb-inv", CLASS_READER },
	{ "wpds-visually-hidden", CLASS_READER }, { "xml", CLASS_LANGUAGE }, { "yaml", CLASS_LANGUAGE },
	{ "yml", CLASS_LANGUAGE }, { "zeroclipboard-container", CLASS_COPY }, { "zig", CLASS_LANGUAGE },
	{ "zsh", CLASS_LANGUAGE },
};

/* clang-format on */

unsigned class_word_meanings(struct slice name)
{
	NOT_ZEROED char word[CLASS_WORD_MOST + 1];
	size_t from = 0, to = name.len <= CLASS_WORD_MOST ? CLASS_WORDS : 0;
	if (name.len && memchr(name.data, 0, name.len)) /* it would end the word below */
		return 0;
	for (size_t i = 0; i < name.len && to; i++)
		word[i] = (char)ascii_lower(name.data[i]);
	if (to)
		word[name.len] = '\0';
	while (from < to) {
		size_t middle = (from + to) / 2;
		int order = strcmp(word, class_word_table[middle].word);
		if (order == 0)
			return class_word_table[middle].meanings;
		if (order < 0)
			to = middle;
		else
			from = middle + 1;
	}
	return 0;
}

bool class_word_is_no_language(struct slice name)
{
	return name.len && class_word_meanings(name) & CLASS_NO_LANGUAGE;
}
