/* SPDX-License-Identifier: MIT */
/*
 * The table has for each record where it is, under up to three keys: hashes of its id, of its address and date, and of
 * its payload digest. Where records share a key, the first one has it. What is found by a key is read again, and
 * compared by its words, so that a hash that two records share does no harm.
 *
 * Example: a revisit refers to <urn:a> and has the payload digest sha1:B. The key of urn:a leads to offset 4711 of the
 * second input. A pump of its own reads there; the record that comes has the id urn:a and the digest sha1:B, so it goes
 * to the processor, as if it stood where the revisit does.
 */
#include "config.h"

#include "archive/revisit_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/pump.h"
#include "archive/warc/field.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/status.h"

enum {
	LEARN_CHUNK = 256 << 10,       /* bytes read at once: of a whole file, ... */
	READ_CHUNK = 32 << 10,         /* ... of a record, ... */
	REMOTE_LEARN_CHUNK = 4 << 20,  /* ... and of both where each reading is a request; of a record ... */
	REMOTE_READ_CHUNK = 256 << 10, /* ... a quarter first, which most records are not longer than */
	SLOTS_LEAST = 1 << 12,
	SLOTS_PER_ENTRY = 4,    /* three keys each */
	PROBES_MOST = 64,       /* slots that are looked at for a key: inputs may be made to be slow */
	MEMBER_MOST = 16 << 20, /* bytes of a member before the record in it that is wanted */
	HOPS_MOST = 8,          /* revisits of revisits */
	DIGEST_MOST = 200,
};

/* How a record is known. Slices are borrowed. */
struct names {
	struct slice id, uri, date, digest;
};

enum key_kind { KEY_ID, KEY_PLACE, KEY_DIGEST, KEYS };

/* An archive, and how reading begins in it. */
struct place {
	struct revisit_place at;
	bool has_dictionary;
	uint64_t dictionary; /* offset of a dictionary of zstd that is needed */
	unsigned container;  /* with it: as in struct pump_place */
};

struct revisit_entry {
	uint64_t offset;
	uint32_t input;
	bool is_revisit;
};

struct revisit_table {
	struct revisit_source source;
	const struct limits *limits;
	struct place *places;
	size_t n_places, cap_places;
	bool any_remote; /* of the places */
	struct revisit_entry *entries;
	uint32_t n;
	size_t cap;
	uint64_t *keys; /* 0: free */
	uint32_t *at;   /* number of the entry */
	size_t slots;   /* a power of two */
	uint64_t left_out;
	atomic_bool stopped;
};

/* ---- keys ---- */

static struct names names_of(const struct record *rec)
{
	return (struct names){ .id = rec->record_id,
			       .uri = rec->target_uri,
			       .date = rec->date,
			       .digest = record_field(rec, "WARC-Payload-Digest") };
}

