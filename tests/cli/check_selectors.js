// SPDX-License-Identifier: MIT
/* check_selectors.js SELECTORS.JS: the selectors that the report of dana explain finds for marks, on small pages. */
"use strict";

const assert = require("assert");
const { findRules, wordsOf } = require(require("path").resolve(process.argv[2]));

/** A page of elements [depth, name, attributes, text, mark]: "wrong" and "right" are kept, "" is dropped. */
function page(rows, more) {
	const path = [], elements = [], blocks = [];
	for (const [depth, name, attributes, text, mark] of rows) {
		path.length = depth;
		elements.push([depth ? path[depth - 1] : -1, name, attributes || {}]);
		path.push(elements.length - 1);
		if (text !== undefined)
			blocks.push({ in: [elements.length - 1], text, kept: mark !== "", want: mark === "wrong" ? false : undefined });
	}
	return { elements, blocks, title: "", reviewed: true, ...more };
}

/** A page with an article, and `box` in it. */
const story = (n, box, more) => page([[0, "html"], [1, "body", { class: "page" }], [2, "article", { class: "story" }],
	[3, "h1", {}, `Story ${n}`, "right"], [3, "p", {}, `Text of story ${n}`, "right"], ...box], more);
const box = (n, classes, attributes) => [[3, "div", { class: classes, ...attributes }], [4, "p", {}, `Offer ${n}`, "wrong"], [4, "p", {}, `More of ${n}`, "wrong"]];
const found = (...pages) => findRules(pages).selectors;

