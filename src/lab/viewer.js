// SPDX-License-Identifier: MIT
/*
 * Draws a report of `dana explain` from the JSON in it; report.c and overview.c write that. Text of the page is only ever set as text
 * (textContent), never as markup, and nothing is loaded: a policy in viewer.html forbids both. The build puts selectors.js, marks.js
 * and compare.js, which draws a report of `dana compare`, before it.
 *
 * A report of several pages: reports: [as of one page].
 * A report of one page:
 *	file, url, first (only if it is of several records at the place of `file`), canonical (URL that the page gives itself), title, elements (selectors.js), charset, version, bytes, visible (characters), pages (of the site, with --boilerplate), methods: [{
 *		spec, made (the method that made the text), kept (characters), ruled (with --rules), media, none, cut, markdown,
 *		words: what the method calls its segments and regions,
 *		numbers: [[name, value]] of the page,
 *		segments: [[content, code, smoothed or null]], regions: [[first, last, weight, chain, chosen]],
 *		blocks: [{kept, first, last (segments), score, reason, numbers: "name=value name=value", text,
 *			marks: [[line, on so many pages, only this method has it]], ruled (kept with --rules), in (its elements),
 *			words, chance: [after stage 1, in the end] (1/65536), reasons: [[stage, words, log odds]]}]}]
 * An overview of an archive:
 *	file, method, version, seen (pages), pages: [{url, host, type, charset, visible, kept, shown: "most" or "least",
 *		method: as above, without texts}]
 *
 * What is shown can be named in the address, as #page=2&recall=70&show=dropped&open=all (all features), so that it can be linked to.
 */
"use strict";

const ABOUT = {
	"recall": "how much text is kept: above 50 more, below 50 less",
	"lean": "how much more a missed word costs by the kind of page: less on articles and forums, more on others",
	"threshold": "a block of at least this probability is kept",
	"expected F1": "how well what is kept should match the main text; 1 is best",
	"blocks": "of text that the method judged",
	"gap": "segments that regions of one chain may be apart",
	"gap-fill": "whether text in gaps of the chain is kept",
	"literal": "1: counts as the papers do, code by its bytes, tags whole, and listings as other text",
	"tag-limit": "bytes of a tag that count, but for links; 0: all", "link-limit": "the same for links",
	"chains": "groups of regions; the one with the largest is kept",
	"primary threshold": "score of a cell that begins a ridge",
	"peak threshold": "score that the top of a ridge needs",
	"stage1": "probability after stage 1", "stage2": "after stage 2", "alike": "with the blocks like it: this decides",
	"site": "with other pages of the site: then this decides", "site_pages": "other pages of the site with its text", "site_others": "... of so many that are known",
	"words": "in the block", "linked": "letters in links", "tokens": "score of the class names around it",
	"copy": "values of recall at which its words are kept before", "unwanted": "a main heading, not wanted",
	"note": "a footnote of this block", "code": "code: kept if of these blocks some before and after it are", "lead": "the description under the title: kept if of these blocks one after it is", "list": "a list after a colon: kept if the first of these blocks and one after the last are",
	"heading": "a heading: dropped if of these blocks none is kept, and text before it is",
	"weight": "what is above the axis in the region, in dana and danag less what is below it, unless literal", "chain": "number of its chain", "smoothed<": "highest smoothed value",
	"found": "of its tokens in the text",
};
const COLUMNS_MOST = 600, BARS_MOST = 1200, GROUPS_MOST = 50, REASONS_MOST = 3, WIDTH = 1200, LISTED_MOST = 50;
/* Rules that take more of the text of a page that nobody has marked are shown with a warning. */
const STRAYS_WARNED = 0.05;

/* Why no selector takes a marked block, as findRules says. */
const WHY_MISSED = {
	heading: "it is the main heading, which rules leave alone",
	nameless: "neither it nor what is around it has a class, an id or another name",
	once: "the names around it, such as ids, are on no other page of the report, so that a rule would hold for this page alone",
	much: "what names it is around text of pages without marks, too:",
	shared: "what names it is around blocks that are right, too:",
	protected: "what names it is around what you have marked as right or as wrongly dropped, too:",
};
const OTHERS_MOST = 5;
/* Why to look at more pages before a selector is saved, as doubtOf says; the worst first. */
const WHY_DOUBTED = {
	text: "that is what the text of a page is called, and on other pages it may be around the whole article",
	look: "that says how something looks or where it stands, not what it is, and may be around text on other pages",
	generated: "that looks generated, and may be another name on other pages and after the next change of the site",
};

/* ---- elements ---- */

/** make("p", {class: "note"}, "text", child): an element; attributes that are false, null or undefined are left out. */
function make(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

/** The same for pictures. */
function draw(tag, attributes, ...children) {
	return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value !== false && value !== null && value !== undefined)
			element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
	return element;
}

/** A number for people: whole ones completely, with separators, others with two decimals, small ones with two digits. */
function shown(value) {
	if (value === null || !Number.isFinite(value))
		return value === null ? "–" : value > 0 ? "∞" : "−∞";
	return value.toLocaleString("en", Math.abs(value) < 0.1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 });
}

const percent = (part, whole) => `${(whole ? Math.floor(1000 * part / whole) / 10 : 0).toFixed(1)} %`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const verdict = (kept) => kept ? "✓ kept" : "✗ dropped";
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

/** A list of facts: [name, value, what it means]. */
function facts(list, rows) {
	for (const [name, value, about] of rows.filter(Boolean)) {
		list.append(make("div", null, make("dt", null, name),
			make("dd", null, typeof value === "number" || value === null ? shown(value) : make("bdi", null, value)),
			about && make("small", null, about)));
	}
	return list;
}

/** A table; a column whose name begins with # has numbers. `rows` are lists of texts, numbers and elements. */
function table(columns, rows) {
	const names = columns.map((name) => name.replace("#", ""));
	const classes = columns.map((name) => name.startsWith("#") ? "number" : null);
	return make("table", null,
		make("thead", null, make("tr", null, ...names.map((name, i) => make("th", { scope: "col", class: classes[i] }, name)))),
		make("tbody", null, ...rows.map((row) => make("tr", null, ...row.map((cell, i) =>
			make("td", { class: classes[i], "data-name": names[i] }, typeof cell === "number" ? shown(cell) : cell))))));
}

/* ---- the decision of learned ---- */

/*
 * As decode_best of src/extract/learned/stage2.c: of all sets of blocks the one with the highest expected F-beta is kept; `recall` and the kind of
 * page (`lean`) move beta.
 * All values are whole, below 2^53, and divided as in C.
 */
