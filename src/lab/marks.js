// SPDX-License-Identifier: MIT
/*
 * Marks: what a reader of the report says is wrong, kept by the browser, and what is saved of it: rules for the site
 * (selectors.js) and reference texts. A mark is what should be of a block, whatever recall is moved to: true, it is main text.
 */
"use strict";

/** A number of a text (FNV-1a), by which the browser finds the marks of a report again. */
function numberOfText(text) {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
	return hash.toString(16);
}

/** The host of a URL, without "www."; "" if there is none. */
function hostOf(url) {
	try {
		const { protocol, hostname } = new URL(url);
		return /^https?:$/.test(protocol) ? hostname.replace(/^www\./, "") : "";
	} catch {
		return "";
	}
}

const siteOf = (report) => hostOf(report.url) || hostOf(report.canonical);

/**
 * The marks of a report. `pages`: what is known of its pages; marks are of the blocks of the first method of each. `changed` is called
 * after each change.
 */
class Marks {
	constructor(pages, name, changed) {
		this.pages = pages;
		this.name = `dana explain ${name}`;
		this.changed = changed;
		this.past = [];
		this.found = null;
		this.all = pages.map(() => new Map());
		this.load();
	}

	blocks(page) {
		return this.pages[page].methods[0].blocks;
	}

	/* A browser may have no place for a page that is a file: then marks last as long as the page is open. */
	load() {
		try {
			JSON.parse(localStorage.getItem(this.name) || "[]").forEach((list, page) => {
				for (const [block, want] of list) {
					if (this.all[page] && this.blocks(page)[block])
						this.all[page].set(block, Boolean(want));
				}
			});
		} catch {
			this.unkept = true;
		}
	}

	store() {
		try {
			if (this.count())
				localStorage.setItem(this.name, JSON.stringify(this.all.map((map) => [...map])));
			else
				localStorage.removeItem(this.name);
		} catch {
			this.unkept = true;
		}
	}

	/* Whether a block is in the text of the page, with the rules where there are any. */
	isKept(page, block) {
		const { kept, ruled } = this.blocks(page)[block];
		return ruled === undefined ? kept : ruled;
	}

	count() {
		return this.all.reduce((sum, map) => sum + map.size, 0);
	}

	/** How many blocks of these pages are marked: "2 wrong, 1 right"; "none". */
	counted(pages) {
		const all = pages.flatMap((p) => [...this.all[p]].map(([block, want]) => want === this.isKept(p, block) ? "right" : "wrong"));
		const sums = ["wrong", "right"].map((name) => [all.filter((one) => one === name).length, name]);
		return sums.filter(([n]) => n).map(([n, name]) => `${n.toLocaleString("en")} ${name}`).join(", ") || "none";
	}

	get(page, block) {
		return this.all[page].get(block);
	}

	/** Sets the marks of blocks of a page, [[block, true, false or undefined: none]], as one step that can be undone. */
	set(page, changes) {
		this.past.push([page, changes.map(([block]) => [block, this.get(page, block)])]);
		this.put(page, changes);
	}

	put(page, changes) {
		for (const [block, want] of changes) {
			if (want === undefined)
				this.all[page].delete(block);
			else
				this.all[page].set(block, want);
		}
		this.found = null;
		this.store();
		this.changed(page);
	}

	/** Undoes the last step. Returns its page, or -1. */
	undo() {
		const step = this.past.pop();
		if (step)
			this.put(step[0], step[1]);
		return step ? step[0] : -1;
	}

	clear() {
		this.all.forEach((map, page) => {
			if (map.size)
				this.set(page, [...map.keys()].map((block) => [block, undefined]));
		});
	}

	/**
	 * Finds rules for the site of a page: {pages: numbers of its pages in the report, selectors, hits, missed, others, same, share, doubts} as findRules, but
	 * with the numbers of all pages of the report; and alike, [[page, block]] without a mark that have the text of a block marked as not main text.
	 */
	rules(page) {
		const site = siteOf(this.pages[page]), own = this.pages.map((_, p) => p).filter((p) => siteOf(this.pages[p]) === site);
		if (this.found && this.found.site === site)
			return this.found;
		const said = new Set(own.flatMap((p) => [...this.all[p]].filter(([, want]) => !want).map(([b]) => this.blocks(p)[b].text)));
		const given = own.map((p) => ({ elements: this.pages[p].elements || [], title: this.pages[p].title, reviewed: this.all[p].size > 0,
			cut: this.pages[p].methods[0].made !== "learned",
			blocks: this.blocks(p).map((b, i) => ({ in: b.in || [], text: b.text, kept: this.isKept(p, i), want: this.get(p, i),
				alike: !this.all[p].has(i) && said.has(b.text) })) }));
		const found = findRules(given), numbered = (list) => list.map(([p, b]) => [own[p], b]);
		this.found = { site, pages: own, selectors: found.selectors, hits: this.pages.map((_, p) => own.includes(p) ? found.hits[own.indexOf(p)] : null),
			missed: found.missed.map(([p, b, why]) => [own[p], b, { ...why, others: numbered(why.others || []) }]), others: numbered(found.others), same: numbered(found.same), share: found.share, doubts: found.doubts,
			alike: numbered(given.flatMap(({ blocks }, p) => blocks.map((b, i) => b.alike && b.kept && [p, i]).filter(Boolean))) };
		return this.found;
	}

	/** The text of a page as a reference: what is kept but for marks, and what is marked as main text. */
	reference(page) {
		const lines = this.blocks(page).filter((b, i) => this.all[page].has(i) ? this.get(page, i) : b.kept).map((b) => b.text);
		return lines.filter((text) => text !== "").map((text) => `${text}\n`).join("");
	}
}

/** Names of reference files: the page's own, without folders and ending, of letters, digits and "._-". */
function referenceName(report) {
	const base = report.file.replace(/[?#].*$/, "").replace(/\/+$/, "").replace(/^.*\//, "").replace(/(\.(x?html?|mht(ml)?|gz|zst))+$/i, "");
	return base.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, "") || "page";
}

/** The rows of index.tsv for these pages, with its header line. */
function indexRows(reports) {
	const cell = (text) => text.replace(/[\t\r\n]+/g, " ");
	return ["corpus\tid\tcharset\turl", ...reports.map((report) => ["marked", referenceName(report), report.charset === "unknown" ? "" : report.charset,
		cell(report.url || report.canonical || "")].join("\t"))].map((line) => `${line}\n`).join("");
}

/** Saves a text as a file of this name, where the browser saves files. Nobody is told when it has read the text, which stays as long as the page. */
function saveFile(name, text) {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
	link.download = name;
	link.click();
}