/* The key of one kind; 0: the names lack it. */
static uint64_t key_of(enum key_kind kind, const struct names *n)
{
	struct {
		uint64_t uri;
		char date[WARC_DATE_MAX];
	} place = { 0 };
	uint8_t digest[DIGEST_MOST];
	uint64_t key = 0;
	switch (kind) {
	case KEY_ID:
		if (n->id.len == 0)
			return 0;
		key = hash_fnv64(n->id);
		break;
	case KEY_PLACE:
		if (n->uri.len == 0 || !warc_date_normalise(n->date, false, place.date))
			return 0;
		/* what follows the end of the text is not the date's */
		memset(place.date + strlen(place.date), 0, sizeof(place.date) - strlen(place.date));
		place.uri = hash_fnv64(n->uri);
		key = hash_fnv64(slice_of(&place, sizeof(place)));
		break;
	case KEY_DIGEST:
	default:
		if (n->digest.len == 0 || n->digest.len > DIGEST_MOST)
			return 0;
		for (size_t i = 0; i < n->digest.len; i++)
			digest[i] = ascii_lower(n->digest.data[i]);
		key = hash_fnv64(slice_of(digest, n->digest.len));
	}
	key ^= (uint64_t)(kind + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return key ? key : 1;
}

static bool same_date(struct slice a, struct slice b)
{
	char one[WARC_DATE_MAX], other[WARC_DATE_MAX];
	return warc_date_normalise(a, false, one) && warc_date_normalise(b, false, other) && strcmp(one, other) == 0;
}

/* Has the record what the key stands for? */
static bool has_key(enum key_kind kind, const struct names *wanted, const struct names *found)
{
	switch (kind) {
	case KEY_ID:
		return slice_equal(wanted->id, found->id);
	case KEY_PLACE:
		return slice_equal(wanted->uri, found->uri) && same_date(wanted->date, found->date);
	case KEY_DIGEST:
	default:
		return slice_equal_nocase(wanted->digest, found->digest);
	}
}

/* Two digests of one algorithm that differ. */
static bool other_digest(struct slice a, struct slice b)
{
	const size_t n = slice_until(a, ":");
	return a.len && b.len && slice_until(b, ":") == n && slice_equal_nocase(slice_first(a, n), slice_first(b, n)) &&
	       !slice_equal_nocase(a, b);
}

/* ---- the table ---- */

/* The slot of a key, or a free one for it; SIZE_MAX: there is neither nearby. */
static size_t slot_of(const struct revisit_table *t, uint64_t key)
{
	for (size_t i = 0; i < PROBES_MOST; i++) {
		const size_t slot = (size_t)(key + i) & (t->slots - 1);
		if (t->keys[slot] == key || t->keys[slot] == 0)
			return slot;
	}
	return SIZE_MAX;
}

static const struct revisit_entry *find(const struct revisit_table *t, uint64_t key)
{
	const size_t slot = key && t->slots ? slot_of(t, key) : SIZE_MAX;
	return slot != SIZE_MAX && t->keys[slot] ? &t->entries[t->at[slot]] : NULL;
}

/* The first record with a key keeps it, but a revisit gives it to a record that has a page. */
static void put_key(struct revisit_table *t, uint64_t key, uint32_t number)
{
	const size_t slot = key ? slot_of(t, key) : SIZE_MAX;
	if (slot == SIZE_MAX)
		return;
	if (t->keys[slot] && !(t->entries[t->at[slot]].is_revisit && !t->entries[number].is_revisit))
		return;
	t->keys[slot] = key;
	t->at[slot] = number;
}

static bool grow(struct revisit_table *t)
{
	const size_t slots = t->slots ? t->slots * 2 : SLOTS_LEAST;
	const size_t bytes = slots * (sizeof(*t->keys) + sizeof(*t->at) + sizeof(*t->entries) / SLOTS_PER_ENTRY);
	struct revisit_table old = *t;
	if (bytes > t->limits->revisits && t->slots)
		return false;
	struct revisit_entry *entries = realloc(t->entries, slots / SLOTS_PER_ENTRY * sizeof(*entries));
	if (!entries)
		return false;
	t->entries = entries;
	t->keys = calloc(slots, sizeof(*t->keys));
	t->at = calloc(slots, sizeof(*t->at));
	if (!t->keys || !t->at) {
		free(t->keys);
		free(t->at);
		t->keys = old.keys;
		t->at = old.at;
		return false;
	}
	t->slots = slots;
	t->cap = slots / SLOTS_PER_ENTRY;
	for (size_t i = 0; i < old.slots; i++) {
		if (old.keys[i])
			put_key(t, old.keys[i], old.at[i]);
	}
	free(old.keys);
	free(old.at);
	return true;
}

static void put(struct revisit_table *t, const uint64_t keys[KEYS], struct revisit_entry entry)
{
	if (t->n == t->cap && !grow(t)) {
		t->left_out++;
		return;
	}
	t->entries[t->n] = entry;
	for (size_t i = 0; i < KEYS; i++)
		put_key(t, keys[i], t->n);
	t->n++;
}

/* ---- reading, for both passes ---- */

/* Returns false if the file cannot be opened; *fd is -1 for one that is not on this machine. */
static bool open_place(const struct place *p, int *fd)
{
	*fd = -1;
	if (p->at.remote)
		return true;
	do
		*fd = open(p->at.path, O_RDONLY | O_CLOEXEC);
	while (*fd < 0 && errno == EINTR);
	return *fd >= 0;
}

static int64_t read_place(const struct place *p, int fd, uint64_t offset, uint8_t *to, size_t n)
{
	ssize_t got;
	if (p->at.remote)
		return n ? p->at.remote->read(p->at.remote, p->at.begin + offset, to, n) : 0;
	do
		got = pread(fd, to, n, (off_t)(p->at.begin + offset));
	while (got < 0 && errno == EINTR);
	return got;
}

/* What is read at once: `first` bytes, then twice as many each time up to `most`, for which `bytes` has room. */
struct feed_chunk {
	uint8_t *bytes;
	size_t first, most;
};

/*
 * Feeds the pump until it is done, or paused: it wants no more. What cannot be read is its end, and *unreadable true.
 * Returns 0 or a negative status.
 */
static int feed(struct pump *pump, int fd, const struct place *p, struct feed_chunk chunk, bool *unreadable)
{
	uint64_t offset = pump_seek_offset(pump);
	int answer = PUMP_HUNGRY;
	while (answer == PUMP_HUNGRY || answer == PUMP_SEEK) {
		const uint64_t left = offset < p->at.size ? p->at.size - offset : 0;
		const int64_t n =
			read_place(p, fd, offset, chunk.bytes, left < chunk.first ? (size_t)left : chunk.first);
		*unreadable |= n < 0;
		chunk.first = chunk.first < chunk.most ? 2 * chunk.first : chunk.most;
		offset += n > 0 ? (uint64_t)n : 0;
		answer = n > 0 ? pump_push(pump, slice_of(chunk.bytes, (size_t)n)) : pump_finish(pump);
		if (answer == PUMP_SEEK)
			offset = pump_seek_offset(pump);
	}
	return answer < 0 ? answer : DANA_OK;
}

/* ---- the first pass ---- */

struct learner {
	struct record_sink sink;
	struct revisit_table *table;
	struct pump *pump;
	uint64_t keys[KEYS];
	struct revisit_entry entry; /* of the record under way */
	bool wanted;
};

static int learn_begin(struct record_sink *self, const struct record *rec)
{
	struct learner *l = (struct learner *)self;
	struct place *p = &l->table->places[l->entry.input];
	const struct names names = names_of(rec);
	struct pump_place here;
	l->entry.is_revisit = rec->type == RECORD_REVISIT;
	l->wanted = rec->type == RECORD_RESPONSE || rec->type == RECORD_RESOURCE || l->entry.is_revisit;
	l->entry.offset = rec->offset;
	for (enum key_kind kind = 0; kind < KEYS; kind++)
		l->keys[kind] = kind == KEY_DIGEST && l->entry.is_revisit ? 0 : key_of(kind, &names);
	(void)pump_place(l->pump, &here);
	if (here.has_dictionary && !p->has_dictionary) {
		p->has_dictionary = true;
		p->dictionary = here.dictionary;
		p->container = here.container;
	}
	return RECORD_UNWANTED;
}

static int learn_body(struct record_sink *self, struct slice bytes)
{
	(void)self, (void)bytes;
	return RECORD_UNWANTED;
}

static int learn_end(struct record_sink *self, const struct record_end *end)
{
	struct learner *l = (struct learner *)self;
	if (l->wanted && !end->damaged)
		put(l->table, l->keys, l->entry);
	return DANA_OK;
}

static int learn_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			const struct record_end *end)
{
	(void)self, (void)seq, (void)offset, (void)id, (void)uri, (void)end;
	return DANA_OK;
}