function thresholdOf(blocks, recall, lean) {
	const eighths = recall * 8, least = 16 << Math.floor(eighths / 100);
	const balance = Math.floor((least + Math.floor(least * (eighths % 100) / 100)) * Math.round(lean * 256) / 256);
	let mass = blocks.reduce((sum, b) => sum + b.chance[1] * b.words, 0), threshold = 1, expected = 0;
	mass = Math.floor(Math.floor(mass / 65536) * balance / 256) + 1;
	for (let step = 0; step < 32; step++) {
		let hit = 0, kept = 0;
		for (const b of blocks) {
			if (b.chance[1] >= threshold) {
				hit += b.chance[1] * b.words;
				kept += b.words;
			}
		}
		const share = Math.floor(hit / (kept + mass));
		expected = Math.min(65536, Math.floor(share * (256 + balance) / 256));
		if (share <= threshold)
			break;
		threshold = share;
	}
	return { threshold, expected };
}

/** Whether `recall` is in "0-37,50". */
function inRanges(ranges, recall) {
	return ranges.split(",").some((range) => {
		const [from, to] = range.split("-").map(Number);
		return recall >= from && recall <= (to === undefined ? from : to);
	});
}

const numberOf = (m, name, other) => (m.numbers.find((n) => n[0] === name) || [name, other])[1];
const pairsOf = (numbers) => numbers.split(" ").filter(Boolean).map((pair) => {
	const at = pair.indexOf("=");
	return [pair.slice(0, at), pair.slice(at + 1)];
});

/** As coherence_apply of src/extract/learned/coherence.c: code, the lead and lists are kept with their neighbours, headings dropped with their sections. */
function decideNeighbours(blocks, isKept, unlikely) {
	const places = blocks.map((b) => {
		const [, role, from, to] = /(?:^| )(code|lead|list|heading)=(\d+)-(\d+)/.exec(b.numbers) || [];
		return { role, from: from - 1, to: +to };
	});
	const kept = [0]; // before each block, and in all
	const any = (from, to) => from < to && kept[to] > kept[from];
	blocks.forEach((b, i) => kept.push(kept[i] + isKept(b)));
	blocks.forEach((b, i) => {
		const { role, from, to } = places[i];
		const between = role === "code" && any(from, i);
		if (unlikely(b) && (between || role === "lead") && any(i + 1, to)) {
			b.now = true;
			b.why = between ? "code between kept text" : "the description, under the title";
		} else if (unlikely(b) && role === "list" && any(from, from + 1) && any(to, blocks.length)) {
			b.now = true;
			b.why = "a list after a colon";
		}
	});
	blocks.forEach((b, i) => { kept[i + 1] = kept[i] + (isKept(b) && places[i].role !== "heading"); });
	blocks.forEach((b, i) => {
		const { role, from, to } = places[i];
		if (role === "heading" && b.now && any(0, i) && from < to && !any(from, to)) {
			b.now = false;
			b.why = "its section is dropped";
		}
	});
}

/** Reasons of blocks that have no chance, whatever `recall` is. */
const LEFT_OUT = ["browsers do not show it", "its class is of other matter"];

/** Decides all blocks of a method at another recall: sets `now` and `why` of each, and returns the decision. */
function decide(m, recall) {
	const decision = thresholdOf(m.blocks, recall, numberOf(m, "lean", 1));
	for (const b of m.blocks) {
		const copies = /(?:^| )copy=(\S+)/.exec(b.numbers);
		if (b.chance[1] < decision.threshold)
			b.why = LEFT_OUT.includes(b.reason) ? b.reason : "below the threshold";
		else if (copies && inRanges(copies[1], recall))
			b.why = "its words are kept before";
		else if (/(?:^| )unwanted=1/.test(b.numbers))
			b.why = "main heading, not wanted";
		else
			b.why = "above the threshold";
		b.now = b.why === "above the threshold";
	}
	const isKept = (b) => b.now || b.why === "main heading, not wanted";
	const unlikely = (b) => b.why === "below the threshold" || LEFT_OUT.includes(b.why);
	const first = m.blocks.map(isKept);
	for (const b of m.blocks) {
		const note = /(?:^| )note=(\d+)/.exec(b.numbers);
		if (note && first[note[1] - 1] && unlikely(b)) {
			b.now = true;
			b.why = "a note of kept text";
		}
	}
	decideNeighbours(m.blocks, isKept, unlikely);
	for (const b of m.blocks) {
		if (unlikely(b) && LEFT_OUT.includes(b.reason))
			b.why = b.reason;
	}
	return decision;
}

/** A kind of page in a sentence: "an article". */
function kindName(kind) {
	if (kind === "other" || kind === "unknown")
		return "of no known kind";
	return kind === "documentation" ? kind : `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
}

/**
 * Which kind the page is taken for, and from which probability on a block is kept, in sentences; "" for methods without kinds. The first
 * kind is the page's own. It is not the likeliest where that is documentation, and the page has neither code nor terms.
 */
function kindOf(m) {
	const kinds = m.numbers.filter(([name]) => name.startsWith("kind: ")), [first] = kinds;
	if (!first || !m.blocks.some((b) => b.chance))
		return "";
	const threshold = numberOf(m, "threshold", 0.5).toFixed(2);
	const likely = kinds.some(([, share]) => share > first[1]) ? ", as documentation has code or terms" : "";
	return `The page is taken for ${kindName(first[0].slice(6))} (${Math.round(100 * first[1])} %${likely}). ` +
		`A block is kept from a probability of ${threshold} on.`;
}

/* ---- pictures ---- */

function figure(kind, title, top, bottom, height, shapes, left, right) {
	const end = (side, text) => text && make("span", { class: `end ${side}` }, text);
	return make("figure", { class: `plot ${kind}` }, make("figcaption", null, title),
		make("div", { class: "frame" }, end("top", top), end("bottom", bottom),
			draw("svg", { role: "img", "aria-label": title, viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: "none", height },
				...shapes)),
		make("div", { class: "scale" }, make("span", null, left), make("span", null, right)));
}

function legend(rows) {
	return make("ul", { class: "legend" }, ...rows.map(([kind, path, words]) => make("li", null,
		draw("svg", { viewBox: "0 0 28 14", "aria-hidden": "true" }, draw("path", { class: kind, d: path })), ` ${words}`)));
}

const BOX = "M0 0H28V14H0Z", LINE = "M0 7H28";
const near = (value) => value.toFixed(1);

/*
 * The blocks as bars beside each other, as wide as they have words (or segments): [{first, last (blocks), from, to (0 to 1), kept, chance}].
 * Of very many, narrow neighbours of one outcome share a bar; its probability is their mean by words.
 */
function barsOf(m) {
	const weight = (b) => b.chance ? b.words : b.first !== undefined ? b.last - b.first + 1 : 0;
	const total = m.blocks.reduce((sum, b) => sum + weight(b), 0), bars = [];
	let before = 0, own = 0;
	m.blocks.forEach((b, i) => {
		const w = weight(b), last = bars[bars.length - 1];
		if (w === 0)
			return;
		if (!last || m.blocks.length <= BARS_MOST || last.kept !== b.now || BARS_MOST * own >= total) {
			bars.push({ first: i, from: before / total, kept: b.now, chance: [0, 0] });
			own = 0;
		}
		const bar = b.bar = bars[bars.length - 1];
		before += w;
		own += w;
		bar.last = i;
		bar.to = before / total;
		for (let stage = 0; b.chance && stage < 2; stage++)
			bar.chance[stage] += (b.chance[stage] / 65536 - bar.chance[stage]) * w / own;
	});
	return { bars, total };
}

/* Transparent boxes over the whole height, which lead to the blocks' text; `shapes` of a bar are drawn below. */
function links(m, bars, height, shapes) {
	return bars.map((bar) => {
		const x = near(bar.from * WIDTH), name = bar.first === bar.last ? `block ${bar.first + 1}` : `blocks ${bar.first + 1} to ${bar.last + 1}`;
		const chance = m.blocks[bar.first].chance
			? `, probability ${bar.chance[1].toFixed(2)} (stage 1: ${bar.chance[0].toFixed(2)})` : "";
		const hit = draw("path", { class: "hit", d: `M${x} 0H${near(bar.to * WIDTH)}V${height}H${x}Z` });
		if (!m.id)
			return draw("g", null, ...shapes(bar));
		return draw("a", { id: `${m.id}p${bar.first + 1}`, href: `#${m.id}b${bar.first + 1}`, tabindex: -1 },
			draw("title", null, `${name}, ${bar.kept ? "kept" : "dropped"}${chance}`), ...shapes(bar), hit);
	});
}

