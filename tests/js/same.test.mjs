// SPDX-License-Identifier: MIT
// The same bytes as the native program: of pages all fields, of archives all lines, however they come.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { archives, core, danatext, filesOf, linesOf, native, pages, piecesOf, randomOf, shared, snakeCase, top } from './support.mjs';

const MORE = Number(process.env.DANA_JS_PAGES ?? 200); // of the pages and archives beside the checkout

function some(list, most) {
	const step = Math.max(1, Math.floor(list.length / most));
	return list.filter((_, i) => i % step === 0).slice(0, most);
}

function samePages(files, ...options) {
	const asked = { text: 'plain,markdown,blocks' };
	for (let i = 0; i < options.length; i += 2) asked[options[i].slice(2)] = options[i + 1];
	options = options.filter((word, i) => options[i - 1] !== '--dropped'); // on the command line it has no value
	const lines = native('extract', '-f', 'jsonl', '-j', '1', '--text', asked.text, ...options, ...files).trim().split('\n').map(JSON.parse);
	assert.equal(lines.length, files.length);
	files.forEach((file, i) => {
		const page = Object.fromEntries(Object.entries(danatext.extract(fs.readFileSync(file), asked)).map(([name, value]) => [snakeCase(name), value]));
		const { file: _, ...expected } = lines[i];
		for (const [name, value] of Object.entries(expected)) assert.deepEqual(page[name], value, `${file}: ${name}`);
	});
}

test('pages have the fields of the program', () => {
	samePages(pages);
	samePages(pages, '--comments', 'apart', '--tables', 'drop', '--exclude', 'h1, .byline', '--markdown', 'links=0,images=1');
	samePages(pages, '--method', 'danag');
});

const folder = process.env.DANA_JS_FOLDER;

test('all pages of a folder have the fields of the program', { skip: folder ? false : 'DANA_JS_FOLDER names no folder' }, () => {
	const files = filesOf(folder, /\.html?$/);
	assert.ok(files.length > 0);
	for (let at = 0; at < files.length; at += 200) {
		const some = files.slice(at, at + 200);
		samePages(some);
		samePages(some, '--comments', 'apart', '--dropped', '1', '--markdown', 'format=html,images=1');
		samePages(some, '--method', 'danag', '--markdown', 'format=tei', '--tables', 'drop');
	}
	console.log(`${files.length} pages`);
});

test('core has the texts of the whole', () => {
	for (const file of pages) {
		const html = fs.readFileSync(file, 'utf8');
		const all = danatext.extract(html, { text: 'plain,markdown,blocks' });
		const some = core.extract(html, { text: 'plain,markdown,blocks' });
		for (const name of ['text', 'title', 'markdown', 'blocks', 'pageKind', 'method', 'truncated']) assert.deepEqual(some[name], all[name], `${file}: ${name}`);
	}
});

test('strings are pages whose characters are known', () => {
	for (const file of pages) {
		const html = fs.readFileSync(file, 'utf8');
		if (html.includes('\ufffd')) continue; // in another charset
		assert.deepEqual(danatext.extract(html), danatext.extract(fs.readFileSync(file), { charset: 'utf-8' }), file);
	}
});

const named = (file) => ['filter', '-q', '-j', '0', '-f', 'jsonl', '-o', '-', file];

test('archives have the lines of the program', async () => {
	assert.ok(archives.length > 10);
	for (const file of archives) {
		const name = path.basename(file);
		const expected = native(...named(file)).replaceAll(JSON.stringify(file), JSON.stringify(name));
		assert.equal(await linesOf(fs.readFileSync(file), { name }), expected, file);
	}
});

test('archives have the lines of the program, with Markdown and plugins', async () => {
	const file = path.join(top, 'sample/sample.warc.gz');
	const expected = native(...named(file), '--text', 'plain,markdown,blocks', '--plugin', 'metadata', '--plugin', 'quality', '--plugin', 'pii');
	assert.equal(await linesOf(fs.createReadStream(file), { name: file, text: ['plain', 'markdown', 'blocks'], plugins: ['metadata', 'quality', 'pii'] }), expected);
});

test('the law of the split: the same lines for every cut', async () => {
	const random = randomOf(7);
	for (const file of archives) {
		const bytes = fs.readFileSync(file);
		if (bytes.length > 200_000) continue;
		const whole = await linesOf(bytes);
		const cuts = bytes.length < 3000 ? bytes.length : 40;
		for (let i = 0; i < cuts; i++) {
			const at = bytes.length < 3000 ? i : random(bytes.length);
			assert.equal(await linesOf([bytes.subarray(0, at), bytes.subarray(at)]), whole, `${file}, cut at ${at}`);
		}
		assert.equal(await linesOf(piecesOf(bytes, () => 1)), whole, `${file}, byte by byte`);
		assert.equal(await linesOf(piecesOf(bytes, () => random(500))), whole, `${file}, at random`);
	}
});

test('pages and archives beside the checkout', { skip: shared ? false : 'there is no shared folder' }, async () => {
	const folder = path.join(shared, 'warcs');
	const files = fs.existsSync(folder) ? filesOf(folder, /\.(w?arc)(\.gz|\.zst)?$/).filter((file) => fs.statSync(file).size < 3_000_000) : [];
	for (const file of some(files, Math.ceil(MORE / 10))) {
		let expected;
		try {
			expected = native(...named(file));
		} catch {
			continue; // the program refuses it for another reason
		}
		assert.equal(await linesOf(fs.readFileSync(file), { name: file }), expected, file);
	}
	const hostile = path.join(shared, 'hostile');
	const loose = fs.existsSync(hostile) ? filesOf(hostile, /\.html?$/).filter((file) => fs.statSync(file).size < 3_000_000) : [];
	for (const file of some(loose, MORE)) samePages([file]);
});
