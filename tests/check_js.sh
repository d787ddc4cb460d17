#!/bin/sh
# SPDX-License-Identifier: MIT
# The package of JavaScript: built by tools/js.sh, compared with the program, and installed in an empty project, where the examples run
# and tsc checks the types. DANATEXT=FOLDER takes a package that is built already. Skipped where there is no node of 18 or later, no npm,
# or no index that has the compiler.
set -u
top=$(cd "${srcdir:-.}" && pwd)
dana=$PWD/src/cli/dana
[ -x "$dana" ] || { echo "not in the build folder"; exit 99; }
case $(sed -n 's/^DANA_LDFLAGS = *//p' Makefile) in *-fsanitize*) echo "a build with sanitizers, which has nothing to do with the package"; exit 77 ;; esac
command -v npm >/dev/null && node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 18 ? 1 : 0)' 2>/dev/null ||
	{ echo "no node of 18 or later with npm"; exit 77; }
[ -n "${DANATEXT:-}" ] || command -v dpkg-source >/dev/null || { echo "no dpkg-source, which unpacks the sources of what is linked"; exit 77; }
stage=$PWD/tests/js.stage
rm -rf "$stage"
mkdir -p "$stage/project"
trap 'rm -rf "$stage"' EXIT
if [ -z "${DANATEXT:-}" ]; then
	if ! sh "$top/tools/js.sh" "$stage/dist" >"$stage/log" 2>&1; then
		tail -n 30 "$stage/log"
		# What cannot be fetched is no fault of the package.
		grep -qE 'No matching distribution|Failed to fetch|Unable to (locate|find a source)|No module named .?venv' "$stage/log" || exit 1
		echo "the compiler, or a source of what is linked, cannot be had here"
		exit 77
	fi
	DANATEXT=$stage/dist/package
fi
export DANATEXT DANA="$dana" srcdir="$top" PROJECT="$stage/project" DANA_FUZZ_SEEDS="$stage/seeds"
for seeds in "$top"/tests/fuzz/*.tar; do
	mkdir -p "$stage/seeds/$(basename "$seeds" .tar)" && tar -C "$stage/seeds/$(basename "$seeds" .tar)" -xf "$seeds" || exit 99
done
[ -n "${DANA_SHARED:-}" ] || { [ -d "$top/../shared" ] && DANA_SHARED=$(cd "$top/../shared" && pwd) && export DANA_SHARED; }
node -e 'const m = new WebAssembly.Module(require("fs").readFileSync(process.argv[1])); process.exit(WebAssembly.Module.imports(m).length)' "$DANATEXT/danatext.wasm" &&
	node -e 'const m = new WebAssembly.Module(require("fs").readFileSync(process.argv[1])); process.exit(WebAssembly.Module.imports(m).length)' "$DANATEXT/core.wasm" ||
	{ echo "a module has imports"; exit 1; }
# Installed from the package as it is sent, without the network.
(cd "$stage" && npm pack --silent "$DANATEXT" >/dev/null) || exit 1
(cd "$stage/project" && echo '{ "type": "module", "private": true }' >package.json &&
	npm install --silent --offline --no-audit --no-fund "$stage"/danatext-*.tgz) || exit 1
cp "$top"/examples/js/*.js "$stage/project/"
node --test "$top/tests/js/" || exit 1
if (cd "$stage/project" && npm install --silent --no-audit --no-fund typescript@5.9 >/dev/null 2>&1); then
	cp "$top/tests/js/types.ts" "$stage/project/"
	for how in 'nodenext nodenext' 'esnext bundler'; do
		cat >"$stage/project/tsconfig.json" <<-END
			{ "compilerOptions": { "strict": true, "noEmit": true, "target": "es2022", "types": [],
			  "lib": ["es2022", "dom", "dom.asynciterable", "esnext.disposable"],
			  "module": "${how% *}", "moduleResolution": "${how#* }" }, "files": ["types.ts"] }
		END
		(cd "$stage/project" && npx --no-install tsc) || exit 1
	done
else
	echo "not installed: typescript; the types are not checked"
fi
