// SPDX-License-Identifier: MIT

/** What went wrong: `code` is a word, `file` and `offset` say where in which archive, where that is known. */
export class DanaError extends Error {
	constructor(code, message, { file, offset, cause } = {}) {
		super(message, cause === undefined ? undefined : { cause });
		this.name = 'DanaError';
		this.code = code;
		this.file = file;
		this.offset = offset;
	}
}

const codes = {
	'-1': 'out_of_memory',
	'-2': 'cannot_read',
	'-3': 'not_a_page',
	'-4': 'limit',
	'-5': 'bad_option',
	'-6': 'plugin_failed',
	'-7': 'wrong_order',
	'-9': 'no_library',
};

/** The code of a status of the library. */
export const codeOf = (status) => codes[status] ?? 'failed';
