// SPDX-License-Identifier: MIT
import { fromFile } from './src/load_node.js';
import { core } from './src/core.js';

export { DanaError } from './src/error.js';
export const { extract, Extractor, version, methods } = core(fromFile('core.wasm'));
