// SPDX-License-Identifier: MIT
/// <reference lib="esnext.disposable" />

/** Some of a list: as on the command line, "plain,markdown", or an array. */
export type Words<T extends string = string> = T | (string & {}) | readonly T[];

/** The options of a page, as `dana extract` has them. */
export interface PageOptions {
	/** Texts to write: `plain`, `markdown`, `blocks`. Of `extract` the default is plain and Markdown, of `scan` plain. */
	text?: Words<'plain' | 'markdown' | 'blocks'>;
	/** How Markdown is written: "links=0,images=1". */
	markdown?: Words | null;
	/** What `text` holds. */
	textField?: 'plain' | 'markdown';
	/** `blocks` has the blocks that the method drops, too, with `kept: false`. */
	dropped?: boolean;
	/** Selectors of parts of the page that are left out. */
	exclude?: Words | null;
	/** Selectors of parts of the page that alone are read. */
	only?: Words | null;
	/** Selectors by site: lines of a host, a tab, exclude, only or drop, a tab, and selectors. */
	rules?: string | null;
	/** Readers' comments: kept, dropped, or in `comments`. */
	comments?: 'keep' | 'drop' | 'apart';
	/** Tables of data. */
	tables?: 'keep' | 'drop';
	/** How much the method learned keeps, 0 to 100. */
	recall?: number | null;
	/** The kind of all pages, as "article". */
	kind?: string | null;
}

export interface ExtractorOptions extends PageOptions {
	/** "learned" by default; with keys "danag:gap=40". Of a list the first one is in charge, and `texts` has the texts of the others. */
	method?: string | readonly string[];
	/** "NAME:KEY=VALUE,..." each: language is not in this package; `quality`, `metadata`, `pii` are. */
	plugins?: string | readonly string[];
}

/** What is known of a page. */
export interface Source {
	/** The address, for links in Markdown and rules by site. */
	url?: string;
	/** The name of the charset, which is not doubted. */
	charset?: string;
	/** As the server sent it. */
	contentType?: string;
}

export interface ExtractOptions extends ExtractorOptions, Source {}

/** A block of a page. */
export interface Block {
	t: 'h' | 'p' | 'li' | 'code' | 'table' | 'quote' | 'math' | 'img' | 'dt' | 'dd' | 'hr' | 'note' | (string & {});
	/** Level of a heading, number of an item. */
	n?: number;
	/** Depth in lists or quotes. */
	d?: number;
	text?: string;
	/** Probability of being main text, 0 to 1. */
	p?: number;
	/** Where it begins, in bytes of the page as UTF-8. */
	start?: number;
	kept?: boolean;
	lang?: string;
	rows?: string[][];
	url?: string;
	alt?: string;
	[key: string]: unknown;
}

export type PageKind = 'article' | 'list' | 'forum' | 'product' | 'documentation' | 'service' | 'other';

interface Texts {
	/** Main text, a block a line. */
	text: string;
	markdown?: string | null;
	blocks?: Block[] | null;
	/** Readers' comments, with `comments: 'apart'`. */
	comments?: string | null;
	/** With several methods: the texts of those after the first, by name. */
	texts?: Record<string, string | null>;
	title: string | null;
	pageKind: PageKind | null;
	charset: string | null;
	method: string | null;
	htmlBytes: number;
	textChars: number;
	truncated: boolean;
	/** What is missing or wrong: words. */
	problems: string[];
	/** What the page says of itself, by the plugin metadata: keys as author, published, site. */
	metadata?: Record<string, unknown>;
	/** What other plugins add, each under its name. */
	[key: string]: unknown;
}

export interface Page extends Texts {
	url: string | null;
	/** Why the bytes are no page, or which plugin has dropped it: the text is empty. */
	reason?: string;
}

export interface Document extends Texts {
	id: string | null;
	url: string | null;
	date: string | null;
	httpStatus: number | null;
	contentType: string | null;
	file: string;
	offset: number;
	length: number | null;
	/** The page, with `html: true`. */
	html?: string;
}