/* The numbers of the blocks under a picture, as many as fit: kept ones first, then wide ones. */
function numbers(m, bars) {
	const line = make("div", { class: "blocks" });
	const place = () => {
		const width = line.clientWidth, taken = [];
		line.replaceChildren();
		for (const bar of [...bars].sort((a, b) => b.kept - a.kept || (b.to - b.from) - (a.to - a.from) || a.first - b.first)) {
			const half = String(bar.first + 1).length * 4 + 4, middle = (bar.from + bar.to) / 2 * width;
			if (middle < half || middle + half > width || taken.some(([at, size]) => Math.abs(at - middle) < size + half))
				continue;
			taken.push([middle, half]);
			const link = make("a", { class: bar.kept ? "yes" : "no", href: `#${m.id}b${bar.first + 1}`, tabindex: -1 }, String(bar.first + 1));
			link.style.left = `${50 * (bar.from + bar.to)}%`;
			line.append(link);
		}
	};
	new ResizeObserver(place).observe(line);
	return line;
}

/* learned: each block as wide as it has words, as high as its probability. */
function chances(m, threshold) {
	const height = 180, { bars, total } = barsOf(m), y = (chance) => near(8 + (1 - chance) * (height - 8));
	const shapes = links(m, bars, height, (bar) => {
		const left = near(bar.from * WIDTH), right = near(bar.to * WIDTH);
		return [draw("path", { class: `bar ${bar.kept ? "chosen" : "other"}`, d: `M${left} ${height}V${y(bar.chance[1])}H${right}V${height}Z` }),
			draw("path", { class: "first", d: `M${left} ${y(bar.chance[0])}H${right}` })];
	});
	shapes.push(draw("path", { class: "threshold", d: `M0 ${y(threshold)}H${WIDTH}` }));
	const plot = figure("chances", "Each block of the page: as wide as it has words, as high as its probability in the end", "1", "0",
		height, shapes, "word 1", shown(total));
	if (m.id)
		plot.lastChild.before(numbers(m, bars));
	return [legend([["bar chosen", BOX, "kept"], ["bar other", BOX, "dropped"], ["first", LINE, "probability after stage 1"],
		["threshold", LINE, `threshold: ${threshold.toFixed(2)}`]]), plot];
}

/*
 * Segments become at most COLUMNS_MOST columns: segment i is in column i * columns / segments. A column shows the mean of content and
 * code, and the lowest and highest smoothed value.
 */
function columnsOf(m) {
	const n = Math.min(m.segments.length, COLUMNS_MOST), at = (segment) => Math.floor(segment * n / m.segments.length);
	const columns = Array.from({ length: n }, () => ({ content: 0, code: 0, segments: 0, low: Infinity, high: -Infinity, flag: "", gap: false }));
	m.segments.forEach(([content, code, smoothed], i) => {
		const c = columns[at(i)];
		c.segments++;
		c.content += (content - c.content) / c.segments;
		c.code += (code - c.code) / c.segments;
		if (smoothed !== null && Number.isFinite(smoothed)) {
			c.low = Math.min(c.low, smoothed);
			c.high = Math.max(c.high, smoothed);
		}
	});
	m.regions.forEach(([first, last, , chain, chosen], i) => {
		for (let c = at(first); c <= at(last); c++)
			columns[c].flag = chosen ? "chosen" : columns[c].flag || "other";
		const before = m.regions[i - 1];
		for (let c = before && at(before[1]); before && before[4] && chosen && before[3] === chain && c <= at(first); c++)
			columns[c].gap = true;
	});
	return columns;
}

