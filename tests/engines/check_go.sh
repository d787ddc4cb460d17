# SPDX-License-Identifier: MIT
# The module of Go, as a release has it: built by tools/go.sh, used by a program of another module, and its tests, also with the detector of
# races, against the program of this build. DANATEXT=FOLDER takes the package of JavaScript that is built already. Skipped where there
# is no go of 1.25 or later.
set -eu
case $(go env GOVERSION 2>/dev/null) in
go1.2[5-9]* | go1.[3-9]* | go[2-9]*) ;;
*) echo "no go of 1.25 or later"; exit 77 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
source=$(cd "$here/../.." && pwd)
export GOFLAGS=-mod=readonly

say "the module as a release has it"
sh "$source/tools/go.sh" "$tmp/dist" >"$tmp/log" 2>&1 || { tail -n 30 "$tmp/log"; exit 1; }
module=$(echo "$tmp"/dist/danatext-go-*.tar.gz)
mkdir "$tmp/use" && tar -C "$tmp/use" -xzf "$module"
module=$tmp/use/$(basename "$module" .tar.gz)

say "the code has the form and none of the faults that Go's tools know"
[ -z "$(gofmt -l "$module" "$source/bench/go_peers")" ] || { gofmt -d "$module" "$source/bench/go_peers"; exit 1; }
cd "$module"
go vet ./...

say "its tests and examples: the fields and lines of the program"
DANA=$DANA srcdir=$source go test ./...

say "the same with the detector of races"
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v gcc >/dev/null; then
	DANA=$DANA srcdir=$source go test -race -short ./...
fi

say "the program of doc/GO.md in a module of its own, without cgo, prints the texts of dana"
mkdir "$tmp/use/program"
cd "$tmp/use/program"
sed -n '/^```go$/,/^```$/p' "$source/doc/GO.md" | sed '1d;/^```$/,$d' >main.go
grep -q danatext.Scan main.go
go mod init program >/dev/null 2>&1
go mod edit -require danatext@v0.0.0 -replace "danatext=../$(basename "$module")"
GOFLAGS=-mod=mod go mod tidy >/dev/null 2>&1
CGO_ENABLED=0 go build -o program .
./program "$tmp/archives/crawl-01.warc.gz" >"$tmp/got"
"$DANA" filter -q --text markdown --text-field markdown "$tmp/archives/crawl-01.warc.gz" | jq -r '.url, .text' >"$tmp/wanted"
[ -s "$tmp/wanted" ]
diff "$tmp/wanted" "$tmp/got"

say "what is measured beside other packages compiles"
cp -R "$source/bench/go_peers" "$tmp/use/go_peers"
cd "$tmp/use/go_peers"
go mod edit -replace "danatext=../$(basename "$module")"
go vet .
