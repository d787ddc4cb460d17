// SPDX-License-Identifier: MIT
// What the tests of the package of JavaScript share. $DANATEXT is the folder of the package, unpacked; $DANA the native program; $srcdir
// the folder of the sources. All instances of a module that are made are known here, so that tests can look at their memory.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const top = path.resolve(process.env.srcdir ?? '.');
export const dana = process.env.DANA;
export const shared = process.env.DANA_SHARED && fs.existsSync(process.env.DANA_SHARED) ? process.env.DANA_SHARED : null;
export const instances = [];
/** Names of functions of a module, and what is called in their place, with what the module exports first. */
export const instead = new Map();

const Plain = WebAssembly.Instance;
WebAssembly.Instance = class extends Plain {
	constructor(module, imports) {
		super(module, imports);
		instances.push(super.exports);
		this.changed = Object.fromEntries(Object.entries(super.exports).map(([name, value]) =>
			[name, typeof value === 'function' ? (...values) => (instead.has(name) ? instead.get(name)(super.exports, ...values) : value(...values)) : value]));
	}

	get exports() {
		return this.changed;
	}
};

const entry = (name) => import(pathToFileURL(path.join(process.env.DANATEXT, name)));
export const danatext = await entry('node.js');
export const core = await entry('core-node.js');

/** All files below a folder whose name fits. */
export function filesOf(folder, pattern) {
	return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((each) => {
		const name = path.join(folder, each.name);
		return each.isDirectory() ? filesOf(name, pattern) : pattern.test(each.name) ? [name] : [];
	});
}

export const pages = [...filesOf(path.join(top, 'sample/site'), /\.html$/), ...filesOf(path.join(top, 'tests/data/gold'), /\.html$/)];
export const archives = [path.join(top, 'sample/sample.warc.gz'), ...filesOf(path.join(top, 'tests/golden'), /^in\.w?arc(\.|$)/)];

/** What the native program writes, whatever its exit status. */
export function native(...words) {
	try {
		return execFileSync(dana, words, { maxBuffer: 1 << 30, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
	} catch (error) {
		if (typeof error.stdout === 'string' && error.status === 2) return error.stdout;
		throw error;
	}
}

export const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Bytes in pieces of the sizes that `next` returns. */
export function* piecesOf(bytes, next) {
	for (let at = 0; at < bytes.length;) {
		const n = Math.max(1, next());
		yield bytes.slice(at, at + n);
		at += n;
	}
}

/** Lines of a scan, whose last words are those of the error, if it ends with one. */
export async function linesOf(input, options) {
	const lines = [];
	try {
		for await (const line of danatext.scan(input, options).lines()) lines.push(line);
	} catch (error) {
		if (!(error instanceof danatext.DanaError) || error.code !== 'not_an_archive') throw error;
	}
	return lines.join('');
}

/** Random numbers that are the same in each run. */
export function randomOf(seed) {
	let state = seed >>> 0 || 1;
	return (below) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}
