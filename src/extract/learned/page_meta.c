/* SPDX-License-Identifier: MIT */
/*
 * Reads <meta> and <link>. Only the length of the address's last part and its number of digits are kept.
 *
 * Example: the path /2012/07/24/a-lamp.html has 8 digits and a last part of 11 characters, the shape of an article's
 * address; /shop/lamps/ has no digits.
 */
#include "extract/learned/page_meta.h"

#include "base/ascii.h"
#include "base/status.h"
#include "extract/html/attribute_next.h"
#include "extract/html/entity.h"
#include "extract/learned/scale.h"

void page_meta_reset(struct page_meta *m)
{
	m->described = (struct word_runs){ 0 };
	declared_reset(&m->declared);
	m->og_type = OG_NONE;
	m->url_last = m->url_digits = 0;
}

void page_meta_free(struct page_meta *m)
{
	buf_free(&m->scratch);
}

static enum og_type og_type_of(struct slice value)
{
	if (slice_is(value, "article"))
		return OG_ARTICLE;
	if (slice_is(value, "website"))
		return OG_WEBSITE;
	return value.len >= 7 && slice_is(slice_of(value.data, 7), "product") ? OG_PRODUCT : OG_OTHER;
}

/* Records the form of the address: /, /shop/lamps/, /2012/07/24/a-lamp-that-shone.html. */
static void take_address(struct page_meta *m, struct slice address)
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
	m->url_last = scale_log(last);
	m->url_digits = scale_cap(digits, 255);
}

void page_meta_read_link(struct page_meta *m, struct html_attr_reader *attrs)
{
	struct html_attr attr;
	struct slice href = slice_of("", 0);
	bool canonical = false;
	while (html_attr_next(attrs, &attr)) {
		if (attr.number == HTML_ATTR_NUMBER('r', 'e', 'l', 0, 0, 0, 0, 0))
			canonical = slice_is(attr.value, "canonical");
		else if (attr.number == HTML_ATTR_NUMBER('h', 'r', 'e', 'f', 0, 0, 0, 0))
			href = attr.value;
	}
	if (canonical)
		take_address(m, href);
}

int page_meta_read_meta(struct page_meta *m, struct html_attr_reader *attrs)
{
	struct html_attr attr;
	struct slice name = slice_of("", 0), content = slice_of("", 0);
	while (html_attr_next(attrs, &attr)) {
		if (attr.number == HTML_ATTR_NUMBER('n', 'a', 'm', 'e', 0, 0, 0, 0) ||
		    attr.number == HTML_ATTR_NUMBER('p', 'r', 'o', 'p', 'e', 'r', 't', 'y'))
			name = attr.value;
		else if (attr.number == HTML_ATTR_NUMBER('c', 'o', 'n', 't', 'e', 'n', 't', 0))
			content = attr.value;
	}
	if (slice_is(name, "og:type")) {
		m->og_type = (uint8_t)og_type_of(content);
	} else if (slice_is(name, "og:url")) {
		take_address(m, content);
	} else if (slice_is(name, "description") || slice_is(name, "og:description")) {
		buf_clear(&m->scratch);
		int status = html_entity_append(&m->scratch, content);
		if (status < 0)
			return status;
		word_runs_add(&m->described, buf_slice(&m->scratch));
	}
	return DANA_OK;
}
