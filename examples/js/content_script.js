// SPDX-License-Identifier: MIT
// The content script of a browser's extension: answers a message with the main text of the page as it is shown. Bundled to one file,
// as: esbuild content_script.js --bundle --format=iife --outfile=extension/content.js
import { extract } from 'danatext/core/base64';

chrome.runtime.onMessage.addListener((message, sender, answer) => {
	if (message !== 'main text') return;
	const { title, markdown } = extract(document.documentElement.outerHTML, { url: location.href });
	answer({ title, markdown });
});