/* The papers' plots: content above and code below the axis, the smoothed curve, regions with the chosen chain and its gaps. */
function plots(m) {
	const columns = columnsOf(m), n = columns.length, x = (c) => near(c * WIDTH / n), words = m.words, parts = [];
	const runs = (test, path) => {
		let d = "";
		for (let from = 0, to; from < n; from = to > from ? to : from + 1) {
			for (to = from; to < n && test(columns[to]); to++)
				;
			d += to > from ? path(x(from), x(to)) : "";
		}
		return d;
	};
	const bands = (kind, flag, y, height) => draw("path", { class: `${kind} ${flag}`,
		d: runs((c) => c.flag === flag, (from, to) => `M${from} ${y}H${to}V${y + height}H${from}Z`) });
	const behind = (height) => [bands("band", "other", 0, height), bands("band", "chosen", 0, height)];
	const hasCode = m.segments.some((s) => s[1] > 0), half = 100, height = hasCode ? 2 * half : half;
	const top = Math.max(...columns.map((c) => Math.max(c.content, c.code)));
	const axis = (y) => draw("path", { class: "axis", d: `M0 ${y}H${WIDTH}` });
	const bars = (kind, sign) => draw("path", { class: kind, d: `M0 ${half}` + columns.map((c, i) =>
		`V${near(half - (top > 0 ? sign * c[kind] / top * half : 0))}H${x(i + 1)}`).join("") + `V${half}Z` });
	const end = shown(m.segments.length - 1), begin = `${words.segment} 0`;

	parts.push(legend([["content", BOX, words.above], hasCode && ["code", BOX, words.below], ["box chosen", BOX, `${words.region}: kept`],
		["box other", BOX, `${words.region}: not kept`], ["gap", LINE, "gap"], ["threshold", LINE, "threshold"]].filter(Boolean)));
	if (m.segments.length > n)
		parts.push(make("p", { class: "note" }, `${shown(m.segments.length)} ${words.segments} in ${n} columns: each shows the mean of about ${
			Math.ceil(m.segments.length / n)}, the curve all of them.`));
	parts.push(figure("signal", `${capital(words.above)} of each ${words.segment}` + (hasCode ? ` above the axis, ${words.below} below it` : ""),
		`${shown(top)} ${words.above}`, hasCode && `${shown(top)} ${words.below}`, height,
		[...behind(height), bars("content", 1), hasCode ? bars("code", -1) : "", axis(half)], begin, end));

	if (columns.some((c) => c.low <= c.high)) {
		const high = Math.max(0, ...columns.map((c) => c.high)), low = Math.min(0, ...columns.map((c) => c.low)), tall = 160;
		const y = (value) => near(high > low ? (high - value) / (high - low) * (tall - 8) + 4 : tall - 4);
		const thresholds = m.numbers.filter(([name, value]) => name.includes("threshold") && value >= low && value <= high);
		const curve = columns.map((c, i) => c.low > c.high ? "" : `L${near((Number(x(i)) + Number(x(i + 1))) / 2)} ${y(c.high)}` +
			(c.low < c.high ? `V${y(c.low)}` : "")).join("").replace("L", "M");
		parts.push(figure("smoothed", `${capital(words.smoothed)}; ${words.regions} in the background, hatched if not chosen`, shown(high),
			shown(low), tall, [...behind(tall), axis(y(0)), ...thresholds.map(([, value]) => draw("path", { class: "threshold", d: `M0 ${y(value)}H${WIDTH}` })),
				draw("path", { class: "curve", d: curve })], begin, end));
	}

	const chosen = m.regions.filter((r) => r[4]), strip = 36, { bars: boxes } = barsOf(m);
	const title = chosen.length ? `${shown(m.regions.length)} ${m.regions.length === 1 ? words.region : words.regions}; ${words.chosen}: ${
		words.segments} ${shown(Math.min(...chosen.map((r) => r[0])))} to ${shown(Math.max(...chosen.map((r) => r[1])))} with ${
		shown(chosen.length)} of them (full boxes), gaps dashed; all others are hatched` : `${shown(m.regions.length)} ${words.regions}, none chosen`;
	const plot = figure("strip", title, null, null, strip, [
		draw("path", { class: "gap", d: runs((c) => c.gap && c.flag !== "chosen", (from, to) => `M${from} ${strip / 2}H${to}`) }),
		bands("box", "other", 10, strip - 20), bands("box", "chosen", 4, strip - 8),
		...(m.id ? links(m, boxes, strip, () => []) : [])], begin, end);
	if (m.id)
		plot.lastChild.before(numbers(m, boxes));
	parts.push(plot);
	return parts;
}

/** All pictures of a method. */
function pictures(m, threshold) {
	m.blocks.forEach((b) => { b.now = b.now === undefined ? b.kept : b.now; });
	if (m.blocks.some((b) => b.chance))
		return chances(m, threshold === undefined ? numberOf(m, "threshold", 0.5) : threshold);
	return m.segments.length ? plots(m) : [];
}

/* ---- blocks ---- */

/* The reasons that move a block's log odds most in this direction, of both stages. */
const strongest = (b, sign) => (b.reasons || []).filter((r) => r[2] * sign > 0).sort((r, s) => Math.abs(s[2]) - Math.abs(r[2])).slice(0, REASONS_MOST);

/* Why a block was kept or dropped: what decided, and the strongest evidence for and against it. */
function why(b) {
	const said = [b.why || b.reason];
	for (const [title, sign] of [["Evidence for", 1], ["Evidence against", -1]]) {
		const reasons = strongest(b, sign);
		if (reasons.length)
			said.push(`${title}: ${reasons.map((r) => `${r[1]} (${signed(r[2])})`).join(", ")}`);
	}
	return said.filter(Boolean).map((text) => `${capital(text)}.`).join(" ");
}

/* All that is known of a block: its features, with what each moved its log odds by, and its numbers. */
function features(b) {
	const parts = [];
	for (const stage of [1, 2]) {
		const rows = (b.reasons || []).filter((r) => r[0] === stage);
		if (!rows.length)
			continue;
		parts.push(make("h4", null, `Stage ${stage}${stage === 1 ? `: ${(b.chance[0] / 65536).toFixed(2)}` : `, and with the blocks like it: ${
			(b.chance[1] / 65536).toFixed(2)}`}`), table(["evidence", "#log odds"],
			rows.map(([, words, odds]) => [words, `${odds > 0 ? "for" : "against"} ${signed(odds)}`])));
	}
	parts.push(make("h4", null, "Numbers"));
	const rows = pairsOf(b.numbers).map(([name, value]) => [name.replace("<", " at most"), /^-?[\d.]+(e[-+]?\d+)?$/.test(value) ? Number(value) : value,
		ABOUT[name] || ""]);
	if (b.score !== undefined && !b.chance)
		rows.unshift(["score", b.score, ""]);
	rows.unshift(["decided", b.why || b.reason, ""]);
	parts.push(table(["name", "#value", "meaning"], rows));
	return parts;
}

/* Opens or closes what is known of a block. */
function toggle(b, open) {
	const button = b.element.querySelector("button"), box = b.element.querySelector(".features");
	box.hidden = open === undefined ? !box.hidden : !open;
	button.setAttribute("aria-expanded", String(!box.hidden));
	box.replaceChildren(...(box.hidden ? [] : features(b)));
}

function blockOf(m, b, i, data) {
	const id = `${m.id}b${i + 1}`, marks = new Map((b.marks || []).map(([line, pages, only]) => [line, { pages, only }]));
	const place = b.chance ? make("b", { class: "chance" }, (b.chance[1] / 65536).toFixed(2))
		: b.first !== undefined ? make("span", { class: "chance" }, `${m.words.segments} ${shown(b.first)}–${shown(b.last)}`) : null;
	const lines = b.text === "" ? [] : b.text.split("\n").map((line, k) => {
		const { pages, only } = marks.get(k) || {};
		return make("p", { dir: "auto", class: only ? "only" : null }, only ? make("span", { class: "tag", dir: "ltr" }, "only here") : null,
			pages ? make("b", { class: "often" }, `on ${shown(pages)} of ${shown(data.pages)} pages`) : null, pages ? " " : null, line);
	});
	b.element = make("article", { class: "block", id, "aria-label": `block ${i + 1}` },
		make("div", { class: "what" }, make("button", { type: "button", "aria-expanded": "false", "aria-controls": `${id}f` }), place,
			b.bar ? make("a", { class: "pictured" }, "in the picture") : null, make("span", { class: "changed" }, "changed by recall"),
			b.ruled !== undefined && b.ruled !== b.kept ? make("span", { class: "ruled" }, b.ruled ? "the rules bring it" : "the rules take it") : null,
			m.marks ? make("button", { type: "button", class: "mark", "aria-pressed": "false" }) : null,
			m.marks ? make("span", { class: "taken" }, "taken by the rules found") : null),
		make("div", { class: "text" }, ...lines), make("p", { class: "why" }), make("div", { class: "features", id: `${id}f`, hidden: true }));
	b.element.addEventListener("click", (event) => {
		if (event.target.closest(".mark"))
			markBlock(m, i, event.shiftKey);
		if (event.target.closest("a, .features, .mark") || String(getSelection()) !== "")
			return;
		toggle(b);
	});
	return b.element;
}

