# SPDX-License-Identifier: MIT
# The jars of java/: `mvn verify` in a copy of the sources, with the library and the program of this build.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
source=$(cd "$here/../.." && pwd)
build=$(cd "$(dirname "$DANA")/../.." && pwd)
version=$(sed -n 's/^AC_INIT(\[dana\], \[\([^]]*\)\].*/\1/p' "$source/configure.ac")

shared=${DANA_SHARED:-$source/../shared}
[ ! -d "$shared" ] || export DANA_SHARED="$shared"

say "unit tests, Nutch, Spark 3.5"
mkdir "$tmp/clone"
(cd "$source" && tar cf - --exclude=target java sample tests/engines COPYING) | tar xf - -C "$tmp/clone"
case $(uname -m) in x86_64) machine=x86_64 ;; *) machine=aarch64 ;; esac
mkdir -p "$tmp/natives/$machine-linux-gnu.2.17" "$tmp/natives/$machine-macos"
cp "$build/.libs/libdana-archive.so" "$tmp/natives/$machine-linux-gnu.2.17/"
: >"$tmp/natives/$machine-macos/libdana-archive.dylib"
mkdir "$tmp/natives/$machine-macos/licences"
cp "$source/COPYING" "$tmp/natives/$machine-macos/licences/zlib"
mvn -q -B -f "$tmp/clone/java/pom.xml" "-Ddana.build=$build" "-Ddana.natives=$tmp/natives" verify
core=$tmp/clone/java/core/target/dana-java-$version
for jar in "$core.jar" "$core-sources.jar" "$core-javadoc.jar"; do [ -s "$jar" ]; done
jar tf "$core.jar" | grep '^natives/.*[^/]$' | LC_ALL=C sort >"$tmp/packed"
diff - "$tmp/packed" <<END
natives/linux-$machine-gnu/libdana-archive.so
natives/linux-$machine-gnu/libdana-archive.so.sha256
natives/macos-$machine/libdana-archive.dylib
natives/macos-$machine/libdana-archive.dylib.sha256
natives/macos-$machine/licences/zlib
END

for jar in org.netpreserve:jwarc:0.30.0 org.apache.lucene:lucene-core:9.12.1 net.java.dev.jna:jna:5.14.0; do
	mvn -q -B dependency:copy "-Dartifact=$jar" "-DoutputDirectory=$tmp/jars"
done
cp "$tmp/clone/java/spark/target/dana-spark-$version.jar" "$tmp/jars/"

say "Spark 4.0"
env -u DANA_SHARED mvn -q -B -f "$tmp/clone/java/pom.xml" -pl core,spark "-Ddana.build=$build" "-Ddana.natives=$tmp/natives" -Dspark.version=4.0.0 -Dscala.version=2.13 \
	-Dmaven.javadoc.skip -Dtest=SparkTest -Dsurefire.failIfNoSpecifiedTests=false clean verify

say "a cluster of Spark 4 with the jar that is built for 3.5, of which a worker is killed: the tests of the source in Python"
DANA_JARS="$core.jar,$tmp/jars/dana-spark-$version.jar,$tmp/jars/jna-5.14.0.jar" "$VENV/bin/python" -m pytest -q -p no:cacheprovider "$here/test_spark.py"

say "the example of jwarc prints the texts of the program, with the library of the jar"
java -cp "$core.jar:$tmp/jars/*" "$source/examples/JwarcText.java" "$tmp/archives/crawl-01.warc.gz" >"$tmp/got"
"$DANA" filter -q "$tmp/archives/crawl-01.warc.gz" | jq -r .text >"$tmp/wanted"
[ -s "$tmp/wanted" ]
diff "$tmp/wanted" "$tmp/got"

say "the example of Lucene finds the pages whose text has a word"
java -cp "$core.jar:$tmp/jars/*" "$source/examples/LuceneArchive.java" "$tmp/lucene" journey "$tmp"/archives/crawl-0[12].warc.gz | sort >"$tmp/got"
"$DANA" filter -q --min-chars 100 "$tmp"/archives/crawl-0[12].warc.gz | jq -r 'select(.text | test("\\bjourney\\b"; "i")) | .url' | sort -u >"$tmp/wanted"
[ "$(wc -l <"$tmp/wanted")" -gt 20 ]
diff "$tmp/wanted" "$tmp/got"
