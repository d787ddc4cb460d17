// SPDX-License-Identifier: MIT
// For workers at the edge, which compile nothing at run time: their bundler makes a module of the import.
import module from './core.wasm';
import { core } from './src/core.js';

export { DanaError } from './src/error.js';
export const { extract, Extractor, version, methods } = core(() => module);
