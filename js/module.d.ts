// SPDX-License-Identifier: MIT
export { DanaError } from './index.js';
/** The interface over a WebAssembly.Module of danatext.wasm. */
export function load(module: WebAssembly.Module): Omit<typeof import('./index.js'), 'DanaError'>;
