// SPDX-License-Identifier: MIT
// A Blob that is a WACZ, archive by archive: the library reads the directory of the zip, and says which bytes it lacks.
import { DanaError } from './error.js';

const ASK = 64 << 10; // bytes that are read at least, where the library asks for fewer
const NEEDS = 1, NONE = 2; // answers of zip_look
const CANNOT = 3;

async function* stored(blob, begin, length) {
	const step = 1 << 20;
	for (let at = begin; at < begin + length; at += step) yield new Uint8Array(await blob.slice(at, Math.min(at + step, begin + length)).arrayBuffer());
}

async function* inflated(blob, begin, length, signal) {
	const reader = blob.slice(begin, begin + length).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
	try {
		for (;;) {
			signal?.throwIfAborted();
			const { done, value } = await reader.read();
			if (done) return;
			yield value;
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

/** Yields { name, blob (null: deflated), chunks(signal) } of each archive in the zip `blob`; a single null where it is no zip. */
export async function* wacz(newInstance, blob, name) {
	const begin = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
	if (begin[0] !== 0x50 || begin[1] !== 0x4b) return yield null;
	const instance = newInstance(), { call } = instance;
	const zip = call.zip_new(blob.size);
	if (zip === 0) throw instance.noMemory();
	try {
		yield* archivesOf(blob, name, instance, zip);
	} finally {
		if (!instance.dead) call.zip_free(zip);
	}
}

async function* archivesOf(blob, name, instance, zip) {
	const { call } = instance;
	let answer;
	while ((answer = call.zip_look(zip)) === NEEDS) {
		const offset = call.zip_wanted(zip), len = call.zip_wanted_len(zip);
		const bytes = new Uint8Array(await blob.slice(offset, offset + Math.max(len, ASK)).arrayBuffer());
		const { at } = instance.put(bytes);
		if (call.zip_give(zip, offset, at, bytes.length) < 0) throw instance.noMemory();
	}
	if (answer === NONE) return yield null;
	if (answer === CANNOT) throw new DanaError('not_an_archive', `${name}: ${instance.terminated(call.zip_error(zip))}`, { file: name, offset: 0 });
	for (let i = 0; i < call.zip_count(zip); i++) {
		const number = (which) => call.zip_number(zip, i, which);
		const entry = `${name}/${instance.terminated(call.zip_name(zip, i))}`, fault = instance.terminated(call.zip_fault(zip, i));
		if (fault) throw new DanaError('not_an_archive', `${entry}: ${fault}`, { file: entry, offset: 0 });
		const [from, length, deflated] = [0, 1, 2].map(number);
		yield { name: entry, blob: deflated ? null : blob.slice(from, from + length), chunks: (signal) => (deflated ? inflated(blob, from, length, signal) : stored(blob, from, length)) };
	}
}
