// SPDX-License-Identifier: MIT
// The page that finds main text in the browser: try.html, of which tools/try_page.mjs makes one file. Text of pages is only ever set as
// text (textContent); the page itself is shown in a frame without scripts, under a policy that forbids any connection. Of an archive a
// row for each document is kept, of the first ROWS_MOST, without its text: that is read again from the file when it is opened.
import { Instance } from '../src/instance.js';
import { pageRecord } from '../src/options.js';
import { wacz } from '../src/wacz.js';
import { whole } from '../src/whole.js';

const ROWS_MOST = 50_000; // documents that are listed; more are counted
const ROWS_SHOWN = 50; // of the table at once
const BLOCKS_MOST = 2000; // that are shown
const REASONS_MOST = 4; // of a block
const PIECE = 1 << 20; // bytes of a file that are read at once
const STEP = 15; // milliseconds of work, after which the browser comes first
const REDRAW = 300; // milliseconds between two pictures of the list

const $ = (id) => document.getElementById(id);
const task = () => new Promise((go) => setTimeout(go, 0));
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const number = (value) => value.toLocaleString('en');

let module, dana, explainer = null;
const rows = [];
let unlisted = 0, from = 0, open = null, reading = null;

function make(tag, text, attributes = {}) {
	const element = document.createElement(tag);
	if (text !== undefined) element.textContent = text;
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	return element;
}

function wrong(error) {
	console.error(error);
	$('errors').append(make('li', error.message ?? String(error)));
}

/* ---- inputs ---- */

/** The archives in a file: it, or what lies in a WACZ. `blob` is null where the bytes are not those of the file. */
async function* archivesOf(file) {
	for await (const part of wacz(() => new Instance(module), file, file.name)) yield part ?? { name: file.name, blob: file, chunks: () => piecesOf(file) };
}

async function* piecesOf(blob) {
	for (let at = 0; at < blob.size; at += PIECE) yield new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer());
}

/** Whether a file is read as an archive first: by its first bytes, and if these are of a compressed file by its name. */
async function isArchive(file) {
	const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 8).arrayBuffer()));
	if (/^(WARC\/|filedesc|PK\x03\x04)/.test(head)) return true;
	return /^(\x1f\x8b|\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)/.test(head) && !/\.(x?html?|mhtml?)\.(gz|zst)$/i.test(file.name);
}

async function read(files) {
	$('errors').replaceChildren();
	$('status').textContent = '';
	$('filter').reset();
	$('rows').closest('.scroll').scrollTop = 0;
	reading?.abort();
	const mine = (reading = new AbortController());
	rows.length = unlisted = from = 0;
	open = null;
	$('result').hidden = true;
	$('stop').hidden = false;
	for (const file of files) {
		try {
			if (!(await isArchive(file)) || !(await readArchive(file, mine.signal))) await readPage(file);
		} catch (error) {
			if (mine.signal.aborted) break;
			wrong(error);
		}
		if (mine.signal.aborted) break;
	}
	if (reading !== mine) return;
	reading = null;
	$('stop').hidden = true;
	$('progress').textContent = '';
	drawList();
	if (!open && rows.length === 1) await show(rows[0]);
}

/** Lists the documents of an archive. False: it is none. */
async function readArchive(file, signal) {
	let drawn = 0, began = performance.now(), documents = 0;
	const draw = (what) => {
		if (performance.now() - drawn < REDRAW) return;
		$('progress').textContent = what;
		drawList();
		drawn = performance.now();
	};
	const counts = [];
	for await (const archive of archivesOf(file)) {
		let done = 0;
		const progress = (chunk) => (done += chunk.length);
		const scan = dana.scan(watched(archive.chunks(signal), progress), { name: archive.name, plugins: ['metadata'], signal });
		try {
			for await (const document of scan) {
				documents++;
				add({ archive, file: document.file, id: document.id, url: document.url, offset: document.offset, length: document.length, ...listed(document) });
				draw(`${archive.name}: ${number(done)} bytes read, ${number(documents)} documents`);
				if (performance.now() - began > STEP) {
					await task();
					began = performance.now();
				}
			}
		} catch (error) {
			if (error.code === 'not_an_archive' && documents === 0 && archive.blob === file) return false;
			if (!signal.aborted) wrong(error);
		}
		counts.push(scan.counts);
		if (signal.aborted) break;
	}
	const all = (name) => counts.reduce((sum, each) => sum + Object.values(each[name] ?? {}).reduce((a, b) => a + b, 0), 0);
	const records = counts.reduce((sum, each) => sum + (each.records ?? 0), 0);
	$('status').textContent = `${file.name}: ${number(records)} records, ${number(documents)} documents; ${number(all('skipped'))} skipped, ${number(all('damaged'))} damaged${signal.aborted ? '; stopped' : ''}`;
	return true;
}