// one selector for all, the shortest, and none with the number of a page in it
assert.deepStrictEqual(found(story(1, box(1, "box promo post-1234")), story(2, box(2, "box promo post-5678"))), [".box"]);
// not one that hits what is right, though it is shorter
const right = [[3, "div", { class: "box" }], [4, "p", {}, "A box of the text", "right"]];
assert.deepStrictEqual(found(story(1, [...box(1, "box promo"), ...right])), [".promo"]);
// of a page that nobody has marked a selector may take a little, never much: not the article, though it has only a class that the box has, too
const unmarked = (n, rows) => story(n, rows, { reviewed: false }), said = "with twenty words ".repeat(7);
const beyond = findRules([story(1, box(1, "promo")), unmarked(2, [[3, "p", {}, said, "right"], [3, "div", { class: "promo" }, "Another offer", "right"]])]);
assert.deepStrictEqual([beyond.selectors, beyond.others, beyond.share], [[".promo"], [[1, 3]], 2 / 29]);
const article = [[3, "div", { class: "promo" }], [4, "p", {}, said, "right"]];
assert.deepStrictEqual(found(story(1, box(1, "promo")), unmarked(2, article)), []);
const withId = unmarked(2, [...article, [3, "div", { id: "below" }, "Another", ""]]);
assert.deepStrictEqual(found(story(1, box(1, "promo", { id: "below" })), withId), ["#below"]);
// an id or a value that no other page has names nothing of the site, and is not taken; of one page it may be
for (const attributes of [{ id: "below" }, { id: "post-8912" }, { "data-kind": "x" }]) {
	const one = story(1, [[3, "div", attributes, "x", "wrong"]]), { selectors, missed } = findRules([one, unmarked(2, [])]);
	assert.deepStrictEqual([selectors, missed.map(([, , why]) => why.kind)], attributes["data-kind"] ? [["[data-kind]"], []] : [[], ["once"]]);
	assert.strictEqual(found(one).length, 1);
}
// nor much by several selectors, of which each takes a little
const two = (text) => ["a", "b"].map((name) => [3, "p", { class: name }, text, "wrong"]);
const little = unmarked(2, [[3, "p", {}, "ten words ".repeat(4), "right"], [3, "p", { class: "a" }, "one two", "right"], [3, "p", { class: "b" }, "one two", "right"]]);
assert.strictEqual(findRules([story(1, two("x")), little]).selectors.length, 1);
// of two selectors that take as much the one that takes less elsewhere, though it is longer
const elsewhere = [[3, "p", {}, said, "right"], [3, "div", { class: "b" }, "it", "right"]];
assert.deepStrictEqual(found(story(1, box(1, "b promotion")), unmarked(2, elsewhere)), [".promotion"]);
// text of a mark may go on all pages; but what has it is no mark itself, so that no selector is found for it alone
const alike = (n, classes) => {
	const one = unmarked(n, box(n, classes));
	one.blocks.forEach((b) => { Object.assign(b, { alike: b.want === false, want: undefined }); });
	return one;
};
assert.deepStrictEqual(found(story(1, box(1, "promo")), alike(2, "promo")), [".promo"]);
assert.deepStrictEqual(found(story(1, [[3, "p", {}, "Offer 1", "wrong"]]), alike(2, "promo")), []);
assert.deepStrictEqual(findRules([story(1, box(1, "promo")), alike(2, "promo")]).others, []);
// where other text goes, too, the share of the page has both: 2 and 5 words
const both = alike(2, "promo"), longer = said.split(" ").length - 1;
both.elements.push([both.elements.length - 3, "p", {}]);
both.blocks.push({ in: [both.elements.length - 1], text: "Another offer", kept: true });
both.blocks[1].text = said;
const counted = findRules([story(1, box(1, "promo")), both]);
assert.deepStrictEqual([counted.others, counted.same, counted.share], [[[1, 4]], [[1, 2], [1, 3]], 7 / (longer + 9)]);
// the main heading of no page goes
const titled = unmarked(2, [[3, "h1", {}], [4, "div", { class: "t" }, "y", "right"], [3, "p", {}, said, "right"]]);
assert.deepStrictEqual(found(story(1, [[3, "div", { class: "t" }, "x", "wrong"]]), titled), [".story > .t"]);
const long = "an-offer-of-the-day-for-all-of-our-readers";
// names that look generated only if no other will do
for (const name of ["post_84164111", "css-1x9k2f", "a1b2c3"]) {
	assert.deepStrictEqual(found(story(1, [[3, "div", { id: name, class: long }, "x", "wrong"]])), [`.${long}`]);
	assert.deepStrictEqual(found(story(1, [[3, "div", { id: name }, "x", "wrong"]])), [`#${name}`]);
}
// and take nothing on a page that nobody has marked, as they do not say that it is the same box
for (const name of ["css-1x9k2f", "promo"]) {
	const one = unmarked(2, [[3, "div", { class: name }, "y", "right"], [3, "p", {}, said, "right"]]);
	assert.strictEqual(found(story(1, [[3, "div", { class: name }, "x", "wrong"]]), one).length, name === "promo" ? 1 : 0);
}
const json = (n) => ({ "data-x": `{"a":${n}}` });
assert.deepStrictEqual(found(story(1, [[3, "div", { ...json(1), class: long }, "x", "wrong"], [3, "div", json(2), "y", "right"]])), [`.${long}`]);
assert.strictEqual(wordsOf("two words, 你好 ไท"), 6);
assert.deepStrictEqual(found(story(1, box(1, "promo")), story(2, [[3, "div", { class: "promo" }, "?", "right"]])), []);
// two conditions, where neither alone will do
assert.deepStrictEqual(found(story(1, [...box(1, "a b"), [3, "p", { class: "a" }, "1", "right"], [3, "p", { class: "b" }, "2", "right"]])), [".a.b"]);
// an element below another
const below = [[3, "div", { id: "side" }], [4, "div", { class: "b" }, "go", "wrong"], [4, "div", {}, "stay", "right"], [3, "div", { class: "b" }, "stay, too", "right"]];
const [path] = found(story(1, below));
assert.ok(path === "#side .b" || path === "#side > .b" || path === "div#side .b", path);
// ids, roles and data-* attributes; names that mean something, but no others
assert.deepStrictEqual(found(story(1, [[3, "div", { role: "note" }, "x", "wrong"]])), ["[role=\"note\"]"]);
assert.deepStrictEqual(found(story(1, [[3, "div", { "data-ad": "it's" }, "x", "wrong"]])), ["[data-ad]"]);
assert.deepStrictEqual(found(story(1, [[3, "div", { id: "1a" }, "x", "wrong"]])), ["[id=\"1a\"]"]);
assert.deepStrictEqual(found(story(1, [[3, "div", { id: "a:b" }, "x", "wrong"]])), ["#a\\:b"]);
assert.deepStrictEqual(found(story(1, [[3, "aside", {}, "x", "wrong"]])), ["aside"]);
// roles that say how something is built say as little as names do
assert.deepStrictEqual(found(story(1, [[3, "div", { role: "list" }, "x", "wrong"]])), []);
// a block goes if all of its words are in what is named; of a method that reads the page without that, part of a block counts, too
const half = (reviewed, cut) => {
	const one = unmarked(2, [[3, "p", {}], [4, "b", { class: "more" }, "half", "right"], [3, "p", {}, said, "right"]]);
	Object.assign(one, { reviewed, cut }).blocks[2].in.push(one.blocks[2].in[0] - 1);
	const { selectors, hits, others } = findRules([story(1, [[3, "b", { class: "more" }, "all", "wrong"]]), one]);
	return [selectors, hits[1], others];
};
assert.deepStrictEqual(half(false, false), [[".more"], [false, false, false, false], []]);
assert.deepStrictEqual(half(false, true), [[".more"], [false, false, true, false], [[1, 2]]]);
assert.ok(!half(true, false)[0].includes(".more"));
// where a link leads, and how text looks, where that is the same on several pages, and nothing else will do
const link = (n, href) => [[3, "p", {}], [4, "a", n === 3 ? { href, rel: "nofollow" } : { href }, `Go ${n}`, "wrong"]];
assert.deepStrictEqual(found(story(1, link(1, "https://x.example/")), story(2, link(2, "https://x.example/"))), ["[href=\"https://x.example/\"]"]);
assert.deepStrictEqual(found(story(1, link(1, "/print?1")), story(2, link(2, "/print?2"))), []);
assert.deepStrictEqual(found(story(1, link(3, "/print?1")), story(2, link(3, "/print?2"))), ["[rel=\"nofollow\"]"]);
assert.deepStrictEqual(found(story(1, [[3, "p", { style: "color:red", class: long }, "x", "wrong"]])), [`.${long}`]);
// several elements beside each other may be all of a block
const beside = story(1, [[3, "p", {}], [4, "a", { class: "share" }, "mail", "wrong"], [4, "a", { class: "share" }], [3, "p", {}, "said", "right"]]);
beside.blocks[2].in.push(beside.blocks[2].in[0] + 1);
assert.deepStrictEqual(found(beside), [".share"]);
// of a value that is too long it is known that there is one
assert.deepStrictEqual(found(story(1, [[3, "p", { "data-x": null }, "x", "wrong"]])), ["[data-x]"]);
// why there is no selector
const why = (rows, ...more) => findRules([story(1, rows), ...more]).missed.map(([p, b, one]) => [p, b, one]);
const bare = (box, named) => page([[0, "html"], [1, "body"], [2, "p", {}, "Text", "right"], [2, "p", named, box, "wrong"]]);
assert.deepStrictEqual(findRules([bare("x", {})]).missed, [[0, 1, { kind: "nameless" }]]);
assert.deepStrictEqual(why([[3, "p", {}, "x", "wrong"]]), [[0, 2, { kind: "shared", others: [[0, 0], [0, 1]] }]]);
assert.deepStrictEqual(why(box(1, "promo"), unmarked(2, article)).map(([, , one]) => one.kind), ["much", "much"]);
// a name that is around right blocks of other pages alone is in the way, before an id of this page; a block that is marked as right before others
const onTwo = (want) => {
	const one = story(2, [[3, "div", { class: "promo" }], [4, "p", {}, "y", "right"], [4, "p", {}, "z", "right"]]);
	one.blocks[3].want = want;
	return why([[3, "div", { class: "promo", id: "below" }, "x", "wrong"]], one);
};
assert.deepStrictEqual(onTwo(undefined), [[0, 2, { kind: "shared", others: [[1, 2], [1, 3]] }]]);
assert.deepStrictEqual(onTwo(true), [[0, 2, { kind: "protected", others: [[1, 3]] }]]);
// the main heading is left alone, whatever is marked, but not what is a small part of the title
const heading = (text) => findRules([story(1, [[3, "div", { class: "t" }, text, "wrong"]], { title: "Story 1 | News" })]);
assert.deepStrictEqual([heading("Story 1").selectors, heading("Story 1").missed], [[], [[0, 2, { kind: "heading" }]]]);
assert.deepStrictEqual([heading("News").selectors, heading("News").missed], [[".t"], []]);
// what a line of rules or a selector has no place for is not written
for (const name of ["a\tb\nc", "x\u0000y", "\"'", ""])
	assert.ok(found(story(1, [[3, "div", { id: name, "data-x": name }, "x", "wrong"]])).every((text) => !/[\t\n\u0000]/.test(text)));
