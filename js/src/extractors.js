// SPDX-License-Identifier: MIT
// `Extractor` and `extract` of both entries, over a `kind` of reader: create(instance, options), read(instance, reader, page, source), and
// free(instance, reader). All readers of an entry share an instance; when that ends, or has grown large, they are made again in another.
import { DanaError } from './error.js';
import { pageOf } from './options.js';

const CACHED = 8;

export function extractorsOf(newInstance, kind) {
	let shared = null;
	const instance = () => {
		if (!shared || shared.worn) shared = newInstance();
		return shared;
	};
	const registry = new FinalizationRegistry((made) => release(made));
	const release = (made) => {
		if (made.reader && !made.instance.dead) kind.free(made.instance, made.reader);
		made.reader = 0;
	};

	class Extractor {
		#options;
		#made = { instance: null, reader: 0 };
		#freed = false;

		constructor(options = {}) {
			this.#options = { ...options };
			this.#ready();
			registry.register(this, this.#made, this);
		}

		/** The reader, made again where its instance is no longer in use. */
		#ready() {
			const made = this.#made, now = instance();
			if (made.instance !== now || !made.reader) {
				release(made);
				made.reader = kind.create(now, this.#options);
				made.instance = now;
			}
			return made;
		}

		extract(html, source = {}) {
			if (this.#freed) throw new DanaError('wrong_order', 'this extractor is freed');
			const page = pageOf(html), made = this.#ready();
			try {
				return kind.read(made.instance, made.reader, page, source);
			} finally {
				made.instance.tidy();
			}
		}

		free() {
			if (this.#freed) return;
			this.#freed = true;
			registry.unregister(this);
			release(this.#made);
		}
	}
	if (Symbol.dispose) Extractor.prototype[Symbol.dispose] = Extractor.prototype.free;

	/** Extractors by their options, of which the one used longest ago goes first. */
	const cache = new Map();
	function extract(html, options = {}) {
		const { url, charset, contentType, ...rest } = options;
		const key = JSON.stringify(rest);
		let extractor = cache.get(key);
		cache.delete(key);
		if (!extractor) {
			extractor = new Extractor(rest);
			if (cache.size >= CACHED) {
				const [oldest, unused] = cache.entries().next().value;
				cache.delete(oldest);
				unused.free();
			}
		}
		cache.set(key, extractor);
		return extractor.extract(html, { url, charset, contentType });
	}
	return { Extractor, extract };
}
