// SPDX-License-Identifier: MIT
// Options as the library takes them: those of a page by name, as "text_field=markdown". The library has the list of them.
import { DanaError } from './error.js';

export const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const LISTED = 60;

/** A list as the command line has it. */
export function words(value) {
	return value === null || value === undefined ? null : Array.isArray(value) ? value.map(String).join(',') : String(value);
}

function listOf(what, values) {
	const list = values === undefined || values === null ? [] : typeof values === 'string' ? [values] : [...values].map(String);
	if (list.length > LISTED) throw new DanaError('bad_option', `${what}: at most ${LISTED} are taken`);
	for (const each of list) {
		if (each === '' || each.includes('\0')) throw new DanaError('bad_option', `${what}: ${JSON.stringify(each)} cannot be a value`);
	}
	return list;
}

/** The members of a record of the modules: method, more methods, plugins, options of a page. `rest` are options by their names. */
export function pageRecord({ method, plugins, ...rest }) {
	const [first = null, ...more] = listOf('method', method);
	const named = Object.entries(rest)
		.filter(([, value]) => value !== undefined && value !== null)
		.map(([name, value]) => `${snakeCase(name)}=${typeof value === 'boolean' ? Number(value) : words(value)}`);
	return [first, more, listOf('plugins', plugins), listOf('options', named)];
}

const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+\s*$/i;
const FILE = /^[^\n<]*\.(?:html?|xhtml|shtml|mhtml?|pdf|warc|arc|wacz)(?:\.(?:gz|zst|bz2|xz))?\s*$/i;

/** The page as a string or bytes; what only names a page is an error. */
export function pageOf(html) {
	if (typeof html === 'string') {
		if (html.length <= 4096 && !html.includes('<')) {
			if (ADDRESS.test(html))
				throw new DanaError('not_a_page', 'html is an address, and extract fetches none; fetch the page, and pass its bytes: ' +
					'extract(new Uint8Array(await (await fetch(address)).arrayBuffer()))');
			if (FILE.test(html)) throw new DanaError('not_a_page', 'html is the name of a file, and extract opens none; read it, and pass its bytes');
		}
		return html;
	}
	const bytes = bytesOf(html);
	if (bytes) return bytes;
	throw new DanaError('bad_option', `html is ${html === null ? 'null' : typeof html}; expected a string, a Uint8Array or an ArrayBuffer`);
}

/** Bytes of a view or a buffer, not copied; null: it is neither. */
export function bytesOf(value) {
	if (value instanceof Uint8Array) return value;
	if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
	const name = Object.prototype.toString.call(value);
	return name === '[object ArrayBuffer]' || name === '[object SharedArrayBuffer]' ? new Uint8Array(value) : null;
}
