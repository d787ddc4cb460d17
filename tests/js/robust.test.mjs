// SPDX-License-Identifier: MIT
// What must not happen: an end of the program, a leak, bytes read ahead, a page that changes others.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import test from 'node:test';
import { archives, core, danatext, filesOf, instances, instead, linesOf, pages, piecesOf, randomOf, top } from './support.mjs';

const { DanaError, DocumentStream, extract, Extractor, scan } = danatext;
const sample = path.join(top, 'sample/sample.warc.gz');
const html = fs.readFileSync(path.join(top, 'sample/site/en.html'), 'utf8');
const code = (expected) => (error) => error instanceof DanaError && error.code === expected && error.message !== '';

test('vectors give what plain C gives', async () => {
	const set = (on) => instances.forEach((each) => each.vectors(on));
	const random = randomOf(3);
	const noise = Array.from({ length: 60 }, () => {
		const page = fs.readFileSync(pages[random(pages.length)]);
		for (let i = 0; i < 200; i++) page[random(page.length)] = random(256);
		return page.subarray(0, random(page.length));
	});
	const all = () => [...pages.map((file) => fs.readFileSync(file)), ...noise].map((page) =>
		[extract(page, { text: 'plain,markdown,blocks', plugins: ['quality', 'pii'] }), extract(page, { method: 'auto', text: 'plain' }), core.extract(page)]);
	extract(html);
	core.extract(html);
	await linesOf(fs.readFileSync(sample));
	const before = instances.length;
	set(0);
	const plain = all(), lines = await linesOf(fs.readFileSync(sample));
	set(1);
	assert.deepEqual(all(), plain);
	assert.equal(await linesOf(fs.readFileSync(sample)), lines);
	assert.equal(instances.length, before);
});

const fuzzed = process.env.DANA_FUZZ_SEEDS ? filesOf(process.env.DANA_FUZZ_SEEDS, /./).map((file) => fs.readFileSync(file)) : [];

test('seeds of the fuzz targets end nothing, as pages and as archives', { skip: process.env.DANA_FUZZ_SEEDS ? false : 'DANA_FUZZ_SEEDS names no folder' }, async () => {
	assert.ok(fuzzed.length > 100);
	extract(html);
	await linesOf(fs.readFileSync(sample));
	const before = instances.length;
	for (const seed of fuzzed) {
		extract(seed, { text: 'plain,markdown,blocks', comments: 'apart', dropped: true, plugins: ['quality', 'pii'] });
		await linesOf(seed);
	}
	assert.equal(instances.length, before, 'a module has ended');
});

test('hostile pages end nothing', () => {
	const random = randomOf(11), seeds = [...pages.map((file) => fs.readFileSync(file)), ...fuzzed];
	extract(html);
	const before = instances.length - 1;
	const words = ['<table>', '<div>', '</p>', '<!--', '<script>', '&#x110000;', '<a href="', '\0', '\xff\xfe', '<pre>', '<svg><title>', '<select><option>'];
	for (let i = 0; i < Number(process.env.DANA_JS_HOSTILE ?? 2000); i++) {
		const seed = Buffer.from(seeds[random(seeds.length)]);
		const at = random(seed.length), n = random(40);
		const page = Buffer.concat([seed.subarray(0, at), Buffer.from(words[random(words.length)].repeat(n), 'latin1'), seed.subarray(random(seed.length))]);
		for (let k = random(30); k > 0 && page.length; k--) page[random(page.length)] = random(256);
		const result = extract(page, { text: 'plain,markdown,blocks', comments: 'apart', dropped: true });
		assert.equal(typeof result.text, 'string');
	}
	for (const deep of ['<div>', '<ul><li>', '<blockquote>', '<table><tr><td>', '<b><i>', '<span class="', '<!--']) assert.equal(typeof extract(deep.repeat(50_000)).text, 'string');
	// An instance is left only because its memory has grown; after a trap extract would have failed.
	assert.ok(instances.slice(before, -1).every((each) => each.memory.buffer.byteLength > 64 << 20), 'a module has ended');
});

test('a trap is an error, and the next call works', async () => {
	const expected = extract(html), reader = new Extractor();
	instead.set('page_read', () => {
		throw new WebAssembly.RuntimeError('unreachable');
	});
	assert.throws(() => extract(html), code('trap'));
	instead.clear();
	assert.deepEqual(extract(html), expected);
	assert.deepEqual(reader.extract(html), expected);
	reader.free();
	let n = 0;
	instead.set('archive_next', () => {
		n++;
		throw new RangeError('Maximum call stack size exceeded');
	});
	await assert.rejects(async () => { for await (const _ of scan(fs.readFileSync(sample), { name: 'a.warc.gz' })); }, (error) => code('trap')(error) && error.file === 'a.warc.gz');
	instead.clear();
	assert.equal(n, 1);
	assert.ok((await linesOf(fs.readFileSync(sample))).length > 0);
});

