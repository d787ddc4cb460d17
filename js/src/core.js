// SPDX-License-Identifier: MIT
// The interface of danatext/core: pages in UTF-8.
import { codeOf, DanaError } from './error.js';
import { extractorsOf } from './extractors.js';
import { Instance } from './instance.js';
import { pageRecord } from './options.js';

const TRUNCATED = 1;

const kind = {
	create(instance, { text = 'plain,markdown', ...options }) {
		const [method, more, plugins, names] = pageRecord({ text, ...options });
		if (more.length || plugins.length) throw new DanaError('bad_option', 'danatext/core has one method for a page, and no plugins');
		return instance.withRecord([method, names], (record) => {
			const [m, n] = instance.words(record, 2);
			const reader = instance.call.extractor_new(m, n);
			const status = instance.call.status();
			if (status < 0) throw new DanaError(codeOf(status), `options: ${instance.terminated(instance.call.status_text(status))}: ${method ?? ''} ${names.join(' ')}`);
			return reader;
		});
	},
	read(instance, reader, page, { url }) {
		const { at, len } = instance.put(page);
		return instance.withRecord([url ?? null, ...new Array(13).fill(0)], (record) => {
			const [u, n] = instance.words(record, 2);
			const status = instance.call.extractor_read(reader, u, n, at, len, record + 8);
			if (status < 0 && codeOf(status) !== 'limit') throw new DanaError(codeOf(status), instance.terminated(instance.call.status_text(status)));
			const w = [...instance.words(record + 8, 13)];
			const text = (i) => instance.text(w[2 * i], w[2 * i + 1]);
			const result = { text: text(0) ?? '', title: text(1), method: instance.terminated(w[10]), pageKind: instance.terminated(w[11]), truncated: (w[12] & TRUNCATED) !== 0 };
			if (status < 0) result.reason = 'work_limit';
			if (w[4]) result.markdown = text(2);
			if (w[6]) result.blocks = JSON.parse(text(3));
			if (w[8]) result.comments = text(4);
			return result;
		}, true);
	},
	free: (instance, reader) => instance.call.extractor_free(reader),
};

/** `module()` returns the WebAssembly.Module of core.wasm. */
export function core(module) {
	const newInstance = () => new Instance(module());
	return { ...extractorsOf(newInstance, kind), DanaError, ...facts(newInstance) };
}

/** What a module says of itself. */
export function facts(newInstance) {
	let some = null;
	const instance = () => (some ??= newInstance());
	return {
		version: () => instance().terminated(instance().call.version()),
		methods: () => {
			const names = [];
			for (let i = 0, name; (name = instance().terminated(instance().call.method_name(i))); i++) names.push(name);
			return names;
		},
	};
}
