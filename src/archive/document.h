/* SPDX-License-Identifier: MIT */
/*
 * Documents: what a record or a page gives. From the top: problems of a document and reasons why a record gives none
 * (both closed lists), struct document, the one table of its fields (DOCUMENT_FIELDS) and their values, what plugins
 * say besides, the outcome of a record, and copies.
 */
#ifndef DANA_ARCHIVE_DOCUMENT_H
#define DANA_ARCHIVE_DOCUMENT_H

#include "archive/record.h"
#include "base/slice.h"
#include "base/status.h"
#include "dana/dana.h"

/*
 * Problems of a document (doc/FORMATS.md, "Accounting"; a closed list), in the order of their bits, which are those of
 * enum dana_problem. X(identifier, "word").
 */
#define PROBLEM_LIST(X) \
	X(TRUNCATED_SOURCE, "truncated_source") \
	X(TRUNCATED_LIMIT, "truncated_limit") \
	X(TRUNCATED_TEXT, "truncated_text") \
	X(BAD_HTTP, "bad_http") \
	X(BAD_CHUNKED, "bad_chunked") \
	X(BAD_CODING, "bad_coding") \
	X(BAD_CHARSET, "bad_charset") \
	X(BAD_DATE, "bad_date") \
	X(HEAD_CUT, "head_cut") \
	X(BODY_LENGTH, "body_length") \
	X(BAD_DIGEST, "bad_digest") \
	X(UNVERIFIED, "unverified") \
	X(STRUCTURE_CUT, "structure_cut") \
	X(TEXTS_MISSING, "texts_missing") \
	X(BAD_LENGTH, "bad_length") \
	X(CHARSET_LABEL, "charset_label")

enum problem_number {
#define PROBLEM_NUMBER(identifier, word) PROBLEM_NUMBER_##identifier,
	PROBLEM_LIST(PROBLEM_NUMBER)
#undef PROBLEM_NUMBER
		PROBLEM_WORDS
};

/** A set. */
enum document_problem {
#define PROBLEM_BIT(identifier, word) PROBLEM_##identifier = 1 << PROBLEM_NUMBER_##identifier,
	PROBLEM_LIST(PROBLEM_BIT)
#undef PROBLEM_BIT
		PROBLEM_TRUNCATED = PROBLEM_TRUNCATED_SOURCE | PROBLEM_TRUNCATED_LIMIT | PROBLEM_TRUNCATED_TEXT,
};

/** Returns the word of problem number `bit` (0 to PROBLEM_WORDS - 1). */
const char *problem_word(unsigned bit);

/*
 * Why a good record gave no document (doc/FORMATS.md, "Accounting"; words are added at the end). X(identifier, "word",
 * "what the record lacks; the option that takes it all the same"). Of types the message names the one passed over.
 */
/* clang-format off */
#define SKIP_LIST(X) \
	X(TYPE, "type", "the record type; --type any takes all") \
	X(STATUS, "status", "the HTTP status; --status any takes all") \
	X(MIME, "mime", "the media type; --mime any takes all") \
	X(SHORT, "short", "too little text; --min-chars 0 takes all") \
	X(NO_URI, "no_uri", "a missing address, which every page has, or for --format warc an empty one") \
	X(WORK_LIMIT, "work_limit", "more work than the size allows; a larger --max-work takes more") \
	X(UNREADABLE, "unreadable", "text that is mostly U+FFFD; --min-chars 0 takes all") \
	X(PLUGIN, "plugin", "the rules of a plugin; --rejects names them") \
	X(REVISIT, "revisit", "a page of their own, which revisits lack; --revisits resolve finds it")

/* clang-format on */

enum skip_reason {
	SKIP_NONE,
#define SKIP_ENUM(identifier, word, remedy) SKIP_##identifier,
	SKIP_LIST(SKIP_ENUM)
#undef SKIP_ENUM
		SKIP_REASONS /* their number */
};

const char *skip_word(enum skip_reason reason);
/** Returns, for a message, what such records lack, and the option that takes them. */
const char *skip_remedy(enum skip_reason reason);

struct dana_media; /* dana/dana.h */
struct dana_text_block;
struct dana_method_text; /* dana/archive.h */

/**
 * A cleaned page. Slices are borrowed from the record, the processor or the extractor, valid during the call that
 * passes the document; a filter may replace `text`, `language` by slices that live as long.
 */
