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
mvn -q -B -f "$tmp/clone/java/pom.xml" "-Ddana.build=$build" verify
core=$tmp/clone/java/core/target/dana-java-1.0.0
for jar in "$core.jar" "$core-sources.jar" "$core-javadoc.jar"; do [ -s "$jar" ]; done

say "the example of jwarc prints the texts of the program"
mvn -q -B dependency:copy -Dartifact=org.netpreserve:jwarc:0.30.0 "-DoutputDirectory=$tmp/jars"
mvn -q -B dependency:copy -Dartifact=net.java.dev.jna:jna:5.14.0 "-DoutputDirectory=$tmp/jars"
java "-Ddanatext.library.path=$build/.libs" -cp "$core.jar:$tmp/jars/*" "$source/examples/JwarcText.java" "$tmp/archives/crawl-01.warc.gz" >"$tmp/got"
"$DANA" filter -q "$tmp/archives/crawl-01.warc.gz" | jq -r .text >"$tmp/wanted"
[ -s "$tmp/wanted" ]
diff "$tmp/wanted" "$tmp/got"
