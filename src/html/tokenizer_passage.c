#include "html/tokenizer_passage.h"

#include "html/tokenizer_scan.h"
#include "html/tokenizer_stretch.h"

static struct slice opening_bytes(const struct html_tokenizer *t, size_t at)
{
	return slice_of(t->p + at, t->n - at < OPENING_MOST ? t->n - at : OPENING_MOST);
}

/* Behind the '>' that ends the declaration or comment at p[at]; false when that lies in a later window. */
static bool declaration_end(const struct html_tokenizer *t, size_t at, bool comment, size_t *end)
{
	size_t i = next_gt(t, at);
	while (i < t->n && comment && !comment_ends(t, t->base + at, i))
		i = next_gt(t, i + 1);
	*end = i + 1;
	return i < t->n;
}

/* Behind the end tag of the raw element whose content begins at p[at]. */
static bool raw_end(const struct html_tokenizer *t, size_t at, enum html_tag raw, size_t *end)
{
	for (size_t i = at; (i = next_lt(t, i)) < t->n; i++) {
		if (i + 1 < t->n && t->p[i + 1] != '/')
			continue;
		struct opening o = opening_of_raw(opening_bytes(t, i), raw);
		if (o.kind != OPENS_NOTHING)
			return o.kind == OPENS_TAG && tag_scan_plain(t, i + o.len, end);
	}
	return false;
}

static bool tag_passage(const struct html_tokenizer *t, size_t at, const struct opening *o, struct passage *passage)
{
	enum html_tag tag = o->name.tag;
	bool script = tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE;
	if (html_breaks_out(t->skip, tag, o->closing) || (html_tag_is(tag, TAG_RAW) && !script) ||
	    !tag_scan_plain(t, at + o->len, &passage->end))
		return false;
	if (script)
		return o->closing || raw_end(t, passage->end, tag, &passage->end);
	if (t->skip == HTML_TAG_OTHER) {
		bool opens = !o->closing && t->p[passage->end - 2] != '/';
		passage->skip = opens ? (uint8_t)tag : HTML_TAG_OTHER;
		return html_tag_is(tag, TAG_SKIP);
	}
	passage->skip = HTML_TAG_OTHER;
	return o->closing && tag == t->skip;
}

bool html_passage(const struct html_tokenizer *t, size_t at, struct passage *passage)
{
	struct opening o = opening_of(opening_bytes(t, at));
	*passage = (struct passage){ .is_void = true, .skip = t->skip };
	switch (o.kind) {
	case OPENS_UNKNOWN:
	case OPENS_NOTHING:
		return false;
	case OPENS_TAG:
		return tag_passage(t, at, &o, passage);
	case OPENS_DECLARATION:
		passage->is_void = t->skip != HTML_TAG_OTHER;
		return declaration_end(t, at, false, &passage->end);
	case OPENS_COMMENT:
		return declaration_end(t, at, true, &passage->end);
	}
	return false;
}
