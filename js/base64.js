// SPDX-License-Identifier: MIT
// The module is in the file bytes.js: for bundlers and places that have one file. Nothing is fetched and nothing awaited.
import { text } from './bytes.js';
import { whole } from './src/whole.js';

export { DanaError } from './src/error.js';
let module = null;
const compiled = () => (module ??= new WebAssembly.Module(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))));
export const { extract, Extractor, scan, Scan, DocumentStream, pageOptions, version, methods } = whole(compiled);
