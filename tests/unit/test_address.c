/* SPDX-License-Identifier: MIT */
/* Addresses of inputs: what shows of them, which host they belong to, and s3://. */
#include "config.h"

#include "io/address.h"
#include "support/unit.h"

TEST(networks)
{
	assert_true(address_is_network("http://h/x"));
	assert_true(address_is_network("HTTPS://h/x"));
	assert_true(address_is_network("s3://b/k"));
	assert_false(address_is_network("ftp://h/x"));
	assert_false(address_is_network("http:/x"));
	assert_false(address_is_network("-"));
	assert_false(address_is_network(""));
}

static void check(int (*make)(const char *, struct buf *), const char *from, const char *wanted)
{
	AUTO_BUF out = { 0 };
	assert_ok(make(from, &out));
	assert_holds(&out, wanted);
}

TEST(secrets_do_not_show)
{
	check(address_without_secrets, "https://me:pass@h:81/a", "https://h:81/a");
	check(address_without_secrets, "https://me:p@ss@h/a@b?c", "https://h/a@b?***");
	check(address_without_secrets, "http://me@h", "http://h");
	check(address_without_secrets, "http://h/a/b?c=d#e", "http://h/a/b?c=***#***");
	check(address_without_secrets, "http://h/k?my_own=1&b=2=3&&;d=4#access_token=5",
	      "http://h/k?my_own=***&b=***&&;d=***#access_token=***");
	check(address_without_secrets, "http://h?a=1", "http://h?a=***");
	check(address_without_secrets, "http://h/k?", "http://h/k?");
	check(address_without_secrets, "http://h/k?a/b;c=d", "http://h/k?***;c=***");
	check(address_without_secrets, "http://h/a;jsessionid=1;v=2/y=3/b;c.gz?d",
	      "http://h/a;jsessionid=***;v=***/y=3/b;c.gz?***");
	check(address_without_secrets, "S3://b/k?versionId=1", "S3://b/k?versionId=***");
	check(address_without_secrets, "a@b:c/d?sig=1", "a@b:c/d?sig=1"); /* a file */
}

TEST(what_is_signed_anew_is_the_same_file)
{
	check(address_identity, "http://h/k?file=1&b", "http://h/k?file=1&b");
	check(address_identity, "https://me:pass@h/k?file=2&x-amz-signature=3&X-Amz-Date=4",
	      "https://h/k?file=2&x-amz-signature=***&X-Amz-Date=***");
	check(address_identity, "http://h/a;JSESSIONID=1;v=2/b", "http://h/a;JSESSIONID=***;v=2/b");
	check(address_identity, "a?sig=1", "a?sig=1");
}

TEST(hosts)
{
	check(address_host, "HTTP://me:pass@H.example:81/A", "http://h.example:81");
	check(address_host, "https://h?x", "https://h");
}

static void path(const char *name, const char *wanted)
{
	assert_true(slice_equal(address_path(name), slice_from_text(wanted)));
}

TEST(paths)
{
	path("http://h/a/b.warc.gz?c/d#e", "/a/b.warc.gz");
	path("http://h", "");
	path("s3://bucket/a/b", "/a/b");
	path("a?b", "a?b");
}

static void climbs(const char *base, const char *line, bool wanted)
{
	AUTO_BUF name = { 0 };
	assert_ok(buf_printf(&name, "%s%s%c", base, line, 0));
	if (address_climbs((const char *)name.data, strlen(base)) != wanted)
		fail_msg("%s with %s", base, line);
}

