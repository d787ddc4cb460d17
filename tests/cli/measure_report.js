// SPDX-License-Identifier: MIT
/* The body of a function: what a reader of a report sees. Does all of it fit, and how long is its longest line of text? */
const width = document.documentElement.clientWidth;
const all = [...document.querySelectorAll("body *")].filter((e) => e.getClientRects().length);
const wide = all.filter((e) => e.getBoundingClientRect().right > width + 0.5 || e.getBoundingClientRect().left < -0.5);
const cut = all.filter((e) => !e.closest("svg, .markdown pre, .start") && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible");
let longest = 0;
for (const p of document.querySelectorAll("p, summary, dd, figcaption")) {
	const words = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
	let top = null, length = 0;
	for (let node = words.nextNode(); node; node = words.nextNode()) {
		for (let i = 0; i < node.length; i++) {
			const range = document.createRange();
			range.setStart(node, i);
			range.setEnd(node, i + 1);
			const box = range.getClientRects()[0];
			if (!box)
				continue;
			length = top !== null && Math.abs(box.top - top) < box.height / 2 ? length + 1 : 1;
			top = length === 1 ? box.top : top;
			longest = Math.max(longest, length);
		}
	}
}
const first = wide[0] || cut[0];
return first ? `is too large: ${first.outerHTML.slice(0, 60)}` : longest > 80 ? `has a line of ${longest}` : "fits";
