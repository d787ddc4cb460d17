// SPDX-License-Identifier: MIT
// A service worker that answers /read?url=ADDRESS with the Markdown of that page, for pages that can be fetched from here. Workers allow
// no top-level await, so the module is in the script.
import { extract } from 'danatext/core/base64';

self.addEventListener('fetch', (event) => {
	const { pathname, searchParams } = new URL(event.request.url);
	if (pathname === '/read' && searchParams.has('url')) event.respondWith(read(searchParams.get('url')));
});

async function read(url) {
	const page = extract(await (await fetch(url)).text(), { url });
	return new Response(page.markdown, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
}
