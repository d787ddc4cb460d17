// SPDX-License-Identifier: MIT
// Compiled by tsc --strict, not run: what the types must allow, and what they must refuse.
import { DanaError, Document, DocumentStream, Extractor, extract, Page, scan } from 'danatext';
import { extract as coreExtract } from 'danatext/core';
import { load } from 'danatext/module';

export async function uses(response: Response, file: File, module: WebAssembly.Module): Promise<void> {
	const page: Page = extract(new Uint8Array(3), { text: ['plain', 'blocks'], comments: 'apart', recall: 60, exclude: 'nav', url: 'https://example.org/' });
	const title: string | null = page.title;
	const p: number | undefined = page.blocks?.[0]?.p;
	const kind = page.pageKind === 'article';
	for await (const document of scan(response.body!, { status: [200, 404], signal: AbortSignal.timeout(5) })) {
		const d: Document = document;
		void d.offset;
	}
	for await (const line of scan(file).lines()) line.trim();
	const stream: ReadableStream<Document> = response.body!.pipeThrough(new DocumentStream({ minChars: 0 }));
	const extractor = new Extractor({ method: ['learned', 'danag'] });
	extractor.extract('<p>', { charset: 'utf-8' });
	extractor.free();
	const error = new DanaError('trap', 'x');
	if (error.code === 'bad_option') void error.offset?.toFixed();
	void coreExtract('<p>').markdown;
	void load(module).extract('<p>').metadata;
	void [title, p, kind, stream];
	// @ts-expect-error: there is no such option
	extract('<p>', { tablez: 'drop' });
	// @ts-expect-error: there is no such word
	extract('<p>', { tables: 'apart' });
	// @ts-expect-error: a number is no page
	extract(42);
	// @ts-expect-error: there is no such code
	void (error.code === 'nothing');
}
