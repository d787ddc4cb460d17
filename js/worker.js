// SPDX-License-Identifier: MIT
// For workers at the edge, which compile nothing at run time: their bundler makes a module of the import.
import module from './danatext.wasm';
import { whole } from './src/whole.js';

export { DanaError } from './src/error.js';
export const { extract, Extractor, scan, Scan, DocumentStream, pageOptions, version, methods } = whole(() => module);
