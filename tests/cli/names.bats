# SPDX-License-Identifier: MIT
# -O DIR: any bytes that can be a name, folders below a named folder, and outputs that never leave DIR.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	page=$DANA_SOURCE/sample/site/en.html
	archive=$DANA_SOURCE/tests/golden/many/in.warc.gz
}

# make_names FOLDER ENDING FILE: 500 copies, with every byte but "/" and NUL, up to 255 bytes, marks of direction, line
# ends. None begins with a dot, which a folder hides.
make_names() {
	python3 - "$@" <<'END'
import os, random, sys
folder, ending, file = os.fsencode(sys.argv[1]), os.fsencode(sys.argv[2]), sys.argv[3]
content = open(file, "rb").read()
random.seed(1)
names = {b"n" + bytes([c]) + b"x" for c in range(1, 256) if c != 0x2f}
names |= {t.encode() for t in ("журнал", "How the mill – Journal", "crawl (1)", "ا‎ب‏‮x‬", "⁦日本⁩", "-o", "--help", "a\n", "a\r\n", "*", "a\\x0a",
                               "[1]", "%s", "x@0-10", " ", "😀")}
while len(names) < 500:
    letters = random.choice(["жщ本😀‮\n\r é[]", "t", "".join(map(chr, range(1, 127)))])
    name = "".join(random.choice(letters) for _ in range(random.choice([3, 60, 255]))).replace("/", "")
    name = name.encode()[:255 - len(ending)]
    if name and not name.startswith(b".") and name != b"-":
        names.add(name)
os.mkdir(folder)
for name in names:
    with open(os.path.join(folder, name + ending), "wb") as f:
        f.write(content)
END
}

# has FOLDER N ENDING: N files, none of them empty, all with the ending, all names for the file systems in use.
has() {
	python3 - "$@" <<'END'
import os, sys
folder, n, ending = os.fsencode(sys.argv[1]), int(sys.argv[2]), os.fsencode(sys.argv[3])
names = os.listdir(folder)
assert len(names) == n, len(names)
for name in names:
    assert name.endswith(ending) and len(name) <= 231, name
    assert os.path.getsize(os.path.join(folder, name)), name
END
}

@test "500 pages of any names become 500 texts" {
	make_names in .html "$page"
	run -0 "$DANA" extract -O out in
	has out 500 .txt
	[ -e 'out/журнал.txt' ]
	[ -e 'out/crawl (1).txt' ]
	[ -e $'out/a\n.txt' ]
	# by name, and as lines
	(cd in && run -0 "$DANA" extract -O ../named -- *)
	diff -r out named
	"$DANA" extract -f jsonl -o lines.jsonl in
	[ "$(wc -l <lines.jsonl)" -eq 500 ]
}

@test "500 archives of any names are written, and resumed after a kill" {
	make_names in .warc.gz "$archive"
	"$DANA" filter -q -m plain -O out -J 2 in
	has out 500 .jsonl.zst
	"$DANA" filter -q -m plain -O killed -J 2 --rejects in &
	local run=$!
	for ((i = 0; i < 1000; i++)); do
		[ "$(find killed -name '*.zst' 2>/dev/null | head -n 50 | wc -l)" -lt 50 ] || break
		sleep 0.01
	done
	kill -KILL $run 2>kill.err || :
	wait $run || :
	run -0 timeout 100 "$DANA" filter -q -m plain -O killed -J 2 --rejects --resume in
	find killed -name '*.rejects.jsonl' -delete
	diff -r out killed
}

@test "500 archives of any names are found by --watch" {
	make_names in .warc.gz "$archive"
	find in -type f -exec touch -d '1 hour ago' {} +
	"$DANA" filter -q -m plain -O out -J 2 --watch in 3>&- &
	local run=$!
	for ((i = 0; i < 1200; i++)); do
		[ "$(find out -name '*.zst' -print0 2>/dev/null | tr -dc '\0' | wc -c)" -lt 500 ] || break
		sleep 0.05
	done
	kill -TERM $run
	wait $run || :
	has out 500 .jsonl.zst
}

@test "long names that differ only at their end have different outputs" {
	local long
	long=$(printf 'a%.0s' {1..245})
	cp "$page" "${long}1.html"
	cp "$page" "${long}2.html"
	run -0 "$DANA" extract -O out "${long}1.html" "${long}2.html"
	[ "$(ls out | wc -l)" -eq 2 ]
	# a character is not cut
	long=$(printf 'ж%.0s' {1..120})
	cp "$page" "$long.html"
	run -0 "$DANA" extract -O cut "$long.html"
	ls cut | iconv -f utf-8 -t utf-8 >/dev/null
}

@test "a dot at the beginning becomes _" {
	cp "$page" .hidden.html
	cp "$archive" .warc.gz
	run -0 "$DANA" extract -O out .hidden.html
	[ "$(ls -A out)" = _hidden.txt ]
	run -0 "$DANA" filter -q -O archives .warc.gz
	[ "$(ls -A archives)" = _warc.gz.jsonl.zst ]
}

