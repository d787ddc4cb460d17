// SPDX-License-Identifier: MIT
// The article that Readability finds, as Markdown by turndown: for each line of standard input, a JSON object with html and url, one
// with `markdown`, null where it finds none or fails. With --there it only says by its exit status whether it can run.
'use strict';
const { Readability } = require('@mozilla/readability');
const { JSDOM, VirtualConsole } = require('jsdom');
const TurndownService = require('turndown');
const { gfm } = require('turndown-plugin-gfm');

function markdown(page) {
	const dom = new JSDOM(page.html, { url: page.url, virtualConsole: new VirtualConsole() });
	const article = new Readability(dom.window.document).parse();
	const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
	service.use(gfm);
	const title = article && article.title ? `# ${article.title}\n\n` : '';
	const text = article ? title + service.turndown(article.content) : null;
	dom.window.close();
	return text;
}

if (process.argv[2] !== '--there') {
	for (const line of require('fs').readFileSync(0, 'utf8').split('\n')) {
		if (!line)
			continue;
		let text = null;
		try {
			text = markdown(JSON.parse(line));
		} catch (error) {
			process.stderr.write(`${error}\n`);
		}
		process.stdout.write(JSON.stringify({ markdown: text }) + '\n');
	}
}