/* ---- marks on blocks ---- */

/* Whether a block is in the text that is judged: with the rules where there are any, at the recall that is shown. */
const stands = (b) => b.ruled !== undefined && b.ruled !== b.kept ? b.ruled : b.now;

/* Marks a block as wrong, or takes the mark away; with `run` all that are shown from the last mark on and are as that one was. */
function markBlock(m, i, run) {
	const marks = m.marks, b = m.blocks[i], from = m.lastMark;
	if (run && from !== undefined && marks.get(m.page, from) !== undefined) {
		const want = marks.get(m.page, from), first = Math.min(from, i), last = Math.max(from, i);
		const all = m.blocks.map((_, k) => k).slice(first, last + 1).filter((k) => m.blocks[k].element && m.blocks[k].element.checkVisibility()
			&& stands(m.blocks[k]) !== want);
		marks.set(m.page, all.map((k) => [k, want]));
	} else {
		const old = marks.get(m.page, i);
		marks.set(m.page, [[i, old === undefined || old === stands(b) ? !stands(b) : undefined]]);
	}
	m.lastMark = i;
}

/* Says that a block is right, so that no rule takes it; once more: says nothing. */
function markRight(m, i) {
	const b = m.blocks[i];
	m.marks.set(m.page, [[i, m.marks.get(m.page, i) === stands(b) ? undefined : stands(b)]]);
}

/* Shows the mark of each block, and what the rules found take. */
function paintMarks(m) {
	const hits = m.marks.found && m.marks.found.hits[m.page];
	m.blocks.forEach((b, i) => {
		if (!b.element)
			return;
		const want = m.marks.get(m.page, i), wrong = want !== undefined && want !== stands(b), button = b.element.querySelector(".mark");
		b.element.classList.toggle("marked", want !== undefined);
		button.textContent = want === undefined ? "wrong" : want === stands(b) ? "✎ right" : `✎ wrongly ${want ? "dropped" : "kept"}`;
		button.setAttribute("aria-label", `block ${i + 1} is ${want !== undefined && !wrong ? "right" : `wrongly ${stands(b) ? "kept" : "dropped"}`}`);
		button.setAttribute("aria-pressed", String(want !== undefined));
		b.element.classList.toggle("hit", Boolean(hits && hits[i] && m.marks.isKept(m.page, i)));
	});
	m.root.querySelector(".marks").textContent = `marked${m.several ? " on this page" : ""}: ${m.marks.counted([m.page])}`;
	m.root.querySelector(".undo").disabled = m.marks.past.length === 0;
}

/* Shows what is now kept, after `recall` or at the beginning. */
function paint(m) {
	m.blocks.forEach((b, i) => {
		if (b.element) {
			b.element.classList.toggle("kept", b.now);
			b.element.classList.toggle("dropped", !b.now);
			b.element.classList.toggle("changed", b.now !== b.kept);
			const button = b.element.querySelector("button");
			button.className = b.now ? "yes" : "no";
			button.textContent = `${b.now ? "✓" : "✗"} ${i + 1} ${b.now ? "kept" : "dropped"}`;
			b.element.querySelector(".why").textContent = why(b);
			if (b.bar)
				b.element.querySelector(".pictured").href = `#${m.id}p${b.bar.first + 1}`;
		}
		if (b.row) {
			b.row.cells[1].textContent = verdict(b.now);
			b.row.cells[1].className = b.now ? "yes" : "no";
			b.row.cells[2].textContent = b.why || b.reason;
		}
	});
	if (m.marks)
		paintMarks(m);
}

/* ---- a method ---- */

/* The plain table of a method becomes the table of decisions: with links, and names for narrow windows. */
function takeTable(m, plain) {
	const names = ["block", "decision", "reason", "numbers", "text"];
	for (const row of plain.tBodies[0].rows) {
		const i = Number(row.cells[0].textContent) - 1, b = m.blocks[i], text = make("div", { class: "start" }, row.cells[4].textContent);
		names.forEach((name, k) => row.cells[k].setAttribute("data-name", name));
		row.cells[0].className = "number";
		row.cells[3].className = "numbers";
		row.cells[4].replaceChildren(text);
		if (b && b.element) {
			row.cells[0].replaceChildren(make("a", { href: `#${m.id}b${i + 1}` }, String(i + 1)));
			b.row = row;
		}
	}
	return plain;
}

function regionTable(m) {
	return table([`#${m.words.group}`, "#first", "#last", "#weight", "#gap before", "decision"], m.regions.map(([first, last, weight, chain, chosen], i) =>
		[chain, first, last, weight, i && first > m.regions[i - 1][1] ? first - m.regions[i - 1][1] : "",
			make("span", { class: chosen ? "yes" : "no" }, verdict(chosen))]));
}

const folded = (title, ...children) => make("details", { class: "table" }, make("summary", null, title), ...children);

/* The list begins at the first kept block: the menu before it, which is dropped, is folded until it is asked for. */
function fold(m) {
	const all = m.blocks.filter((b) => b.element), lead = Math.max(0, all.findIndex((b) => b.now)), button = m.root.querySelector(".unfold");
	all.forEach((b, i) => b.element.classList.toggle("lead", i < lead));
	m.root.querySelector(".list").classList.toggle("folded", !m.unfolded);
	button.hidden = lead === 0 || m.root.querySelector("form").show.value !== "all";
	button.setAttribute("aria-expanded", String(Boolean(m.unfolded)));
	button.textContent = `${m.unfolded ? "Hide" : "Show"} ${lead === 1 ? "the dropped block" : `the ${shown(lead)} dropped blocks`} before the first kept one`;
}

