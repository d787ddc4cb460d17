// SPDX-License-Identifier: MIT
// A document loader of LangChain.js over a web archive. With @langchain/core installed: class extends BaseDocumentLoader; what chains need
// of one is load(), and of a document the two members below.
import { createReadStream } from 'node:fs';
import { scan } from 'danatext';

export class WarcLoader {
	constructor(path, options = {}) {
		this.path = path;
		this.options = options;
	}

	async *lazyLoad() {
		for await (const document of scan(createReadStream(this.path), { name: this.path, ...this.options, text: 'plain,markdown' })) {
			const { markdown, url, title, date, language } = document;
			yield { pageContent: markdown, metadata: { source: url, title, date, language } };
		}
	}

	async load() {
		const documents = [];
		for await (const document of this.lazyLoad()) documents.push(document);
		return documents;
	}
}
