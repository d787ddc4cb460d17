// SPDX-License-Identifier: MIT
// A handler of Express: POST a page, get its Markdown. Use: app.post('/markdown', express.raw({ type: '*/*', limit: '16mb' }), markdown)
import { DanaError, extract } from 'danatext';

export function markdown(request, response) {
	try {
		const page = extract(request.body, { url: request.query.url, contentType: request.headers['content-type'] });
		if (page.reason) response.status(422).json({ reason: page.reason });
		else response.type('text/markdown').send(page.markdown);
	} catch (error) {
		if (!(error instanceof DanaError)) throw error;
		response.status(error.code === 'bad_option' ? 400 : 500).json({ reason: error.message });
	}
}
