// SPDX-License-Identifier: MIT
/*
 * Finds selectors that hit blocks which were marked as wrongly kept, and no block that is right: few, and short ones. Pure
 * functions, which the report calls, and tests in Node.
 *
 * A page has the elements with text, [number of the parent or -1, name, {attribute: value, or null for a long or empty one}], parents first, and its blocks, each
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
/* Roles that say what an element is for; others say how it is built, as names do. */
const TELLING_ROLES = new Set(["navigation", "complementary", "banner", "contentinfo", "search", "form", "dialog", "alertdialog", "alert", "status", "note",
	"menu", "menubar", "toolbar", "tooltip", "tablist", "button", "feed", "log", "marquee", "timer"]);
/* Attributes that say where a link leads and how it looks, and not what it is. */
const WEAK = ["href", "style", "rel"];
/*
 * What names say with how something looks, where it stands and in which state it is, and not what it is: properties of CSS, their values, sides, sizes,
 * columns, what editors call paragraphs, and parts of sites.
 */
const LOOKS = new Set(("absolute active align aligncenter alignleft alignnone alignright arabic area auto background between bg big black block blog blue bold border bottom " +
	"center centered centre clear clearfix closed col color cols column columns current dark disabled display dropdown duration ease em end even expanded " +
	"fade fill first fixed flex float font four full fw gap gray green grey grid group grow half has heading height hidden hide hover inline inner is " +
	"italic items justify large last layout leading left lg light line lowercase margin max mb mbr md medium middle min ml mr mt mx my narrow news no none " +
	"normal nowrap odd offset one opacity open order outer overflow padding paragraph pb pl position pr primary pt pull px py red relative right rounded " +
	"row rows secondary selected self shadow show shrink simple size sm small space span start sticky strong style table td text the three top tracking " +
	"transform transition two underline unstyled uppercase visible weight white wide width wp wrap xl xs xxl").split(" "));
/* What the text of a page, or all of the page, is called: names of such words and looks alone, as "entry-content", are around a whole article somewhere. */
const TEXTS = new Set(("app art artibody article articlebody articlecontent articletext articolo artikel artykul beitrag body bodytext container contenido content contents " +
	"contenu contenuto conteudo copy corpo corps cuerpo detail details document entry fulltext hentry hfeed inhalt main maincontent maintext materia node " +
	"noticia page post postbody postcontent prose richtext root section shell single site story storybody storycontent tekst testo text texte texto tresc " +
	"txt view wrapper zoom").split(" "));
/* Elements that are blocks of all kinds: which children of a named element go. */
const PLAIN = new Set(["blockquote", "center", "div", "dl", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "section", "table", "ul"]);
/* What is a word of a text: a character of a script without spaces, and what is between spaces of others. */
const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const WORDS = new RegExp(`[${UNSPACED}]|[^\\s${UNSPACED}]+`, "gu");
/* Which share of the kept words of a page that nobody has marked rules may take; measured, as doc/SEE.md tells. */
const STRAYS_MOST = 0.15;
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
	const all = [name], weak = [];
	for (const [attribute, value] of Object.entries(attributes)) {
		const quoted = value === null ? null : valueWritten(value);
		if (WEAK.includes(attribute)) {
			weak.push(quoted && `[${attribute}=${quoted}]`);
		} else if (attribute === "class") {
			for (const one of new Set(value.split(/[ \t\n\f\r]+/).filter(Boolean)))
				all.push(nameWritten(one) ? `.${nameWritten(one)}` : valueWritten(one) && `[class~=${valueWritten(one)}]`);
		} else if (attribute === "id") {
			all.push(nameWritten(value) ? `#${nameWritten(value)}` : quoted && `[id=${quoted}]`);
		} else if (nameWritten(attribute) && (attribute !== "role" || TELLING_ROLES.has(value))) {
			all.push(quoted && `[${nameWritten(attribute)}=${quoted}]`);
			if (attribute.startsWith("data-"))
				all.push(`[${nameWritten(attribute)}]`);
		}
	}
	return [...all, ...weak].filter(Boolean);
}

