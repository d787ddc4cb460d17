/* SPDX-License-Identifier: MIT */
/*
 * The lists of the plugin `url`: domains, substrings and patterns, read from files or options, and how a host or URL is
 * looked up in them. Hosts are compared in lower case and punycode. Example: a list of domains with "example.org" also
 * has "www.example.org".
 */
#include "config.h"

#include "plugins/url/lists.h"

#include <errno.h>
#include <fcntl.h>
#include <idn2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/library.h"
#include "base/psl_library.h"
#include "base/status.h"

#define FUNCTIONS(X) X(idn2_to_ascii_8z) X(idn2_free)

#define ROW(name) LIBRARY_ROW(idn2, name)

static struct idn2 {
	FUNCTIONS(LIBRARY_MEMBER)
} idn2;

static const struct library_function functions[] = { FUNCTIONS(ROW) };

static struct library library = {
	.file = IDN2_SONAME, .title = "libidn2", .package = "libidn2-0", LIBRARY_TABLE(functions, idn2)
};

/* Loads libidn2; must be called before host_normal. Returns 0, or DANA_ELIBRARY or DANA_ENOMEM with a text. */
static int host_ready(struct error *err)
{
	return library_load(&library, err);
}

enum { PART = 8 };

#define ONES UINT64_C(0x0101010101010101)

/* Sets bit 7 of each byte that is in the range `first` to `last`; all bytes are ASCII. */
static inline uint64_t between(uint64_t bytes, uint8_t first, uint8_t last)
{
	return (bytes + (uint64_t)(0x80 - first) * ONES) & ~(bytes + (uint64_t)(0x7f - last) * ONES) & 0x80 * ONES;
}

/*
 * Writes PART bytes of a name in lower case. Returns false if a character does not occur in host names, or a dot
 * follows another one. `dot`: the byte before these is a dot.
 */
static inline bool lower_part(const char *name, bool dot, char *out)
{
	uint64_t bytes = little_endian_64((const uint8_t *)name);
	if (bytes & 0x80 * ONES)
		return false;
	bytes |= between(bytes, 'A', 'Z') >> 2;
	little_endian_put_64((uint8_t *)out, bytes);
	const uint64_t good = between(bytes, 'a', 'z') | between(bytes, '0', ':') | between(bytes, '-', '.') |
			      between(bytes, '_', '_');
	const uint64_t dots = between(bytes, '.', '.');
	return good == 0x80 * ONES && !(dots & (dots << 8 | (uint64_t)dot << 7));
}

/*
 * Writes the name in lower case. Returns its length; 0 if a label is empty or a character is not allowed. Lists have
 * millions of names, so eight bytes are read at a time; the last eight may overlap those before.
 */
static size_t lower_name(const char *name, size_t len, char out[HOST_MOST + 1])
{
	char padded[PART];
	out[len] = '\0';
	if (!len || name[len - 1] == '.')
		return 0;
	bool good = true;
	if (len < PART) {
		memset(padded, 'x', sizeof(padded));
		memcpy(padded, name, len);
		good = lower_part(padded, true, padded);
		memcpy(out, padded, len);
		return good ? len : 0;
	}
	for (size_t i = 0; i + PART < len && good; i += PART)
		good = lower_part(name + i, i == 0 || name[i - 1] == '.', out + i);
	const size_t last = len - PART;
	return good && lower_part(name + last, last == 0 || name[last - 1] == '.', out + last) ? len : 0;
}

static size_t to_ascii(struct slice name, char out[HOST_MOST + 1])
{
	enum { LONGEST = 1024 };
	char text[LONGEST];
	char *ascii = NULL;
	size_t len = 0;
	if (library_load(&library, NULL) < 0 || name.len >= sizeof(text) || memchr(name.data, 0, name.len))
		return 0;
	memcpy(text, name.data, name.len);
	text[name.len] = '\0';
	if (idn2.idn2_to_ascii_8z(text, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) == IDN2_OK &&
	    strlen(ascii) <= HOST_MOST) {
		len = strlen(ascii);
		memcpy(out, ascii, len + 1);
	}
	idn2.idn2_free(ascii);
	return len;
}

