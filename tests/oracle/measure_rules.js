// SPDX-License-Identifier: MIT
/*
 * measure_rules.js DANA FOLDER [SITES [MARKED]]: how good the rules are that a person would get by marking pages. FOLDER has reference pages
 * (doc/FORMATS.md) with an index.tsv of corpus, id and url. Of each site with at least six pages every other page is marked by its
 * reference text: a block is wrong if less than half of its words are in it and it is kept, or the other way round. The rules found
 * (src/lab/selectors.js) are applied to the other pages. Prints a line for each site and the means. With MARKED only so many of these pages, the
 * first ones with something to mark, are marked, and of the rest nothing is known but their text; then the lowest page counts, too.
 * What the rules should take of the pages that they are found on is compared with what the program takes: exit status 1 if they differ.
 *
 * A corpus whose references are not the whole main text says nothing about rules: leave it out of the index.
 */
"use strict";

const fs = require("fs"), os = require("os"), path = require("path"), { execFileSync, spawnSync } = require("child_process");
const { findRules } = require(path.join(__dirname, "../../src/lab/selectors.js"));
const [dana, folder, sitesMost, markedMost] = process.argv.slice(2);
const PAGES_MOST = 24, PAIRS_MOST = 40e6, TOKENS_MOST = 6000;
const work = fs.mkdtempSync(path.join(os.tmpdir(), "rules-"));

const WHOLE = "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3005-\\u3007\\u3040-\\u30FF\\u31F0-\\u31FF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uF900-\\uFAFF";
const TOKEN = new RegExp(`[${WHOLE}]|[^\\s${WHOLE}]+`, "g");
const tokensOf = (text) => text.replace(/[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\u00AD]/g, "").match(TOKEN) || [];

/** The length of a longest common subsequence; `marks` gets 1 for each token of `a` on it. */
function common(a, b, marks) {
	if (a.length * b.length > PAIRS_MOST)
		[a, b] = [a.slice(0, TOKENS_MOST), b.slice(0, TOKENS_MOST)];
	const width = b.length + 1, best = new Uint16Array((a.length + 1) * width);
	for (let i = a.length - 1; i >= 0; i--) {
		for (let j = b.length - 1; j >= 0; j--) {
			best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1] + 1
				: Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
		}
	}
	for (let i = 0, j = 0; marks && i < a.length && j < b.length;) {
		if (a[i] === b[j]) {
			marks[i++] = 1;
			j++;
		} else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) {
			i++;
		} else {
			j++;
		}
	}
	return best[0];
}

function f1(text, reference) {
	const a = tokensOf(text), b = tokensOf(reference);
	return a.length + b.length ? 2 * common(a, b) / (a.length + b.length) : 1;
}

const fileOf = (page, ending) => path.join(folder, page.corpus, page.id + ending);
const referenceOf = (page) => fs.readFileSync(fileOf(page, ".txt"), "utf8");
const run = (...words) => execFileSync(dana, words, { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 }).toString();
const textOf = (page, site, rules) => run("extract", "--url", `http://${site}/`, ...(rules ? ["--rules", rules] : []), fileOf(page, ".html"));

/* A page that is no HTML is left out of a report. */
const isRead = (page) => spawnSync(dana, ["explain", fileOf(page, ".html")], { stdio: "ignore" }).status === 0;
/** Pages of a site as findRules takes them, with marks from their references. */
function markedPages(pages) {
	const report = path.join(work, "report.html");
	run("explain", "--force", "-o", report, ...pages.map((page) => fileOf(page, ".html")));
	const data = JSON.parse(/<script id="data" type="application\/json">(.*)<\/script>\n/.exec(fs.readFileSync(report, "utf8"))[1]);
	return (data.reports || [data]).map(({ elements, title, methods: [{ blocks }] }, p) => {
		const tokens = blocks.map((b) => tokensOf(b.text)), flat = tokens.flat(), marks = new Uint8Array(flat.length);
		let at = 0;
		common(flat, tokensOf(referenceOf(pages[p])), marks);
		return { elements, title, reviewed: true, blocks: blocks.map((b, i) => {
			const n = tokens[i].length, found = marks.subarray(at, at += n).reduce((sum, one) => sum + one, 0);
			return { in: b.in, text: b.text, kept: b.kept, want: n === 0 || (2 * found >= n) === b.kept ? undefined : !b.kept };
		}) };
	});
}