struct document {
	const struct record *record;
	const char *file; /* input as given; "-" for standard input */
	uint64_t length;  /* of the member; see doc/FORMATS.md */
	bool length_known;
	int http_status;           /* 0: none */
	struct slice content_type; /* as sent; empty: none */
	const char *charset;       /* name used for decoding; NULL: none */
	struct slice title;
	bool has_title;
	struct slice language;          /* BCP 47; empty: unknown */
	struct slice languages;         /* ISO 639-3, several joined by commas; empty: unknown */
	bool with_language;             /* a plugin finds languages */
	double language_score;          /* 0 to 1; negative: none */
	const char *page_kind;          /* as dana_page_kind returns it; NULL: not known */
	struct slice text;              /* well-formed UTF-8, blocks of text joined by LF */
	bool with_markdown;             /* it is asked for */
	struct slice markdown;          /* well-formed UTF-8; NULL: not there, as a plugin has changed the text */
	bool with_comments;             /* readers' comments are apart from the text */
	struct slice comments;          /* well-formed UTF-8; NULL: none, or as with `markdown` */
	bool with_structure;            /* the list of blocks is asked for */
	struct slice structure;         /* a JSON array of objects; NULL: as with `markdown` */
	struct dana_method_text *texts; /* of the methods besides the first, in the order asked for */
	size_t n_texts;
	const char *method;  /* the one that made the text; never "auto" */
	uint64_t html_bytes; /* body after content decoding and limits, before charset conversion */
	uint64_t text_chars; /* code points of text */
	unsigned problems;   /* set of enum document_problem */
	/* As dana_page_decision; only if processor_config.want_survey. */
	uint64_t words, words_kept;
	uint32_t margin;
	bool with_media; /* the method lists media */
	const struct dana_media *media;
	size_t n_media;
	bool with_resolved;         /* revisits are resolved */
	struct slice resolved;      /* a JSON object: of which record of another place the page is; NULL: of its own */
	struct slice warcinfo_date; /* WARC-Date of the last warcinfo before it in the input; empty: none */
	struct slice additions;     /* JSON members that plugins add, each after a comma; empty: none */
	/* For plugins; empty where none asks for them. */
	const struct dana_text_block *blocks; /* of the text; NULL: its lines */
	size_t n_blocks;
	struct slice html;       /* the page as UTF-8 */
	struct slice http_lines; /* the HTTP head without its first line, each line ended by LF */
	struct slice attached;   /* what the first ordered plugin prepared */
};

/** What a field is in Arrow. */
enum field_column {
	ARROW_NONE, /* it has no column */
	ARROW_TEXT,
	ARROW_INTEGER,
	ARROW_REAL,
	ARROW_BOOLEAN,
	ARROW_WORDS,  /* a list of texts */
	ARROW_BLOCKS, /* a list of structs */
	ARROW_TEXTS,  /* a struct with a text for each method */
};

/*
 * How the value of a field is kept in a document: X(storage, type in Arrow). Those from TITLE on belong to one field
 * each; document_value has a case for each of all.
 */
/* clang-format off */
#define FIELD_STORAGES(X) \
	X(TEXT, TEXT)       /* struct slice */ \
	X(VALUE, TEXT)      /* struct slice; empty: null */ \
	X(NAME, TEXT)       /* const char * */ \
	X(WORD, TEXT)       /* const char *; NULL, empty: null */ \
	X(COUNT, INTEGER)   /* uint64_t */ \
	X(TITLE, TEXT) \
	X(SCORE, REAL) \
	X(STATUS, INTEGER) \
	X(LENGTH, INTEGER) \
	X(TRUNCATED, BOOLEAN) \
	X(PROBLEMS, WORDS) \
	X(BLOCKS, BLOCKS) \
	X(RESOLVED, TEXT)   /* struct slice of JSON; empty: null */ \
	X(TEXTS, TEXTS) \
	X(MEDIA, NONE)

/* clang-format on */

enum field_storage {
#define FIELD_STORAGE(storage, column) STORED_##storage,
	FIELD_STORAGES(FIELD_STORAGE)
#undef FIELD_STORAGE
};

/** What must be asked for so that documents have a field; where a plugin has changed the text it may be null then. */
enum field_condition {
	WITH_ALL, /* nothing */
	WITH_LANGUAGE,
	WITH_MARKDOWN,
	WITH_BLOCKS,
	WITH_COMMENTS,
	WITH_TEXTS,
	WITH_MEDIA,
	WITH_RESOLVED,
	WITH_HTML,
};

/** Where a field is written besides dana_document_field. */
enum field_outputs { TO_NONE, TO_JSON = 1, TO_ARROW = 2, TO_ALL = TO_JSON | TO_ARROW };