size_t host_normal(struct slice name, char out[HOST_MOST + 1])
{
	if (name.len && name.data[0] == '[' && name.data[name.len - 1] == ']')
		name = slice_of(name.data + 1, name.len - (name.len > 1) - 1);
	if (name.len && name.data[name.len - 1] == '.')
		name.len--;
	size_t len = name.len;
	len = len <= HOST_MOST ? lower_name((const char *)name.data, len, out) : 0;
	uint8_t bits = 0;
	for (size_t i = 0; len == 0 && i < name.len; i++)
		bits |= name.data[i];
	if (bits < 0x80)
		return len;
	len = to_ascii(name, out);
	return lower_name(out, len, out);
}

enum { CAP_LEAST = 1024, HUGE_PAGE = 2 << 20, AHEAD = 16 /* places that are fetched at a time */ };

/* 0 marks a free place: the hash 0 is kept as 1. */
static uint64_t kept(uint64_t hash)
{
	return hash ? hash : 1;
}

/* Returns the place of the hash, or the free one where it belongs. */
static size_t place_of(const struct hash_set *s, uint64_t hash)
{
	size_t i = (size_t)hash & (s->cap - 1);
	while (s->place[i] && s->place[i] != hash)
		i = (i + 1) & (s->cap - 1);
	return i;
}

/* As calloc of one item. A large table uses huge pages where the system has them: a random access in 64 MiB takes 166
 * instead of 274 ns, as measured on an AMD EPYC. */
static void *table_new(size_t bytes)
{
#ifdef MADV_HUGEPAGE
	if (bytes >= 2 * HUGE_PAGE) {
		void *table = aligned_alloc(HUGE_PAGE, bytes);
		if (table) {
			(void)madvise(table, bytes, MADV_HUGEPAGE);
			memset(table, 0, bytes);
		}
		return table;
	}
#endif
	return calloc(1, bytes);
}

/* Makes room for `n` members. */
static int reserve(struct hash_set *s, size_t n)
{
	struct hash_set larger = { .cap = CAP_LEAST, .n = s->n };
	while (10 * n > 6 * larger.cap)
		larger.cap *= 2;
	if (larger.cap <= s->cap)
		return DANA_OK;
	larger.place = table_new(larger.cap * sizeof(uint64_t));
	if (!larger.place)
		return DANA_ENOMEM;
	for (size_t i = 0; i < s->cap; i++) {
		if (s->place[i])
			larger.place[place_of(&larger, s->place[i])] = s->place[i];
	}
	free(s->place);
	*s = larger;
	return DANA_OK;
}

/* Adds hashes. Returns 0, or DANA_ENOMEM with the set unchanged. */
static int hash_set_add(struct hash_set *s, const uint64_t *hashes, size_t n)
{
	int status = reserve(s, s->n + n);
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		hash_set_expect(s, hashes[i + AHEAD < n ? i + AHEAD : i]);
		const size_t place = place_of(s, kept(hashes[i]));
		s->n += s->place[place] == 0;
		s->place[place] = kept(hashes[i]);
	}
	return status;
}

static bool hash_set_has(const struct hash_set *s, uint64_t hash)
{
	return s->n && s->place[place_of(s, kept(hash))];
}

static void hash_set_free(struct hash_set *s)
{
	free(s->place);
	*s = (struct hash_set){ NULL, 0, 0 };
}

/*
 * Lists of millions of domains are decoded by the decoder for archives, which takes a third of zlib's time. Bytes after
 * the last member that do not begin another one are ignored, as gzip does.
 */

enum { MAGIC = 2 };

static int file_fault(const char *shown, struct error *err)
{
	return error_set(err, DANA_EIO, "%s: %s", shown, system_text(errno));
}

