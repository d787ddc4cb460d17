// SPDX-License-Identifier: MIT
// try_page.mjs PACKAGE TO: writes the page of js/try as one file, which needs nothing beside it: with its style, its script with the modules
// that it imports, each in a function of its own, and danatext.wasm of the package as text. The policy of the page names the script.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder, to] = process.argv.slice(2);
if (!to) throw new Error('expected PACKAGE TO');
const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const from = (name) => fs.readFileSync(path.join(top, name), 'utf8');

const done = new Map(), parts = [];

/** Adds a module after those that it imports. */
function add(file) {
	if (done.has(file)) return;
	done.set(file, done.size);
	const names = [];
	const text = from(file)
		.replace(/^import \{ (.*) \} from '(.*)';$/gm, (_, list, name) => {
			const other = path.posix.join(path.posix.dirname(file), name);
			add(other);
			return `const { ${list.replaceAll(' as ', ': ')} } = module${done.get(other)};`;
		})
		.replace(/^export ((?:async )?(?:function\*?|class|const) (\w+))/gm, (_, declared, name) => {
			names.push(name);
			return declared;
		});
	if (/^(import|export)\b/m.test(text)) throw new Error(`${file}: an import or export that is not understood`);
	parts.push(`const module${done.get(file)} = (() => {\n${text}\nreturn { ${names.join(', ')} };\n})();\n`);
}

add('js/try/try.js');
const script = `'use strict';\n${parts.join('')}`;
if (/<\/script|<!--/i.test(script)) throw new Error('the script would end in itself');
const values = {
	HASH: createHash('sha256').update(script).digest('base64'),
	STYLE: from('js/try/try.css'),
	VERSION: JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version,
	SAMPLE: from('sample/site/en.html').replace(/<\/?template\b/gi, ''),
	MODULE: fs.readFileSync(path.join(folder, 'danatext.wasm')).toString('base64'),
	SCRIPT: script,
};
fs.writeFileSync(to, from('js/try/index.html').replace(/\b(HASH|STYLE|VERSION|SAMPLE|MODULE|SCRIPT)\b/g, (name) => values[name]));
