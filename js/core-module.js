// SPDX-License-Identifier: MIT
// For a module that the program has compiled itself: load(module).
import { core } from './src/core.js';

export { DanaError } from './src/error.js';
/** The interface over a WebAssembly.Module of core.wasm. */
export const load = (module) => core(() => module);
