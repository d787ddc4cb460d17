// SPDX-License-Identifier: MIT
// The interface of danatext: pages in any charset, and archives.
import { facts } from './core.js';
import { codeOf, DanaError } from './error.js';
import { extractorsOf } from './extractors.js';
import { Instance } from './instance.js';
import { camelCase, pageRecord } from './options.js';
import { scansOf } from './scan.js';

/** What a field is, as dana/dana.h numbers it. */
const NULL = 1, TEXT = 2, COUNT = 3, REAL = 4, BOOLEAN = 5, JSON_TEXT = 6, MEMBER = 7;
const FIELD_SIZE = 24;

/** An instance that knows the fields of documents. */
class WholeInstance extends Instance {
	constructor(module) {
		super(module);
		this.names = [];
		for (let i = 0, name; (name = this.terminated(this.call.field_name(i))); i++) this.names.push(camelCase(name));
		this.fields = this.take(FIELD_SIZE * this.names.length);
		this.view = this.take(16);
		this.problems = [];
		for (let bit = 0, word; (word = this.terminated(this.call.problem_word(bit))); bit++) this.problems.push(word);
	}

	/** Why an object was not made. */
	refusal(method) {
		const status = this.call.status(), text = this.terminated(this.call.error_text());
		if (codeOf(status) === 'out_of_memory') this.dead = true;
		return new DanaError(codeOf(status), text || `method ${JSON.stringify(method)} is unknown, or does not take a key of it`);
	}

	/** The text that a call puts into a view. */
	viewed(name, ...values) {
		const status = this.call[name](...values, this.view);
		if (status < 0) throw this.noMemory();
		return this.text(...this.words(this.view, 2));
	}

	#texts() {
		const texts = {};
		for (let i = 0; this.call.method_text(i, this.view); i++) {
			const [name, at, len] = this.words(this.view, 3);
			texts[this.terminated(name)] = this.text(at, len);
		}
		return texts;
	}

	/** The document that was read last, as an object. */
	document() {
		const document = {}, n = this.names.length;
		let additions = null;
		this.call.fields(this.fields, n);
		const values = new DataView(this.memory.buffer, this.fields, FIELD_SIZE * n);
		for (let i = 0, at = 0; i < n; i++, at += FIELD_SIZE) {
			const name = this.names[i], is = values.getUint32(at, true);
			const number = values.getFloat64(at + 16, true);
			const text = () => this.text(values.getUint32(at + 4, true), values.getUint32(at + 8, true));
			if (is === NULL && (name === 'html' || name === 'additions')) continue; // not asked for, and nothing added
			else if (is === NULL) document[name] = null;
			else if (is === TEXT && name === 'additions') additions = text();
			else if (is === TEXT) document[name] = text();
			else if (is === COUNT || is === REAL) document[name] = number;
			else if (is === BOOLEAN) document[name] = number === 1;
			else if (is === JSON_TEXT) document[name] = JSON.parse(text());
			else if (is === MEMBER && name === 'problems') document[name] = this.problems.filter((_, bit) => number & (1 << bit));
			else if (is === MEMBER && name === 'texts') document[name] = this.#texts();
		}
		return additions ? Object.assign(document, JSON.parse(`{${additions.slice(1)}}`)) : document;
	}

	/** The same of a single page, which has no record. */
	page() {
		const { id, date, httpStatus, contentType, file, offset, length, ...page } = this.document();
		return page;
	}
}

const kind = {
	create(instance, { text = 'plain,markdown', plugins = [], ...options }) {
		const all = typeof plugins === 'string' ? [plugins] : [...plugins];
		if (!all.some((name) => /^metadata(:|$)/.test(name))) all.push('metadata');
		return instance.withRecord(pageRecord({ text, plugins: all, ...options }), (record) => {
			const reader = instance.call.page_reader_new(record);
			if (reader === 0) throw instance.refusal(options.method);
			return reader;
		});
	},
	read(instance, reader, page, { url, charset, contentType }) {
		const source = [url ?? null, typeof page === 'string' ? 'utf-8' : charset ?? null, contentType ?? null];
		const { at, len } = instance.put(page);
		return instance.withRecord(source, (record) => {
			const status = instance.call.page_read(reader, record, at, len);
			if (status === 0) return instance.page();
			// A page that is none, that a plugin drops, or that costs too much, is a result: empty, with a reason.
			const message = instance.terminated(instance.call.page_error(reader));
			if (status > 0 || codeOf(status) === 'not_a_page' || codeOf(status) === 'limit') return { ...instance.page(), text: '', reason: message };
			if (codeOf(status) === 'out_of_memory') instance.dead = true;
			throw new DanaError(codeOf(status), message);
		}, true);
	},
	free: (instance, reader) => instance.call.page_reader_free(reader),
};

/** `module()` returns the WebAssembly.Module of danatext.wasm. */
export function whole(module) {
	const newInstance = () => new WholeInstance(module());
	let list = null;
	return {
		...extractorsOf(newInstance, kind),
		...scansOf(newInstance),
		...facts(newInstance),
		DanaError,
		pageOptions: () => {
			if (!list) {
				const instance = newInstance();
				list = JSON.parse(instance.terminated(instance.call.option_list()));
			}
			return list.map((row) => ({ ...row, name: camelCase(row.name) }));
		},
	};
}