/** The section of a method. `state`: what the address names. */
function methodOf(m, data, plain, state) {
	const root = document.getElementById("method").content.cloneNode(true).firstElementChild, find = (what) => root.querySelector(what);
	const learned = m.blocks.some((b) => b.chance), whole = Math.max(m.kept, data.visible), form = find(".controls");
	m.root = root;
	find(".spec").textContent = m.spec;
	m.rules = m.ruled !== undefined;
	m.empty = m.blocks.length === 0;
	m.filled = !m.empty;
	m.none = m.none && m.filled;
	for (const element of root.querySelectorAll("[data-if]"))
		element.hidden = !m[element.dataset.if];
	for (const element of root.querySelectorAll(".marking"))
		element.hidden = !m.marks;
	find(".several").hidden = !m.several;
	const only = m.blocks.reduce((sum, b) => sum + b.marks.filter((mark) => mark[2]).length, 0);
	facts(find(".facts"), [
		m.spec.split(":")[0] !== m.made && ["method that made the text", m.made],
		["characters kept", m.kept],
		m.rules && ["characters kept with the rules", m.ruled],
		["of the visible text", percent(m.kept, whole), m.kept > data.visible &&
			`Text that only scripts or noscript hold is kept: the page itself shows ${shown(data.visible)} characters.`],
		data.methods.length > 1 && ["lines that only this method kept", only],
		m.media > 0 && ["media kept", m.media],
		...m.numbers.map(([name, value]) => [name, value, ABOUT[name] ||
			(name.startsWith("kind: ") ? `probability that this page is ${kindName(name.slice(6))}` : null)]),
	]);
	find(".kind").textContent = kindOf(m);
	find(".kind").hidden = !find(".kind").textContent;
	find(".pictures").append(...pictures(m));
	find(".list").append(...m.blocks.map((b, i) => shownBlock(b) ? blockOf(m, b, i, data) : null).filter(Boolean));
	find(".unfold").addEventListener("click", () => {
		m.unfolded = !m.unfolded;
		fold(m);
	});
	find("pre").textContent = m.markdown;
	if (m.regions.length)
		root.append(folded(`Table of ${m.words.regions}`, regionTable(m)));
	const rest = plain.nextElementSibling && plain.nextElementSibling.tagName === "P" ? plain.nextElementSibling : null;
	if (m.filled)
		root.append(folded("Table of decisions", takeTable(m, plain), rest));

	const own = numberOf(m, "recall", 50);
	const update = () => {
		const recall = Number(form.recall.value), list = find(".list"), beside = form.beside.checked && m.markdown !== "";
		let told = "";
		if (learned) {
			const { threshold, expected } = decide(m, recall);
			const kept = m.blocks.filter((b) => b.now), words = (blocks) => shown(blocks.reduce((sum, b) => sum + b.words, 0));
			find("output").textContent = String(recall);
			told = `recall ${recall}${recall === own ? "" : ` in place of ${own}`}: ${shown(kept.length)} of ${shown(m.blocks.length)} blocks, ${words(kept)} of ${
				words(m.blocks)} words kept; threshold ${(threshold / 65536).toFixed(2)}, expected F1 ${(expected / 65536).toFixed(2)}; ${
				shown(m.blocks.filter((b) => b.now !== b.kept).length)} blocks changed`;
			if (m.drawn !== recall && (m.drawn !== undefined || recall !== own))
				find(".pictures").replaceChildren(...pictures(m, threshold / 65536));
			m.drawn = recall;
		}
		paint(m);
		find(".result").textContent = told;
		find(".result").hidden = !learned;
		list.className = `list show-${form.show.value}`;
		fold(m);
		find(".panes").classList.toggle("beside", beside);
		find(".markdown").hidden = !beside;
	};
	for (const element of root.querySelectorAll(".recall"))
		element.hidden = !learned;
	if (m.marks) {
		find(".save").href = "#marks1";
		find(".save").addEventListener("click", (event) => {
			event.preventDefault();
			history.pushState(null, "", event.target.hash);
			m.lead();
		});
		find(".undo").addEventListener("click", () => m.marks.undo());
	}
	form.recall.value = String(learned && state.has("recall") ? state.get("recall") : own);
	if (["kept", "dropped", "changed", "ruled", "marked"].includes(state.get("show")))
		form.show.value = state.get("show");
	form.beside.checked = state.get("markdown") !== "0";
	form.addEventListener("input", () => {
		update();
		const now = new URLSearchParams();
		if (m.page > 0)
			now.set("page", String(m.page + 1));
		if (learned && Number(form.recall.value) !== own)
			now.set("recall", form.recall.value);
		if (form.show.value !== "all")
			now.set("show", form.show.value);
		history.replaceState(null, "", `#${now}`);
	});
	form.addEventListener("submit", (event) => event.preventDefault());
	m.update = update;
	update();
	if (state.get("open") === "all")
		m.blocks.filter((b) => b.element).forEach((b) => toggle(b, true));
	return root;
}

/* A block without a place in the text of the page has a number, but nothing to show. */
const shownBlock = (b) => b.first !== undefined || b.text !== "";

/*
 * Scrolls to an element, so that `within` of it is in view. Blocks on the way are drawn only when they come near the window, and are higher then than
 * was thought: it scrolls again, for a second at most, until both have kept their place for some frames.
 */
function bringIntoView(element, within) {
	const end = performance.now() + 1000, inner = within || element;
	let place = NaN, still = 0;
	const step = () => {
		still = inner.getBoundingClientRect().top === place ? still + 1 : 0;
		if (still === 0) {
			element.scrollIntoView();
			if (within)
				within.scrollIntoView({ block: "nearest" });
		}
		place = inner.getBoundingClientRect().top;
		if (still < 3 && performance.now() < end)
			requestAnimationFrame(step);
	};
	step();
}

/* Keys act on the method that has the focus, or on the first. */
function onKey(event, view) {
	if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input[type=text], textarea, select"))
		return;
	const methods = view.methods, m = methods.find((one) => one.root.contains(document.activeElement)) || methods[0], form = m.root.querySelector("form");
	const change = () => form.dispatchEvent(new Event("input")), here = document.activeElement.closest(".block");
	const focused = m.marks ? m.blocks.findIndex((b) => b.element && b.element === here) : -1;
	const go = (step) => {
		const all = m.blocks.filter((b) => b.element && b.element.checkVisibility());
		const at = all.findIndex((b) => b.element === here), next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step];
		if (next)
			next.element.querySelector("button").focus();
	};
	const keys = {
		j: () => go(1),
		k: () => go(-1),
		f: () => {
			const choices = [...form.show].filter((input) => input.offsetParent), at = choices.findIndex((input) => input.checked);
			choices[(at + 1) % choices.length].checked = true;
			change();
		},
		m: () => {
			form.beside.checked = !form.beside.checked;
			change();
		},
		r: () => form.recall.focus(),
		x: () => focused >= 0 && markBlock(m, focused, false),
		X: () => focused >= 0 && markBlock(m, focused, true),
		c: () => focused >= 0 && markRight(m, focused),
		u: () => m.marks && m.marks.undo(),
		s: () => view.lead(),
		n: () => view.go(view.page + 1),
		p: () => view.go(view.page - 1),
	};
	if (keys[event.key]) {
		keys[event.key]();
		event.preventDefault();
	}
}

