/* SPDX-License-Identifier: MIT */
/*
 * A reference is taken apart at the places where its parts end, and joined again with the parts of the base that it
 * lacks; dots in the path are removed (section 5.2.4). Nothing is encoded or decoded.
 */
#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "extract/structure/escape.h"

struct page_url {
	struct slice scheme; /* with its ':' */
	struct slice host;   /* with "//" */
	struct slice path;
	struct slice query; /* with '?' */
	struct slice fragment;
};

static struct slice take(struct slice *rest, size_t len)
{
	struct slice part = slice_first(*rest, len);
	*rest = slice_skip(*rest, len);
	return part;
}

/* The ends are found from the last part on, since a search for one byte goes by vector instructions. */
static struct page_url parts_of(struct slice s)
{
	struct page_url p = { 0 };
	const size_t fragment = slice_until(s, "#");
	p.fragment = slice_skip(s, fragment);
	s = slice_first(s, fragment);
	const size_t query = slice_until(s, "?");
	p.query = slice_skip(s, query);
	s = slice_first(s, query);
	p.scheme = take(&s, url_scheme(s).len);
	if (s.len >= 2 && s.data[0] == '/' && s.data[1] == '/')
		p.host = take(&s, 2 + slice_until(slice_skip(s, 2), "/"));
	p.path = s;
	return p;
}

static void append(struct buf *out, struct slice s)
{
	if (s.len)
		buf_append(out, s.data, s.len);
}

/* Appends a path, or a slash and a path, without "." and ".." segments, after `out` was `root` bytes long. */
static void append_path(struct buf *out, size_t root, bool slash, struct slice path)
{
	bool dots = false; /* a segment may be "." or ".." */
	for (size_t at = slice_until(path, "."); at < path.len && !dots;
	     at += 1 + slice_until(slice_skip(path, at + 1), "."))
		dots = at == 0 || path.data[at - 1] == '/';
	if (!dots) {
		if (slash)
			buf_append_byte(out, '/');
		append(out, path);
		return;
	}
	while (path.len) {
		const bool own = !slash && path.data[0] == '/';
		slash |= own;
		path = slice_skip(path, own);
		const struct slice name = slice_first(path, slice_until(path, "/"));
		path = slice_skip(path, name.len);
		bool up = slice_is(name, ".."), here = slice_is(name, ".");
		if (!up && !here) {
			buf_append(out, "/", slash);
			buf_append(out, name.data, name.len);
		}
		while (up && out->len > root && out->data[--out->len] != '/')
			;
		if ((up || here) && path.len == 0)
			buf_append_byte(out, '/');
		slash = false;
	}
}

int link_base_set(struct link_base *base, struct slice address)
{
	const struct page_url p = parts_of(address);
	base->scheme = p.scheme.len;
	base->root = base->scheme + p.host.len;
	base->path_end = base->root + p.path.len;
	base->fragment = base->path_end + p.query.len;
	buf_clear(&base->address);
	buf_clear(&base->folder);
	append(&base->address, address);
	append(&base->folder, slice_first(address, base->root));
	/* the last slash of the folder begins the first segment of a reference */
	size_t folder = p.path.len;
	while (folder && p.path.data[folder - 1] != '/')
		folder--;
	append_path(&base->folder, base->root, false, slice_first(p.path, folder ? folder - 1 : 0));
	return buf_status(&base->folder) < 0 ? DANA_ENOMEM : buf_status(&base->address);
}

void link_base_free(struct link_base *base)
{
	buf_free(&base->address);
	buf_free(&base->folder);
}

int url_append(struct buf *out, const struct link_base *base, struct slice reference)
{
	if (base->scheme == 0 || url_scheme(reference).len)
		return buf_append(out, reference.data, reference.len);
	const struct slice address = buf_slice(&base->address);
	const struct page_url r = parts_of(reference);
	size_t root = out->len + base->root;
	if (r.host.len) {
		append(out, slice_first(address, base->scheme));
		append(out, r.host);
		root = out->len;
		append_path(out, root, false, r.path);
	} else if (r.path.len && r.path.data[0] == '/') {
		append(out, slice_first(address, base->root));
		append_path(out, root, false, r.path);
	} else if (r.path.len) {
		append(out, buf_slice(&base->folder));
		append_path(out, root, true, r.path);
	} else {
		append(out, slice_first(address, r.query.len ? base->path_end : base->fragment));
	}
	append(out, r.query);
	append(out, r.fragment);
	return buf_status(out);
}

bool url_leads_elsewhere(const struct link_base *base, struct slice reference)
{
	static const char *const bases[] = { "http:", "https:", "ftp:", NULL };
	static const char *const schemes[] = { "http:", "https:", "mailto:", "ftp:", "tel:", NULL };
	if (reference.len == 0 || reference.data[0] == '#')
		return false;
	const struct slice scheme = url_scheme(reference);
	if (!url_is_whole(reference))
		return false;
	if (scheme.len)
		return url_scheme_is(scheme, schemes);
	return base->scheme == 0 || url_scheme_is(slice_first(buf_slice(&base->address), base->scheme), bases);
}

bool url_is_of_web(struct slice address)
{
	static const char *const schemes[] = { "http:", "https:", "mailto:", NULL };
	const struct slice scheme = url_scheme(address);
	return scheme.len && url_scheme_is(scheme, schemes) && url_is_whole(address);
}

bool url_is_mailbox_byte(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr(".!#$%&'*+/=?^_`{|}~-", c));
}

bool url_is_mailbox(struct slice text)
{
	enum { LABEL_MOST = 63 };
	size_t at = 0;
	while (at < text.len && url_is_mailbox_byte(text.data[at]))
		at++;
	if (at == 0 || at == text.len || text.data[at] != '@')
		return false;
	for (struct slice rest = slice_skip(text, at);;) {
		rest = slice_skip(rest, 1);
		size_t len = 0;
		while (len < rest.len &&
		       (ascii_is_alpha(rest.data[len]) || ascii_is_digit(rest.data[len]) || rest.data[len] == '-'))
			len++;
		if (len == 0 || len > LABEL_MOST || rest.data[0] == '-' || rest.data[len - 1] == '-')
			return false;
		rest = slice_skip(rest, len);
		if (rest.len == 0)
			return true;
		if (rest.data[0] != '.')
			return false;
	}
}
