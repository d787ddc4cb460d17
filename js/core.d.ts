// SPDX-License-Identifier: MIT
/// <reference lib="esnext.disposable" />
import type { Block, PageKind, PageOptions } from './index.js';

export { DanaError } from './index.js';
export type { Block, ErrorCode, PageKind, PageOptions, Words } from './index.js';

export interface ExtractorOptions extends PageOptions {
	method?: string;
}

export interface Page {
	text: string;
	markdown?: string | null;
	blocks?: Block[] | null;
	comments?: string | null;
	title: string | null;
	pageKind: PageKind | null;
	method: string | null;
	truncated: boolean;
	/** "work_limit": the page costs too much. */
	reason?: string;
}

/** The main text of a page: a string, or bytes in UTF-8. */
export function extract(html: string | ArrayBufferView | ArrayBufferLike, options?: ExtractorOptions & { url?: string }): Page;

export class Extractor {
	constructor(options?: ExtractorOptions);
	extract(html: string | ArrayBufferView | ArrayBufferLike, source?: { url?: string }): Page;
	free(): void;
	[Symbol.dispose](): void;
}

export function methods(): string[];
export function version(): string;
