# SPDX-License-Identifier: MIT
# The jars of java/: `mvn verify` in a copy of the sources, with the library and the program of this build.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
source=$(cd "$here/../.." && pwd)
build=$(cd "$(dirname "$DANA")/../.." && pwd)

say "unit tests, Nutch, Spark"
mkdir "$tmp/clone"
(cd "$source" && tar cf - --exclude=target java sample tests/engines COPYING) | tar xf - -C "$tmp/clone"
case $(uname -m) in x86_64) machine=x86_64 ;; *) machine=aarch64 ;; esac
mkdir -p "$tmp/natives/$machine-linux-gnu.2.17" "$tmp/natives/$machine-macos"
cp "$build/.libs/libdana-archive.so" "$tmp/natives/$machine-linux-gnu.2.17/"
: >"$tmp/natives/$machine-macos/libdana-archive.dylib"
mvn -q -B -f "$tmp/clone/java/pom.xml" "-Ddana.build=$build" "-Ddana.natives=$tmp/natives" verify
core=$tmp/clone/java/core/target/dana-java-1.0.0
for jar in "$core.jar" "$core-sources.jar" "$core-javadoc.jar"; do [ -s "$jar" ]; done
unzip -Z1 "$core.jar" | grep '^natives/.*[^/]$' | sort >"$tmp/packed"
for packed in "linux-$machine-gnu/libdana-archive.so" "macos-$machine/libdana-archive.dylib"; do
	printf 'natives/%s\nnatives/%s.sha256\n' "$packed" "$packed"
done | diff - "$tmp/packed"

say "the example of jwarc prints the texts of the program, with the library of the jar"
mvn -q -B dependency:copy -Dartifact=org.netpreserve:jwarc:0.30.0 "-DoutputDirectory=$tmp/jars"
mvn -q -B dependency:copy -Dartifact=net.java.dev.jna:jna:5.14.0 "-DoutputDirectory=$tmp/jars"
java -cp "$core.jar:$tmp/jars/*" "$source/examples/JwarcText.java" "$tmp/archives/crawl-01.warc.gz" >"$tmp/got"
"$DANA" filter -q "$tmp/archives/crawl-01.warc.gz" | jq -r .text >"$tmp/wanted"
[ -s "$tmp/wanted" ]
diff "$tmp/wanted" "$tmp/got"