TEST(what_leads_upwards)
{
	/* Each ends with a line feed. */
	static const char upwards[] =
		"..\n../a\na/..\na/../b\na/../../b\n./../a\na//..//b\n%2e%2e/a\n.%2E/a\n%2e./a\na/%2e%2E\n..%2fa\n"
		"..%2Fa\na%2f..%2fb\n..\\a\na\\..\\b\n..%5ca\n..%5Ca\n%2e%2e%5c%2e%2e%2fa\na/..\\/b\na/.%2e?b\n";
	static const char not_upwards[] =
		"a\n.\n./a\na/./b\n...\na/.../b\na..\n..a/b\na..b/c\na/..b\n.a./b\n//a//b\na\\b\n%2e/a\n%252e%252e/a\n"
		"%2e%2e%2e/a\na b+c\n%\n%2\n\n";
	char line[40];
	for (const char *at = upwards; *at; at += strlen(line) + 1) {
		(void)snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
		climbs("http://h/a/", line, true);
		climbs("HTTPS://h/", line, true);
		if (!strchr(line, '?')) /* part of a key */
			climbs("s3://b/a/", line, true);
	}
	for (const char *at = not_upwards; *at; at += strlen(line) + 1) {
		(void)snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
		climbs("http://h/a/", line, false);
		climbs("s3://b/", line, false);
		climbs("folder/", line, false);
	}
	climbs("http://h/", "a?b=/../c#/../d", false);
	climbs("s3://b/", "a?b=/../c", true);
	climbs("folder/", "a/../b", true);
	climbs("/folder/", "..", true);
	climbs("folder/", "a\\..\\b", false); /* a name */
	climbs("folder/", "%2e%2e/b", false);
}

static const struct s3_access access_none = { .region = "us-east-1" };

static int s3(const char *address, struct buf *out)
{
	return s3_url(address, &access_none, out, NULL) < 0 ? -1 : (out->len--, 0);
}

TEST(s3_addresses)
{
	static const char *const bad[] = { "s3://b/", "s3:///k", "s3://../k", "s3://./k" };
	AUTO_BUF out = { 0 };
	unsetenv("AWS_ENDPOINT_URL_S3");
	unsetenv("AWS_ENDPOINT_URL");
	check(s3, "s3://commoncrawl/a/b c+d.gz", "https://commoncrawl.s3.us-east-1.amazonaws.com/a/b%20c%2Bd.gz");
	check(s3, "s3://my.bucket/k", "https://s3.us-east-1.amazonaws.com/my.bucket/k");
	check(s3, "s3://bucket/../a/./b//c", "https://bucket.s3.us-east-1.amazonaws.com/../a/./b//c");
	check(s3, "s3://bucket/%2e%2e/a\\b?c#d", "https://bucket.s3.us-east-1.amazonaws.com/%252e%252e/a%5Cb%3Fc%23d");
	check(s3, "s3://bucket//a", "https://bucket.s3.us-east-1.amazonaws.com//a");
	check(s3, "s3://a@evil.example:1/k", "https://s3.us-east-1.amazonaws.com/a%40evil.example%3A1/k");
	check(s3, "s3://evil#/k", "https://s3.us-east-1.amazonaws.com/evil%23/k");
	check(s3, "s3://my_bucket/k", "https://s3.us-east-1.amazonaws.com/my_bucket/k");
	setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9000/", 1);
	check(s3, "s3://b/k/", "http://127.0.0.1:9000/b/k/");
	setenv("AWS_ENDPOINT_URL_S3", "https://store", 1);
	check(s3, "s3://b/k", "https://store/b/k");
	setenv("AWS_ENDPOINT_URL_S3", "file:///etc", 1);
	assert_int_equal(s3("s3://b/k", &out), -1);
	unsetenv("AWS_ENDPOINT_URL_S3");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(s3(bad[i], &out), -1);
}

TEST(s3_environment)
{
	setenv("AWS_ACCESS_KEY_ID", "k", 1);
	setenv("AWS_SESSION_TOKEN", "t", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "", 1);
	unsetenv("AWS_REGION");
	setenv("AWS_DEFAULT_REGION", "eu-west-1", 1);
	struct s3_access a = s3_access();
	assert_null(a.key); /* half a key is none */
	assert_null(a.token);
	assert_string_equal(a.region, "eu-west-1");
	setenv("AWS_SECRET_ACCESS_KEY", "s", 1);
	setenv("AWS_REGION", "us-west-2", 1);
	a = s3_access();
	assert_string_equal(a.key, "k");
	assert_string_equal(a.secret, "s");
	assert_string_equal(a.token, "t");
	assert_string_equal(a.region, "us-west-2");
}
