// SPDX-License-Identifier: MIT
export { DanaError } from './index.js';
/** The interface over a WebAssembly.Module of core.wasm. */
export function load(module: WebAssembly.Module): Omit<typeof import('./core.js'), 'DanaError'>;
