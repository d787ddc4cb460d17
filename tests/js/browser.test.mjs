// SPDX-License-Identifier: MIT
// In Chromium, under a policy that allows the page's own scripts and WebAssembly alone: the same results as in Node. $CHROMIUM names it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { core, danatext, pages, top } from './support.mjs';

const found = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find((each) => each && fs.existsSync(each));
const sample = path.join(top, 'sample/sample.warc.gz');
const asked = { text: 'plain,markdown,blocks', url: 'https://example.org/a/' };

/** Runs in the page, which posts what comes out. */
const script = `
	const outcome = {};
	try {
		const whole = await import('/package/browser.js'), core = await import('/package/core-browser.js'), one = await import('/package/base64.js');
		const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
		outcome.pages = [];
		outcome.one = [];
		outcome.core = [];
		for (let i = 0; i < COUNT; i++) {
			const page = await bytes('/page/' + i);
			outcome.pages.push(whole.extract(page, ASKED));
			outcome.one.push(one.extract(page, ASKED));
			outcome.core.push(core.extract(page, ASKED));
		}
		outcome.lines = [];
		for await (const line of whole.scan((await fetch('/archive')).body).lines()) outcome.lines.push(line);
		outcome.streamed = 0;
		for await (const document of iterated((await fetch('/archive')).body.pipeThrough(new whole.DocumentStream()))) outcome.streamed += document.textChars;
		const file = new File([await bytes('/archive')], 'a.warc.gz');
		outcome.files = new Set();
		for await (const document of whole.scan(file)) outcome.files.add(document.file);
		outcome.files = [...outcome.files];
	} catch (error) {
		outcome.error = String(error.stack ?? error);
	}
	async function* iterated(stream) {
		const reader = stream.getReader();
		for (let next; !(next = await reader.read()).done;) yield next.value;
	}
	await fetch('/outcome', { method: 'POST', body: JSON.stringify(outcome) });
`;

test('in a browser', { skip: found ? false : 'there is no chromium' }, async (t) => {
	let done;
	const outcome = new Promise((go) => (done = go));
	const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
	const server = createServer(async (request, response) => {
		const send = (type, content) => response.setHeader('content-type', type).end(content);
		response.setHeader('content-security-policy', "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'");
		if (request.url === '/') send('text/html', '<!DOCTYPE html><script type="module" src="/script.js"></script>');
		else if (request.url === '/script.js') send('text/javascript', script.replace('COUNT', pages.length).replaceAll('ASKED', JSON.stringify(asked)));
		else if (request.url === '/archive') send('application/warc', fs.readFileSync(sample));
		else if (request.url.startsWith('/page/')) send('application/octet-stream', fs.readFileSync(pages[Number(request.url.slice(6))]));
		else if (request.url.startsWith('/package/')) send(types[path.extname(request.url)], fs.readFileSync(path.join(process.env.DANATEXT, request.url.slice(9))));
		else if (request.url === '/outcome') {
			const parts = [];
			for await (const part of request) parts.push(part);
			response.end();
			done(JSON.parse(Buffer.concat(parts)));
		} else response.writeHead(404).end();
	});
	await new Promise((go) => server.listen(0, '127.0.0.1', go));
	const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'danatext-'));
	const browser = spawn(found, ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${profile}`,
		`http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore', detached: true });
	const ended = new Promise((go) => browser.on('exit', go));
	t.after(async () => {
		try {
			process.kill(-browser.pid, 'SIGKILL');
		} catch { /* it has ended */ }
		await ended;
		server.close();
		server.closeAllConnections();
		fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
	});
	let late;
	const o = await Promise.race([outcome, new Promise((_, fail) => (late = setTimeout(() => fail(new Error('the browser gave nothing for two minutes')), 120_000)))]);
	clearTimeout(late);
	assert.equal(o.error, undefined);
	const plain = (value) => JSON.parse(JSON.stringify(value));
	pages.forEach((file, i) => {
		const html = fs.readFileSync(file);
		assert.deepEqual(o.pages[i], plain(danatext.extract(html, asked)), file);
		assert.deepEqual(o.one[i], o.pages[i], file);
		assert.deepEqual(o.core[i], plain(core.extract(html, asked)), file);
	});
	const lines = [];
	let chars = 0;
	for await (const line of danatext.scan(fs.readFileSync(sample)).lines()) lines.push(line);
	for await (const document of danatext.scan(fs.readFileSync(sample))) chars += document.textChars;
	assert.deepEqual(o.lines, lines);
	assert.equal(o.streamed, chars);
	assert.deepEqual(o.files, ['a.warc.gz']);
});
