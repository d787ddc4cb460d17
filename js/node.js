// SPDX-License-Identifier: MIT
import { fromFile } from './src/load_node.js';
import { whole } from './src/whole.js';

export { DanaError } from './src/error.js';
export const { extract, Extractor, scan, Scan, DocumentStream, pageOptions, version, methods } = whole(fromFile('danatext.wasm'));