static const struct record_sink_ops learn_ops = { "revisits", learn_begin, learn_body, learn_end, learn_damage };

static bool goes_on(void *arg)
{
	return !atomic_load_explicit(&((struct learner *)arg)->table->stopped, memory_order_relaxed);
}

/* What cannot be read here is reported by those who read it again. */
static int learn_place(struct learner *l, size_t number)
{
	const struct place *p = &l->table->places[number];
	const struct pump_config config = { .next = &l->sink,
					    .limits = l->table->limits,
					    .wants_input = goes_on,
					    .arg = l,
					    .seekable = true,
					    .source_size = p->at.size };
	const size_t most = p->at.remote ? REMOTE_LEARN_CHUNK : LEARN_CHUNK;
	bool unreadable = false;
	int fd;
	if (p->at.size == 0 || !open_place(p, &fd))
		return DANA_OK;
	const struct feed_chunk chunk = { malloc(most), most, most };
	l->entry.input = (uint32_t)number;
	l->pump = chunk.bytes ? pump_new(&config) : NULL;
	const int status = l->pump ? feed(l->pump, fd, p, chunk, &unreadable) : DANA_ENOMEM;
	pump_free(l->pump);
	free(chunk.bytes);
	if (fd >= 0)
		(void)close(fd);
	return status;
}

