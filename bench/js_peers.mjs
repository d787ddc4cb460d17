// SPDX-License-Identifier: MIT
// node js_peers.mjs FOLDER [MOST]: danatext beside other packages of npm on the pages of a folder (NAME.html, in UTF-8, with the main text
// in NAME.txt), in one process, one page after the other: pages a second of CPU time in a second round, and precision, recall and F1 of
// the texts, by the longest common sequence of words, as `dana eval` measures them. A page that a package fails on counts 0. What is not
// installed beside this file is left out: npm install danatext @mozilla/readability linkedom jsdom defuddle turndown
import fs from 'node:fs';
import path from 'node:path';

const [folder, most = 500] = process.argv.slice(2);
if (!folder) throw new Error('expected a folder of pages');
const filesOf = (where) => fs.readdirSync(where, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? filesOf(path.join(where, each.name)) : path.join(where, each.name)));
const all = filesOf(folder).filter((name) => name.endsWith('.html') && fs.existsSync(name.replace(/html$/, 'txt'))).sort();
const step = Math.max(1, all.length / Number(most));
const pages = Array.from({ length: Math.min(all.length, Number(most)) }, (_, i) => all[Math.floor(i * step)]).map((name) => ({
	html: fs.readFileSync(name, 'utf8'),
	wanted: wordsOf(fs.readFileSync(name.replace(/html$/, 'txt'), 'utf8')),
}));

/** Words, and each character of scripts that are written without blanks. */
function wordsOf(text) {
	return text.replace(/[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad]/gu, '')
		.match(/[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]|[^\s\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu) ?? [];
}

/** The length of the longest common sequence, a bit for each word of `a` (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004). */
function common(a, b) {
	const at = new Map(), ones = (1n << BigInt(a.length)) - 1n;
	a.forEach((word, i) => at.set(word, (at.get(word) ?? 0n) | (1n << BigInt(i))));
	let row = ones;
	for (const word of b) {
		const same = row & (at.get(word) ?? 0n);
		if (same) row = ((row + same) | (row - same)) & ones;
	}
	return [...(row ^ ones).toString(2)].filter((bit) => bit === '1').length;
}

function scoreOf(found, wanted) {
	if (!found.length || !wanted.length) return found.length === wanted.length ? [1, 1, 1] : [0, 0, 0];
	const n = common(found, wanted), p = n / found.length, r = n / wanted.length;
	return [p, r, n ? (2 * p * r) / (p + r) : 0];
}

const has = async (name) => {
	try {
		return await import(name);
	} catch {
		return null;
	}
};
const [danatext, core, readability, linkedom, jsdom, defuddle] = await Promise.all(['danatext', 'danatext/core', '@mozilla/readability', 'linkedom', 'jsdom', 'defuddle/node'].map(has));
const programs = [
	danatext && ['danatext', (html) => danatext.extract(html, { text: 'plain' }).text],
	danatext && ['danatext, with Markdown', (html) => danatext.extract(html).text],
	core && ['danatext/core', (html) => core.extract(html, { text: 'plain' }).text],
	readability && linkedom && ['readability + linkedom', (html) => new readability.Readability(linkedom.parseHTML(html).document).parse()?.textContent],
	readability && jsdom && ['readability + jsdom', (html) => {
		const dom = new jsdom.JSDOM(html, { url: 'https://example.org/', virtualConsole: new jsdom.VirtualConsole() });
		try {
			return new readability.Readability(dom.window.document).parse()?.textContent;
		} finally {
			dom.window.close();
		}
	}],
	defuddle && linkedom && ['defuddle + linkedom', async (html) => {
		const { content } = await defuddle.Defuddle(linkedom.parseHTML(html).document, 'https://example.org/', { markdown: false });
		return linkedom.parseHTML(`<html><body>${content}</body></html>`).document.body.textContent;
	}],
].filter(Boolean);
console.log(`${pages.length} pages, ${(pages.reduce((sum, page) => sum + page.html.length, 0) / 1e6).toFixed(1)} million characters`);
console.log('| program | pages a second | failed | precision | recall | F1 |\n|---|--:|--:|--:|--:|--:|');
for (const [name, extract] of programs) {
	let failed = 0, seconds = 0;
	const sums = [0, 0, 0];
	for (const round of [0, 1]) {
		const began = process.cpuUsage();
		const texts = [];
		for (const { html } of pages) {
			try {
				texts.push((await extract(html)) ?? '');
			} catch {
				texts.push(null);
			}
			await new Promise(setImmediate); // in which jsdom frees its windows
		}
		const { user, system } = process.cpuUsage(began);
		seconds = (user + system) / 1e6;
		if (round === 1) {
			texts.forEach((text, i) => {
				failed += text === null;
				if (text !== null) scoreOf(wordsOf(text), pages[i].wanted).forEach((value, k) => (sums[k] += value / pages.length));
			});
		}
	}
	console.log(`| ${name} | ${(pages.length / seconds).toFixed(pages.length / seconds < 10 ? 1 : 0)} | ${failed} | ${sums.map((value) => value.toFixed(3)).join(' | ')} |`);
}