/** The main text of a page: a string, or its bytes in any charset. What a page holds is no error. */
export function extract(html: string | ArrayBufferView | ArrayBufferLike, options?: ExtractOptions): Page;

/** The same for many pages with the same options. */
export class Extractor {
	constructor(options?: ExtractorOptions);
	extract(html: string | ArrayBufferView | ArrayBufferLike, source?: Source): Page;
	/** Frees its memory at once. */
	free(): void;
	[Symbol.dispose](): void;
}

export interface ScanOptions extends ExtractorOptions {
	type?: Words;
	status?: Words | number | readonly number[];
	mime?: Words;
	/** Documents with fewer characters are skipped; 0 keeps empty ones. */
	minChars?: number;
	requireDigest?: boolean;
	checkDigests?: 'auto' | 'always' | 'never';
	/** Documents have `html`. */
	html?: boolean;
	/** Keep what was skipped or damaged for `takeRejects`. */
	rejects?: boolean;
	/** The `file` of documents; "-" by default, of a File its name. */
	name?: string;
	/** The layout of `lines`. */
	schema?: 'dana' | 'datatrove' | 'dolma';
	signal?: AbortSignal;
}

export interface Reject {
	id: string | null;
	url: string | null;
	file: string;
	offset: number;
	reason: string;
	detail: string | null;
}

export interface Counts {
	records: number;
	documents: number;
	skipped: Record<string, number>;
	damaged: Record<string, number>;
	problems: Record<string, number>;
	[key: string]: number | Record<string, number>;
}

/** Bytes of an archive: of a web stream, a Response, a Blob or File (a WACZ must be one), a stream of Node, any iterable of bytes. */
export type Input =
	| ReadableStream<Uint8Array>
	| { readonly body: ReadableStream<Uint8Array> | null; arrayBuffer(): Promise<ArrayBuffer> }
	| Blob
	| ArrayBufferView
	| ArrayBufferLike
	| AsyncIterable<ArrayBufferView | ArrayBufferLike>
	| Iterable<ArrayBufferView | ArrayBufferLike>;

export class Scan implements AsyncIterable<Document> {
	constructor(input: Input, options?: ScanOptions);
	/** As `dana filter --stats`, so far. */
	readonly counts: Counts;
	/** What was skipped or damaged since the last call, with the option `rejects`. */
	takeRejects(): Reject[];
	[Symbol.asyncIterator](): AsyncGenerator<Document, void, undefined>;
	/** Lines of JSON with their ends, the bytes of `dana filter`. */
	lines(): AsyncGenerator<string, void, undefined>;
}

/** The documents of a web archive: WARC or ARC, uncompressed, in gzip or zstd; of a Blob also WACZ. */
export function scan(input: Input, options?: ScanOptions): Scan;

/** Bytes of an archive in, documents out: `response.body.pipeThrough(new DocumentStream())`. */
export class DocumentStream {
	constructor(options?: ScanOptions);
	readonly readable: ReadableStream<Document>;
	readonly writable: WritableStream<Uint8Array>;
	readonly scan: Scan;
}

export type ErrorCode =
	| 'bad_option'
	| 'cannot_read'
	| 'failed'
	| 'limit'
	| 'no_library'
	| 'not_a_page'
	| 'not_an_archive'
	| 'out_of_memory'
	| 'plugin_failed'
	| 'trap'
	| 'wrong_order';

export class DanaError extends Error {
	constructor(code: ErrorCode, message: string, more?: { file?: string; offset?: number; cause?: unknown });
	readonly name: 'DanaError';
	code: ErrorCode;
	file: string | undefined;
	offset: number | undefined;
}

export interface PageOption {
	name: string;
	type: string;
	words: string;
	default: string;
	help: string;
}

/** The library's list of the options of a page. */
export function pageOptions(): PageOption[];
export function methods(): string[];
/** The version of the library. */
export function version(): string;