/** What a selector costs: its length, and more for what another page has otherwise, as "post-8912". */
function costOf(text) {
	return text.length + 40 * (text.match(/[0-9]{2,}|[0-9a-f]{8,}/g) || []).length + 20 * (text.match(/\[data-/g) || []).length;
}

/** Whether a condition is an id, an address or a value of data-*, which can be those of one page or one thing. */
const isValue = (condition) => /^(#|\[(id|href|style|data-[^=]*)=)/.test(condition);

/** Whether it says where a link leads or how it looks. */
const isWeak = (condition) => WEAK.some((name) => condition.startsWith(`[${name}=`));

const GENERATED_NAMES = [
	/[0-9]{3,}|[0-9][A-Za-z]+[0-9]|[A-Za-z][0-9]+[A-Za-z]+[0-9]/, /* "#post_84164111", ".css-1x9k2f" */
	/(?=[A-Za-z]*[0-9][A-Za-z])(?=[a-z0-9]*[A-Z])(?=[A-Z0-9]*[a-z])[A-Za-z0-9]{8,}/, /* ".S3vAnwPfugG" */
	/^\.(sc|css|jsx|emotion)-[A-Za-z0-9]|^\.[a-z](?=.{4,6}$)(([a-z]*[A-Z]){3}[A-Za-z]*|[a-z]*[A-Z][a-z]+[A-Z])$/, /* ".sc-abc", ".hJpRRP" */
	/__(?=[A-Za-z0-9_-]*([0-9][A-Za-z]|[a-z][A-Z]|[A-Z]{3}))[A-Za-z0-9_-]{5}$/, /* ".card__cjOgG" */
	/=['"]\s*[[{]/, /* JSON */
];

/** Whether a condition names what looks generated, and is likely to be otherwise on another page or tomorrow; ids and values with any digit, and weak ones, too. */
function isGenerated(condition) {
	return (isValue(condition) && /[0-9]/.test(condition)) || isWeak(condition) || GENERATED_NAMES.some((one) => one.test(condition));
}

/*
 * What selectors say of what they take, the best first: NAMED, what it is; PLACED, where it is, or a value; LOOK, only how it looks, as ".text-center", or
 * what elements of all kinds are, as "div"; GENERATED, by a name of today; TEXT, by a name of a page's text, as ".post" or "#main-content".
 */
const NAMED = 0, PLACED = 1, LOOK = 2, GENERATED = 3, TEXT = 4;
const isElement = (condition) => /^[a-z]/i.test(condition);
const isPlain = (conditions) => conditions.length === 1 && isElement(conditions[0]) && !TELLING.has(conditions[0]);

function kindOfCondition(condition) {
	if (isElement(condition))
		return TELLING.has(condition) ? NAMED : condition === "article" || condition === "main" ? TEXT : LOOK;
	if (condition.startsWith("[") && !/^\[(role|id|class|itemprop)[=~]/.test(condition))
		return condition.startsWith("[style=") ? LOOK : PLACED;
	const words = condition.replace(/^\[[^=]*=/, "").replace(/([a-z])(?=[A-Z])/g, "$1-").toLowerCase().split(/\P{L}+/u).filter((word) => word.length > 1);
	const value = words.length > 1 && /^(list|text)$/.test(words[0]) ? words.slice(1) : words; /* as in "text-center" */
	if (!value.every((word) => LOOKS.has(word) || TEXTS.has(word))) {
		const [, variant] = /.--([^-].*)$/.exec(condition) || []; /* of a name: "section--PADDING-BOTTOM" */
		return variant && kindOfCondition(`.${variant}`) === LOOK ? LOOK : NAMED;
	}
	/* "article-text", but not "has-text-align-center" or "justify-content-end" */
	return value.some((word, i) => TEXTS.has(word) && (word !== "text" || i === value.length - 1) && !/^(align|justify)$/.test(value[i - 1])) ? TEXT : LOOK;
}

/* The best of its conditions; the element counts where it is alone. */
const kindOfCompound = (conditions) => Math.min(...conditions.filter((one) => conditions.length === 1 || !isElement(one)).map(kindOfCondition));
const conditionsIn = ({ outer, inner }) => [...(outer || []), ...inner];

function kindOfSelector(selector) {
	const { outer, inner } = selector, own = kindOfCompound(inner), least = conditionsIn(selector).some(isGenerated) ? GENERATED : NAMED;
	if (!outer || own === TEXT)
		return Math.max(own, least);
	return Math.max(isPlain(inner) ? LOOK : PLACED, Math.min(kindOfCompound(outer), own), least);
}

/** Why to look at more pages before a selector is saved: "text", "generated" or "look", as above; "" if it says what it takes. */
function doubtOf(selector, kind) {
	if (kind === TEXT)
		return "text";
	if (kind === LOOK || (kind === GENERATED && conditionsIn(selector).every((one) => kindOfCondition(one) === LOOK)))
		return "look";
	return kind === GENERATED && conditionsIn(selector).some((one) => isGenerated(one) && !isWeak(one)) ? "generated" : "";
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

/** Of each block of a page how much of its words is in what selectors match: 0 nothing, 1 a part, 2 all. Null: no element matches. */
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

/* Whether rules take a block of which that much is hit: all of it, as they drop whole blocks; of pages that are cut also a part. */
const takes = (page, hit) => hit === 2 || (hit === 1 && Boolean(page.cut));

/* ---- finding them ---- */

const written = (selector) => (selector.outer ? selector.outer.join("") + (selector.child ? " > " : " ") : "") + selector.inner.join("");

/* An element, and those around it, outward. */
function around(page, element) {
	const all = [];
	for (let at = element; at >= 0; at = page.elements[at][0])
		all.push(at);
	return all;
}

/*
 * What a selector may name of an element. WordPress gives an article its own categories, tags and state as classes, beside "hentry" or "type-post": they
 * name no box.
 */
function namesOf(element) {
	const all = conditionsOf(element), isPost = all.some((one) => /^\.(hentry|type-)/.test(one));
	return isPost ? all.filter((one) => !/^\.(author|category|format|status|tag|type)-/.test(one)) : all;
}

/* Compounds of an element: of one condition, and of two. */
function compoundsOf(element) {
	const [name, ...rest] = namesOf(element).slice(0, 10), all = rest.map((one) => [one]);
	if (TELLING.has(name))
		all.push([name]);
	rest.forEach((one, i) => {
		all.push([name, one]);
		for (const other of rest.slice(i + 1))
			all.push([one, other]);
	});
	return all;
}

/* Selectors for a block: one compound or, with `paths`, one below another. What is around its first words: elements beside each other may have all of it. */
function candidatesFor(page, block, paths) {
	const elements = block.in.length ? around(page, block.in[0]).filter((i) => !OUTERMOST.has(page.elements[i][1])) : [], all = [];
	elements.slice(0, ANCESTORS_MOST).forEach((i, at) => {
		const element = page.elements[i];
		if (!paths) {
			all.push(...compoundsOf(element).map((inner) => ({ outer: null, child: false, inner })));
			return;
		}
		const inners = namesOf(element).slice(TELLING.has(element[1]) ? 0 : 1, 5).map((one) => [one]), name = element[1];
		elements.slice(at + 1, at + 1 + ANCESTORS_MOST).forEach((parent, steps) => {
			for (const one of namesOf(page.elements[parent]).slice(TELLING.has(page.elements[parent][1]) ? 0 : 1, 5)) {
				for (const inner of inners) {
					all.push({ outer: [one], child: false, inner });
					if (steps === 0)
						all.push({ outer: [one], child: true, inner });
				}
				if (kindOfCondition(one) === NAMED && (name === "a" || (PLAIN.has(name) && steps === 0)))
					all.push({ outer: [one], child: name !== "a", inner: [name] });
			}
		});
	});
	return all;
}

/* The main heading of a page stays, also where it is marked with what is around it: an h1, or text that is half of the title and more. */
const isInHeading = (page, block) => block.in.length > 0 && block.in.every((i) => around(page, i).some((k) => page.elements[k][1] === "h1"));
const isHeading = (page, block) => isInHeading(page, block) || (block.text.trim() !== "" && (page.title || "").includes(block.text.trim()) &&
	2 * wordsOf(block.text) >= wordsOf(page.title));

/**
 * What a block is: "wrong", marked as what is to go; "alike", not marked, but it has the text of such a mark; "right", it must stay;
 * "other", kept on a page that nobody has marked; "" if it does not matter.
 */
function verdictOf(page, block) {
	if (block.kept && (block.want === false || block.alike))
		return isHeading(page, block) ? "right" : block.want === false ? "wrong" : "alike";
	if (block.want === undefined ? !block.kept : !block.want)
		return "";
	return page.reviewed || isInHeading(page, block) ? "right" : "other";
}

/** How many words a text has; of scripts without spaces each character is one. */
const wordsOf = (text) => (text.match(WORDS) || []).length;

/**
 * Finds selectors of what is to be left out. Each page of `pages`: {elements, title, blocks: [{in, text, kept, want, alike}], reviewed, cut}. `want`
 * is the mark of a block: true, it is main text; false, it is not; undefined, there is none. `alike`: there is none, but a block with the same
 * text is marked as not main text. Of a page that was reviewed all other blocks are right. Of another one nobody knows: selectors may take
 * STRAYS_MOST of its kept words, as a box has other words on each page, but may not take the text of the page. `cut`: its method reads it without what
 * the rules name; others decide about whole blocks, and rules drop these.
 *
 * Returns {selectors: texts, hits: of each page null, if no element matches, or of each block whether it is taken, missed: [[page, block, why]] marked and not taken, others: [[page, block]]
 * taken that are kept on pages that were not reviewed, same: what is alike and goes, too, from these pages, share: the largest share of the kept words of
 * a page that both are, doubts: [[text, doubt]] of the selectors that have one}.
 */
function findRules(pages) {
	const indexes = pages.map(indexOf), verdicts = pages.map((page) => page.blocks.map((block) => verdictOf(page, block)));
	const places = (wanted) => verdicts.flatMap((list, p) => list.map((verdict, b) => verdict === wanted && [p, b]).filter(Boolean));
	const marked = places("wrong"), key = ([p, b]) => p * 1e6 + b, placeOf = (k) => [Math.floor(k / 1e6), k % 1e6], left = new Set(marked.map(key)), chosen = [];
	const words = new Map([...places("other"), ...places("alike")].map((one) => [key(one), wordsOf(pages[one[0]].blocks[one[1]].text)]));
	const kept = pages.map((page) => page.blocks.reduce((sum, block) => sum + (block.kept ? wordsOf(block.text) : 0), 0));
	const headings = places("right").filter(([p, b]) => pages[p].blocks[b].want === false);
	const tried = new Map();
	/* the largest share of the kept words of a page that these blocks are */
	const shareOf = (strays) => {
		const sums = new Map();
		for (const k of new Set(strays))
			sums.set(Math.floor(k / 1e6), (sums.get(Math.floor(k / 1e6)) || 0) + words.get(k));
		return Math.max(0, ...[...sums].map(([p, sum]) => sum / kept[p]));
	};
	/* on how many pages something fulfils a condition */
	const pagesWith = (condition) => indexes.reduce((sum, index) => sum + index.of.has(condition), 0);
	/*
	 * what a selector takes: blocks that are marked, and others with the share that they are; the right ones that it hits, in part, too, as what is in
	 * text on one page is text on another; `once`: it names an id or a value that one page alone has, or plain elements that it finds on one page alone
	 */
	const taken = (selector) => {
		const gains = [], strays = [], rights = [];
		let on = 0;
		for (const [p, index] of indexes.entries()) {
			const hits = hitsOf(index, [selector]);
			on += Boolean(hits);
			for (let b = 0; hits && b < hits.length; b++) {
				if (hits[b] && verdicts[p][b] === "right")
					rights.push(key([p, b]));
				if (hits[b] === 2 && verdicts[p][b] === "wrong")
					gains.push(key([p, b]));
				if (verdicts[p][b] === "other" && takes(pages[p], hits[b]))
					strays.push(key([p, b]));
			}
		}
		return { gains, strays, rights, share: shareOf(strays),
			once: pages.length > 1 && ((on === 1 && isPlain(selector.inner)) || conditionsIn(selector).some((one) => isValue(one) && pagesWith(one) === 1)) };
	};
	/* a name that looks generated does not say that elsewhere it is the same box; two names, one below the other, say it if they take marks of several pages */
	const pagesOf = (keys) => new Set(keys.map((k) => placeOf(k)[0])).size, several = pagesOf(marked.map(key)) > 1;
	const isUsable = (one) => one.gains.length && !one.rights.length && !one.once && one.share <= (one.kind >= GENERATED ? 0 : STRAYS_MOST) &&
		!(one.selector.outer && several && pagesOf(one.gains) === 1);
	/* names that say what the box is; then places and attributes, too; then what says less, the best kind first */
	for (const kind of [NAMED, PLACED, LOOK, GENERATED, TEXT]) {
		for (const [p, b] of kind <= PLACED ? marked.filter((one) => left.has(key(one))) : []) {
			for (const selector of candidatesFor(pages[p], pages[p].blocks[b], kind === PLACED)) {
				const text = written(selector);
				if (!tried.has(text) && tried.size < CANDIDATES_MOST)
					tried.set(text, { selector, text, kind: kindOfSelector(selector), cost: costOf(text), ...taken(selector) });
			}
		}
		const usable = [...tried.values()].filter((one) => one.kind <= kind && isUsable(one)).sort((a, b) => a.kind - b.kind || a.cost - b.cost);
		while (left.size && chosen.length < SELECTORS_FOUND_MOST) {
			const strays = chosen.flatMap((one) => one.strays);
			let best = null, most = 0;
			for (const one of usable) {
				const more = one.gains.reduce((sum, k) => sum + left.has(k), 0);
				const better = more > most || (more && more === most && one.strays.length < best.strays.length);
				if (better && shareOf([...strays, ...one.strays]) <= STRAYS_MOST) {
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
	/*
	 * why no selector takes a marked block. "heading": it is the main heading; "nameless": nothing around it has a name; "once": only names that
	 * no other page has; "much": the narrowest name around it has too much elsewhere in it, `others`; "shared": it has right blocks in it, `others`;
	 * "protected": it has blocks in it, `others`, whose own marks say that they stay. A name that has right blocks in it on other pages alone is the
	 * box's, and tells more than one that only this page has; a protected one tells most, as such a mark makes all blocks of its page right.
	 */
	const reasonOf = (p, b) => {
		const all = candidatesFor(pages[p], pages[p].blocks[b], false).map((one) => tried.get(written(one)) || taken(one))
			.filter((one) => one.gains.includes(key([p, b])));
		if (verdicts[p][b] === "right")
			return { kind: "heading" };
		if (!all.length)
			return { kind: "nameless" };
		const narrowest = (list, what) => list.sort((x, y) => x[what].length - y[what].length)[0][what].map(placeOf);
		const apart = all.filter((one) => !one.rights.length), much = apart.filter((one) => !one.once);
		if (much.length)
			return { kind: "much", others: narrowest(much, "strays") };
		const elsewhere = all.filter((one) => !one.once && one.rights.every((k) => placeOf(k)[0] !== p));
		if (apart.length && !elsewhere.length)
			return { kind: "once" };
		const isProtected = ([q, c]) => pages[q].blocks[c].want, guarded = elsewhere.filter((one) => one.rights.map(placeOf).some(isProtected));
		return guarded.length ? { kind: "protected", others: narrowest(guarded, "rights").filter(isProtected) }
			: { kind: "shared", others: narrowest(elsewhere.length ? elsewhere : all, "rights") };
	};
	const strays = [...new Set(chosen.flatMap((one) => one.strays))].sort((a, b) => a - b), from = new Set(strays.map((k) => placeOf(k)[0]));
	const hits = indexes.map((index) => hitsOf(index, chosen.map((one) => one.selector))).map((list, p) => list && list.map((hit) => takes(pages[p], hit)));
	const same = places("alike").filter(([p, b]) => from.has(p) && hits[p][b]);
	return { selectors: chosen.map((one) => one.text), hits,
		missed: [...marked.filter((one) => left.has(key(one))), ...headings].sort((a, b) => key(a) - key(b)).map(([p, b]) => [p, b, reasonOf(p, b)]),
		others: strays.map(placeOf), same, share: shareOf([...strays, ...same.map(key)]),
		doubts: chosen.map(({ selector, text, kind }) => [text, doubtOf(selector, kind)]).filter(([, doubt]) => doubt) };
}

if (typeof module !== "undefined")
	module.exports = { findRules, wordsOf };
