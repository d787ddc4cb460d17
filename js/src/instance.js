// SPDX-License-Identifier: MIT
// One instance of a module: its memory, and calls of its functions. After a trap it is of no use any more (`dead`), and whoever called
// makes another one; so a page or an archive ends no program.
import { DanaError } from './error.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes of memory above which an instance is not kept: it can only grow. It grows to 512 MiB at most, as the module says. */
const KEPT = 64 << 20;
const MOST = 512 << 20;
/** Bytes of a page or a piece of an archive that are copied at once. */
const INPUT_MOST = 256 << 20;
const INPUT_KEPT = 4 << 20;

export class Instance {
	constructor(module) {
		const { exports } = new WebAssembly.Instance(module, {});
		this.memory = exports.memory;
		this.dead = false;
		this.call = {};
		for (const [name, f] of Object.entries(exports)) {
			if (typeof f === 'function') this.call[name] = (...values) => this.#guarded(f, values);
		}
		this.input = { at: 0, size: 0 };
		this.call._initialize?.();
	}

	#guarded(f, values) {
		if (this.dead) throw new DanaError('trap', 'this instance has ended after an error before');
		try {
			return f(...values);
		} catch (cause) {
			this.dead = true;
			if (this.memory.buffer.byteLength > MOST * 0.9) throw this.noMemory(cause);
			throw new DanaError('trap', `the module has ended with an error (${cause.message}); the next call begins anew`, { cause });
		}
	}

	noMemory(cause) {
		return new DanaError('out_of_memory', 'memory is exhausted: an instance has 512 MiB at most', { cause });
	}

	/** Not worth keeping. */
	get worn() {
		return this.dead || this.memory.buffer.byteLength > KEPT;
	}

	take(size) {
		const at = this.call.take(size) >>> 0;
		if (at === 0) throw this.noMemory();
		return at;
	}

	bytes(at, len) {
		return new Uint8Array(this.memory.buffer, at >>> 0, len);
	}

	words(at, n) {
		return new Uint32Array(this.memory.buffer, at >>> 0, n);
	}

	/** The text of so many bytes; null if its address is 0. */
	text(at, len) {
		return at === 0 ? null : decoder.decode(this.bytes(at, len));
	}

	/** A terminated text; null if its address is 0. */
	terminated(at) {
		if (at === 0) return null;
		const all = new Uint8Array(this.memory.buffer);
		return decoder.decode(all.subarray(at >>> 0, all.indexOf(0, at >>> 0)));
	}

	/** The address of a terminated copy, which the caller gives back. */
	cstring(text) {
		const content = encoder.encode(`${text}\0`), at = this.take(content.length);
		this.bytes(at, content.length).set(content);
		return at;
	}

	/** Copies a page or a piece to where pages are read: { at, len }. Only one is there at a time. */
	put(data) {
		const text = typeof data === 'string';
		const least = text ? data.length + 16 : data.length;
		if (least > INPUT_MOST) throw new DanaError('limit', `${least} bytes are too many at once; at most ${INPUT_MOST} are read`);
		this.#reserve(least, 0);
		if (!text) {
			this.bytes(this.input.at, data.length).set(data);
			return { at: this.input.at, len: data.length };
		}
		let { read, written } = encoder.encodeInto(data, this.bytes(this.input.at, this.input.size));
		if (read < data.length) {
			this.#reserve(written + 3 * (data.length - read), written);
			written += encoder.encodeInto(data.slice(read), this.bytes(this.input.at + written, this.input.size - written)).written;
		}
		return { at: this.input.at, len: written };
	}

	/** The input has so many bytes; the first `kept` stay. */
	#reserve(size, kept) {
		const before = this.input;
		if (before.size >= size) return;
		if (kept === 0) this.dropInput();
		const at = this.take(size);
		if (kept > 0) {
			new Uint8Array(this.memory.buffer).copyWithin(at, before.at, before.at + kept);
			this.dropInput();
		}
		this.input = { at, size };
	}

	dropInput() {
		if (this.input.at !== 0) this.call.give(this.input.at);
		this.input = { at: 0, size: 0 };
	}

	/** After a page or a piece: a large block is not kept. */
	tidy() {
		if (!this.dead && this.input.size > INPUT_KEPT) this.dropInput();
	}

	/**
	 * Calls `use` with the address of a record of 32-bit members: numbers as they are; null is 0; a text the address of its copy, an
	 * array of texts that of a list that an empty one ends. With `lengths` a text is two members, address and length.
	 */
	withRecord(members, use, lengths = false) {
		const blocks = [];
		const copy = (content) => {
			const at = this.take(content.length + 1);
			blocks.push(at);
			const to = this.bytes(at, content.length + 1);
			to.set(content);
			to[content.length] = 0;
			return at;
		};
		try {
			const values = [];
			for (const member of members) {
				if (typeof member === 'number') values.push(member);
				else if (member === null || member === undefined) values.push(...(lengths ? [0, 0] : [0]));
				else if (Array.isArray(member)) values.push(copy(encoder.encode(member.map((each) => `${each}\0`).join(''))));
				else {
					const content = encoder.encode(member);
					values.push(...(lengths ? [copy(content), content.length] : [copy(content)]));
				}
			}
			const record = this.take(4 * values.length + 8);
			blocks.push(record);
			this.words(record, values.length).set(values);
			return use(record);
		} finally {
			if (!this.dead) for (const at of blocks) this.call.give(at);
		}
	}
}
