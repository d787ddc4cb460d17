#!/bin/sh
# SPDX-License-Identifier: MIT
# Follows the recipes of doc/HACKING.md ("How to add") in a copy of sources and build folder: adds a method, an encoder, a
# decoder, an output format, two fields, two options, a command, a plugin and a room, builds, and runs them. A recipe must name
# each file that has to be changed, and no file that has not. Needs autotools, so it is `make check-recipes`.
set -u
[ -f Makefile ] && [ -x src/cli/dana ] || { echo "not in a build folder with a program"; exit 99; }
command -v automake >/dev/null || exit 77
build=$(pwd)
top=$(cd "${srcdir:-.}" && pwd)
case $build in "$top"/*) ;; *) echo "the build folder is not below the sources"; exit 77 ;; esac
copy=$(mktemp -d) || exit 99
trap 'rm -rf "$copy"' EXIT
trap 'exit 99' HUP INT TERM
builds=$(cd "$top" && for made in */config.status; do echo "--exclude=./${made%/*}"; done)
# shellcheck disable=SC2086
(cd "$top" && tar -cf - --exclude=./.git $builds .) | (cd "$copy" && tar -xf -) || exit 99
mkdir -p "$copy/${build#"$top"/}" && cp -a "$build/." "$copy/${build#"$top"/}" || exit 99
recipes=$copy/tests/recipes
bad=0

say()
{
	echo "$*"
	bad=1
}

# recipe NAME: from here on files are changed for the section of HACKING with this title.
recipe()
{
	left
	section=$(awk -v title="### $1" '/^##/ { inside = $0 == title } inside' "$copy/doc/HACKING.md")
	[ -n "$section" ] || say "doc/HACKING.md has no recipe '$1'"
	title=$1
	touched=
}

# left: the files of the numbered steps that were not changed; NAME is the recipe's placeholder.
left()
{
	[ -n "${title:-}" ] || return 0
	for path in $(printf '%s\n' "$section" | grep '^[0-9]' | grep -o '`\(src\|doc\|python\|js\|go\)/[A-Za-z_/]*\.[a-z.]*`' | tr -d '`'); do
		case " $touched " in *" $path "*) ;; *) say "recipe '$title': $path had not to be changed" ;; esac
	done
}

# names PATH: the recipe names this file.
names()
{
	touched="$touched $1"
	printf '%s\n' "$section" | grep -qF -- "\`$1\`" || say "recipe '$title' does not name $1"
}

# adds PLACEHOLDER FROM TO: a new file.
adds()
{
	names "$1"
	cp "$recipes/$2" "$copy/$3" || exit 99
}

# changes PATH SCRIPT: sed must find its place.
changes()
{
	names "$1"
	cp "$copy/$1" "$copy/before"
	sed -i "$2" "$copy/$1"
	if cmp -s "$copy/before" "$copy/$1"; then say "recipe '$title': no place for it in $1"; fi
}

recipe 'A method'
adds src/extract/papers/NAME.c method.c src/extract/papers/echo.c
changes src/extract/papers/methods.h 's/X(mountain)/X(mountain) X(echo)/'
changes src/extract/include.am 's|%D%/papers/page_text.c|& %D%/papers/echo.c|'

recipe 'An encoder'
adds src/archive/codec/NAME_encode.c encoder.c src/archive/codec/lined_encode.c
changes src/archive/codec/codecs.h 's/X(gzip)/X(gzip) X(lined)/'
changes src/archive/include.am 's|%D%/codec/codec.c|& %D%/codec/lined_encode.c|'

recipe 'A decoder'
adds src/archive/codec/NAME_decode.c decoder.c src/archive/codec/wrap_decode.c
changes src/archive/codec/codecs.h 's/codec_ops codec_gzip/codec_ops codec_wrap, codec_gzip/'
changes src/archive/codec/codec.c 's/&codec_gzip, &codec_zstd, NULL/\&codec_gzip, \&codec_zstd, \&codec_wrap, NULL/'
changes src/archive/include.am 's|%D%/codec/codec.c|& %D%/codec/wrap_decode.c|'

recipe 'An output format'
adds src/archive/sink/NAME.c sink.c src/archive/sink/urls.c
changes src/archive/sink/sink.h 's/X(warc)/X(warc) X(urls)/'
changes src/archive/include.am 's|%D%/sink/jsonl.c|& %D%/sink/urls.c|'