// names that say only how something looks, that look generated, or that are those of a text; what they are in says no more if it is such a name, too
for (const [name, doubt] of [["text-center"], ["col-lg-4"], ["has-secondary-background-color"], ["mt-4"], ["clearfix"], ["row"], ["items-center"], ["align-items-center"], ["justify-content-end"], ["has-text-align-center"], ["offer--PADDING-BOTTOM"], ["offer--sale", ""], ["text-offer", ""], ["promo", ""], ["текст", ""],
	["css-1x2y3z", "generated"], ["sc-abc123", "generated"], ["hJpRRP", "generated"], ["card__cjOgG", "generated"], ["card__title", ""], ["card__item1", ""], ["myAdBox", ""],
	["post", "text"], ["entry-content", "text"], ["articleBody", "text"], ["td-post-content", "text"], ["article-text", "text"], ["post-tags", ""], ["news-list", ""], ["news-text", "text"], ["card__list", ""]]) {
	const { selectors, doubts } = findRules([story(1, [[3, "div", { class: name }, "x", "wrong"]])]);
	assert.deepStrictEqual([selectors, doubts], [[`.${name}`], doubt === "" ? [] : [[`.${name}`, doubt || "look"]]]);
}
assert.deepStrictEqual(findRules([story(1, below)]).doubts, []);
assert.deepStrictEqual(findRules([story(1, [[3, "div", { itemprop: "articleBody" }, "x", "wrong"]])]).doubts, [["[itemprop=\"articleBody\"]", "text"]]);
// they are taken in this order where nothing else will do, whatever is shorter: what it is, where it is, looks, what is generated, what is a text's
const ladder = ["an-offer", "promo", "row", "css-1x2y3z", "post"];
for (let n = 1; n < ladder.length; n++)
	assert.deepStrictEqual(found(story(1, box(1, ladder.slice(n).join(" ")))), [`.${ladder[n]}`]);