test('memory that ends is an error, and the next call works', async () => {
	const expected = extract(html);
	for (const way of ['page_read', 'archive_next']) {
		// All that is left is taken, so that the library, or what it is linked to, gets none.
		instead.set(way, (module, ...values) => {
			for (let size = 256 << 20; size > 16; size >>= 1) while (module.take(size) !== 0);
			return module[way](...values);
		});
		if (way === 'page_read') assert.throws(() => extract(Buffer.from(html, 'latin1').fill(0xe9, 2000, 2400)), code('out_of_memory'));
		else await assert.rejects(linesOf(fs.readFileSync(sample)), code('out_of_memory'));
		instead.clear();
	}
	assert.deepEqual(extract(html), expected);
});

test('too large a page is an error', () => {
	assert.throws(() => extract(new Uint8Array((256 << 20) + 1)), code('limit'));
});

test('thousands of pages take no more memory', async () => {
	const bytes = () => instances.reduce((sum, each) => sum + each.memory.buffer.byteLength, 0);
	const round = async (n) => {
		for (let i = 0; i < n; i++) {
			extract(html, { text: 'plain,blocks' });
			if (i % 50 === 0) {
				const reader = new Extractor({ comments: 'drop' });
				reader.extract(html);
				reader.free();
				await linesOf(fs.readFileSync(sample));
			}
		}
	};
	await round(400);
	const before = bytes(), made = instances.length;
	await round(Number(process.env.DANA_JS_LEAK ?? 3000));
	assert.equal(bytes(), before);
	assert.equal(instances.length, made);
});

test('options and pages that are wrong', () => {
	assert.throws(() => extract(html, { tablez: 'drop' }), (error) => code('bad_option')(error) && /tables/.test(error.message));
	assert.throws(() => extract(html, { method: 'nothing' }), code('bad_option'));
	assert.throws(() => extract(html, { exclude: 'p:hover' }), code('bad_option'));
	assert.throws(() => extract(html, { plugins: ['nothing'] }), (error) => error instanceof DanaError && error.message !== '');
	assert.throws(() => extract(Buffer.from(html), { charset: 'no such charset' }), code('bad_option'));
	assert.throws(() => extract('https://example.org/'), code('not_a_page'));
	assert.throws(() => extract(42), code('bad_option'));
	assert.throws(() => core.extract(html, { tablez: 1 }), (error) => error.code === 'bad_option');
	const pdf = extract(Buffer.from('%PDF-1.7 and so on'));
	assert.equal(pdf.text, '');
	assert.match(pdf.reason, /PDF/);
	const reader = new Extractor();
	reader.free();
	reader.free();
	assert.throws(() => reader.extract(html), code('wrong_order'));
});

test('the list of options is that of the types', () => {
	const types = fs.readFileSync(path.join(process.env.DANATEXT, 'index.d.ts'), 'utf8');
	const declared = [.../interface PageOptions \{([^]*?)\n\}/.exec(types)[1].matchAll(/^\t(\w+)\?:/gm)].map((found) => found[1]);
	const listed = danatext.pageOptions().map((row) => row.name).filter((name) => name !== 'method' && name !== 'plugins');
	assert.deepEqual(declared.sort(), listed.sort());
});

test('archives come in many ways', async () => {
	const bytes = fs.readFileSync(sample);
	const expected = await linesOf(bytes);
	const blob = new Blob([bytes]);
	const ways = [new Uint8Array(bytes).buffer, fs.createReadStream(sample), blob, blob.stream(), new Response(bytes), piecesOf(bytes, () => 999), (async function* () { yield bytes; })()];
	for (const way of ways) assert.equal(await linesOf(way), expected);
	await assert.rejects(linesOf('a.warc.gz'), code('bad_option'));
	await assert.rejects(linesOf(17), code('bad_option'));
	await assert.rejects(linesOf(['text']), code('bad_option'));
});

test('a stream of documents', async () => {
	const documents = [];
	const stream = new DocumentStream({ name: 'a' });
	for await (const document of new Blob([fs.readFileSync(sample)]).stream().pipeThrough(stream)) documents.push(document);
	assert.equal(documents.length, 7);
	assert.equal(documents[0].file, 'a');
	assert.equal(stream.scan.counts.documents, 7);
});