recipe 'A field of a document'
changes src/archive/document.h 's|^\tuint64_t html_bytes;.*|&\n\tuint64_t text_bytes, markdown_bytes;|
	s|^\tX(COUNT, text_chars,.*|&\n\tX(COUNT, text_bytes, document, text_bytes, 19) \\\n\tX(MARKDOWN_COUNT, markdown_bytes, document, markdown_bytes, 20) \\|
	s|^\tX(COUNT, COUNT, .*|&\n\tX(MARKDOWN_COUNT, COUNT, ALL, MARKDOWN) \\|'
changes src/archive/document.c 's|^\tdoc->text_chars = .*|&\n\tdoc->text_bytes = text.len;|'
changes src/archive/texts.c 's|^\tdoc->with_structure = .*|\tdoc->markdown_bytes = doc->markdown.len;\n&|'
changes python/danatext/document.py 's|^    """Keys that JSONL* has because of .*|&\n    text_bytes: int\n    """Bytes of ``text``."""\n    markdown_bytes: "int \| None"\n    """Bytes of ``markdown``."""|'
changes doc/FORMATS.md 's/^| `text_chars` | code points of `text` |/&\n| `text_bytes` | bytes of `text` |\n| `markdown_bytes` | bytes of `markdown` |/
	/^| `-f json`/s/`text_chars`,/& `text_bytes`, `markdown_bytes`,/'
changes python/API.md 's/^| `text_chars`, /&`text_bytes`, `markdown_bytes`, /'

recipe 'An option of a page'
changes src/extract/page_options.h 's|^\tX(tables, "tables", .*|\tX(heads, "heads", WORD, "keep\|drop", "keep", "keep or drop headings", NULL, __VA_ARGS__) \\\n&|'
changes src/extract/page_parts.c 's|{ options->exclude, |{ options->heads ? "h1, h2, h3" : options->exclude, |'
changes python/danatext/options.py 's|^    tables: Literal.*|&\n    heads: Literal["keep", "drop"]|'
changes js/index.d.ts "s/^\ttables?: .*/&\n\theads?: 'keep' | 'drop';/"
changes go/danatext.go 's|^\tTables string$|&\n\t// Heads are kept ("keep") or dropped ("drop").\n\tHeads string|'
changes python/API.md 's/^| `comments`, `tables` |/| `heads` | `"keep"` | headings: `"keep"`, `"drop"` |\n&/'

recipe 'An option'
changes src/archive/processor.h 's|^\tbool require_digest;.*|&\n\tuint64_t max_chars;|'
changes src/archive/processor.c 's|^\tenum { READABLE = 3 };|\tif (p->config.choice.max_chars \&\& doc->text_chars > p->config.choice.max_chars)\n\t\treturn p->skip = SKIP_SHORT, 0;\n&|'
changes src/cli/filter_options.c 's|^\t{ "min-chars",|\t{ "max-chars", 0, OPTION_NUMBER, "N", NULL, NULL, "skip longer texts", CHOICE, 0, 0, 0, AT(records.max_chars) },\n&|'

recipe 'A media type'
changes src/archive/http/media_type.h 's|"text/html" SEPARATOR|& "text/page" SEPARATOR|'

recipe 'A command'
adds src/cli/NAME.c command.c src/cli/hello.c
changes src/cli/command.h 's/^extern const struct option_table /&hello_options, /; s/^int eval_run/int hello_run(int argc, char **argv);\n&/'
changes src/cli/main.c 's/^\t{ "methods",.*/&\n\t{ "hello", \&hello_options, hello_run, false },/'
changes src/cli/include.am 's|%D%/command.c|%D%/hello.c %D%/command.c|; s|doc/dana-eval.1|doc/dana-hello.1 &|'

recipe 'A plugin'
mkdir "$copy/plugins/long" && cp -R "$recipes/plugin/." "$copy/plugins/long" || exit 99
names plugins/NAME/NAME.c
changes configure.ac 's/^DANA_PLUGINS_END/DANA_PLUGIN([long], [drops long pages])\n&/'
changes plugins/include.am 's|^include plugins/pii/include.am|&\ninclude plugins/long/include.am|'

left

cd "$copy/${build#"$top"/}" || exit 99
if ! { make -j2 -s src/cli/dana && ./src/cli/dana print-sample >"$copy/conf/dana.conf" && make -s; } >"$copy/log" 2>&1; then
	tail -n 30 "$copy/log"
	exit 1
fi
dana=./src/cli/dana
sample=$copy/sample/sample.warc.gz

"$dana" methods | grep -q '^echo ' || say "dana methods does not list echo"
printf '<p>one</p><script>no</script><b>two' >"$copy/page.html"
[ "$("$dana" extract -m echo "$copy/page.html" | tr '\n' ' ')" = "one two " ] || say "echo does not extract"
"$dana" filter -m echo -f jsonl "$sample" | grep -q '"method":"echo"' || say "dana filter does not take echo"
"$dana" filter -z lined "$sample" 2>&1 | grep -qx unit || say "-z lined does not encode"
"$dana" filter --help-all | grep -q 'lined' || say "--help does not name lined"
{ printf WRAP; gzip -dc "$sample"; } >"$copy/sample.wrap"
[ "$("$dana" filter "$copy/sample.wrap" | wc -l)" = "$("$dana" filter "$sample" | wc -l)" ] || say "the container is not read"
"$dana" filter -f urls "$sample" | grep -q '^http' || say "-f urls does not format"
"$dana" filter -o "$copy/out.urls" "$sample" && [ -s "$copy/out.urls" ] || say ".urls is not known by its name"
[ "$("$dana" extract -m echo --text markdown "$copy/page.html" | tr '\n' ' ')" = "one  **two** " ] || say "echo has no Markdown"
"$dana" filter "$sample" | grep -q '"text_bytes":[1-9]' || say "text_bytes is not written"
"$dana" extract -m plain -f json "$copy/page.html" | grep -q '"text_bytes":7,"tr' || say "text_bytes is not written for a page"
"$dana" extract -m plain --text plain,markdown -f json "$copy/page.html" | grep -q '"markdown_bytes":12' || say "markdown_bytes is not written for a page"
"$dana" filter --text markdown "$sample" | grep -q '"markdown_bytes":[1-9]' || say "markdown_bytes is not written"
"$dana" filter "$sample" | grep -q markdown_bytes && say "markdown_bytes is written without Markdown"
# An option of a page is in all commands, and in the service
heading='<h1>Heading</h1><p>text'
printf '%s' "$heading" >"$copy/heading.html"
[ "$("$dana" extract -m plain --heads drop "$copy/heading.html")" = text ] || say "--heads drop drops nothing"
[ "$("$dana" filter --heads drop "$sample" | wc -c)" -lt "$("$dana" filter "$sample" | wc -c)" ] || say "--heads drop drops nothing in archives"
"$dana" complete filter --he | grep -q '^--heads' || say "--heads is not completed"
if command -v curl >/dev/null; then
	"$dana" serve -q --listen "unix:$copy/sock" &
	service=$!
	for wait in 1 2 3 4 5 6 7 8 9; do [ -S "$copy/sock" ] || sleep "$wait"; done
	[ "$(curl -s --unix-socket "$copy/sock" --data-binary "$heading" "http://localhost/extract?method=plain&heads=drop")" = text ] ||
		say "the service does not take heads"
	kill "$service"
fi
"$dana" filter --help-all | grep -q -- --max-chars || say "--help does not name --max-chars"
[ "$("$dana" filter --max-chars 600 "$sample" | wc -l)" -lt "$("$dana" filter "$sample" | wc -l)" ] || say "--max-chars drops nothing"
"$dana" extract --content-type text/page "$copy/page.html" >/dev/null || say "text/page is not read as HTML"
"$dana" filter --plugin long:most=7 --stats "$copy/stats" "$sample" >/dev/null || say "--plugin long is refused"
grep -q '"plugin:long":[1-9]' "$copy/stats" || say "the plugin drops nothing"
[ "$("$dana" hello)" = hello ] || say "dana hello does not run"
"$dana" --help | grep -q '^  hello ' || say "--help does not name hello"
[ -f doc/dana-hello.1 ] || say "dana-hello.1 is not made"
# Python and Arrow have the field by the table.
headers=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])' 2>/dev/null)
if [ -f "$headers/Python.h" ]; then
	# shellcheck disable=SC2046
	{ make -s libdana-archive.a && ${CC:-cc} -shared -fPIC -DPy_LIMITED_API=0x030b0000 -I"$headers" -I"$copy/include" -o \
		"$copy/python/danatext/_dana.so" "$copy"/python/ext/*.c libdana-archive.a $(make -s --no-print-directory archive-static-libs | tail -n 1); } ||
		say "the extension is not built"
	PYTHONPATH=$copy/python python3 "$recipes/field.py" "$sample" || say "the fields or heads are not in Python or Arrow"
else
	echo "no headers of Python: not tried there"
fi
# Java reads them by the tables, without a change.
jna=$(find "${HOME:-/}/.m2/repository/net/java/dev/jna/jna" /usr/share/java -name 'jna*.jar' 2>/dev/null | grep -v -e sources -e platform | head -n 1)
if command -v javac >/dev/null && [ -n "$jna" ] && [ -e src/lib/libdana-archive.so ]; then
	javac -d "$copy/classes" -cp "$jna" "$copy"/java/core/src/main/java/danatext/[A-Z]*.java "$recipes/Fields.java" 2>"$copy/log" &&
		java -cp "$copy/classes:$jna" -Ddanatext.library.path="$PWD/src/lib" Fields "$sample" || { cat "$copy/log"; say "the fields or heads are not in Java"; }
else
	echo "no javac, or no JNA: not tried in Java"
fi
for check in check_includes check_options check_formats; do
	srcdir=$copy sh "$copy/tests/$check.sh" || say "$check.sh fails"
done
exit $bad
