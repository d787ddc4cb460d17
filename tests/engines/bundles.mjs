// SPDX-License-Identifier: MIT
// bundles.mjs NAME...: loads /NAME/index.html of the folder $SERVED in Chromium, and compares the title that its script sets with expected.json.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { Browser } from '../js/driver.mjs';

const types = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' };
const server = createServer((request, response) => {
	const file = path.join(process.env.SERVED, new URL(request.url, 'http://h').pathname);
	if (!fs.existsSync(file)) return response.writeHead(404).end();
	response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream').end(fs.readFileSync(file));
});
await new Promise((go) => server.listen(0, '127.0.0.1', go));
const browser = await Browser.begin();
try {
	const expected = JSON.parse(fs.readFileSync(path.join(process.env.SERVED, 'expected.json'), 'utf8'));
	for (const name of process.argv.slice(2)) {
		await browser.open(`http://127.0.0.1:${server.address().port}/${name}/index.html`);
		const title = await browser.until('return document.title').catch(async (error) => {
			throw new Error(`${name}: ${error.message}: ${JSON.stringify(await browser.log('browser'))}`);
		});
		assert.deepEqual(JSON.parse(title), expected, name);
		console.log(`same: ${name}`);
	}
} finally {
	await browser.end();
	server.close();
	server.closeAllConnections();
}
