// SPDX-License-Identifier: MIT
// Text of pages that scripts build: the browser runs them, page.content() is what it shows. `page` is of Playwright or Puppeteer; in
// Crawlee it is in the context of PlaywrightCrawler and PuppeteerCrawler.
import { extract } from 'danatext';

export async function mainText(page, address) {
	await page.goto(address, { waitUntil: 'networkidle' });
	const { text, markdown, title, metadata } = extract(await page.content(), { url: page.url() });
	return { url: page.url(), title, text, markdown, author: metadata?.author, published: metadata?.published };
}
