// SPDX-License-Identifier: MIT
// A worker at the edge (Cloudflare Workers and others of that form): ?url=ADDRESS of a page gives its Markdown, of a web archive lines of
// JSON, as they come.
import { extract, scan } from 'danatext';

const archive = /\.w?arc(\.gz|\.zst)?$/;

export default {
	async fetch(request) {
		const url = new URL(request.url).searchParams.get('url');
		if (!url) return new Response('expected ?url=ADDRESS\n', { status: 400 });
		const source = await fetch(url);
		if (archive.test(new URL(url).pathname)) {
			const lines = scan(source.body, { name: url }).lines(), encoder = new TextEncoder();
			return new Response(
				new ReadableStream({
					async pull(controller) {
						const { done, value } = await lines.next();
						if (done) controller.close();
						else controller.enqueue(encoder.encode(value));
					},
					cancel: () => lines.return(),
				}),
				{ headers: { 'content-type': 'application/jsonl' } },
			);
		}
		const page = extract(await source.arrayBuffer(), { url, contentType: source.headers.get('content-type') ?? undefined });
		return new Response(page.markdown, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
	},
};
