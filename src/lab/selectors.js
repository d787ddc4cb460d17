// SPDX-License-Identifier: MIT
/*
 * Finds selectors that hit blocks which were marked as wrongly kept, and no block that is right: few, and short ones. Pure
 * functions, which the report calls, and tests in Node.
 *
 * A page has the elements with text, [number of the parent or -1, name, {attribute: value}], parents first, and its blocks, each
 * with `in`, the elements that its text is in. Of an element a selector names what other pages of the site have, too: a class, id,
 * role, data-* attribute, a name that means something, or one of these below another.
 *
 * Example: of two pages with <div class="related box"> around blocks that were marked, and <div class="box"> around one that is
 * right, ".related" is found.
 */
"use strict";

/* Names of elements that are selectors by themselves; others say too little. */
const TELLING = new Set(["nav", "aside", "footer", "header", "form", "figcaption", "button", "address", "dialog", "menu", "details", "label"]);
const OUTERMOST = new Set(["html", "body"]);
const ANCESTORS_MOST = 8, SELECTORS_FOUND_MOST = 48, CANDIDATES_MOST = 6000;

/* ---- what an element can be named by ---- */

/** A name as selectors write it; null if they cannot. */
function nameWritten(name) {
	if (!name || /[\s\u0000-\u001f\u007f]/.test(name))
		return null;
	return (/^[0-9]|^-[0-9]|^-$/.test(name) ? null : name.replace(/[^A-Za-z0-9_\-\u0080-\uffff]/g, "\\$&"));
}

/** A value in quotes; null if it has both kinds of them, or a line end. */
function valueWritten(value) {
	if (/[\u0000-\u001f\u007f]/.test(value) || (value.includes("\"") && value.includes("'")))
		return null;
	return value.includes("\"") ? `'${value}'` : `"${value}"`;
}

/** The conditions that an element fulfils, as selectors write them: first its name. */
function conditionsOf([, name, attributes]) {
	const all = [name];
	for (const [attribute, value] of Object.entries(attributes)) {
		const quoted = valueWritten(value);
		if (attribute === "class") {
			for (const one of new Set(value.split(/[ \t\n\f\r]+/).filter(Boolean)))
				all.push(nameWritten(one) ? `.${nameWritten(one)}` : valueWritten(one) && `[class~=${valueWritten(one)}]`);
		} else if (attribute === "id") {
			all.push(nameWritten(value) ? `#${nameWritten(value)}` : quoted && `[id=${quoted}]`);
		} else if (nameWritten(attribute)) {
			all.push(quoted && `[${nameWritten(attribute)}=${quoted}]`);
			if (attribute !== "role")
				all.push(`[${nameWritten(attribute)}]`);
		}
	}
	return all.filter(Boolean);
}