async function* watched(chunks, progress) {
	for await (const chunk of chunks) {
		yield chunk;
		progress(chunk);
	}
}

async function readPage(file, url) {
	const bytes = new Uint8Array(await file.arrayBuffer());
	const page = dana.extract(bytes, { url });
	add({ page: file, file: file.name, id: null, url: page.url ?? url ?? null, ...listed(page) });
	$('status').textContent = page.reason ? `${file.name}: ${page.reason}` : `${file.name}: ${number(page.textChars)} characters`;
}

const listed = ({ title, pageKind, metadata, textChars }) => ({ title, kind: pageKind ?? '', language: metadata?.language ?? '', chars: textChars });

function add(row) {
	if (rows.length < ROWS_MOST) rows.push(row);
	else unlisted++;
}

/* ---- the list ---- */

function fits({ kind, language, chars, url, title, file }) {
	const word = $('word').value.toLowerCase();
	return (!$('kind').value || kind === $('kind').value) && (!$('language').value || language === $('language').value) && chars >= Number($('least').value) &&
		(!word || `${url ?? file} ${title ?? ''}`.toLowerCase().includes(word));
}

function choices(select, values) {
	const now = select.value, wanted = ['', ...[...new Set(values)].filter(Boolean).sort()];
	if (wanted.length === select.options.length) return;
	select.replaceChildren(...wanted.map((value) => make('option', value || 'all', { value })));
	select.value = wanted.includes(now) ? now : '';
}

function drawList() {
	$('list').hidden = rows.length < 2 && !reading;
	choices($('kind'), rows.map((row) => row.kind));
	choices($('language'), rows.map((row) => row.language));
	const chosen = rows.filter(fits);
	from = Math.max(0, Math.min(from, Math.floor((chosen.length - 1) / ROWS_SHOWN) * ROWS_SHOWN));
	const some = chosen.slice(from, from + ROWS_SHOWN);
	$('shown').textContent = (chosen.length ? `${number(from + 1)} to ${number(from + some.length)} of ${number(chosen.length)} documents` : 'No document') +
		(unlisted ? `; ${number(unlisted)} more are not listed` : '');
	$('before').disabled = from === 0;
	$('after').disabled = from + ROWS_SHOWN >= chosen.length;
	const focused = document.activeElement?.dataset?.row;
	$('rows').replaceChildren(...some.map((row) => {
		const tr = make('tr'), cell = make('td'), button = make('button', row.title || row.url || row.file, { type: 'button', dir: 'auto', 'data-row': rows.indexOf(row) });
		if (row === open?.row) tr.setAttribute('aria-current', 'true');
		button.addEventListener('click', () => show(row).catch(wrong));
		cell.append(button);
		tr.append(cell, make('td', row.url ?? row.file), make('td', row.kind), make('td', row.language), make('td', number(row.chars), { class: 'number' }));
		return tr;
	}));
	if (focused !== undefined) $('rows').querySelector(`[data-row="${focused}"]`)?.focus();
}

/** The lines of JSON of what is listed now, read again from the files, in pieces that the browser may keep outside memory. */
async function* lines() {
	const archives = new Set(rows.filter((row) => row.archive).map((row) => row.archive));
	for (const archive of archives) {
		for await (const line of dana.scan(archive.chunks(), { name: archive.name, plugins: ['metadata'], text: 'plain,markdown' }).lines()) {
			const document = JSON.parse(line);
			if (fits({ ...document, kind: document.page_kind ?? '', language: document.metadata?.language ?? '', chars: document.text_chars })) yield line;
		}
	}
	for (const row of rows.filter((each) => each.page && fits(each))) {
		const page = dana.extract(new Uint8Array(await row.page.arrayBuffer()), { url: row.url ?? undefined });
		yield `${JSON.stringify(Object.fromEntries([['file', row.file], ...Object.entries(page).map(([name, value]) => [snakeCase(name), value])]))}\n`;
	}
}

async function downloadLines() {
	const pieces = [];
	let text = [], size = 0, began = performance.now();
	for await (const line of lines()) {
		text.push(line);
		size += line.length;
		if (size > PIECE) {
			pieces.push(new Blob(text));
			text = [];
			size = 0;
		}
		if (performance.now() - began > STEP) {
			await task();
			began = performance.now();
		}
	}
	download('documents.jsonl', new Blob([...pieces, ...text], { type: 'application/jsonl' }));
}