const inBox = [[3, "div", { class: "offers" }], [4, "h3", {}, "stays", "right"], [4, "div", { class: "row" }, "x", "wrong"]];
assert.deepStrictEqual(found(story(1, inBox)), [".offers .row"]);
// a name of a text takes nothing on a page that nobody has marked, and there are no classes of one article
assert.deepStrictEqual(found(story(1, box(1, "post")), unmarked(2, [[3, "div", { class: "post" }, "y", "right"], [3, "p", {}, said, "right"]])), []);
assert.deepStrictEqual(found(story(1, box(1, "hentry category-news status-publish"))), [".hentry"]);
// plain elements, right below what says what it is, and links in it: where they are on several pages, if there are several
const plain = (n, ...more) => story(n, [[3, "div", { class: "offers" }], [4, "h3", {}, "stays", "right"], ...more]);
const list = [[4, "ul", {}], [5, "li", {}, "x", "wrong"]], linked = [[4, "p", {}], [5, "a", {}, "x", "wrong"], [4, "p", {}, "stays, too", "right"]];
for (const [rows, text] of [[list, ".offers > ul"], [linked, ".offers a"]]) {
	assert.deepStrictEqual(found(plain(1, ...rows)), [text]);
	assert.deepStrictEqual(findRules([plain(1, ...rows), plain(2, ...rows)]).doubts, [[text, "look"]]);
	assert.deepStrictEqual(found(plain(1, ...rows), { ...plain(2), reviewed: false }), []);
}
// what is taken
const { hits } = findRules([story(1, box(1, "promo"))]);
assert.deepStrictEqual(hits, [[false, false, true, true]]);
