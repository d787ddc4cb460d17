// SPDX-License-Identifier: MIT
// Modules from files, at their first use.
import { readFileSync } from 'node:fs';

export function fromFile(name) {
	let module = null;
	return () => (module ??= new WebAssembly.Module(readFileSync(new URL(`../${name}`, import.meta.url))));
}