test('nothing is read ahead, and a scan that is left is closed', async () => {
	let asked = 0, closed = false;
	async function* slowly() {
		try {
			for (const piece of piecesOf(fs.readFileSync(sample), () => 2000)) {
				asked++;
				yield piece;
			}
		} finally {
			closed = true;
		}
	}
	for await (const _ of scan(slowly())) {
		const now = asked;
		await new Promise((go) => setTimeout(go, 5));
		assert.equal(asked, now);
		break;
	}
	assert.ok(asked < 10 && closed);
});

test('a signal ends a scan', async () => {
	const control = new AbortController();
	const never = new ReadableStream({ pull: () => new Promise(() => {}) });
	setTimeout(() => control.abort(), 20);
	await assert.rejects(linesOf(never, { signal: control.signal }), { name: 'AbortError' });
	const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
	const stalled = new Readable({ read() {} });
	for (const input of [silent, stalled]) {
		const later = new AbortController();
		setTimeout(() => later.abort(), 20);
		await assert.rejects(linesOf(input, { signal: later.signal }), { name: 'AbortError' });
	}
	assert.ok(stalled.destroyed);
	await assert.rejects(linesOf(fs.readFileSync(sample), { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('damage and what is no archive', async () => {
	const damaged = scan(fs.readFileSync(path.join(top, 'tests/golden/damaged/in.warc')), { rejects: true, name: 'in.warc' });
	for await (const _ of damaged);
	const rejects = damaged.takeRejects();
	assert.equal(Object.values(damaged.counts.damaged).reduce((a, b) => a + b, 0), rejects.filter((each) => each.reason in damaged.counts.damaged).length);
	assert.ok(rejects.every((each) => each.file === 'in.warc' && Number.isInteger(each.offset)));
	await assert.rejects(async () => { for await (const _ of scan(Buffer.from(html), { name: 'page.html' })); }, (error) => code('not_an_archive')(error) && error.file === 'page.html');
});

/** A zip whose entries are stored. */
function zipOf(entries) {
	const crcs = Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0; });
	const crc = (bytes) => { let c = 0xffffffff; for (const byte of bytes) c = crcs[(c ^ byte) & 255] ^ (c >>> 8); return (c ^ 0xffffffff) >>> 0; };
	const files = [], directory = [];
	let at = 0;
	for (const [name, bytes] of entries) {
		const fixed = Buffer.alloc(26);
		fixed.writeUInt16LE(20, 0);
		fixed.writeUInt32LE(crc(bytes), 10);
		fixed.writeUInt32LE(bytes.length, 14);
		fixed.writeUInt32LE(bytes.length, 18);
		fixed.writeUInt16LE(name.length, 22);
		files.push(Buffer.from('PK\x03\x04', 'latin1'), fixed, Buffer.from(name), bytes);
		const rest = Buffer.alloc(14);
		rest.writeUInt32LE(at, 10);
		directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fixed, rest, Buffer.from(name));
		at += 30 + name.length + bytes.length;
	}
	const end = Buffer.alloc(18), size = Buffer.concat(directory).length;
	end.writeUInt16LE(entries.length, 4);
	end.writeUInt16LE(entries.length, 6);
	end.writeUInt32LE(size, 8);
	end.writeUInt32LE(at, 12);
	return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

test('a WACZ is read archive by archive, by ranges', async () => {
	const bytes = fs.readFileSync(sample);
	const zip = zipOf([['datapackage.json', Buffer.from('{}')], ['archive/a.warc.gz', bytes], ['pages/pages.jsonl', Buffer.alloc(200_000)], ['archive/b.warc.gz', bytes]]);
	const asked = [];
	const blob = new Blob([zip]);
	const watched = { size: blob.size, name: 'x.wacz', arrayBuffer: () => assert.fail(), slice: (begin, end) => { asked.push(end - begin); return blob.slice(begin, end); } };
	const s = scan(watched), files = [];
	for await (const document of s) files.push(document.file);
	assert.deepEqual(files, [...Array(7).fill('x.wacz/archive/a.warc.gz'), ...Array(7).fill('x.wacz/archive/b.warc.gz')]);
	assert.equal(s.counts.documents, 14);
	await assert.rejects(async () => { for await (const _ of scan(new Blob([zipOf([['a.txt', Buffer.from('a')]])]), { name: 'a.zip' })); }, code('not_an_archive'));
});

test('archives that are changed at random end nothing', async () => {
	const random = randomOf(5), before = instances.length;
	for (const file of archives) {
		for (let i = 0; i < 5; i++) {
			const bytes = Buffer.from(fs.readFileSync(file).subarray(0, 300_000));
			for (let k = 1 + random(20); k > 0; k--) bytes[random(bytes.length)] = random(256);
			await linesOf(bytes);
		}
	}
	assert.ok(instances.length <= before + 2);
});
