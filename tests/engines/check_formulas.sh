#!/bin/sh
# SPDX-License-Identifier: MIT
# TeX that dana makes of MathML is read by KaTeX without an error, and shows the letters, digits and signs that the MathML has
# (in the order of TeX, which writes an index or a name below before what it belongs to).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --silent katex@0.16 >npm.log 2>&1 || { cat npm.log; exit 1; }
{
	echo '<title>Formulas</title>'
	sed -n '/^#/!s/^\([^	]*\)	.*/<p><math>\1<\/math><\/p>/p' "$here/../data/formulas.txt"
} >page.html
"${DANA:-dana}" extract -m plain page.html >page.tex
cat >check.js <<'END'
const fs = require("fs"), katex = require("katex");
const made = fs.readFileSync("page.tex", "utf8").trim().split("\n");
const source = fs.readFileSync(process.argv[2], "utf8").trim().split("\n").slice(1).map((line) => line.split("\t")[0]);
const named = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&alpha;": "α", "&beta;": "β", "&le;": "≤", "&lang;": "", "&rang;": "" };
const text = (s) => s.replace(/<annotation[^>]*>.*?<\/annotation[^>]*>/g, "").replace(/<[^>]*>/g, "")
	.replace(/&#x([0-9A-Fa-f]+);/g, (_, c) => String.fromCodePoint(parseInt(c, 16))).replace(/&\w+;/g, (name) => named[name]);
/* The same characters are said in several ways: signs and letters are compared without their look, as a sorted list. */
const letters = (s) => [...s.normalize("NFKC")].filter((c) => /[\p{L}\p{N}]/u.test(c)).sort().join("");
const variants = { ϵ: "ε", φ: "ϕ" };
let bad = 0;
made.forEach((tex, i) => {
	try {
		const mathml = katex.renderToString(tex, { output: "mathml", strict: false, throwOnError: true });
		const shown = letters(text(mathml.replace(/<annotation.*<\/annotation>/, "")).replace(/[ϵφ]/g, (c) => variants[c]));
		const wanted = letters(text(source[i]).replace(/[ϵφ]/g, (c) => variants[c]));
		if (shown !== wanted) {
			bad++;
			console.log(`${source[i]}: ${tex}: ${shown} in place of ${wanted}`);
		}
	} catch (error) {
		bad++;
		console.log(`${tex}: ${error.message}`);
	}
});
if (made.length !== source.length || made.length < 60)
	bad++;
console.log(`${made.length} formulas of ${source.length}, ${bad} faults`);
process.exit(bad ? 1 : 0);
END
node check.js "$here/../data/formulas.txt"