/** The same pages, as if only the first `most` on which something is wrongly kept had been marked; without `most` all are. */
function someMarked(pages, most) {
	const isWrong = (b) => b.want === false, marked = pages.filter((page) => !most || page.blocks.some(isWrong)).slice(0, most || pages.length);
	const said = new Set(most ? marked.flatMap((page) => page.blocks.filter(isWrong).map((b) => b.text)) : []);
	return pages.map((page) => {
		const reviewed = marked.includes(page), want = (b) => reviewed ? b.want : undefined;
		return { ...page, reviewed, blocks: page.blocks.map((b) => ({ ...b, want: want(b), alike: want(b) === undefined && said.has(b.text) })) };
	});
}

const [head, ...rows] = fs.readFileSync(path.join(folder, "index.tsv"), "utf8").trim().split("\n").map((line) => line.split("\t"));
const sites = new Map();
for (const row of rows) {
	const page = Object.fromEntries(head.map((name, i) => [name, row[i] || ""])), host = URL.canParse(page.url) ? new URL(page.url).hostname.replace(/^www\./, "") : "";
	if (host && fs.existsSync(fileOf(page, ".txt")))
		sites.set(host, [...(sites.get(host) || []), page]);
}
const chosen = [...sites].filter(([, pages]) => pages.length >= 6).sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1)).slice(0, sitesMost || sites.size);
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
let ruled = 0, wrong = 0; /* pages that rules were found on, and those of which they take something else than was said */
const means = chosen.map(([site, all]) => {
	const pages = all.slice(0, PAGES_MOST).filter(isRead), own = pages.filter((_, i) => i % 2 === 0), marked = someMarked(markedPages(own), Number(markedMost));
	const { selectors, hits, missed } = findRules(marked), others = pages.filter((_, i) => i % 2 === 1), rules = path.join(work, "rules.tsv");
	fs.writeFileSync(rules, `${site}\tdrop\t${selectors.join(", ")}\n`);
	for (let p = 0; selectors.length && p < own.length; p++) {
		const said = marked[p].blocks.filter((b, i) => b.kept && !(hits[p] && hits[p][i])).map((b) => b.text).join("\n");
		ruled++;
		if (tokensOf(said).join(" ") !== tokensOf(textOf(own[p], site, rules)).join(" ")) {
			wrong++;
			console.log(`${fileOf(own[p], ".html")}: the rules take something else than was said`);
		}
	}
	const before = others.map((page) => f1(textOf(page, site), referenceOf(page)));
	const after = selectors.length ? others.map((page) => f1(textOf(page, site, rules), referenceOf(page))) : before;
	console.log(`${site}\t${pages.length} pages\t${mean(before).toFixed(4)} -> ${mean(after).toFixed(4)}\t${missed.length} marks missed\t${selectors.join(", ")}`);
	return [mean(before), mean(after), Math.max(...before.map((one, i) => one - after[i]))];
});
fs.rmSync(work, { recursive: true });
console.log(`${means.length} sites: ${mean(means.map((m) => m[0])).toFixed(4)} -> ${mean(means.map((m) => m[1])).toFixed(4)}; up by .002 and more on ${
	means.filter(([a, b]) => b - a >= 0.002).length}, down by more than .01 on ${means.filter(([a, b]) => b - a < -0.01).length}, at most by ${
	Math.max(...means.map(([a, b]) => a - b)).toFixed(4)}, a page by ${Math.max(...means.map((m) => m[2])).toFixed(4)}`);
console.log(`of ${ruled} pages that rules were found on, what they take differs on ${wrong}`);
process.exitCode = wrong ? 1 : 0;