/*
 * The kinds of fields: X(kind, storage, outputs, condition). So a number that is there only with Markdown has the kind
 * X(MARKDOWN_COUNT, COUNT, ALL, MARKDOWN).
 */
/* clang-format off */
#define FIELD_KINDS(X) \
	X(TEXT, TEXT, ALL, ALL) \
	X(VALUE, VALUE, ALL, ALL) \
	X(NAME, NAME, ALL, ALL) \
	X(WORD, WORD, ALL, ALL) \
	X(COUNT, COUNT, ALL, ALL) \
	X(TITLE, TITLE, ALL, ALL) \
	X(LANGUAGE, VALUE, ALL, ALL) \
	X(SCORE, SCORE, ALL, LANGUAGE) \
	X(STATUS, STATUS, ALL, ALL) \
	X(LENGTH, LENGTH, ALL, ALL) \
	X(MARKDOWN, TEXT, ALL, MARKDOWN) \
	X(BLOCKS, BLOCKS, ALL, BLOCKS) \
	X(TEXTS, TEXTS, ALL, TEXTS) \
	X(COMMENTS, TEXT, ALL, COMMENTS) \
	X(TRUNCATED, TRUNCATED, ALL, ALL) \
	X(PROBLEMS, PROBLEMS, ALL, ALL) \
	X(RESOLVED, RESOLVED, ALL, RESOLVED) \
	X(MEDIA, MEDIA, JSON, MEDIA) \
	X(HTML, VALUE, ARROW, HTML) \
	X(ADDITIONS, VALUE, NONE, ALL)

/*
 * The fields of documents in the order of JSONL and Arrow (doc/FORMATS.md): X(kind, name, struct, member, place among
 * the columns of single pages). The place is 0 if single pages do not have the field; a new one gets the next number,
 * so that columns do not move.
 */
#define DOCUMENT_FIELDS(X) \
	X(TEXT, text, document, text, 1) \
	X(VALUE, id, record, record_id, 0) \
	X(VALUE, url, record, target_uri, 0) \
	X(VALUE, date, record, date, 0) \
	X(TITLE, title, document, title, 2) \
	X(LANGUAGE, language, document, language, 13) \
	X(SCORE, language_score, document, language_score, 14) \
	X(WORD, page_kind, document, page_kind, 15) \
	X(WORD, charset, document, charset, 3) \
	X(STATUS, http_status, document, http_status, 0) \
	X(VALUE, content_type, document, content_type, 0) \
	X(WORD, method, document, method, 4) \
	X(NAME, file, document, file, 0) \
	X(COUNT, offset, record, offset, 0) \
	X(LENGTH, length, document, length, 0) \
	X(COUNT, html_bytes, document, html_bytes, 6) \
	X(COUNT, text_chars, document, text_chars, 5) \
	X(MARKDOWN, markdown, document, markdown, 9) \
	X(BLOCKS, blocks, document, structure, 10) \
	X(TEXTS, texts, document, texts, 11) \
	X(COMMENTS, comments, document, comments, 12) \
	X(TRUNCATED, truncated, document, problems, 16) \
	X(PROBLEMS, problems, document, problems, 7) \
	X(MEDIA, media, document, media, 17) \
	X(RESOLVED, resolved_from, document, resolved, 0) \
	X(HTML, html, document, html, 0) \
	X(ADDITIONS, additions, document, additions, 18)

/* clang-format on */

enum { PAGE_REASON_PLACE = 8 }; /* of the column that says why a page cannot be read, which is no field */

enum field_kind {
#define FIELD_KIND(kind, storage, outputs, condition) FIELD_##kind,
	FIELD_KINDS(FIELD_KIND)
#undef FIELD_KIND
};

enum field_number {
#define FIELD_NUMBER(kind, name, structure, member, place) FIELD_NUMBER_##name,
	DOCUMENT_FIELDS(FIELD_NUMBER)
#undef FIELD_NUMBER
		DOCUMENT_FIELD_COUNT
};

struct document_field {
	const char *name;
	enum field_kind kind;
	enum field_storage storage;
	enum field_column column; /* in Arrow */
	enum field_outputs outputs;
	enum field_condition condition;
	unsigned char place; /* among the columns of single pages; 0: they do not have it */
	bool of_record;
	size_t at; /* in struct document, or in its record */
};

extern const struct document_field document_fields[DOCUMENT_FIELD_COUNT];

/** Returns whether single pages have the field; their language only where plugins find languages. */
bool document_field_of_page(const struct document_field *field, bool finds_language);

/** Sets the text, and what is counted in it. The slice is borrowed. */
void document_set_text(struct document *doc, struct slice text);