int revisit_table_add(struct revisit_table *t, const struct revisit_place *place)
{
	struct place *more = grow_items(t->places, t->n_places, &t->cap_places, sizeof(*more));
	struct learner l = { .sink.ops = &learn_ops, .table = t };
	if (!more)
		return DANA_ENOMEM;
	t->places = more;
	t->places[t->n_places] = (struct place){ .at = *place };
	t->any_remote |= place->remote != NULL;
	return learn_place(&l, t->n_places++);
}

void revisit_table_stop(void *table)
{
	atomic_store(&((struct revisit_table *)table)->stopped, true);
}

bool revisit_table_stopped(const struct revisit_table *t)
{
	return atomic_load_explicit(&t->stopped, memory_order_relaxed);
}

/* ---- the second pass ---- */

enum reading {
	READ_NOTHING, /* the record has not come */
	READ_OTHER,   /* it contradicts the revisit */
	READ_REVISIT, /* it is a revisit itself, whose names are in `again` */
	READ_REFUSED, /* the processor wants no more of it */
	READ_DAMAGED,
	READ_DONE,
};

struct response_reader {
	struct record_sink sink;
	const struct revisit_table *table;
	uint8_t *chunk;
	int fd; /* of input `opened`; -1: none is open */
	size_t opened;
	bool unreadable; /* what was looked for, or a part of it */

	/* Of the revisit under way. */
	const struct record *revisit;
	const struct record_end *end;
	struct record_sink *to;
	struct names wanted;
	struct buf words; /* what `wanted` has of another revisit */

	/* Of the record that is looked for. */
	const struct revisit_entry *entry;
	enum key_kind kind;
	struct pump *pump;
	enum reading reading;
	bool open; /* it has begun, and gone to the processor */
	bool over;
	struct record record;
	struct buf resolved;
};

static bool wants_more(void *arg)
{
	const struct response_reader *r = arg;
	return !r->over && (r->open || pump_counts(r->pump).bytes_decoded < MEMBER_MOST);
}

/* What a revisit says of the record that it refers to. */
static struct names names_wanted(const struct record *rec)
{
	static const char not_modified[] = "server-not-modified";
	const struct slice profile = record_field(rec, "WARC-Profile");
	const struct slice uri = field_without_brackets(record_field(rec, "WARC-Refers-To-Target-URI"));
	const size_t n = sizeof(not_modified) - 1;
	struct names names = { .id = field_without_brackets(record_field(rec, "WARC-Refers-To")),
			       .uri = uri.len ? uri : rec->target_uri,
			       .date = record_field(rec, "WARC-Refers-To-Date") };
	/* of the payload of a reply without one a digest says nothing */
	if (profile.len < n || !slice_is(slice_skip(profile, profile.len - n), not_modified))
		names.digest = record_field(rec, "WARC-Payload-Digest");
	return names;
}

/* Is what came not what the revisit says? Where both have a payload digest, that decides. */
static bool contradicts(const struct response_reader *r, const struct names *found)
{
	const struct names *wanted = &r->wanted;
	if (wanted->digest.len && slice_equal_nocase(wanted->digest, found->digest))
		return false;
	return other_digest(wanted->digest, found->digest) ||
	       (wanted->date.len && (!same_date(wanted->date, found->date) || !slice_equal(wanted->uri, found->uri)));
}

static int follow(struct response_reader *r, const struct record *rec)
{
	struct names names = names_wanted(rec);
	struct buf words = { 0 };
	if (r->wanted.digest.len)
		names.digest = r->wanted.digest;
	struct slice *all[] = { &names.id, &names.uri, &names.date, &names.digest };
	size_t at[sizeof(all) / sizeof(*all)];
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		at[i] = words.len;
		buf_append(&words, all[i]->data, all[i]->len);
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		*all[i] = slice_of(words.data + at[i], all[i]->len);
	if (buf_status(&words) < 0)
		return DANA_ENOMEM;
	buf_free(&r->words);
	r->words = words;
	r->wanted = names;
	r->reading = READ_REVISIT;
	return DANA_OK;
}

