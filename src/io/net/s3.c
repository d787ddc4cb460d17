/* SPDX-License-Identifier: MIT */
/*
 * Amazon's stores are addressed as https://BUCKET.s3.REGION.amazonaws.com/KEY, other stores as ENDPOINT/BUCKET/KEY; so
 * are buckets whose name is not a plain label of a host: with a dot the certificate of the first form does not hold,
 * and with other characters the host would be another one.
 */
#include "io/net/s3.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "io/net/address.h"

static const char scheme[] = "s3://";

bool s3_is_address(const char *address)
{
	return slice_equal_nocase(slice_first(slice_from_text(address), sizeof(scheme) - 1), slice_from_text(scheme));
}

/* The first of the variables that is set and not empty. */
static const char *environment(const char *name, const char *other)
{
	const char *value = getenv(name);

	if ((!value || !*value) && other)
		value = getenv(other);
	return value && *value ? value : NULL;
}

struct s3_access s3_access(void)
{
	const char *region = environment("AWS_REGION", "AWS_DEFAULT_REGION");
	struct s3_access a = { .region = region ? region : "us-east-1",
			       .key = environment("AWS_ACCESS_KEY_ID", NULL),
			       .secret = environment("AWS_SECRET_ACCESS_KEY", NULL),
			       .token = environment("AWS_SESSION_TOKEN", NULL) };

	if (!a.key || !a.secret)
		a.key = a.secret = a.token = NULL;
	return a;
}

static bool is_label(struct slice bucket)
{
	size_t n = 0;

	while (n < bucket.len &&
	       (ascii_is_alpha(bucket.data[n]) || ascii_is_digit(bucket.data[n]) || bucket.data[n] == '-'))
		n++;
	return n == bucket.len;
}

/* RFC 3986 unreserved characters and '/' stand for themselves, as S3 wants them for its signature. */
static void append_key(struct buf *out, struct slice key)
{
	for (size_t i = 0; i < key.len; i++) {
		uint8_t c = key.data[i];
		if (ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("-._~/", c)))
			buf_append_byte(out, c);
		else
			buf_printf(out, "%%%02X", c);
	}
}

static void append_host(struct buf *out, const char *endpoint, const char *region, struct slice bucket)
{
	if (endpoint) {
		size_t n = strlen(endpoint);
		while (n > 0 && endpoint[n - 1] == '/')
			n--;
		buf_printf(out, "%.*s/", (int)n, endpoint);
	} else if (is_label(bucket)) {
		buf_printf(out, "https://%.*s.s3.%s.amazonaws.com/", (int)bucket.len, (const char *)bucket.data,
			   region);
		return;
	} else {
		buf_printf(out, "https://s3.%s.amazonaws.com/", region);
	}
	append_key(out, bucket);
	buf_append_byte(out, '/');
}

int s3_url(const char *address, const struct s3_access *access, struct buf *out, struct error *err)
{
	const char *endpoint = environment("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
	struct slice rest = slice_skip(slice_from_text(address), sizeof(scheme) - 1);
	struct slice bucket = slice_first(rest, strcspn((const char *)rest.data, "/"));
	struct slice key = slice_skip(rest, bucket.len + 1);

	if (bucket.len == 0 || key.len == 0 || slice_is(bucket, ".") || slice_is(bucket, ".."))
		return error_set(err, DANA_ECONFIG, "an address of S3 is s3://BUCKET/KEY");
	if (endpoint && (s3_is_address(endpoint) || !address_is_network(endpoint)))
		return error_set(err, DANA_ECONFIG, "AWS_ENDPOINT_URL is not an http or https URL");
	append_host(out, endpoint, access->region, bucket);
	append_key(out, key);
	if (buf_append_byte(out, 0) < 0)
		return error_no_memory(err);
	return DANA_OK;
}