/* A link to a block of another page shows that; one to a block that is not shown shows all blocks. Keys act on the block then. */
function onTarget(view) {
	const page = /^#q([0-9]+)m/.exec(location.hash);
	if (page)
		view.go(page[1] - 1);
	for (const m of view.methods) {
		const b = m.blocks.find((one) => one.element && `#${one.element.id}` === location.hash);
		if (b && (page || !b.element.checkVisibility())) {
			m.root.querySelector("form").show.value = "all";
			m.root.querySelector(".list").className = "list show-all";
			m.unfolded = true;
			fold(m);
			bringIntoView(b.element);
		}
		if (b)
			b.element.querySelector("button").focus({ preventScroll: true });
	}
}

/* What can be saved of the marks, for the site of the page that is shown. */
function savingOf(view, marks) {
	const root = document.getElementById("marks").content.cloneNode(true).firstElementChild, find = (what) => root.querySelector(what);
	const report = () => view.reports[view.page], words = (n, one) => `${shown(n)} ${one}${n === 1 ? "" : "s"}`;
	const link = (p, b) => {
		const m = view.reports[p].methods[0];
		const a = make("a", { href: `#${m.id}b${b + 1}` }, view.reports.length > 1 ? `page ${p + 1}, block ${b + 1}` : `block ${b + 1}`);
		a.addEventListener("click", (event) => { /* at once: what follows, such as a key, is about that block */
			event.preventDefault();
			history.pushState(null, "", a.hash);
			onTarget(view);
		});
		return a;
	};
	let host = null; /* as typed */
	root.id = "marks1";
	const line = () => {
		const { selectors } = marks.rules(view.page), name = find("[name=host]").value.trim();
		return selectors.length ? `${name || "HOST"}\tdrop\t${selectors.join(", ")}\n` : "";
	};
	view.update = () => {
		root.hidden = view.reports.every((one) => one.methods[0].blocks.length === 0);
		const { pages, hits, missed, others, same, share, doubts, alike, selectors, site } = marks.rules(view.page);
		const wrong = pages.flatMap((p) => [...marks.all[p]].filter(([i, want]) => !want && marks.isKept(p, i)).map(([i]) => [p, i]));
		const taken = (list) => list.filter(([p, i]) => hits[p] && hits[p][i]).length;
		const changed = pages.filter((p) => hits[p] && hits[p].some((hit, i) => hit && marks.isKept(p, i))).length;
		const dropped = pages.reduce((sum, p) => sum + [...marks.all[p]].filter(([i, want]) => want && !marks.isKept(p, i)).length, 0);
		find("[name=host]").value = host === null ? site : host;
		find("[name=rules]").value = line();
		find("[name=save-rules]").disabled = !selectors.length;
		find("[name=save-index]").disabled = marks.count() === 0;
		find("[name=clear]").disabled = marks.count() === 0;
		const reviewed = view.reports.map((_, p) => p).filter((p) => marks.all[p].size);
		root.querySelector(".result").textContent = `${reviewed.length ? `Marked on ${words(reviewed.length, "page")}: ${marks.counted(reviewed)}` : "Nothing is marked yet"}${
			alike.length ? `; ${shown(alike.length)} more with the same text` : ""}.${
			marks.unkept ? " This browser keeps no marks for files: save them before you close the page." : ""}`;
		find(".beyond").classList.toggle("strong", share > STRAYS_WARNED);
		const beyond = [...others, ...same];
		find(".beyond").textContent = others.length ? `The line takes ${words(beyond.length, "block")}, ${
			words(beyond.reduce((sum, [p, b]) => sum + wordsOf(marks.blocks(p)[b].text), 0), "word")}, on ${
			words(new Set(others.map(([p]) => p)).size, "page")} that you have not marked${
			share > STRAYS_WARNED ? `: of one page ${percent(share, 1)} of its text. Look at them before you save` : ""}. c on a block that is right protects it:` : "";
		find(".other").replaceChildren(...beyond.slice(0, LISTED_MOST).map(([p, b], i) =>
			make("li", null, link(p, b), ": ", make("bdi", null, marks.blocks(p)[b].text.slice(0, 60)), i < others.length ? "" : " (the text of a mark)")),
		beyond.length > LISTED_MOST ? make("li", null, `${shown(beyond.length - LISTED_MOST)} more`) : "");
		const said = [];
		if (selectors.length)
			said.push(`${words(selectors.length, "selector")} take${selectors.length === 1 ? "s" : ""} ${shown(taken(wrong))} of ${words(wrong.length, "block")} marked as wrongly kept${
				alike.length ? ` and ${shown(taken(alike))} of ${shown(alike.length)} more with the same text` : ""}; the text of ${words(changed, "page")} of ${shown(pages.length)} changes.${
				pages.some((p) => view.reports[p].methods[0].made !== "learned") ? " The method reads the pages without them, and may then find other text, too: see what changes by dana explain --rules."
					: others.length ? " Only these and the blocks listed above go." : " Nothing else changes."}`);
		if (missed.length)
			said.push(`For ${words(missed.length, "block")} marked as wrongly kept there is no selector; the list says why.`);
		if (dropped)
			said.push(`Rules leave text out and bring none back: ${words(dropped, "block")} marked as wrongly dropped ${dropped === 1 ? "is" : "are"} in the reference text.`);
		find(".effect").textContent = said.join(" ");
		const doubted = Object.entries(WHY_DOUBTED).map(([kind, reason]) => [doubts.filter((one) => one[1] === kind).map((one) => one[0]).join(", "), reason]).filter(([names]) => names);
		find(".doubts").textContent = doubted.length ? `${doubted.map(([names, reason]) => `${names}: ${reason}. `).join("")}Look at more pages of the site before you save.` : "";
		const reasons = new Map(); /* each once, with its blocks */
		for (const [p, b, why] of missed)
			reasons.set(JSON.stringify(why), [...(reasons.get(JSON.stringify(why)) || []), [p, b]]);
		const linked = (list, most) => [...list.slice(0, most).flatMap(([p, b], i) => [i ? ", " : " ", link(p, b)]),
			list.length > most ? ` and ${shown(list.length - most)} more` : ""];
		find(".otherwise").hidden = !missed.length;
		find(".missed").replaceChildren(...[...reasons].map(([text, list]) => {
			const { kind, others: elsewhere = [] } = JSON.parse(text);
			return make("li", null, "not taken:", ...linked(list, LISTED_MOST), `: ${WHY_MISSED[kind]}`, ...linked(elsewhere, OTHERS_MOST), elsewhere.length ? ". If they are wrong, mark them, too." : ".");
		}));
	};
	find("[name=host]").addEventListener("input", (event) => {
		host = event.target.value;
		find("[name=rules]").value = line();
	});
	find("[name=save-rules]").addEventListener("click", () => saveFile("rules.tsv", line()));
	find("[name=save-text]").addEventListener("click", () => saveFile(`${referenceName(report())}.txt`, marks.reference(view.page)));
	find("[name=save-index]").addEventListener("click", () => saveFile("index.tsv", indexRows(view.reports.filter((_, p) => marks.all[p].size))));
	find("[name=clear]").addEventListener("click", () => marks.clear());
	return root;
}

