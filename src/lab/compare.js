// SPDX-License-Identifier: MIT
/*
 * Draws a report of `dana compare` from the JSON in it, which compare.c writes: a, b (what the two settings are called), version, seen
 * (pages of the inputs), all, kinds: sums; and differences, the largest first: [{page, url, kind, words_a, words_b, only_a, only_b,
 * f1_a, f1_b (with references), rows: [[0 both, 1 only a, 2 only b, text], [3, lines left out]]}].
 *
 * One page is shown at a time. The address names it, as #page=2.
 */
"use strict";

/* What a setting is called where there is no place for its name. */
const SIDES = ["A", "B"];

/** The lines of a page that differ, with those around them. */
function differencesOf(d) {
	return d.rows.map(([side, text]) => side === 3 ? make("p", { class: "left-out" }, `… ${shown(text)} line${text === 1 ? "" : "s"} that both have`)
		: side === 0 ? make("p", { class: "both", dir: "auto" }, text)
			: make("article", { class: `block only-${SIDES[side - 1].toLowerCase()}`, tabindex: 0 },
				make("div", { class: "what" }, make("b", null, `${side === 1 ? "◀" : "▶"} in ${SIDES[side - 1]}`)), make("p", { dir: "auto" }, text)));
}

/** The page of a comparison: sums, and one page of the sample after the other. */
function compared(data, main, state) {
	const list = data.differences, view = { at: -1 }, place = make("div", { class: "differences" });
	const sums = (s) => [s.kind, s.pages, s.differ, percent(s.differ, s.pages), s.words_a, s.words_b, s.only_a, s.only_b,
		...(data.all.references ? [s.f1_a.toFixed(4), s.f1_b.toFixed(4)] : [])].map((value) => value === undefined ? "–" : value);
	main.append(facts(make("dl", { class: "facts" }), [["A", data.a], ["B", data.b], ["pages", data.seen], ["of these compared", data.all.pages],
		["of these differ", `${shown(data.all.differ)} (${percent(data.all.differ, data.all.pages)})`], ["made by", data.version]]));
	main.append(make("div", { class: "method" }, make("h2", null, "By kind of page"),
		table(["kind", "#pages", "#differ", "#share", "#words in A", "#words in B", "#only in A", "#only in B", ...(data.all.references ? ["#F1 of A", "#F1 of B"] : [])],
			[data.all, ...data.kinds].map((s) => sums(s)))));
	if (data.all.references)
		main.append(make("p", null, `Of ${shown(data.all.references)} pages with a reference, A is nearer to it on ${shown(data.all.nearer_a)}, B on ${shown(data.all.nearer_b)}.`));
	if (!list.length) {
		main.append(make("p", { class: "strong" }, "The texts of all pages are the same."));
		return;
	}
	const select = make("select", { name: "page", "aria-label": "page" }, ...list.map((d, i) =>
		make("option", { value: String(i) }, `${i + 1} of ${list.length}: ${d.only_a} / ${d.only_b} words, ${d.url || d.page}`)));
	const button = (sign, name, step) => {
		const element = make("button", { type: "button", "aria-label": name, title: name }, sign);
		element.addEventListener("click", () => go(view.at + step));
		return element;
	};
	const show = (i) => {
		const d = list[i];
		view.at = i;
		select.value = String(i);
		place.replaceChildren(make("h3", null, make("bdi", null, d.url || d.page)), facts(make("dl", { class: "facts" }), [
			["page", d.page], ["kind", d.kind], ["words in A", d.words_a, `only there: ${shown(d.only_a)}`], ["words in B", d.words_b, `only there: ${shown(d.only_b)}`],
			d.f1_a !== undefined && ["F1 of A", d.f1_a.toFixed(4), d.f1_a > d.f1_b ? "nearer to the reference" : ""],
			d.f1_b !== undefined && ["F1 of B", d.f1_b.toFixed(4), d.f1_b > d.f1_a ? "nearer to the reference" : ""]]), ...differencesOf(d));
	};
	const go = (i) => {
		if (i < 0 || i >= list.length || i === view.at)
			return;
		show(i);
		history.replaceState(null, "", i ? `#page=${i + 1}` : "#");
	};
	select.addEventListener("change", () => go(Number(select.value)));
	main.append(make("h2", null, "Pages that differ, the largest differences first"),
		make("p", { class: "keys" }, "Keys: ", make("kbd", null, "j"), " and ", make("kbd", null, "k"), " next and previous difference, ",
			make("kbd", null, "n"), " and ", make("kbd", null, "p"), " next and previous page."),
		make("p", { class: "chooser" }, button("‹", "previous page", -1), select, button("›", "next page", 1)), place);
	show(Math.min(Math.max((Number(state.get("page")) || 1) - 1, 0), list.length - 1));
	document.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select"))
			return;
		const all = [...place.querySelectorAll(".block")], at = all.indexOf(document.activeElement.closest(".block"));
		const focus = (next) => {
			if (next)
				next.focus();
		};
		const keys = { j: () => focus(all[at + 1]), k: () => focus(all[at < 0 ? all.length - 1 : at - 1]), n: () => go(view.at + 1), p: () => go(view.at - 1) };
		if (keys[event.key]) {
			keys[event.key]();
			event.preventDefault();
		}
	});
}
