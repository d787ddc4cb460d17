# SPDX-License-Identifier: MIT
# The package of JavaScript where others run and bundle it: Deno and Bun; esbuild, Vite and webpack, whose bundles Chromium loads. Each
# gives what Node gives. DANATEXT=FOLDER takes a package that is built already. Skipped where there is no npm, Chromium or chromedriver.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
command -v npm >/dev/null && command -v chromium >/dev/null && command -v chromedriver >/dev/null || { echo "no npm, Chromium or chromedriver"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if [ -z "${DANATEXT:-}" ]; then
	sh "$source/tools/js.sh" "$tmp/dist" >"$tmp/log" 2>&1 || { tail -n 30 "$tmp/log"; exit 1; }
	DANATEXT=$tmp/dist/package
fi
mkdir "$tmp/project"
cd "$tmp/project"
npm pack --silent "$DANATEXT" >/dev/null
echo '{ "type": "module", "private": true }' >package.json
npm install --silent --no-audit --no-fund ./danatext-*.tgz deno@2 bun@1 esbuild@0.25 vite@7 webpack@5 webpack-cli@6
cp "$source/sample/sample.warc.gz" "$source/sample/site/en.html" .

# program ENTRY: what a bundle does: results of a page and an archive, in the title of the page.
program() {
	cat <<-END
		import { extract, Extractor, scan } from '$1';
		const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
		const lines = [extract(await bytes('/en.html')).markdown, new Extractor({ text: 'blocks' }).extract(await bytes('/en.html')).blocks.length];
		for await (const line of scan((await fetch('/sample.warc.gz')).body).lines()) lines.push(line);
		document.title = JSON.stringify(lines);
	END
}
cat >expected.mjs <<'END'
import fs from 'node:fs';
import { extract, Extractor, scan } from 'danatext';
import { extract as core } from 'danatext/core';
import { extract as base64 } from 'danatext/base64';
const html = fs.readFileSync('en.html'), lines = [extract(html).markdown, new Extractor({ text: 'blocks' }).extract(html).blocks.length];
for await (const line of scan(fs.createReadStream('sample.warc.gz')).lines()) lines.push(line);
if (core(html).markdown !== lines[0] || base64(html).markdown !== lines[0]) throw new Error('the entries differ');
console.log(JSON.stringify(lines));
END
node expected.mjs >expected.json
for host in 'deno run -A' bun; do
	npx --no-install $host expected.mjs >got.json
	cmp expected.json got.json || { echo "$host gives something else"; exit 1; }
	echo "same: $host"
done

mkdir -p esbuild vite/src webpack/src
program danatext/base64 >in.js
npx --no-install esbuild in.js --bundle --format=esm --target=es2022 --log-level=warning --outfile=esbuild/out.js
echo '<!DOCTYPE html><script type="module" src="/esbuild/out.js"></script>' >esbuild/index.html
program danatext >vite/src/in.js
echo '<!DOCTYPE html><script type="module" src="/src/in.js"></script>' >vite/index.html
npx --no-install vite build --logLevel warn --base /vite/dist/ --target es2022 vite
mv vite/dist/index.html vite/index.html
program danatext >webpack/src/in.js
echo '<!DOCTYPE html><script type="module" src="/webpack/out.js"></script>' >webpack/index.html
npx --no-install webpack build --mode production --entry ./webpack/src/in.js --target web -o webpack/ --output-filename out.js --output-public-path /webpack/ >log 2>&1 || { cat log; exit 1; }
SERVED=$PWD node "$here/bundles.mjs" esbuild vite webpack