@test "folders below a named folder are kept" {
	mkdir -p site/a site/b/c
	for f in site/index site/a/index site/b/c/index; do cp "$page" $f.html; done
	run -0 "$DANA" extract -O out site
	[ "$(cd out && find . -type f | sort)" = $'./a/index.txt\n./b/c/index.txt\n./index.txt' ]
	run -0 "$DANA" extract -O slash site/
	diff -r out slash
	(cd site && run -0 "$DANA" extract -O ../dot .)
	diff -r out dot
	mkdir -p crawls/a crawls/b
	cp "$archive" crawls/a/x.warc.gz
	cp "$archive" crawls/b/x.warc.gz
	run -0 "$DANA" filter -q -m plain -r -O texts crawls
	[ "$(cd texts && find . -type f | sort)" = $'./a/x.jsonl.zst\n./b/x.jsonl.zst' ]
	# the journal of the run keeps them apart
	run -0 "$DANA" filter -m plain -r -O parts --split-bytes 1K --stats whole.json crawls
	run -0 "$DANA" filter -m plain -r -O parts --split-bytes 1K --stats again.json --resume crawls
	[ "$(find parts -name '.dana*' | wc -l)" -eq 0 ]
	[ -e parts/a/x.0.jsonl.zst ]
	[ -e parts/b/x.1024.jsonl.zst ]
}

@test "outputs do not leave the folder by a link, and need folders where folders are" {
	mkdir -p site/a out elsewhere
	cp "$page" site/a/index.html
	ln -s ../elsewhere out/a
	prints 3 'dana extract: --output-dir: out/a is a link, where outputs need a folder; *' "$DANA" extract -O out site
	[ -z "$(ls elsewhere)" ]
	rm out/a
	echo >out/a
	prints 3 'dana extract: --output-dir: out/a is a file, where outputs need a folder; *' "$DANA" extract -O out site
	mkdir -p clash/x.txt
	cp "$page" clash/x.html
	cp "$page" clash/x.txt/y.html
	prints 3 '*the input clash/x.html would be written to o/x.txt, which is the folder of other outputs; rename one*' \
		"$DANA" extract -O o clash
}

@test "two inputs of one name are refused with what to do" {
	mkdir a b
	cp "$page" a/x.html
	cp "$page" b/x.html
	prints 3 'dana extract: --output-dir: the inputs a/x.html and b/x.html would both be written to o/x.html.txt; name the folder that holds both*' \
		"$DANA" extract -O o a/x.html b/x.html
	prints 3 'dana extract: --output-dir: the input a/x.html is given twice; give it once' \
		"$DANA" extract -O o a/x.html a/x.html
	cp "$archive" a/x.warc.gz
	cp "$archive" b/x.warc
	prints 3 '*the inputs a/x.warc.gz and b/x.warc would both be written to o/x.jsonl.zst; name the folder*' \
		"$DANA" filter -O o a/x.warc.gz b/x.warc
	# in one folder, naming it does not help
	cp "$archive" a/x.warc
	prints 3 '*the inputs a/x.warc and a/x.warc.gz would both be written to o/x.jsonl.zst; rename one, or*' \
		"$DANA" filter -O o a
}

@test "pages whose outputs would have one name keep their endings" {
	mkdir -p c/d
	for f in page.html a.html a.htm b.html index.htm index.html c.html c.htm c.html.html d/a.html; do cp "$page" c/$f; done
	gzip <"$page" >c/b.html.gz
	printf 'MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n' | cat - "$page" >c/page.mhtml
	run -0 "$DANA" extract -O out c
	[ "$(cd out && find . -type f | LC_ALL=C sort | tr '\n' ' ')" = "./a.htm.txt ./a.html.txt ./b.html.gz.txt ./b.html.txt \
./c.htm.txt ./c.html.html.txt ./c.html.txt ./d/a.txt ./index.htm.txt ./index.html.txt ./page.html.txt ./page.mhtml.txt " ]
	# whatever the order of the inputs
	run -0 "$DANA" extract -O other c/a.html c/a.htm
	run -0 "$DANA" extract -O swapped c/a.htm c/a.html
	diff -r other swapped
	[ "$(ls other | LC_ALL=C sort | tr '\n' ' ')" = 'a.htm.txt a.html.txt ' ]
}

@test "a file that is called like a part of another is that file" {
	cp "$archive" 'x@0-10'
	run -0 "$DANA" filter -q -m plain -O out 'x@0-10'
	[ "$(ls out)" = 'x@0-10.jsonl.zst' ]
}

@test "pages under other names are found by their content, and the rest is counted" {
	mkdir -p site/d
	cp "$page" site/p.php
	cp "$page" site/d/none
	printf '<!-- a --><?xml version="1.0"?>\n<HTML><p>x' >site/old.asp
	printf '<p align=center>a readme' >site/README.md
	printf 'body { color: red }' >site/style.css
	printf '<!-- x --><svg></svg>' >site/p.svg
	: >site/empty
	mkfifo site/pipe
	run -0 "$DANA" extract -m plain -O out site
	[ "$output" = 'dana extract: site: passed over 4 files, not HTML by name or first bytes' ]
	[ "$(cd out && find . -type f | sort)" = $'./d/none.txt\n./old.asp.txt\n./p.php.txt' ]
}
