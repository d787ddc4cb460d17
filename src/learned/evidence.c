#include "learned/evidence.h"

#include "base/ascii.h"
#include "base/status.h"
#include "html/entity.h"
#include "learned/scale.h"

void evidence_reset(struct evidence *e)
{
	e->described = (struct word_runs){ 0 };
	e->page_kind = KIND_NONE;
	e->url_last = e->url_digits = 0;
}

void evidence_free(struct evidence *e)
{
	buf_free(&e->scratch);
}

static enum page_kind kind_of(struct slice value)
{
	if (slice_is(value, "article"))
		return KIND_ARTICLE;
	if (slice_is(value, "website"))
		return KIND_WEBSITE;
	return value.len >= 7 && slice_is(slice_of(value.data, 7), "product") ? KIND_PRODUCT : KIND_OTHER;
}

/* What the address looks like: /, /shop/lamps/, /2012/07/24/a-lamp-that-shone.html. */
static void take_address(struct evidence *e, struct slice address)
{
	size_t i = 0;
	uint32_t last = 0, digits = 0;
	if (address.len > 8 && (address.data[4] == ':' || address.data[5] == ':'))
		for (i = 8; i < address.len && address.data[i] != '/'; i++)
			;
	for (; i < address.len && address.data[i] != '?' && address.data[i] != '#'; i++) {
		uint8_t c = address.data[i];
		if (c == '/') {
			if (i + 1 == address.len)
				break;
			last = 0;
			continue;
		}
		last++;
		digits += ascii_is_digit(c);
	}
	e->url_last = scale_log(last);
	e->url_digits = scale_cap(digits, 255);
}

void evidence_link(struct evidence *e, struct attr_reader *attrs)
{
	struct attr attr;
	struct slice href = slice_of("", 0);
	bool canonical = false;
	while (attr_reader_next(attrs, &attr)) {
		if (attr.number == ATTR_NUMBER('r', 'e', 'l', 0, 0, 0, 0, 0))
			canonical = slice_is(attr.value, "canonical");
		else if (attr.number == ATTR_NUMBER('h', 'r', 'e', 'f', 0, 0, 0, 0))
			href = attr.value;
	}
	if (canonical)
		take_address(e, href);
}

int evidence_meta(struct evidence *e, struct attr_reader *attrs)
{
	struct attr attr;
	struct slice name = slice_of("", 0), content = slice_of("", 0);
	while (attr_reader_next(attrs, &attr)) {
		if (attr.number == ATTR_NUMBER('n', 'a', 'm', 'e', 0, 0, 0, 0) ||
		    attr.number == ATTR_NUMBER('p', 'r', 'o', 'p', 'e', 'r', 't', 'y'))
			name = attr.value;
		else if (attr.number == ATTR_NUMBER('c', 'o', 'n', 't', 'e', 'n', 't', 0))
			content = attr.value;
	}
	if (slice_is(name, "og:type")) {
		e->page_kind = (uint8_t)kind_of(content);
	} else if (slice_is(name, "og:url")) {
		take_address(e, content);
	} else if (slice_is(name, "description") || slice_is(name, "og:description")) {
		buf_clear(&e->scratch);
		int status = html_entity_append(&e->scratch, content);
		if (status < 0)
			return status;
		word_runs_add(&e->described, buf_slice(&e->scratch));
	}
	return DANA_OK;
}
