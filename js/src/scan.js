// SPDX-License-Identifier: MIT
// Archives: bytes as they come are pushed into an instance, documents are taken out. Nothing is read ahead: the next chunk is asked for
// when all documents of the one before were taken.
import { codeOf, DanaError } from './error.js';
import { bytesOf, pageRecord, words } from './options.js';
import { wacz } from './wacz.js';

/** Answers of archive_next. */
const HUNGRY = 0, DOCUMENT = 1, OVER = 3, PAUSED = 4;
/** Flags of dana/archive.h. */
const WANT_HTML = 1, REQUIRE_DIGEST = 4, TAKE_EMPTY = 16, CHECK_DIGESTS = 32, NO_DIGEST = 64, KEEP_REJECTS = 128;
const PIECE = 1 << 20; // bytes that are pushed at once
const STEP = 12; // milliseconds of work, after which other tasks of the program come first
const IDLE = 2; // instances that are kept for later scans

const isBlob = (value) => typeof value?.slice === 'function' && typeof value.size === 'number' && typeof value.arrayBuffer === 'function';

/** An iterator of chunks of what `scan` takes. */
async function* chunksOf(input, signal) {
	if (typeof input === 'string') throw new DanaError('bad_option', 'the input is a string; expected a stream, a Blob, bytes, or an iterable of bytes');
	const bytes = bytesOf(input);
	if (bytes) return yield bytes;
	if (isBlob(input)) input = input.stream();
	else if (input?.body && typeof input.arrayBuffer === 'function') input = input.body; // a Response
	if (typeof input?.getReader === 'function') {
		const reader = input.getReader();
		let all = false;
		const stop = () => reader.cancel(signal.reason).catch(() => {});
		signal?.addEventListener('abort', stop);
		try {
			for (;;) {
				const { done, value } = await reader.read();
				if ((all = done)) return;
				yield value;
			}
		} finally {
			signal?.removeEventListener('abort', stop);
			if (!all) await reader.cancel().catch(() => {});
			reader.releaseLock();
		}
	} else if (input?.[Symbol.asyncIterator] || input?.[Symbol.iterator]) {
		const stop = () => input.destroy?.(signal.reason); // a stream of Node
		signal?.addEventListener('abort', stop);
		try {
			yield* input;
		} finally {
			signal?.removeEventListener('abort', stop);
		}
	} else {
		throw new DanaError('bad_option', `the input is ${input === null ? 'null' : typeof input}; expected a stream, a Blob, bytes, or an iterable of bytes`);
	}
}

/** A promise that fails when the signal comes; null without a signal. It must be left off afterwards. */
function abortOf(signal) {
	if (!signal) return null;
	let fail;
	const promise = new Promise((_, reject) => (fail = () => reject(signal.reason)));
	promise.catch(() => {}); // nobody may be waiting
	signal.addEventListener('abort', fail);
	return { promise, off: () => signal.removeEventListener('abort', fail) };
}

const pause = () => new Promise((go) => (typeof setImmediate === 'function' ? setImmediate(go) : setTimeout(go, 0)));

/** Adds the numbers of an object of counters to another one. */
function add(to, from) {
	for (const [name, value] of Object.entries(from)) {
		if (typeof value === 'number') to[name] = (to[name] ?? 0) + value;
		else if (value && typeof value === 'object' && !Array.isArray(value)) add((to[name] ??= {}), value);
	}
	return to;
}