/** Reads more of the file, after the bytes left in the buffer. Returns 0 or DANA_EIO. */
static int fill(struct list_bytes *b, const char *shown, struct error *err)
{
	const size_t left = b->in.len - b->in.pos;
	ssize_t n;
	memmove(b->data, b->data + b->in.pos, left);
	do {
		n = read(b->fd, b->data + left, sizeof(b->data) - left);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return file_fault(shown, err);
	b->end = n == 0;
	b->in = (struct codec_in){ b->data, left + (size_t)n, 0 };
	return DANA_OK;
}

/** Returns 1 if a gzip member begins here, else 0, or a negative status. Reads more of the file if needed. */
static int member_begins(struct list_bytes *b, const char *shown, struct error *err)
{
	while (b->in.len - b->in.pos < MAGIC && !b->end) {
		int status = fill(b, shown, err);
		if (status < 0)
			return status;
	}
	return b->in.len - b->in.pos >= MAGIC && !memcmp(b->in.data + b->in.pos, "\x1f\x8b", MAGIC);
}

static void list_bytes_close(struct list_bytes *b)
{
	if (b->gzip)
		b->gzip->ops->close(b->gzip);
	(void)close(b->fd);
}

/*
 * Opens a file; `shown` is its name in messages. Returns 0; or DANA_EIO or DANA_ENOMEM with a text, and nothing stays
 * open.
 */
static int list_bytes_open(struct list_bytes *b, const char *file, const char *shown, struct error *err)
{
	b->gzip = NULL;
	b->end = false;
	b->between = true;
	b->in = (struct codec_in){ b->data, 0, 0 };
	b->fd = open(file, O_RDONLY | O_CLOEXEC);
	if (b->fd < 0)
		return file_fault(shown, err);
	int status = member_begins(b, shown, err);
	if (status > 0) {
		b->gzip = codec_for_coding(slice_from_text("gzip"))->open(&(struct codec_limits){ 0 });
		status = b->gzip ? DANA_OK : error_no_memory(err);
	}
	if (status < 0)
		list_bytes_close(b);
	return status;
}

/* Reads at most `room` bytes. Returns their number, 0 at the end, or DANA_EIO or DANA_ENOMEM with a text. */
static int list_bytes_read(struct list_bytes *b, uint8_t *to, size_t room, const char *shown, struct error *err)
{
	struct codec_out out = { to, room, 0 };
	if (!b->gzip) {
		if (b->in.pos == b->in.len && !b->end) {
			int status = fill(b, shown, err);
			if (status < 0)
				return status;
		}
		const size_t left = b->in.len - b->in.pos, n = left < room ? left : room;
		memcpy(to, b->in.data + b->in.pos, n);
		b->in.pos += n;
		return (int)n;
	}
	while (!out.pos) {
		int status = b->between ? member_begins(b, shown, err) : 1;
		if (status <= 0)
			return status;
		if (b->in.pos == b->in.len && !b->end && (status = fill(b, shown, err)) < 0)
			return status;
		status = b->gzip->ops->step(b->gzip, &b->in, &out, b->end);
		if (status == DANA_ENOMEM)
			return error_no_memory(err);
		if (status < 0)
			return error_set(err, DANA_EIO, "%s: the compressed data is damaged or cut off", shown);
		b->between = status == CODEC_MEMBER_END;
	}
	return (int)out.pos;
}

/* Blocks are split into lines, most of which are an entry. */

enum { SHOWN = 256 };

/** The decoded file, block by block; a line that begins in one block and ends in the next is moved to the start. */
struct list_reader {
	struct list_bytes bytes;
	struct list_place place;
	int fault; /* of reading: 0, or DANA_EIO or DANA_ENOMEM, with a text in *err */
	struct error *err;
	uint8_t data[LIST_LINE_MOST + LIST_BLOCK];
	size_t at, len;
	bool comments, zeros; /* the block may contain '#'; zero bytes */
};

/** Reads the next block after the rest of the last one. Returns false at the end of the file. */
static bool next_block(struct list_reader *r)
{
	const size_t left = r->len - r->at;
	memmove(r->data, r->data + r->at, left);
	r->at = 0;
	r->len = left;
	const int n = list_bytes_read(&r->bytes, r->data + left, LIST_BLOCK, r->place.file, r->err);
	r->fault = n < 0 ? n : DANA_OK;
	if (n <= 0)
		return false;
	r->len += (size_t)n;
	r->comments = memchr(r->data, '#', r->len);
	r->zeros = memchr(r->data, 0, r->len);
	return true;
}

/**
 * Finds the next line, without its line end; the last line may lack one. Returns false at the end of the file, or if
 * the line is too long.
 */
static bool next_line(struct list_reader *r, struct slice *line)
{
	const uint8_t *end;
	while (!(end = memchr(r->data + r->at, '\n', r->len - r->at))) {
		const bool more = r->len - r->at < LIST_LINE_MOST && next_block(r);
		if (more)
			continue;
		if (r->fault < 0)
			return false;
		*line = slice_of(r->data + r->at, r->len - r->at);
		r->at = r->len;
		return line->len > 0;
	}
	*line = slice_of(r->data + r->at, (size_t)(end - r->data) - r->at);
	r->at += line->len + 1;
	return true;
}

int list_file_read(const char *file,
		   int (*entry)(void *arg, struct slice text, const struct list_place *place, struct error *err),
		   void *arg, struct error *err)
{
	char shown[SHOWN];
	struct list_reader *r = malloc(sizeof(*r));
	if (!r)
		return error_no_memory(err);
	r->at = r->len = 0;
	r->fault = DANA_OK;
	r->place = (struct list_place){ .file = printable(slice_from_text(file), shown, sizeof(shown)) };
	r->err = err;
	int status = list_bytes_open(&r->bytes, file, r->place.file, err);
	if (status == DANA_OK) {
		struct slice line;
		while (status == DANA_OK && next_line(r, &line)) {
			r->place.line++;
			if (line.len >= LIST_LINE_MOST - 1) {
				status = error_set(err, DANA_EIO, "%s:%lu: a line of more than 64K", r->place.file,
						   r->place.line);
				break;
			}
			const uint8_t *zero = r->zeros ? memchr(line.data, 0, line.len) : NULL;
			if (zero)
				line.len = (size_t)(zero - line.data);
			for (size_t i = 0; r->comments && i < line.len; i++) {
				if (line.data[i] == '#' && (i == 0 || ascii_is_space(line.data[i - 1])))
					line.len = i;
			}
			const struct slice text = slice_trim(line);
			if (text.len)
				status = entry(arg, text, &r->place, err);
		}
		status = status == DANA_OK ? r->fault : status;
		list_bytes_close(&r->bytes);
	}
	free(r);
	return status;
}

/*
 * "a.b.example.com" is looked up as itself, "b.example.com" and "example.com": one memory access each, all started
 * before the first is waited for. An entry that is a public suffix would match names of many owners, and is nearly
 * always a mistake in the list. Asking libpsl about each of millions of entries would take longer than all else, so
 * short entries are checked when they are read, and longer ones only when they are found.
 */

enum { SHORT = 8, LABELS = 16 /* labels that are looked up together */ };

/*
 * Returns whether ICANN's section of the list has the name. Suffixes of companies, such as github.io, have an owner;
 * an intranet's are not listed.
 */
static bool is_public_suffix(const struct psl_library *psl, const char *name)
{
	return psl->psl_is_public_suffix2(psl->psl_builtin(), name, PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE);
}

int domains_ready(struct domains *d, struct error *err)
{
	d->psl = psl_library(err);
	return d->psl ? host_ready(err) : (int)err->status;
}

int domains_settle(struct domains *d)
{
	int status = hash_set_add(&d->set, d->waiting, d->n_waiting);
	free(d->waiting);
	d->waiting = NULL;
	d->n_waiting = d->waiting_cap = 0;
	return status;
}

int domains_add(struct domains *d, struct slice name)
{
	char normal[HOST_MOST + 1];
	if (name.len >= 2 && memcmp(name.data, "*.", 2) == 0)
		name = slice_skip(name, 2);
	else if (name.len && name.data[0] == '.')
		name = slice_skip(name, 1);
	const size_t len = host_normal(name, normal);
	if (len == 0)
		return DANA_ECONFIG;
	if (len <= SHORT && is_public_suffix(d->psl, normal)) {
		d->suffixes++;
		return DANA_OK;
	}
	d->single |= !memchr(normal, '.', len);
	const uint64_t hash = XXH3_64bits(normal, len);
	uint64_t *more = grow_items(d->waiting, d->n_waiting, &d->waiting_cap, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	d->waiting = more;
	d->waiting[d->n_waiting++] = hash;
	return DANA_OK;
}

static int add_line(void *arg, struct slice text, const struct list_place *place, struct error *err)
{
	char shown[64];
	/* a line of a hosts file has an address before the name */
	size_t i = 0;
	while (i < text.len && (ascii_is_digit(text.data[i]) || text.data[i] == '.' || text.data[i] == ':'))
		i++;
	const bool has_address = i && i < text.len && ascii_is_space(text.data[i]);
	int status = domains_add(arg, has_address ? slice_trim(slice_skip(text, i)) : text);
	if (status == DANA_ECONFIG)
		return error_set(err, status, "%s:%lu: '%s' is not a domain", place->file, place->line,
				 printable(text, shown, sizeof(shown)));
	return status < 0 ? error_set(err, status, "%s", status_text(status)) : DANA_OK;
}

int domains_read(struct domains *d, const char *file, struct error *err)
{
	int status = domains_ready(d, err);
	if (status == DANA_OK)
		status = list_file_read(file, add_line, d, err);
	if (status == DANA_OK && domains_settle(d) < 0)
		status = error_no_memory(err);
	return status;
}

struct slice domains_find(const struct domains *d, struct slice host)
{
	struct slice name[LABELS];
	uint64_t hash[LABELS];
	while (d->set.n && host.len) {
		/* up to LABELS names upwards, with their hashes */
		size_t n = 0;
		while (n < LABELS && host.len) {
			const uint8_t *dot = memchr(host.data, '.', host.len);
			const struct slice above = slice_skip(host, dot ? (size_t)(dot - host.data) + 1 : host.len);
			if (above.len || d->single) {
				name[n] = host;
				hash[n] = XXH3_64bits(host.data, host.len);
				hash_set_expect(&d->set, hash[n++]);
			}
			host = above;
		}
		for (size_t i = 0; i < n; i++) {
			if (hash_set_has(&d->set, hash[i]) && !is_public_suffix(d->psl, (const char *)name[i].data))
				return name[i];
		}
	}
	return slice_of(NULL, 0);
}

void domains_free(struct domains *d)
{
	free(d->waiting);
	hash_set_free(&d->set);
}

/*
 * At each place of the URL the next three bytes select a bucket, whose texts are compared: with a few thousand texts at
 * most one or two. Texts of one and two bytes have a list of their own.
 */

enum { LEAD = 3 };

struct substring {
	uint32_t start, len, next;
};

static uint32_t bucket_of(const uint8_t *p)
{
	const uint32_t lead = (uint32_t)ascii_lower(p[0]) << 16 | (uint32_t)ascii_lower(p[1]) << 8 | ascii_lower(p[2]);
	return lead * 2654435761U >> 20; /* the upper 12 bits */
}

int substrings_add(struct substrings *s, struct slice text)
{
	if (text.len == 0 || s->texts.len + text.len > UINT32_MAX)
		return DANA_ECONFIG;
	struct substring *at = grow_items(s->at, s->n, &s->cap, sizeof(*at));
	if (!at)
		return DANA_ENOMEM;
	s->at = at;
	struct substring *added = &s->at[s->n];
	*added = (struct substring){ (uint32_t)s->texts.len, (uint32_t)text.len, 0 };
	for (size_t i = 0; i < text.len; i++)
		buf_append_byte(&s->texts, ascii_lower(text.data[i]));
	if (buf_status(&s->texts) < 0)
		return DANA_ENOMEM;
	uint32_t *first = text.len < LEAD ? &s->shorter : &s->bucket[bucket_of(s->texts.data + added->start)];
	added->next = *first;
	*first = (uint32_t)++s->n;
	return DANA_OK;
}

static int substrings_add_line(void *arg, struct slice text, const struct list_place *place, struct error *err)
{
	(void)place;
	int status = substrings_add(arg, text);
	return status < 0 ? error_set(err, status, "%s", status_text(status)) : DANA_OK;
}

int substrings_read(struct substrings *s, const char *file, struct error *err)
{
	return list_file_read(file, substrings_add_line, s, err);
}

/* Returns the first text of a chain that the rest of the URL begins with; empty if no text does. */
static struct slice among(const struct substrings *s, uint32_t number, struct slice rest)
{
	for (; number; number = s->at[number - 1].next) {
		const struct slice text = slice_of(s->texts.data + s->at[number - 1].start, s->at[number - 1].len);
		if (rest.len >= text.len && slice_equal_nocase(slice_first(rest, text.len), text))
			return text;
	}
	return slice_of(NULL, 0);
}

struct slice substrings_find(const struct substrings *s, struct slice url)
{
	struct slice found = { NULL, 0 };
	for (size_t i = 0; s->n && i < url.len && found.len == 0; i++) {
		const struct slice rest = slice_skip(url, i);
		if (rest.len >= LEAD)
			found = among(s, s->bucket[bucket_of(rest.data)], rest);
		if (found.len == 0)
			found = among(s, s->shorter, rest);
	}
	return found;
}

void substrings_free(struct substrings *s)
{
	buf_free(&s->texts);
	free(s->at);
}

/*
 * Patterns are matched by the interpreter, not by JIT code: the two count steps differently, so that the result of a
 * pattern with too many steps would depend on the machine.
 */

#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>
#include <stdlib.h>

#include "plugins/url/lists.h"

enum { PATTERNS_SHOWN = 128, REASON = 128 };

struct pattern {
	pcre2_code *code;
	struct slice text;
};

struct matcher {
	pcre2_match_context *limits;
	pcre2_match_data *data;
};

int patterns_add(struct patterns *p, struct slice text, struct error *err)
{
	struct pattern *at = grow_items(p->at, p->n, &p->cap, sizeof(*at));
	int code = 0;
	size_t offset = 0;
	if (!at)
		return error_no_memory(err);
	p->at = at;
	uint8_t *copy = malloc(text.len + 1);
	if (!copy)
		return error_no_memory(err);
	memcpy(copy, text.data, text.len);
	pcre2_code *compiled = pcre2_compile(
		copy, text.len, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset, NULL);
	if (!compiled) {
		free(copy);
		char shown[PATTERNS_SHOWN];
		uint8_t reason[REASON];
		(void)pcre2_get_error_message(code, reason, sizeof(reason));
		return error_set(err, DANA_ECONFIG, "pattern '%s': %s, at character %zu",
				 printable(text, shown, sizeof(shown)), (const char *)reason, offset + 1);
	}
	p->at[p->n++] = (struct pattern){ compiled, slice_of(copy, text.len) };
	return DANA_OK;
}

static int patterns_add_line(void *arg, struct slice text, const struct list_place *place, struct error *err)
{
	struct error why = { 0 };
	int status = patterns_add(arg, text, &why);
	return status < 0 ? error_set(err, status, "%s:%lu: %s", place->file, place->line, why.text) : DANA_OK;
}

int patterns_read(struct patterns *p, const char *file, struct error *err)
{
	return list_file_read(file, patterns_add_line, p, err);
}

struct slice patterns_find(const struct patterns *p, struct matcher *m, struct slice url, uint64_t *stopped)
{
	const uint8_t *subject = url.data ? url.data : (const uint8_t *)"";
	for (size_t i = 0; i < p->n; i++) {
		int result = pcre2_match(p->at[i].code, subject, url.len, 0, 0, m->data, m->limits);
		if (result >= 0)
			return p->at[i].text;
		*stopped += result != PCRE2_ERROR_NOMATCH;
	}
	return slice_of(NULL, 0);
}

void patterns_free(struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++) {
		pcre2_code_free(p->at[i].code);
		struct slice text = p->at[i].text;
		void *owned;
		memcpy(&owned, &text.data, sizeof(owned)); /* slices borrow, this one owns */
		free(owned);
	}
	free(p->at);
	*p = (struct patterns){ NULL, 0, 0 };
}

struct matcher *matcher_new(void)
{
	struct matcher *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->limits = pcre2_match_context_create(NULL);
	m->data = pcre2_match_data_create(1, NULL);
	if (m->limits && m->data) {
		(void)pcre2_set_match_limit(m->limits, PATTERN_STEPS);
		return m;
	}
	matcher_free(m);
	return NULL;
}

void matcher_free(struct matcher *m)
{
	if (!m)
		return;
	pcre2_match_data_free(m->data);
	pcre2_match_context_free(m->limits);
	free(m);
}