/** What a selector costs: its length, and more for what another page has otherwise, as "post-8912". */
function costOf(text) {
	return text.length + 40 * (text.match(/[0-9]{2,}|[0-9a-f]{8,}/g) || []).length + 20 * (text.match(/\[data-/g) || []).length;
}

/* ---- which elements and blocks a selector hits ---- */

/** What is looked up again and again: for each condition its elements, and where the content of each element ends. */
function indexOf(page) {
	const of = new Map(), ends = new Int32Array(page.elements.length).fill(0);
	page.elements.forEach((element, i) => {
		for (const condition of conditionsOf(element)) {
			if (!of.has(condition))
				of.set(condition, []);
			of.get(condition).push(i);
		}
	});
	for (let i = page.elements.length - 1; i >= 0; i--) {
		ends[i] = Math.max(ends[i], i + 1);
		const parent = page.elements[i][0];
		if (parent >= 0)
			ends[parent] = Math.max(ends[parent], ends[i]);
	}
	return { page, of, ends };
}

/** The elements that fulfil all conditions of a compound, in order. */
function ofCompound(index, conditions) {
	let found = index.of.get(conditions[0]) || [];
	for (const condition of conditions.slice(1)) {
		const others = new Set(index.of.get(condition) || []);
		found = found.filter((i) => others.has(i));
	}
	return found;
}

/** The elements that a selector matches: {outer (a compound or null), child, inner}. */
function ofSelector(index, selector) {
	const inner = ofCompound(index, selector.inner);
	if (!selector.outer || !inner.length)
		return inner;
	const outer = new Set(ofCompound(index, selector.outer)), elements = index.page.elements;
	return inner.filter((i) => {
		let parent = elements[i][0];
		while (!selector.child && parent >= 0 && !outer.has(parent))
			parent = elements[parent][0];
		return parent >= 0 && outer.has(parent);
	});
}

/** Of each block of a page: 0 not hit, 1 in part, 2 as a whole. Null: no element matches. */
function hitsOf(index, selectors) {
	const roots = selectors.flatMap((selector) => ofSelector(index, selector));
	if (!roots.length)
		return null;
	const covered = new Uint8Array(index.page.elements.length);
	for (const i of roots)
		covered.fill(1, i, index.ends[i]);
	return index.page.blocks.map((block) => {
		const n = block.in.reduce((sum, i) => sum + covered[i], 0);
		return n === 0 ? 0 : n === block.in.length ? 2 : 1;
	});
}

/* ---- finding them ---- */

const written = (selector) => (selector.outer ? selector.outer.join("") + (selector.child ? " > " : " ") : "") + selector.inner.join("");

/* The elements around a block, from the innermost that has all of it outward. */
function around(page, block) {
	const chain = (i) => {
		const all = [];
		for (let at = i; at >= 0; at = page.elements[at][0])
			all.push(at);
		return all;
	};
	const first = block.in.length ? chain(block.in[0]) : [], others = block.in.slice(1).map((i) => new Set(chain(i)));
	return first.filter((i) => others.every((set) => set.has(i)) && !OUTERMOST.has(page.elements[i][1]));
}

/* Compounds of an element: of one condition, and of two. */
function compoundsOf(element) {
	const [name, ...rest] = conditionsOf(element).slice(0, 10), all = rest.map((one) => [one]);
	if (TELLING.has(name))
		all.push([name]);
	rest.forEach((one, i) => {
		all.push([name, one]);
		for (const other of rest.slice(i + 1))
			all.push([one, other]);
	});
	return all;
}

/* Selectors for a block: one compound or, with `paths`, one below another. */
function candidatesFor(page, block, paths) {
	const elements = around(page, block), all = [];
	elements.slice(0, ANCESTORS_MOST).forEach((i, at) => {
		const element = page.elements[i];
		if (!paths) {
			all.push(...compoundsOf(element).map((inner) => ({ outer: null, child: false, inner })));
			return;
		}
		const inners = conditionsOf(element).slice(TELLING.has(element[1]) ? 0 : 1, 5).map((one) => [one]);
		elements.slice(at + 1, at + 1 + ANCESTORS_MOST).forEach((parent, steps) => {
			for (const one of conditionsOf(page.elements[parent]).slice(TELLING.has(page.elements[parent][1]) ? 0 : 1, 5)) {
				for (const inner of inners) {
					all.push({ outer: [one], child: false, inner });
					if (steps === 0)
						all.push({ outer: [one], child: true, inner });
				}
			}
		});
	});
	return all;
}

/* A method finds the main text by the main heading, too, and may find another without it: an h1, or text that the title has. */
const isHeading = (page, block) => around(page, block).some((i) => page.elements[i][1] === "h1")
	|| (block.text.trim() !== "" && (page.title || "").includes(block.text.trim()));

/** Whether a block is wrong or right on this page: "wrong" if it is to go, "right" if it must stay, "" if it does not matter. */
function verdictOf(page, block) {
	if (block.want === false && block.kept)
		return isHeading(page, block) ? "right" : "wrong";
	return page.reviewed && (block.want === undefined ? block.kept : block.want) ? "right" : "";
}

/**
 * Finds selectors of what is to be left out. Each page of `pages`: {elements, title, blocks: [{in, text, kept, want}], reviewed}. `want` is the
 * mark of a block: true, it is main text; false, it is not; undefined, there is none. Of a page that was reviewed all blocks without
 * a mark are right; of another one nothing is known.
 *
 * Returns {selectors: texts, hits: of each page null or what hitsOf returns, missed: [[page, block]] marked and not hit}.
 */
function findRules(pages) {
	const indexes = pages.map(indexOf), verdicts = pages.map((page) => page.blocks.map((block) => verdictOf(page, block)));
	const marked = verdicts.flatMap((list, p) => list.map((verdict, b) => verdict === "wrong" && [p, b]).filter(Boolean));
	const key = ([p, b]) => p * 1e6 + b, left = new Set(marked.map(key)), chosen = [];
	const tried = new Map();
	/* the marked blocks that a selector takes as a whole; null if it takes some of one that is right */
	const gains = (selector) => {
		const all = [];
		for (const [p, index] of indexes.entries()) {
			const hits = hitsOf(index, [selector]);
			for (let b = 0; hits && b < hits.length; b++) {
				if (hits[b] && verdicts[p][b] === "right")
					return null;
				if (hits[b] === 2 && verdicts[p][b] === "wrong")
					all.push(key([p, b]));
			}
		}
		return all;
	};
	for (const paths of [false, true]) {
		for (const [p, b] of marked.filter((one) => left.has(key(one)))) {
			for (const selector of candidatesFor(pages[p], pages[p].blocks[b], paths)) {
				const text = written(selector);
				if (!tried.has(text) && tried.size < CANDIDATES_MOST)
					tried.set(text, { selector, text, cost: costOf(text), gains: gains(selector) });
			}
		}
		const usable = [...tried.values()].filter((one) => one.gains && one.gains.length).sort((a, b) => a.cost - b.cost);
		while (left.size && chosen.length < SELECTORS_FOUND_MOST) {
			let best = null, most = 0;
			for (const one of usable) {
				const more = one.gains.reduce((sum, k) => sum + left.has(k), 0);
				if (more > most) {
					best = one;
					most = more;
				}
			}
			if (!best)
				break;
			chosen.push(best);
			best.gains.forEach((k) => left.delete(k));
		}
	}
	/* one that others make superfluous goes, the dearest first */
	for (const one of [...chosen].sort((a, b) => b.cost - a.cost)) {
		const others = new Set(chosen.filter((other) => other !== one).flatMap((other) => other.gains));
		if (one.gains.every((k) => others.has(k)))
			chosen.splice(chosen.indexOf(one), 1);
	}
	return { selectors: chosen.map((one) => one.text),
		hits: indexes.map((index) => hitsOf(index, chosen.map((one) => one.selector))),
		missed: marked.filter((one) => left.has(key(one))) };
}

if (typeof module !== "undefined")
	module.exports = { findRules };
