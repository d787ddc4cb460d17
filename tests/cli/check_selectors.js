// SPDX-License-Identifier: MIT
/* check_selectors.js SELECTORS.JS: the selectors that the report of dana explain finds for marks, on small pages. */
"use strict";

const assert = require("assert");
const { findRules } = require(require("path").resolve(process.argv[2]));

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
// of a page that nobody has looked at nothing is known
assert.deepStrictEqual(found(story(1, box(1, "promo")), story(2, [[3, "div", { class: "promo" }, "?", "right"]], { reviewed: false })), [".promo"]);
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
assert.deepStrictEqual(findRules([story(1, [[3, "p", {}, "x", "wrong"]])]).missed, [[0, 2]]);
// the main heading is left alone, whatever is marked
const heading = findRules([story(1, [[3, "div", { class: "t" }, "Story 1", "wrong"]], { title: "Story 1 | News" })]);
assert.deepStrictEqual([heading.selectors, heading.missed], [[], []]);
// what a line of rules or a selector has no place for is not written
for (const name of ["a\tb\nc", "x\u0000y", "\"'", ""])
	assert.ok(found(story(1, [[3, "div", { id: name, "data-x": name }, "x", "wrong"]])).every((text) => !/[\t\n\u0000]/.test(text)));
// what is hit: 2 whole, 1 in part
const { hits } = findRules([story(1, box(1, "promo"))]);
assert.deepStrictEqual(hits, [[0, 0, 2, 2]]);
