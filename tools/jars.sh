#!/bin/sh
# SPDX-License-Identifier: MIT
# jars.sh [DIR [NATIVES]]: a repository of Maven with the jars of java/, their sources and their documentation, in DIR/maven (default:
# jars), and the folders for plugins/ of Nutch in DIR/dana-nutch-VERSION.tar.gz. NATIVES has a library for each machine, which
# java/core/pom.xml describes; without it the jars take that of the system. Their tests are not run. Installs what it needs, as root.
set -eu
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-jars}"
out=$(cd "${1:-jars}" && pwd)
natives=${2:+$(cd "$2" && pwd)}
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v mvn >/dev/null || sh "$top/tools/packages.sh" engines
# A copy, because Maven writes beside its sources.
cp -R "$top/java" "$top/COPYING" "$work/"
rm -rf "$work"/java/*/target "$out/maven"
# -ntp: what is downloaded is not listed.
mvn -q -B -ntp -f "$work/java/pom.xml" -DskipTests "-Dmaven.multiModuleProjectDirectory=$work/java" ${natives:+"-Ddana.natives=$natives"} \
	"-DaltDeploymentRepository=here::file:$out/maven" deploy
version=$(sed -n 's/.*<version>\(.*\)<\/version>.*/\1/p' "$work/java/pom.xml" | head -n 1)
tar -C "$work/java/nutch/target/plugins" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1767225600 -cf - parse-dana index-dana |
	gzip -9n >"$out/dana-nutch-$version.tar.gz"
find "$out/maven" -name 'maven-metadata.xml*' -delete # has the time of the build, and is for lists of versions alone
if [ -n "$natives" ]; then
	echo 'public class V { public static void main(String[] none) { System.out.println(danatext.Dana.version()); } }' >"$work/V.java"
	java -cp "$(echo "$out"/maven/danatext/dana-java/*/dana-java-"$version".jar):$(echo "$work"/java/nutch/target/plugins/parse-dana/jna-*.jar)" "$work/V.java"
fi
