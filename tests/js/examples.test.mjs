// SPDX-License-Identifier: MIT
// The programs of examples/js and of the README, run in an empty project with the package installed: $PROJECT.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const top = path.resolve(process.env.srcdir ?? '.'), project = process.env.PROJECT;
const sample = path.join(top, 'sample/sample.warc.gz'), file = path.join(top, 'sample/site/en.html');
const load = (name) => import(pathToFileURL(path.join(project, name)));
const HEADING = '# How the old mill came back to life';

test('express', async () => {
	const { markdown } = await load('express.js');
	const answer = {};
	const response = { status: (n) => ((answer.status = n), response), json: (o) => ((answer.json = o), response), type: (t) => ((answer.type = t), response), send: (b) => ((answer.body = b), response) };
	markdown({ body: fs.readFileSync(file), query: {}, headers: { 'content-type': 'text/html' } }, response);
	assert.ok(answer.body.startsWith(HEADING));
	markdown({ body: Buffer.from('%PDF-1.4'), query: {}, headers: {} }, response);
	assert.equal(answer.status, 422);
});

test('playwright', async () => {
	const { mainText } = await load('playwright.js');
	const page = { goto: async () => {}, url: () => 'https://example.org/a', content: async () => fs.readFileSync(file, 'utf8') };
	const result = await mainText(page, 'https://example.org/a');
	assert.ok(result.markdown.startsWith(HEADING));
});

test('content script', async () => {
	let listener;
	Object.assign(globalThis, {
		chrome: { runtime: { onMessage: { addListener: (f) => (listener = f) } } },
		document: { documentElement: { outerHTML: fs.readFileSync(file, 'utf8') } },
		location: { href: 'https://example.org/a' },
	});
	await load('content_script.js');
	let answer;
	listener('main text', null, (value) => (answer = value));
	assert.ok(answer.markdown.startsWith(HEADING));
});

test('service worker and edge worker', async (t) => {
	const server = createServer((request, response) => {
		response.setHeader('content-type', 'text/html');
		response.end(fs.readFileSync(request.url.startsWith('/a.warc.gz') ? sample : file));
	});
	await new Promise((go) => server.listen(0, '127.0.0.1', go));
	t.after(() => server.close());
	const base = `http://127.0.0.1:${server.address().port}`;
	let listener, answer;
	globalThis.self = { addEventListener: (_, f) => (listener = f) };
	await load('service_worker.js');
	listener({ request: { url: `https://here/read?url=${base}/` }, respondWith: (value) => (answer = value) });
	assert.ok((await (await answer).text()).startsWith(HEADING));
	const worker = (await load('edge_worker.js')).default;
	assert.ok((await (await worker.fetch({ url: `https://w/?url=${base}/` })).text()).startsWith(HEADING));
	assert.equal((await (await worker.fetch({ url: `https://w/?url=${base}/a.warc.gz` })).text()).trim().split('\n').length, 7);
});

test('langchain', async () => {
	const { WarcLoader } = await load('langchain.js');
	const documents = await new WarcLoader(sample).load();
	assert.equal(documents.length, 7);
	assert.ok(documents[0].pageContent.startsWith(HEADING) && documents[0].metadata.source);
});

test('the README', () => {
	fs.copyFileSync(file, path.join(project, 'page.html'));
	fs.copyFileSync(sample, path.join(project, 'crawl.warc.gz'));
	const programs = [...fs.readFileSync(path.join(project, 'node_modules/danatext/README.md'), 'utf8').matchAll(/^```js\n([^]*?)^```$/gm)];
	assert.ok(programs.length >= 3);
	const shown = programs.map(([, program], i) => {
		fs.writeFileSync(path.join(project, `readme${i}.mjs`), program);
		return execFileSync(process.execPath, [`readme${i}.mjs`], { cwd: project, encoding: 'utf8' });
	});
	assert.ok(shown[0].startsWith(HEADING));
	assert.equal(shown[2].trim().split('\n').length, 7);
});

test('nothing else is installed or run', () => {
	const { dependencies, scripts, peerDependencies, optionalDependencies } = JSON.parse(fs.readFileSync(path.join(project, 'node_modules/danatext/package.json')));
	assert.deepEqual([dependencies, scripts, peerDependencies, optionalDependencies], [undefined, undefined, undefined, undefined]);
	assert.deepEqual(fs.readdirSync(path.join(project, 'node_modules')).filter((name) => !name.startsWith('.')), ['danatext']);
});

test('every entry', async () => {
	const html = fs.readFileSync(file, 'utf8');
	fs.writeFileSync(path.join(project, 'entries.mjs'), `
		import { readFileSync } from 'node:fs';
		export { extract as whole } from 'danatext';
		export { extract as core } from 'danatext/core';
		export { extract as base64 } from 'danatext/base64';
		export { extract as core64 } from 'danatext/core/base64';
		import { load } from 'danatext/module';
		import { load as loadCore } from 'danatext/core/module';
		const compiled = (name) => new WebAssembly.Module(readFileSync(new URL(import.meta.resolve(name))));
		export const module = load(compiled('danatext/danatext.wasm')).extract;
		export const coreModule = loadCore(compiled('danatext/core.wasm')).extract;
	`);
	const entries = await load('entries.mjs');
	for (const [name, extract] of Object.entries(entries)) assert.ok(extract(html).markdown.startsWith(HEADING), name);
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
		const required = execFileSync(process.execPath, ['-e', "console.log(require('danatext').extract('<p>' + 'Tea is made of leaves and water. '.repeat(20)).textChars)"], { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
		assert.ok(Number(required) > 600);
	}
	assert.ok(createRequire(path.join(project, 'x.js')).resolve('danatext/core'));
});