/* The record that was looked for has come: the processor gets it as if it stood where the revisit does. */
static int give(struct response_reader *r, const struct record *rec)
{
	const struct record *revisit = r->revisit;
	struct json_writer w = { .out = &r->resolved };
	buf_clear(&r->resolved);
	json_object_begin(&w);
	json_text(&w, "file", slice_from_text(r->table->places[r->entry->input].at.name));
	json_count(&w, "offset", rec->offset);
	json_object_end(&w);
	if (buf_status(&r->resolved) < 0)
		return DANA_ENOMEM;
	r->record = *rec;
	r->record.seq = revisit->seq;
	r->record.offset = revisit->offset;
	r->record.number_asked = revisit->number_asked;
	r->record.record_id = revisit->record_id;
	r->record.target_uri = revisit->target_uri;
	r->record.date = revisit->date;
	r->record.resolved = buf_slice(&r->resolved);
	r->open = true;
	return r->to->ops->begin(r->to, &r->record);
}

static int reader_begin(struct record_sink *self, const struct record *rec)
{
	struct response_reader *r = (struct response_reader *)self;
	const struct names found = names_of(rec);
	int result = DANA_OK;
	if (r->over)
		return RECORD_UNWANTED;
	r->over = rec->offset != r->entry->offset;
	if (r->over || !has_key(r->kind, &r->wanted, &found))
		return RECORD_UNWANTED;
	if (contradicts(r, &found))
		r->reading = READ_OTHER;
	else if (rec->type == RECORD_REVISIT)
		result = follow(r, rec);
	else if (rec->type == RECORD_RESPONSE || rec->type == RECORD_RESOURCE)
		result = give(r, rec);
	r->over = !r->open;
	if (r->open && result == RECORD_UNWANTED) {
		r->reading = READ_REFUSED;
		r->over = true;
	}
	return result < 0 || r->open ? result : RECORD_UNWANTED;
}

static int reader_body(struct record_sink *self, struct slice bytes)
{
	struct response_reader *r = (struct response_reader *)self;
	const int wish = r->open && !r->over ? r->to->ops->body(r->to, bytes) : RECORD_UNWANTED;
	if (r->open && !r->over && wish == RECORD_UNWANTED) {
		r->reading = READ_REFUSED;
		r->over = true;
	}
	return wish;
}

/* The end of the record is that of what was read, but for its place. */
static int finish(struct response_reader *r, const struct record_end *end)
{
	struct record_end own = *end;
	own.length_known = r->end->length_known;
	own.length = r->end->length;
	r->reading = READ_DONE;
	r->over = true;
	return r->to->ops->end(r->to, &own);
}

static int reader_end(struct record_sink *self, const struct record_end *end)
{
	struct response_reader *r = (struct response_reader *)self;
	if (!r->open || r->over)
		return DANA_OK;
	if (!end->damaged)
		return finish(r, end);
	r->reading = READ_DAMAGED;
	r->over = true;
	return DANA_OK;
}

static int reader_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			 const struct record_end *end)
{
	struct response_reader *r = (struct response_reader *)self;
	(void)seq, (void)id, (void)uri, (void)end;
	r->over |= offset != r->entry->offset;
	return DANA_OK;
}

static const struct record_sink_ops reader_ops = { "revisited record", reader_begin, reader_body, reader_end,
						   reader_damage };