function download(name, blob) {
	const link = make('a', '', { href: URL.createObjectURL(blob), download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/* ---- a document ---- */

/** The document of a row with its page as `html`: from its part of the file where that is known, else from the beginning. */
async function documentOf({ archive, offset, length, id, url }) {
	const asked = { html: true, name: archive.name };
	if (archive.blob && length) {
		for await (const document of dana.scan(archive.blob.slice(offset, offset + length), asked)) return document;
	}
	for await (const document of dana.scan(archive.chunks(), asked)) if (document.offset === offset && document.id === id && document.url === url) return document;
	throw new Error(`${archive.name}: the document is no longer there`);
}

/** A page as a browser would decode it, MHTML too: the library does so for records of archives. */
async function decoded(bytes, url) {
	const first = String.fromCharCode(...bytes.subarray(0, 2048)), type = /^\s*[^<\s]/.test(first) && /^mime-version:/im.test(first) ? 'message/rfc822' : 'text/html';
	const head = ['WARC/1.0', 'WARC-Type: resource', `WARC-Target-URI: ${/^\S+$/.test(url ?? '') ? url : 'about:blank'}`, 'WARC-Date: 2026-01-01T00:00:00Z',
		'WARC-Record-ID: <urn:uuid:0>', `Content-Type: ${type}`, `Content-Length: ${bytes.length}`, '', ''].join('\r\n');
	const options = { html: true, type: 'resource', status: 'any', mime: 'any', minChars: 0 };
	for await (const { html } of dana.scan([new TextEncoder().encode(head), bytes, new TextEncoder().encode('\r\n\r\n')], options)) return html;
	return new TextDecoder().decode(bytes);
}

async function show(row) {
	let source, html, url = row.url;
	if (row.page) {
		source = new Uint8Array(await row.page.arrayBuffer());
		html = await decoded(source, url);
	} else {
		({ html, url } = await documentOf(row));
		source = html;
	}
	open = { row, source, html, url };
	$('result').hidden = false;
	$('recall').value = 50;
	$('title').textContent = row.title || url || row.file;
	$('page').srcdoc = safe(html);
	drawResult();
	drawList();
	$('title').focus();
}

/**
 * The page without what would load or change anything. The policy and the sandbox forbid that, too, but no policy keeps a browser from
 * connecting early to where a link leads.
 */
function safe(html) {
	const page = new DOMParser().parseFromString(html, 'text/html');
	for (const element of page.querySelectorAll('script, link, meta, base, iframe, frame, object, embed, portal, template')) element.remove();
	for (const link of page.querySelectorAll('a, area')) {
		const to = link.getAttribute('href');
		for (const name of ['href', 'xlink:href', 'ping']) link.removeAttribute(name);
		if (to && !link.hasAttribute('title')) link.setAttribute('title', to);
	}
	page.head.prepend(make('meta', undefined, { charset: 'utf-8' }), make('meta', undefined, { 'http-equiv': 'x-dns-prefetch-control', content: 'off' }));
	return `<!DOCTYPE html>${page.documentElement.outerHTML}`;
}

function asked() {
	const recall = Number($('recall').value);
	return {
		text: 'plain,markdown,blocks', dropped: true, url: open.url ?? undefined,
		markdown: `links=${Number($('links').checked)},images=${Number($('images').checked)}`,
		comments: $('comments').value, tables: $('tables').value,
		exclude: $('exclude').value.trim() || undefined, recall: recall === 50 ? undefined : recall,
	};
}

/** Why blocks are kept and dropped, as `dana explain` has it: objects with kept, p, reason, text, and reasons: [stage, words, log odds]. */
function explained({ comments, tables, exclude, recall }) {
	if (!explainer || explainer.worn) explainer = new Instance(module);
	const { at, len } = explainer.put(open.html);
	return explainer.withRecord([null, pageRecord({ comments, tables, exclude, recall })[3], open.url, 0, 0], (record) => {
		const status = explainer.call.explain(...explainer.words(record, 3), at, len, record + 12);
		if (status < 0) throw new Error('the page has no explanation');
		return JSON.parse(explainer.text(...explainer.words(record + 12, 2)));
	});
}

function drawResult() {
	if (!open) return;
	let page;
	$('recalled').textContent = $('recall').value;
	try {
		page = dana.extract(open.source, asked());
	} catch (error) {
		$('kept').textContent = error.message; // as of a selector that is not complete yet
		return;
	}
	open.result = page;
	const { metadata = {} } = page;
	const facts = [['kind', page.pageKind], ['author', metadata.author], ['published', metadata.published], ['site', metadata.site], ['language', metadata.language],
		['charset', page.charset], ['URL', open.url], ['bytes', number(page.htmlBytes)], ['problems', page.problems.join(', ')], ['no page', page.reason]];
	$('facts').replaceChildren(...facts.filter(([, value]) => value).map(([name, value]) => {
		const pair = make('div');
		pair.append(make('dt', name), make('dd', value, { dir: 'auto' }));
		return pair;
	}));
	const blocks = page.blocks ?? [], kept = blocks.filter((block) => block.kept !== false);
	$('kept').textContent = `${number(page.textChars)} characters; ${number(kept.length)} of ${number(blocks.length)} blocks are kept`;
	const view = document.querySelector('[name=view]:checked').value;
	const list = view === 'blocks' ? blocks.map(blockItem) : view === 'reasons' ? explained(asked()).map(reasonItem) : null;
	$('text').hidden = list !== null;
	$('blocks').hidden = list === null;
	$('text').textContent = view === 'text' ? page.text : page.markdown ?? '';
	$('blocks').replaceChildren(...(list ?? []).slice(0, BLOCKS_MOST));
	if (list?.length > BLOCKS_MOST) $('blocks').append(make('li', `${number(list.length - BLOCKS_MOST)} more blocks`));
}

function item(kept, what, text) {
	const li = make('li', undefined, { class: kept ? 'kept' : 'dropped' });
	li.append(make('p', [kept ? '✓ kept' : '✗ dropped', ...what].filter(Boolean).join(' · '), { class: 'what' }), make('p', text, { dir: 'auto' }));
	return li;
}

const probability = (p) => (p === undefined ? '' : `probability ${p.toFixed(2)}`);

function blockItem({ kept, t, n, p, text, rows: cells, alt }) {
	return item(kept !== false, [t === 'h' ? `h${n}` : t, probability(p)], text ?? cells?.map((row) => row.join(' | ')).join('\n') ?? alt ?? '');
}

function reasonItem({ kept, p, reason, text, reasons }) {
	const li = item(kept, [probability(p), reason], text);
	const strongest = [...reasons].sort((a, b) => Math.abs(b[2]) - Math.abs(a[2])).slice(0, REASONS_MOST);
	if (strongest.length) li.append(make('p', strongest.map(([, words, odds]) => `${odds < 0 ? '−' : '+'}${Math.abs(odds).toFixed(2)} ${words}`).join('; '), { class: 'what' }));
	return li;
}

/* ---- controls ---- */

const later = (use) => () => {
	try {
		Promise.resolve(use()).catch(wrong);
	} catch (error) {
		wrong(error);
	}
};
const on = (id, event, use) => $(id).addEventListener(event, later(use));

async function begin() {
	const bytes = Uint8Array.from(atob($('module').textContent), (letter) => letter.charCodeAt(0));
	$('module').textContent = '';
	module = await WebAssembly.compile(bytes);
	dana = whole(() => module);
	on('files', 'change', () => {
		const files = [...$('files').files];
		$('files').value = ''; // the same file can be chosen again
		return read(files);
	});
	on('example', 'click', () => read([new File([$('sample').innerHTML], 'example.html')]));
	on('read', 'click', async () => {
		rows.length = unlisted = 0;
		reading?.abort();
		await readPage(new File([$('source').value], 'pasted.html'), $('address').value || undefined);
		await show(rows[0]);
	});
	for (const name of ['kind', 'language', 'least', 'word']) on(name, 'input', () => {
		from = 0;
		drawList();
	});
	on('before', 'click', () => {
		from -= ROWS_SHOWN;
		drawList();
	});
	on('after', 'click', () => {
		from += ROWS_SHOWN;
		drawList();
	});
	on('stop', 'click', () => reading?.abort());
	on('jsonl', 'click', downloadLines);
	on('markdown', 'click', () => download(`${($('title').textContent || 'page').replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)}.md`, new Blob([open.result.markdown ?? ''], { type: 'text/markdown' })));
	on('options', 'input', drawResult);
	on('views', 'input', drawResult);
	for (const form of document.forms) form.addEventListener('submit', (event) => event.preventDefault());
	for (const event of ['dragenter', 'dragover']) addEventListener(event, (e) => {
		e.preventDefault();
		$('drop').classList.add('over');
	});
	addEventListener('dragleave', () => $('drop').classList.remove('over'));
	addEventListener('drop', (e) => {
		e.preventDefault();
		$('drop').classList.remove('over');
		const files = [...e.dataTransfer.files];
		if (files.length) read(files).catch(wrong);
	});
	document.documentElement.dataset.ready = 'yes';
}

begin().catch(wrong);
