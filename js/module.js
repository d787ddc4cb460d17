// SPDX-License-Identifier: MIT
// For a module that the program has compiled itself: load(module).
import { whole } from './src/whole.js';

export { DanaError } from './src/error.js';
/** The interface over a WebAssembly.Module of danatext.wasm. */
export const load = (module) => whole(() => module);