/** What a field of a document holds, as struct dana_value. Slices are borrowed from the document. */
struct field_value {
	enum dana_value_kind is;
	struct slice text;
	uint64_t count;
	double real;
};

struct field_value document_value(const struct document *doc, const struct document_field *field);
/** As dana_document_field; `doc` NULL: of a page that could not be read. */
struct dana_value document_public_value(const struct document *doc, size_t field);

/**
 * Returns the value that the members `,"name":{...},"other":1` have under that name, as JSON; NULL data without one.
 * What is before the first name is one character.
 */
struct slice additions_member(struct slice members, struct slice name);

/* What plugins say of a record besides the fields of its document: who dropped it and why, and what was counted. */

enum { PLUGINS_MOST = 32, PLUGIN_COUNTERS_MOST = 128, PLUGIN_REPORTS_MOST = 64, PLUGIN_REPORT_NAME = 48 };

/** The plugins of a run, what they count, and what they reported at its end. Strings live as long as the plugins. */
struct plugin_names {
	unsigned n_plugins, n_counters, n_reports;
	const char *plugin[PLUGINS_MOST];
	struct plugin_counter {
		unsigned plugin; /* its number */
		const char *name;
	} counter[PLUGIN_COUNTERS_MOST];
	struct plugin_report {
		unsigned plugin;
		char name[PLUGIN_REPORT_NAME];
		double value;
	} report[PLUGIN_REPORTS_MOST];
};

/** Of one record. Slices and counts are valid as long as the outcome that they belong to. */
struct plugin_marks {
	unsigned plugin;        /* the number of the one that dropped it, when it was one */
	struct slice members;   /* JSON members for the line of the rejects, each after a comma; empty: none */
	const uint64_t *counts; /* one for each counter of the run; NULL: nothing was counted */
};

/* The contract of everything that takes the outcome of a record: exactly one call for each record. */

enum outcome_kind { OUTCOME_DOCUMENT, OUTCOME_SKIPPED, OUTCOME_DAMAGED };

/** The outcome of one record. Which members are valid depends on `kind`. */
struct outcome {
	enum outcome_kind kind;
	uint64_t seq, offset;
	struct slice id, uri;      /* of the record, where known */
	enum record_type type;     /* of the record; not with damage */
	struct document *document; /* OUTCOME_DOCUMENT */
	enum skip_reason skipped;  /* OUTCOME_SKIPPED */
	/*
	 * For people, UTF-8. OUTCOME_SKIPPED: empty where the reason says all. OUTCOME_DOCUMENT: what is wrong with the
	 * record's length (PROBLEM_BAD_LENGTH), or which of its segments is missing; empty where nothing is.
	 */
	struct slice detail;
	struct slice title, start;       /* OUTCOME_SKIPPED: of the text that a survey wants, if there was one */
	struct slice learned;            /* what a source that learns has of the page (struct site_source) */
	const struct record_end *damage; /* OUTCOME_DAMAGED */
	struct plugin_marks marks;       /* not with damage */
};

/** Returns the outcome of record_sink_ops.damage; borrows all that it is given. */
static inline struct outcome outcome_of_region(uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
					       const struct record_end *end)
{
	return (struct outcome){ OUTCOME_DAMAGED, seq, offset, .id = id, .uri = uri, .damage = end };
}

struct document_sink;

struct document_sink_ops {
	const char *name;
	/** Called in the order of `seq`. */
	int (*outcome)(struct document_sink *self, const struct outcome *outcome);
	/** Called once, when no more will come. */
	int (*finish)(struct document_sink *self);
};

struct document_sink {
	const struct document_sink_ops *ops;
};

/* Copies of documents that outlive the call that passes them: ordered plugins get them after the worker has continued.
 */

struct arena;

/** Copies `from` with everything it points to except the record and the names of file and methods. */
int document_copy(struct document *to, const struct document *from, struct arena *arena);
/** Empties all slices and lists; numbers and static names stay. */
void document_forget(struct document *doc);

enum { DOCUMENT_START = 256 }; /* bytes of a title or text, which may end within a character */

/** Gives the outcome the beginnings of the title and the text of a document that is left out. */
static inline void outcome_keep_start(struct outcome *outcome, const struct document *doc)
{
	outcome->title = slice_first(doc->title, DOCUMENT_START);
	outcome->start = slice_first(doc->text, DOCUMENT_START);
}

/**
 * After document_forget: gives `doc` what a survey needs of `from`: charset, language, and the beginning of title and
 * text.
 */
int document_keep_start(struct document *doc, const struct document *from, struct arena *arena);

#endif
