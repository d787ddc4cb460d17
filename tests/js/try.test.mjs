// SPDX-License-Identifier: MIT
// The page js/try, as one file, opened as a file: what it shows of pages and archives, that a page can neither run a script nor reach
// the network, downloads, keyboard, names of controls, dark and narrow windows, and a large archive.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Browser, chromedriver, chromium } from './driver.mjs';
import { danatext, native, top } from './support.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'danatext-try-'));
const file = path.join(folder, 'try.html');
const site = (name) => path.join(top, 'sample/site', name);
const sample = path.join(top, 'sample/sample.warc.gz');
const save = (name, content) => {
	fs.writeFileSync(path.join(folder, name), content);
	return path.join(folder, name);
};

const record = (url, html, type = 'text/html; charset=utf-8') => {
	const block = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n`), Buffer.from(html)]);
	return Buffer.concat([Buffer.from(`WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:${url}>\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n` +
		`WARC-Target-URI: ${url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n`), block, Buffer.from('\r\n\r\n')]);
};

test('the page in a browser', { skip: chromium && chromedriver ? false : 'there is no chromium with chromedriver' }, async (t) => {
	execFileSync(process.execPath, [path.join(top, 'tools/try_page.mjs'), process.env.DANATEXT, file]);
	const b = await Browser.begin();
	t.after(async () => {
		await b.end();
		fs.rmSync(folder, { recursive: true, force: true });
	});
	const begin = async () => {
		await b.open(pathToFileURL(file).href);
		await b.until('return document.documentElement.dataset.ready');
	};
	const text = (id) => b.run('return document.getElementById(arguments[0]).textContent', id);
	const choose = async (...names) => {
		await b.type('#files', names.join('\n'));
		await b.until("return document.getElementById('stop').hidden && document.getElementById('status').textContent");
	};
	const shown = (title) => b.until(`return !document.getElementById('result').hidden && document.getElementById('title').textContent.includes(${JSON.stringify(title)})`);
	const set = (id, value) => b.run(`const e = document.getElementById(arguments[0]); if (typeof arguments[1] === 'boolean') e.checked = arguments[1]; else e.value = arguments[1];
		e.dispatchEvent(new Event('input', { bubbles: true }))`, id, value);
	const view = (name) => b.click(`[name=view][value=${name}]`);
	const html = fs.readFileSync(site('en.html'));

	await t.test('a page: Markdown, text, blocks, and what options change', async () => {
		await begin();
		await choose(site('en.html'));
		await shown('old mill');
		const expected = danatext.extract(html, { text: 'plain,markdown,blocks', dropped: true, markdown: 'links=1,images=0' });
		assert.equal(await text('text'), expected.markdown);
		await view('text');
		assert.equal(await text('text'), expected.text);
		await view('blocks');
		const kept = await b.run("return [...document.querySelectorAll('#blocks li')].map((e) => [e.className, e.textContent])");
		assert.deepEqual(kept.map(([name]) => name), expected.blocks.map((block) => (block.kept === false ? 'dropped' : 'kept')));
		assert.match(kept.find(([name]) => name === 'kept')[1], /✓ kept · h\d · probability 0\.\d\d/);
		for (const recall of [0, 100]) {
			await set('recall', recall);
			const other = danatext.extract(html, { text: 'blocks', dropped: true, recall });
			assert.equal(await b.run("return document.querySelectorAll('#blocks li.kept').length"), other.blocks.filter((block) => block.kept !== false).length, `recall ${recall}`);
		}
		await set('recall', 50);
		await view('markdown');
		await set('exclude', 'h1');
		assert.equal(await text('text'), danatext.extract(html, { exclude: 'h1' }).markdown);
		await set('exclude', 'p[');
		assert.match(await text('kept'), /exclude|selector/);
		await set('exclude', '');
	});

	await t.test('reasons are those of dana explain', async () => {
		for (const recall of [50, 90]) {
			const report = native('explain', '-m', `learned:recall=${recall}`, site('fa.html'));
			const [method] = JSON.parse(/<script id="data" type="application\/json">([^]*?)<\/script>/.exec(report)[1]).methods;
			const expected = method.blocks.map(({ kept, text, reason, chance, reasons }) => {
				const strongest = reasons.sort((x, y) => Math.abs(y[2]) - Math.abs(x[2])).slice(0, 4).map(([, words, odds]) => `${odds < 0 ? '−' : '+'}${Math.abs(odds).toFixed(2)} ${words}`);
				return [`${kept ? '✓ kept' : '✗ dropped'} · ${chance ? `probability ${(Math.round(chance[1] / 65536 * 10_000) / 10_000).toFixed(2)} · ` : ''}${reason}`, text, ...(strongest.length ? [strongest.join('; ')] : [])];
			});
			await choose(site('fa.html'));
			await b.until("return document.getElementById('page').srcdoc.includes('lang=\"fa\"')");
			await view('reasons');
			await set('recall', recall);
			assert.deepEqual(await b.run("return [...document.querySelectorAll('#blocks li')].map((e) => [...e.children].map((p) => p.textContent))"), expected);
			assert.ok(expected.length > 10 && expected.some((each) => each.length === 3));
		}
		await view('markdown');
	});

	await t.test('a page in another charset, MHTML, and what is no page', async () => {
		const latin = save('latin.html', Buffer.from(`<meta charset="windows-1251"><title>T</title><p>${'\xcf\xf0\xe8\xe2\xe5\xf2 '.repeat(80)}`, 'latin1'));
		await choose(latin);
		await b.until("return document.getElementById('page').srcdoc.includes('Привет')");
		assert.match(await text('text'), /Привет/);
		const mhtml = save('a.mhtml', ['From: <Saved>', 'MIME-Version: 1.0', 'Content-Type: multipart/related; type="text/html"; boundary="X"', '', '--X', 'Content-Type: text/html; charset=utf-8',
			'Content-Transfer-Encoding: base64', 'Content-Location: https://example.org/saved', '', ...Buffer.from(html).toString('base64').match(/.{1,76}/g), '--X--', ''].join('\r\n'));
		await choose(mhtml);
		await shown('old mill');
		assert.match(await text('facts'), /https:\/\/example\.org\/saved/);
		assert.match(await b.run("return document.getElementById('page').srcdoc"), /<h1[^>]*>How the old mill/);
		await choose(save('a.pdf', '%PDF-1.7 and more'));
		assert.match(await text('status'), /PDF/);
	});

	await t.test('a pasted page, and the example', async () => {
		await begin();
		await b.click('#paste summary');
		await b.run("document.getElementById('source').value = arguments[0]", `<h1>Pasted</h1><p><a href="b">${'Words of a pasted page, which are many. '.repeat(9)}</a>`);
		await b.type('#address', 'https://example.org/a/');
		await b.click('#read');
		await shown('https://example.org/a/');
		assert.match(await text('text'), /\(https:\/\/example\.org\/a\/b\)/);
		await b.click('#example');
		await shown('old mill');
	});

	await t.test('a page that is dropped on the window', async () => {
		await begin();
		await b.run(`const files = new DataTransfer();
			files.items.add(new File([arguments[0]], 'dropped.html', { type: 'text/html' }));
			document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }))`, html.toString());
		await shown('old mill');
		assert.equal(await text('text'), danatext.extract(html, { text: 'plain,markdown', markdown: 'links=1,images=0' }).markdown);
	});

	await t.test('an archive: list, filters, documents, downloads', async () => {
		await begin();
		await choose(sample);
		assert.match(await text('status'), /17 records, 7 documents; 10 skipped, 0 damaged/);
		const rows = () => b.run("return [...document.querySelectorAll('#rows tr')].map((e) => [...e.children].map((td) => td.textContent))");
		const expected = [];
		for await (const document of danatext.scan(fs.readFileSync(sample), { plugins: ['metadata'] })) expected.push(document);
		assert.deepEqual((await rows()).map((row) => row[1]), expected.map((document) => document.url));
		const language = expected.map((document) => document.metadata?.language).find(Boolean);
		await set('language', language);
		assert.equal((await rows()).length, expected.filter((document) => document.metadata?.language === language).length);
		await set('language', '');
		await set('least', 700);
		assert.equal((await rows()).length, expected.filter((document) => document.textChars >= 700).length);
		await set('word', 'en.html');
		assert.deepEqual((await rows()).map((row) => row[1]), ['http://127.0.0.1:8123/en.html']);
		await b.tell('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
		const downloaded = async (name) => {
			for (let i = 0; i < 200; i++) {
				if (fs.existsSync(path.join(folder, name)) && fs.statSync(path.join(folder, name)).size) return fs.readFileSync(path.join(folder, name), 'utf8');
				await new Promise((go) => setTimeout(go, 50));
			}
			throw new Error(`${name} was not downloaded`);
		};
		await b.click('#jsonl');
		const lines = (await downloaded('documents.jsonl')).trim().split('\n');
		const all = native('filter', '-q', '-j', '0', '-f', 'jsonl', '--text', 'plain,markdown', '--plugin', 'metadata', '-o', '-', sample).replaceAll(JSON.stringify(sample), '"sample.warc.gz"').trim().split('\n');
		assert.deepEqual(lines, all.filter((line) => line.includes('/en.html"')));
		await b.click('#rows button');
		await shown('old mill');
		assert.match(await b.run("return document.getElementById('page').srcdoc"), /<h1[^>]*>How the old mill/);
		await b.click('#markdown');
		assert.ok((await downloaded('How-the-old-mill-came-back-to-life-River-Journal.md')).startsWith('# How the old mill'));
		assert.equal(await b.run("return document.querySelectorAll('#rows tr[aria-current]').length"), 1);
	});

	await t.test('archives that are not compressed by record, and WACZ', async () => {
		const pages = Array.from({ length: 120 }, (_, i) => record(`http://example.org/${i}`, `<title>Page ${i}</title><p>${`This is what page ${i} says, at some length. `.repeat(8)}`));
		await choose(save('plain.warc', Buffer.concat(pages)));
		assert.match(await text('shown'), /1 to 50 of 120/);
		await b.click('#after');
		await b.click('#after');
		assert.match(await text('shown'), /101 to 120 of 120/);
		await b.click('#rows tr:last-child button');
		await shown('Page 119');
		const { gzipSync } = await import('node:zlib');
		await choose(save('one.warc.gz', gzipSync(Buffer.concat(pages)))); // a single member
		await b.click('#rows tr:nth-child(7) button');
		await shown('Page 6');
		const wacz = path.join(folder, 'a.wacz');
		execFileSync('python3', ['-c', `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    z.write(sys.argv[2], "archive/a.warc.gz")
    z.write(sys.argv[2], "archive/b.warc.gz", zipfile.ZIP_DEFLATED)`, wacz, sample]);
		await choose(wacz);
		assert.match(await text('shown'), /1 to 14 of 14/);
		for (const n of [1, 8]) {
			await b.click(`#rows tr:nth-child(${n}) button`);
			await shown('old mill');
			await b.run("document.getElementById('title').textContent = ''");
		}
		await choose(site('en.html'), site('fa.html'), sample);
		assert.match(await text('shown'), /of 9 documents/);
		await choose(save('broken.warc.gz', fs.readFileSync(sample).subarray(0, 9000)));
		assert.match(await text('status'), /[1-9] damaged/);
	});

	await t.test('a hostile page runs no script, and nothing connects', async () => {
		const connections = [];
		const server = net.createServer((socket) => {
			const sent = { bytes: '' };
			connections.push(sent);
			socket.on('error', () => {});
			socket.on('data', (bytes) => (sent.bytes += bytes));
		});
		await new Promise((go) => server.listen(0, '127.0.0.1', go));
		t.after(() => server.close());
		server.unref();
		const there = `http://127.0.0.1:${server.address().port}`;
		const hostile = `<!DOCTYPE html><title>Bad</title><link rel=preconnect href=${there}><link rel=stylesheet href=${there}/a.css><link rel=prefetch href=${there}/f>
			<meta http-equiv=refresh content="0;url=${there}/refresh"><base href=${there}/><style>@import url(${there}/b.css); body { background: url(${there}/c.png) }</style>
			<script>top.hacked = parent.hacked = 1; fetch('${there}/x')</script><img src=${there}/i.png onerror="top.hacked = 2"><img src=x onerror="parent.hacked = 3">
			<svg onload="top.hacked = 4"><script>top.hacked = 5</script><image href=${there}/s.png /></svg><iframe src=${there}/frame></iframe><iframe srcdoc="<script>top.hacked = 6</script>"></iframe>
			<object data=${there}/o></object><embed src=${there}/e><video src=${there}/v poster=${there}/p autoplay></video></video><body onload="top.hacked = 7" background=${there}/bg.png>
			<form action=${there}/form><input autofocus onfocus="top.hacked = 8"></form>
			<noscript><img src=${there}/n.png></noscript><div><template shadowrootmode=open><link rel=preconnect href=${there}><a href=${there}>b</a></template></div><template><script>top.hacked = 9</script></template>
			<h1>Head <script>top.hacked = 10</script></h1><p><a id=go href=${there}/link ping=${there}/ping target=_top>a link</a></p><p>${'Text &lt;script&gt;top.hacked = 11&lt;/script&gt; &lt;img src=x onerror=top.hacked=12&gt; of a bad page. '.repeat(9)}
			<p title="</iframe><script>top.hacked = 13</script>">${'More text of it, so that it is long enough. '.repeat(9)}`;
		const bad = [save('bad.html', hostile), save('bad.warc', Buffer.concat([record(`http://e.org/"><img src=x onerror=top.hacked=14>`.replaceAll(' ', '%20'), hostile), record('http://e.org/2', hostile)]))];
		await begin();
		await b.log('browser');
		for (const name of bad) {
			await choose(name);
			if (name.endsWith('warc')) await b.click('#rows button');
			await shown('Bad');
			for (const each of ['text', 'blocks', 'markdown']) await view(each);
		}
		// The mouse over the frame, where the link is: a browser may connect before a click, too.
		const frame = await b.run("const e = document.getElementById('page'); e.scrollIntoView(); return e.getBoundingClientRect().toJSON()");
		assert.match(await b.run("return document.getElementById('page').srcdoc"), /id="go"/);
		const pointer = [];
		for (let y = 5; y < 400; y += 8) {
			pointer.push({ type: 'pointerMove', x: Math.round(frame.x + 30), y: Math.round(frame.y + y), duration: 0 }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 });
		}
		await b.call('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: pointer }] });
		await new Promise((go) => setTimeout(go, 1500));
		assert.equal(await b.run('return window.hacked ?? null'), null);
		assert.equal(await b.run('return document.getElementById("result").querySelectorAll("img, script").length'), 0);
		assert.deepEqual(connections, []);
		// What the page's own script could try is forbidden, too, and said so.
		const tried = await b.run(`return Promise.all([fetch(arguments[0]).then(() => 'connected', () => 'refused'),
			new Promise((go) => { const image = new Image(); image.onload = () => go('connected'); image.onerror = () => go('refused'); image.src = arguments[0] + '/i.png'; }),
			new Promise((go) => { try { const socket = new WebSocket(arguments[0].replace('http', 'ws')); socket.onopen = () => go('connected'); socket.onerror = () => go('refused'); } catch { go('refused'); } }),
			navigator.sendBeacon(arguments[0], 'x') && 'refused'])`, there);
		assert.deepEqual(tried.slice(0, 3), ['refused', 'refused', 'refused']);
		await new Promise((go) => setTimeout(go, 500));
		assert.deepEqual(connections, []);
		assert.match(JSON.stringify(await b.log('browser')), /Content Security Policy/);
		const requests = (await b.log('performance')).map((each) => JSON.parse(each.message).message).filter(({ method }) => method === 'Network.responseReceived').map(({ params }) => params.response.url);
		assert.deepEqual(requests.filter((url) => !/^(file|data|blob|about|chrome):/.test(url)), []);
	});

	await t.test('every control has a name, and the keyboard reaches all of them', async () => {
		await begin();
		await choose(sample);
		await b.click('#rows button');
		await shown('old mill');
		const controls = await b.all('button, input, select, textarea, summary, iframe, [tabindex="0"]');
		assert.ok(controls.length > 25);
		for (const control of controls) {
			const hidden = !(await b.run('return arguments[0].checkVisibility()', { 'element-6066-11e4-a52e-4f735466cecf': control }));
			const name = await b.label(control);
			assert.ok(hidden || name.trim(), await b.run('return arguments[0].outerHTML', { 'element-6066-11e4-a52e-4f735466cecf': control }));
		}
		for (const region of await b.all('section:not([hidden])')) assert.ok((await b.label(region)) && (await b.role(region)) === 'region');
		const tree = await b.tell('Accessibility.getFullAXTree');
		const nameless = tree.nodes.filter((node) => !node.ignored && /^(button|checkbox|combobox|link|radio|searchbox|slider|spinbutton|textbox|Iframe|region)$/.test(node.role?.value) && !node.name?.value);
		assert.deepEqual(nameless.map((node) => node.role.value), []);
		// By the Tab key alone.
		await b.run('document.activeElement.blur(); document.body.focus(); scrollTo(0, 0)');
		const seen = new Set();
		for (let i = 0; i < 40; i++) {
			await b.keys('\ue004');
			seen.add(await b.run("const e = document.activeElement; return e.id || e.getAttribute('name') || e.dataset.row || e.className"));
		}
		for (const id of ['files', 'example', 'kind', 'language', 'least', 'word', 'jsonl', 'recall', 'comments', 'tables', 'links', 'images', 'exclude', 'page', 'markdown', 'text']) assert.ok(seen.has(id), `${id} of ${[...seen]}`);
		await b.run("document.getElementById('recall').focus()");
		await b.keys('\ue014'); // the right arrow
		assert.equal(await text('recalled'), '51');
	});

	await t.test('wide, narrow, dark', async () => {
		const measure = () => b.run(`const box = (id) => document.getElementById(id).getBoundingClientRect().toJSON();
			return { over: document.documentElement.scrollWidth - innerWidth, left: box('left'), right: box('right'), colour: getComputedStyle(document.body).backgroundColor }`);
		await b.size(1400);
		const wide = await measure();
		assert.ok(wide.left.right <= wide.right.left && wide.over <= 0, JSON.stringify(wide));
		await b.size(360, 700);
		const narrow = await measure();
		assert.ok(narrow.right.bottom <= narrow.left.top && narrow.over <= 0, JSON.stringify(narrow));
		await b.prefer('dark');
		const dark = await measure();
		assert.notEqual(dark.colour, wide.colour);
		const contrast = await b.run(`const rgb = (text) => text.match(/\\d+/g).slice(0, 3).map((c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
			const light = (c) => 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
			return ['body', '.note', 'button', '#kept', 'td button'].map((name) => { const style = getComputedStyle(document.querySelector(name));
				let from = document.querySelector(name), back; do { back = getComputedStyle(from).backgroundColor; from = from.parentElement; } while (/, 0\\)$/.test(back) && from);
				const [a, b] = [light(rgb(style.color)), light(rgb(back))].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); })`);
		assert.ok(contrast.every((ratio) => ratio >= 4.5), String(contrast));
		await b.prefer('light');
		await b.size(1400);
	});

	await t.test('a large archive takes no more memory than a small one', async () => {
		const large = path.join(folder, 'large.warc'), wanted = Number(process.env.DANA_JS_LARGE ?? 100e6), out = fs.openSync(large, 'w');
		const filler = `<!--${'x'.repeat(20_000)}-->`;
		let size = 0, n = 0;
		while (size < wanted) {
			const some = Buffer.concat(Array.from({ length: 50 }, () => record(`http://example.org/${n}`, `<title>Page ${n++}</title>${filler}<p>${`This is what page ${n} says, at some length. `.repeat(8)}`)));
			fs.writeSync(out, some);
			size += some.length;
		}
		fs.closeSync(out);
		await begin();
		await b.run(`window.most = 0;
			const grow = () => { gc(); window.most = Math.max(window.most, performance.memory.usedJSHeapSize); }; grow(); window.watch = setInterval(grow, 200)`);
		await b.type('#files', large);
		await b.until("return document.getElementById('stop').hidden && /records/.test(document.getElementById('status').textContent)", 500);
		const most = await b.run('clearInterval(window.watch); return window.most');
		assert.match(await text('status'), new RegExp(`${n.toLocaleString('en')} documents`));
		assert.ok(most < 60e6 + 600 * n && most > 0, `${most} bytes for ${size} bytes and ${n} documents`);
		console.log(`${(size / 1e6).toFixed(0)} MB, ${n} documents: at most ${(most / 1e6).toFixed(1)} MB of memory in use`);
		await b.click('#rows tr:nth-child(3) button');
		await shown('Page 2');
	});
});