export function scansOf(newInstance) {
	const idle = [];
	const borrow = () => {
		while (idle.length > 0) {
			const instance = idle.pop();
			if (!instance.worn) return instance;
		}
		return newInstance();
	};
	const bring = (instance) => {
		if (!instance.worn && idle.length < IDLE) idle.push(instance);
	};

	function archiveOf(instance, name, o) {
		const { type, status, mime, minChars = 1, requireDigest, checkDigests = 'auto', html, rejects, schema, signal: _s, lines: _l, name: _n, ...page } = o;
		const digests = { auto: 0, always: CHECK_DIGESTS, never: NO_DIGEST }[checkDigests];
		if (digests === undefined) throw new DanaError('bad_option', `checkDigests ${JSON.stringify(checkDigests)} is unknown; expected auto, always or never`);
		if (!Number.isInteger(minChars) || minChars < 0) throw new DanaError('bad_option', `minChars is ${minChars}; expected 0 or more`);
		const flags = digests | (html ? WANT_HTML : 0) | (requireDigest ? REQUIRE_DIGEST : 0) | (minChars === 0 ? TAKE_EMPTY : 0) | (rejects ? KEEP_REJECTS : 0);
		return instance.withRecord([...pageRecord(page), null, words(type), words(status), words(mime), schema ?? null, minChars, flags, 4], (record) => {
			const at = instance.cstring(name);
			instance.words(record, 5)[4] = at;
			const archive = instance.call.archive_new(record);
			if (archive !== 0) return { archive, at };
			instance.call.give(at);
			throw instance.refusal(page.method);
		});
	}

	class Scan {
		#input;
		#options;
		#begun = false;
		#counts = {};
		#rejects = [];
		#now = null; // the archive under way: what says its counters so far

		constructor(input, options = {}) {
			this.#input = input;
			this.#options = options;
		}

		/** Counters as of `dana filter --stats`, so far. */
		get counts() {
			return add(structuredClone(this.#counts), this.#now ? this.#now() : {});
		}

		/** What was skipped or damaged since the last use, with the option `rejects`. */
		takeRejects() {
			return this.#rejects.splice(0);
		}

		async *#archive(name, chunks, take) {
			const { signal } = this.#options;
			const instance = borrow(), abort = abortOf(signal);
			let made = null;
			const fail = (status) => {
				if (codeOf(status) === 'out_of_memory') instance.dead = true;
				return new DanaError(codeOf(status), instance.dead ? 'memory is exhausted' : instance.terminated(instance.call.archive_error(made.archive)), { file: name });
			};
			const good = (status) => {
				if (status < 0) throw fail(status);
			};
			try {
				made = archiveOf(instance, name, this.#options);
				const { archive } = made;
				this.#now = () => JSON.parse(instance.viewed('archive_counts', archive));
				const keep = () => {
					if (!this.#options.rejects) return;
					for (const line of instance.viewed('archive_rejects', archive)?.split('\n') ?? []) if (line) this.#rejects.push(JSON.parse(line));
				};
				let piece = null, read = 0, began = performance.now();
				for (let ended = false; ;) {
					signal?.throwIfAborted();
					const answer = instance.call.archive_next(archive);
					if (answer < 0) throw fail(answer);
					if (answer === DOCUMENT) {
						yield take(instance, archive);
						began = performance.now();
					} else if (answer === PAUSED) {
						if (performance.now() - began > STEP) {
							await pause();
							began = performance.now();
						}
					} else if (answer === OVER) {
						keep();
						break;
					} else if (answer === HUNGRY && piece?.length) {
						const { at, len } = instance.put(piece.subarray(0, PIECE));
						piece = piece.subarray(len);
						good(instance.call.archive_push(archive, at, len));
					} else if (answer === HUNGRY && !ended) {
						keep();
						const { done, value } = await (abort ? Promise.race([chunks.next(), abort.promise]) : chunks.next());
						began = performance.now();
						if (done) {
							ended = true;
							good(instance.call.archive_end(archive));
						} else {
							piece = bytesOf(value);
							if (!piece) throw new DanaError('bad_option', `a chunk of the input is ${typeof value}; expected bytes`, { file: name, offset: read });
							read += piece.length;
						}
					} else {
						throw new DanaError('failed', `the archive gave the answer ${answer}`, { file: name, offset: read });
					}
				}
				const counts = this.#now();
				add(this.#counts, counts);
				this.#now = null;
				if (counts.damaged?.not_an_archive)
					throw new DanaError('not_an_archive', `${name}: is no web archive: there is no record of WARC or ARC in it; a single page is read by extract`, { file: name, offset: 0 });
			} catch (error) {
				if (error instanceof DanaError && error.file === undefined) error.file = name;
				throw error;
			} finally {
				this.#now = null;
				abort?.off();
				if (made && !instance.dead) {
					instance.call.archive_free(made.archive);
					instance.call.give(made.at);
					instance.tidy();
				}
				bring(instance);
			}
		}

		async *#all(take) {
			if (this.#begun) throw new DanaError('wrong_order', 'a scan is read once; make another one of the input');
			this.#begun = true;
			const { signal, name } = this.#options;
			signal?.throwIfAborted();
			const called = name ?? this.#input?.name ?? '-';
			let wrong = null;
			for await (const part of isBlob(this.#input) ? wacz(newInstance, this.#input, called) : [null]) {
				const chunks = part ? part.chunks(signal) : chunksOf(this.#input, signal);
				try {
					yield* this.#archive(part ? part.name : called, chunks, take);
				} catch (error) {
					// The archives after one that is none are still read.
					if (!part || error.code !== 'not_an_archive') throw error;
					wrong ??= error;
				} finally {
					const closed = chunks.return();
					if (!signal?.aborted) await closed;
					else closed.catch(() => {}); // the input may never answer
				}
			}
			if (wrong) throw wrong;
		}

		[Symbol.asyncIterator]() {
			return this.#all((instance) => instance.document());
		}

		/** Lines of JSON with their ends, as `dana filter` writes them. */
		lines() {
			return this.#all((instance, archive) => instance.viewed('archive_line', archive));
		}
	}

	class DocumentStream {
		constructor(options = {}) {
			const bytes = new TransformStream();
			this.writable = bytes.writable;
			const scan = new Scan(bytes.readable, options);
			const documents = scan[Symbol.asyncIterator]();
			this.scan = scan;
			this.readable = new ReadableStream(
				{
					async pull(controller) {
						const { done, value } = await documents.next();
						if (done) controller.close();
						else controller.enqueue(value);
					},
					cancel: () => documents.return(),
				},
				{ highWaterMark: 0 },
			);
		}
	}
	return { scan: (input, options) => new Scan(input, options), Scan, DocumentStream };
}