/* A page of the report: what is known of it, and its methods. */
function pageOf(data, tables, state) {
	const root = make("div", { class: "page" }), sections = make("div", { class: data.methods.length > 1 ? "methods two" : "methods" });
	if (data.title)
		root.append(make("p", null, "Title of the page: ", make("bdi", null, data.title)));
	if (data.first)
		root.append(make("p", { class: "strong" }, "This is the page of the first of several records at this offset; --url URL names another."));
	root.append(facts(make("dl", { class: "facts" }), [
		["charset", data.charset], ["bytes of HTML as UTF-8", data.bytes], ["characters of visible text", data.visible],
		["made by", data.version], data.pages !== undefined && ["pages of the site in the table of lines", data.pages]]));
	root.append(sections);
	data.methods.forEach((m, i) => sections.append(methodOf(m, data, tables[i], state)));
	return root;
}

/* The choice of a page, where there are several. */
function chooser(view) {
	const select = make("select", { name: "page", "aria-label": "page" }, ...view.reports.map((report, i) =>
		make("option", { value: String(i) }, `${i + 1} of ${view.reports.length}: ${report.file}`)));
	const button = (sign, name, step) => {
		const element = make("button", { type: "button", "aria-label": name, title: name }, sign);
		element.addEventListener("click", () => view.go(view.page + step));
		return element;
	};
	select.addEventListener("change", () => view.go(Number(select.value)));
	view.select = select;
	return make("p", { class: "chooser" }, button("‹", "previous page", -1), select, button("›", "next page", 1));
}

function pages(data, main, state) {
	const tables = [...document.querySelectorAll("#plain table")], place = make("div");
	const view = { reports: data.reports || [data], page: -1, methods: [] };
	const marks = new Marks(view.reports, numberOfText(document.getElementById("data").textContent), () => {
		marks.rules(view.page);
		view.methods.filter((m) => m.marks).forEach(paintMarks);
		view.update();
	});
	let next = 0;
	view.reports.forEach((report, p) => {
		report.tables = tables.slice(next, next += report.methods.length);
		report.methods.forEach((m, i) => {
			m.id = `${view.reports.length > 1 ? `q${p + 1}` : ""}m${i + 1}`;
			m.page = p;
			m.several = view.reports.length > 1;
			m.marks = i === 0 ? marks : null;
			m.lead = () => view.lead();
		});
	});
	view.go = (page) => {
		if (page < 0 || page >= view.reports.length || page === view.page)
			return;
		const report = view.reports[page];
		view.page = page;
		view.methods = report.methods;
		marks.rules(page);
		report.root = report.root || pageOf(report, report.tables, state);
		place.replaceChildren(report.root);
		report.methods.forEach((m) => m.update());
		view.update();
		if (view.select)
			view.select.value = String(page);
	};
	if (view.reports.length > 1)
		main.append(chooser(view));
	view.saving = savingOf(view, marks);
	view.lead = () => {
		const button = view.saving.querySelector("button:enabled");
		button.focus({ preventScroll: true });
		bringIntoView(view.saving, button);
	};
	main.append(place, view.saving);
	view.go(Math.min(Math.max(Number(state.get("page") || 1) - 1, 0), view.reports.length - 1) || 0);
	document.addEventListener("keydown", (event) => onKey(event, view));
	addEventListener("hashchange", () => onTarget(view));
	if (location.hash.startsWith("#q"))
		onTarget(view);
}

/* ---- an archive ---- */

function shareOf(kept, visible) {
	const bar = make("span");
	bar.style.width = percent(Math.min(kept, visible), visible).replace(" ", "");
	return make("span", null, percent(kept, visible), make("span", { class: "share" }, bar));
}

/* Pages by what `names` gives of each, those with most pages first. */
function groups(pages, columns, names) {
	const all = new Map();
	for (const p of pages) {
		const key = JSON.stringify(names(p));
		const group = all.get(key) || { names: names(p), pages: 0, visible: 0, kept: 0 };
		group.pages++;
		group.visible += p.visible;
		group.kept += p.kept;
		all.set(key, group);
	}
	const order = (g) => g.names.join("\0");
	const list = [...all.values()].sort((a, b) => b.pages - a.pages || (order(a) < order(b) ? -1 : 1));
	return [table([...columns, "#pages", "#characters", "#kept"], list.slice(0, GROUPS_MOST).map((g) =>
		[...g.names.map((name) => make("bdi", null, name || "unknown")), g.pages, g.visible, shareOf(g.kept, g.visible)])),
		list.length > GROUPS_MOST ? make("p", { class: "note" }, `${shown(list.length - GROUPS_MOST)} more with fewer pages are not shown.`) : ""];
}

function archive(data, main) {
	const sum = (name) => data.pages.reduce((total, p) => total + p[name], 0);
	const most = data.pages.filter((p) => p.shown === "most"), least = data.pages.filter((p) => p.shown === "least").reverse();
	const all = [...most, ...least], row = (p) => [make("a", { id: `row${all.indexOf(p) + 1}`, href: `#page${all.indexOf(p) + 1}` }, p.url || "unknown"),
		p.visible, shareOf(p.kept, p.visible)];
	const columns = ["page", "#characters", "#kept"], root = make("div", { class: "method" });
	root.append(facts(make("dl", { class: "facts" }), [["method", data.method], ["pages", data.seen],
		data.seen > data.pages.length && ["of these in the sample", data.pages.length], ["characters of visible text", sum("visible")],
		["of these kept", percent(sum("kept"), sum("visible"))], ["made by", data.version]]),
	make("h2", null, "By host"), ...groups(data.pages, ["host"], (p) => [p.host]),
	make("h2", null, "By type and charset"), ...groups(data.pages, ["type", "charset"], (p) => [p.type, p.charset]),
	make("h2", null, "Pages with most kept"), table(columns, most.map(row)),
	make("h2", null, "Pages with least kept"), table(columns, least.map(row)),
	make("h2", null, "How these pages were decided"), ...all.map((p, i) => make("section", { id: `page${i + 1}` },
		make("h3", null, make("a", { href: `#row${i + 1}` }, p.url || "unknown"), `: ${percent(p.kept, p.visible)} kept`), ...pictures(p.method))));
	main.append(root);
}

/* ---- */

{
	const data = JSON.parse(document.getElementById("data").textContent), main = document.querySelector("main"), plain = document.getElementById("plain");
	const state = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
	main.append(document.getElementById("patterns").content.cloneNode(true));
	if (data.differences)
		compared(data, main, state);
	else if (data.pages && data.seen !== undefined)
		archive(data, main);
	else
		pages(data, main, state);
	plain.remove();
	if (location.hash.startsWith("#m") || location.hash.startsWith("#page")) {
		const target = document.getElementById(location.hash.slice(1));
		if (target)
			target.scrollIntoView();
	}
}