/* Reads the record of an entry. Returns what became of it, or a negative status. */
static int read_entry(struct response_reader *r, const struct revisit_entry *entry, enum key_kind kind)
{
	const struct place *p = &r->table->places[entry->input];
	const struct pump_config config = { .next = &r->sink,
					    .limits = r->table->limits,
					    .wants_input = wants_more,
					    .arg = r,
					    .seekable = true,
					    .source_size = p->at.size,
					    .offset = entry->offset };
	const struct feed_chunk file = { r->chunk, READ_CHUNK, READ_CHUNK };
	const struct feed_chunk remote = { r->chunk, REMOTE_READ_CHUNK / 4, REMOTE_READ_CHUNK };
	if (r->fd < 0 || r->opened != entry->input) {
		if (r->fd >= 0)
			(void)close(r->fd);
		r->opened = entry->input;
		if (!open_place(p, &r->fd)) {
			r->unreadable = true;
			return READ_NOTHING;
		}
	}
	r->entry = entry;
	r->kind = kind;
	r->reading = READ_NOTHING;
	r->open = r->over = false;
	r->pump = pump_new(&config);
	int status = r->pump ? DANA_OK : DANA_ENOMEM;
	if (status == DANA_OK && p->has_dictionary && p->dictionary < entry->offset) {
		const struct pump_place place = { .warc = { .offset = entry->offset, .heads = 1, .members_between = 1 },
						  .container = p->container,
						  .has_dictionary = true,
						  .dictionary = p->dictionary,
						  .furthest = entry->offset };
		status = pump_start_at(r->pump, &place);
	}
	if (status == DANA_OK)
		status = feed(r->pump, r->fd, p, p->at.remote ? remote : file, &r->unreadable);
	if (status == DANA_OK && r->reading == READ_REFUSED)
		status = finish(r, &(struct record_end){ .damaged = false });
	pump_free(r->pump);
	r->pump = NULL;
	return status < 0 ? status : (int)r->reading;
}

static int resolve(void *opened, const struct record *revisit, const struct record_end *end, struct record_sink *to,
		   const char **why)
{
	struct response_reader *r = opened;
	bool any = false, other = false, damaged = false;
	r->revisit = revisit;
	r->end = end;
	r->to = to;
	r->wanted = names_wanted(revisit);
	r->unreadable = false;
	for (unsigned hops = 0; hops <= HOPS_MOST; hops++) {
		int result = READ_NOTHING;
		for (enum key_kind kind = 0; kind < KEYS && result != READ_REVISIT; kind++) {
			const uint64_t key = key_of(kind, &r->wanted);
			const struct revisit_entry *entry = find(r->table, key);
			any |= key != 0;
			if (!entry)
				continue;
			result = read_entry(r, entry, kind);
			if (result < 0 || result == READ_DONE)
				return result < 0 ? result : REVISIT_RESOLVED;
			other |= result == READ_OTHER;
			damaged |= result == READ_DAMAGED;
		}
		if (result != READ_REVISIT) {
			*why = !any            ? "it names no record, by id, URL and date, or payload digest"
			       : r->unreadable ? "the archive of the record that it refers to cannot be read again"
			       : other         ? "the record that it refers to has another payload digest, URL or date"
			       : damaged       ? "the record that it refers to is damaged"
					       : "the record that it refers to is not in the inputs";
			return REVISIT_UNRESOLVED;
		}
	}
	*why = "it refers to a revisit, and so on, more than 8 times or in a circle";
	return REVISIT_UNRESOLVED;
}

static void reader_close(void *opened)
{
	struct response_reader *r = opened;
	if (r->fd >= 0)
		(void)close(r->fd);
	buf_free(&r->words);
	buf_free(&r->resolved);
	free(r->chunk);
	free(r);
}

static void *reader_open(void *arg)
{
	struct response_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->sink.ops = &reader_ops;
	r->table = arg;
	r->fd = -1;
	r->chunk = malloc(r->table->any_remote ? REMOTE_READ_CHUNK : READ_CHUNK);
	if (r->chunk)
		return r;
	reader_close(r);
	return NULL;
}

struct revisit_table *revisit_table_new(const struct limits *limits)
{
	struct revisit_table *t = calloc(1, sizeof(*t));
	if (t) {
		t->source = (struct revisit_source){ reader_open, resolve, reader_close, t };
		t->limits = limits;
	}
	return t;
}

uint64_t revisit_table_left_out(const struct revisit_table *t)
{
	return t->left_out;
}

const struct revisit_source *revisit_table_source(const struct revisit_table *t)
{
	return &t->source;
}

void revisit_table_free(struct revisit_table *t)
{
	if (!t)
		return;
	free(t->places);
	free(t->entries);
	free(t->keys);
	free(t->at);
	free(t);
}
