// SPDX-License-Identifier: MIT
// The module lies beside this file, and is fetched before the import is done.
import { whole } from './src/whole.js';

export { DanaError } from './src/error.js';
const response = await fetch(new URL('./danatext.wasm', import.meta.url));
if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
const module = await WebAssembly.compile(await response.arrayBuffer());
export const { extract, Extractor, scan, Scan, DocumentStream, pageOptions, version, methods } = whole(() => module);
