/* SPDX-License-Identifier: MIT */
/* Option tables: command line, configuration file, help. */
#include "config.h"

#include <limits.h>

#include "base/arena.h"
#include "cli/options.h"
#include "dana/dana.h"
#include "support/unit.h"

static struct {
	struct filter_settings settings;
	struct options_rest rest;
	struct error err;
	int status;
} r; /* of the last command line */

#define A(text) ((char *)(uintptr_t)(text))
#define PARSE(...) \
	do { \
		char *argv[] = { A("filter"), __VA_ARGS__ }; \
		parse((int)(sizeof(argv) / sizeof(*argv)), argv); \
	} while (0)

static void parse(int argc, char **argv)
{
	options_rest_free(&r.rest);
	memset(&r, 0, sizeof(r));
	r.status = options_parse(&filter_options, &r.settings, argc, argv, &r.rest, &r.err);
	if (r.status == DANA_OK)
		r.status = filter_options_resolve(&r.settings, 4, &r.err);
}

/* What is written. */
static void expect_kind(const char *format, const char *encoder)
{
	assert_int_equal(r.status, DANA_OK);
	assert_string_equal(r.settings.run.outputs.kind.format->name, format);
	assert_string_equal(r.settings.run.outputs.kind.encoder->name, encoder);
}

TEST(the_default_limits_agree_with_the_struct)
{
	static const struct limits limits = LIMITS_DEFAULT;
	char *argv[] = { A("filter") };
	parse(1, argv);
	assert_memory_equal(&r.settings.run.limits, &limits, sizeof(limits));
	assert_int_equal(r.settings.run.methods.n, 1);
	assert_string_equal(r.settings.run.methods.at[0], DANA_DEFAULT_METHOD);
	assert_string_equal(r.settings.run.choice.statuses, "200");
	assert_int_equal(r.settings.run.choice.min_chars, 1);
	assert_int_equal(r.settings.run.jobs, 4);
	expect_kind("jsonl", "none");
	assert_null(r.settings.run.outputs.file);
}

TEST(every_way_to_write_an_option_is_read)
{
	PARSE(A("-j2"), A("--method=danag:gap=40"), A("one"), A("-o"), A("x.warc.gz"), A("--max-body"), A("2M"), A("-"),
	      A("--rejects"), A("--"), A("-q"));
	expect_kind("warc", "gzip");
	assert_int_equal(r.settings.run.jobs, 2);
	assert_int_equal(r.settings.run.methods.n, 1);
	assert_string_equal(r.settings.run.methods.at[0], "danag:gap=40");
	assert_int_equal(r.settings.run.limits.body, 2 << 20);
	assert_true(r.settings.run.outputs.rejects);
	assert_false(r.settings.run.reports.quiet);
	assert_int_equal(r.rest.n_positionals, 3);
	assert_string_equal(r.rest.positionals[0], "one");
	assert_string_equal(r.rest.positionals[1], "-");
	assert_string_equal(r.rest.positionals[2], "-q");

	PARSE(A("-qJ"), A("2"), A("-O"), A("out"), A("--rejects"), A("--no-rejects"), A("-z"), A("gzip:9"));
	expect_kind("jsonl", "gzip");
	assert_true(r.settings.run.reports.quiet);
	assert_false(r.settings.run.outputs.rejects);
	assert_int_equal(r.settings.run.jobs, 2);
	assert_int_equal(r.settings.run.outputs.kind.level, 9);

	PARSE(A("-O"), A("out"));
	expect_kind("jsonl", "zstd");
	PARSE(A("-o"), A("x.jsonl.zst"), A("-z"), A("none"));
	expect_kind("jsonl", "none");
	/* A name that tells no format: names without an extension need none, nor do others with --format. */
	static const char *const names[] = { "out", "./out", "out.d/out", ".out", "out.d/.out", "out." };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		PARSE(A("-o"), A(names[i]));
		assert_int_equal(r.status, i < 5 ? DANA_OK : DANA_ECONFIG);
	}
	PARSE(A("-o"), A("x.json.gz"), A("-f"), A("jsonl"));
	expect_kind("jsonl", "gzip");
	assert_int_equal(r.settings.run.outputs.kind.level, 6);
	PARSE(A("--bogus-before-help=0"), A("--help"));
	assert_int_equal(r.status, DANA_ECONFIG);
	PARSE(A("-j0"), A("-h"), A("--bogus"));
	assert_true(r.rest.help);
}

TEST(a_usage_error_says_what_would_be_right)
{
	static const struct {
		const char *args[3];
		const char *text;
	} cases[] = {
		{ { "--ouput", "x" }, "unknown option --ouput; did you mean --output?" },
		{ { "--no-output" }, "unknown option --no-output; did you mean --output?" },
		{ { "--xyzzy" }, "unknown option --xyzzy; dana filter --help-all lists the options" },
		{ { "-y" }, "unknown option -y; dana filter --help-all lists the options" },
		{ { "-\x1b" }, "unknown option -\\x1b; dana filter --help-all lists the options" },
		{ { "--jobs" }, "--jobs needs a value; expected --jobs N" },
		{ { "-j" }, "-j needs a value; expected -j N" },
		{ { "-jx" }, "-j: 'x' is not a number; expected a number, optionally followed by K, M or G" },
		{ { "-j", "1M" }, "-j: 1M is out of range; expected 0 to 1K" },
		{ { "--max-window=129M" }, "--max-window: 129M is out of range; expected 1K to 128M" },
		{ { "--max-body", "99999999999999999999" },
		  "--max-body: 99999999999999999999 is out of range; expected 1 to 1024G" },
		{ { "-f", "xml" }, "--format: 'xml' is unknown; expected jsonl|warc|csv|tsv" },
		{ { "-f", "parquet" },
		  "--format: 'parquet' is unknown; expected jsonl|warc|csv|tsv; "
		  "Parquet is written by the Python package: python3 -c 'import danatext; "
		  "danatext.scan(\"INPUT\").to_parquet(\"FILE\")' (needs pip install pyarrow)" },
		{ { "--rejects=1" }, "--rejects takes no value; expected --rejects or --no-rejects" },
		{ { "--status=200,,301" }, "--status: an item of the list is empty; expected item,item,..." },
		{ { "-o", "" }, "-o: the value is empty; expected FILE" },
		{ { "-f", "jsnl" }, "--format: 'jsnl' is unknown; expected jsonl|warc|csv|tsv; did you mean jsonl?" },
		{ { "--progress=alway" },
		  "--progress: 'alway' is unknown; expected auto|always|never; did you mean always?" },
		{ { "-z", "zst" },
		  "--compress: 'zst' is unknown; expected none|gzip[:LEVEL]|zstd[:LEVEL]; did you mean zstd?" },
		{ { "-z", "gzip:10" }, "--compress: level '10' of gzip is out of range; expected 1 to 9" },
		{ { "-z", "gzip:0" }, "--compress: level '0' of gzip is out of range; expected 1 to 9" },
		{ { "-z", "zstd:" }, "--compress: level '' of zstd is out of range; expected 1 to 19" },
		{ { "-z", "none:1" }, "--compress: none has no level '1'; expected none" },
		{ { "-z" }, "-z needs a value; expected -z none|gzip[:LEVEL]|zstd[:LEVEL]" },
		{ { "-o", "out.d/x.parquet" },
		  "--output: '.parquet' is unknown; expected .jsonl, .warc, .csv or .tsv, with .gz or .zst after it "
		  "where it is "
		  "compressed, or --format; Parquet is written by the Python package: python3 -c 'import danatext; "
		  "danatext.scan(\"INPUT\").to_parquet(\"FILE\")' (needs pip install pyarrow)" },
		{ { "-o", "x.json.gz" },
		  "--output: '.json' is unknown; expected .jsonl, .warc, .csv or .tsv, with .gz or .zst after it where "
		  "it is "
		  "compressed, or --format; did you mean .jsonl?" },
		{ { "-ox", "-Oy" }, "--output and --output-dir exclude each other; give one of them" },
		{ { "-J2" }, "--parallel-inputs above 1 needs --output-dir DIR" },
		{ { "--rejects" }, "--rejects needs an output file: --output FILE or --output-dir DIR" },
		{ { "-qv" }, "--quiet and --verbose exclude each other; give one of them" },
		{ { "--config", "/no/such/file" }, "--config: cannot read /no/such/file: No such file or directory" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *argv[4] = { A("filter") };
		int argc = 1;
		for (; argc < 4 && cases[i].args[argc - 1]; argc++)
			argv[argc] = A(cases[i].args[argc - 1]);
		parse(argc, argv);
		assert_int_equal(r.status, DANA_ECONFIG);
		assert_string_equal(r.err.text, cases[i].text);
	}
}

/* A configuration file of that text. */
static const char *make_file(const char *text)
{
	static char path[32];
	(void)snprintf(path, sizeof(path), "/tmp/test_config_XXXXXX");
	FILE *f = fdopen(mkstemp(path), "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	return path;
}

static int parse_file(struct filter_settings *s, const char *text, struct arena *memory, struct error *err)
{
	*err = (struct error){ 0 };
	options_defaults(&filter_options, s);
	return config_file_parse(&filter_options, s, slice_from_text(text), "c.conf", memory, err);
}

TEST(a_file_is_read_and_written)
{
	struct arena *memory = arena_new();
	struct filter_settings s, again;
	struct error err;
	assert_ok(parse_file(&s,
			     "# comment\n\n jobs = 3\r\nmethod=danag:gap=1\nrejects = yes\nforce = no\n"
			     "max-text = 1M\nformat = warc\nstatus = 200,404",
			     memory, &err));
	assert_int_equal(s.run.jobs, 3);
	assert_int_equal(s.run.methods.n, 1);
	assert_string_equal(s.run.methods.at[0], "danag:gap=1");
	assert_true(s.run.outputs.rejects);
	assert_int_equal(s.run.limits.text, 1 << 20);
	assert_string_equal(s.format, "warc");
	AUTO_BUF written = { 0 }, twice = { 0 };
	assert_ok(config_file_write(&filter_options, &s, &written));
	assert_ok(parse_file(&again, text_of(&written), memory, &err));
	assert_ok(config_file_write(&filter_options, &again, &twice));
	assert_string_equal(text_of(&written), text_of(&twice));
	assert_non_null(strstr(text_of(&written), "# output = standard output\n"));
	assert_non_null(strstr(text_of(&written), "jobs = 3\n"));
	arena_free(memory);
}

TEST(faults_of_a_file_name_the_line)
{
	static const char *const cases[][2] = {
		{ "jobs = 1\njob = 2\n", "c.conf:2: unknown key 'job'; did you mean jobs?" },
		{ "jobs 1\n", "c.conf:1: no '=' in the line; expected key = value" },
		{ "jobs =\n",
		  "c.conf:1: jobs: '' is not a number; expected a number, optionally followed by K, M or G" },
		{ "rejects = maybe\n", "c.conf:1: rejects: 'maybe' is unknown; expected yes or no" },
		{ "\nconfig = x\n", "c.conf:2: config belongs on the command line only" },
		{ "= x\n", "c.conf:1: unknown key ''; expected the long name of an option, without dashes" },
	};
	struct arena *memory = arena_new();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct filter_settings s;
		struct error err;
		assert_int_equal(parse_file(&s, cases[i][0], memory, &err), DANA_ECONFIG);
		assert_string_equal(err.text, cases[i][1]);
	}
	arena_free(memory);
}

TEST(the_command_line_wins_over_the_file)
{
	const char *path = make_file("jobs = 7\nmin-chars = 9\nforce = yes\n");
	PARSE(A("-j1"), A("--config"), A(path), A("--no-force"));
	assert_int_equal(r.status, DANA_OK);
	assert_int_equal(r.settings.run.jobs, 1);
	assert_int_equal(r.settings.run.choice.min_chars, 9);
	assert_false(r.settings.run.outputs.force);
	(void)remove(path);
}

static void expect_methods(const struct filter_settings *s, const char *wanted)
{
	AUTO_BUF names = { 0 };
	for (unsigned i = 0; i < s->run.methods.n; i++)
		assert_ok(buf_printf(&names, "%s ", s->run.methods.at[i]));
	assert_string_equal(text_of(&names), wanted);
}

/* The first value replaces the default, the first of the command line what the file says; the next ones are added. */
TEST(a_list_replaces_its_default)
{
	struct arena *memory = arena_new();
	struct filter_settings s;
	struct error err;
	AUTO_BUF lines = { 0 };
	const char *path = make_file("method = r2l\ncdx = a\nmethod = danag\n");
	assert_ok(parse_file(&s, "method = r2l\nmethod = danag\n", memory, &err));
	expect_methods(&s, "r2l danag ");
	PARSE(A("--config"), A(path), A("--cdx=b"));
	expect_methods(&r.settings, "r2l danag ");
	assert_ok(run_lines_options(&r.settings, &lines));
	assert_non_null(strstr(text_of(&lines), "\nmethod r2l\nmethod-2 danag\n"));
	PARSE(A("-mplain"), A("--config"), A(path), A("-m"), A("bte"), A("--cdx=b"));
	expect_methods(&r.settings, "plain bte ");
	assert_int_equal(r.settings.run.inputs.cdx.n, 2);
	(void)remove(path);
	arena_free(memory);
}

TEST(help_manual_and_sample_name_every_option)
{
	AUTO_BUF help = { 0 }, manual = { 0 }, sample = { 0 };
	assert_ok(help_text(&filter_options, true, &help));
	assert_ok(help_manual(&filter_options, "1.2.3", &manual));
	assert_ok(help_sample(&filter_options, &sample));
	size_t column = 0;
	for (size_t i = 0; i < help.len; i++) {
		column = help.data[i] == '\n' ? 0 : column + 1;
		assert_true(column <= 80);
	}
	for (const struct option *o = filter_options.options; o->name; o++) {
		char text[64];
		(void)snprintf(text, sizeof(text), "--%s", o->name);
		assert_non_null(strstr(text_of(&help), text));
		(void)snprintf(text, sizeof(text), "\n#%s = ", o->name);
		assert_true((strstr(text_of(&sample), text) != NULL) == (o->place == OPTION_ANYWHERE));
		AUTO_BUF roff = { 0 };
		assert_int_equal(buf_append_text(&roff, "\\fB\\-\\-") + help_roff(&roff, o->name), 0);
		assert_non_null(strstr(text_of(&manual), text_of(&roff)));
	}
}

static long printed_sum(const char *in_flight)
{
	AUTO_BUF out = { 0 };
	PARSE(A("-j1"), A("--max-in-flight"), A(in_flight));
	assert_ok(filter_print_limits(&r.settings, &out));
	assert_non_null(strstr(text_of(&out), "max-window             8M"));
	const char *sum = strstr(text_of(&out), "sum ");
	assert_non_null(sum);
	return strtol(sum + 4, NULL, 10);
}

/* Blocks in flight lie in buffers of up to twice their size; what spare batches keep does not depend on it. */
TEST(the_sum_counts_what_waits_twice)
{
	assert_int_equal(printed_sum("128M") - printed_sum("64M"), 2 * 64);
}

/* What is said of formats and compressions names every row of their tables. */
TEST(help_follows_the_tables)
{
	AUTO_BUF argument = { 0 }, help = { 0 };
	assert_int_equal(output_format_argument(&argument) + buf_append_byte(&argument, '|'), 0);
	assert_int_equal(output_compress_argument(&argument) + output_dir_help(&help) + output_compress_help(&help), 0);
	for (size_t i = 0; sink_table[i]; i++) {
		assert_non_null(strstr(text_of(&argument), sink_table[i]->name));
		assert_non_null(strstr(text_of(&help), sink_table[i]->suffix));
	}
	for (size_t i = 0; encoder_table[i]; i++) {
		char level[80];
		assert_non_null(strstr(text_of(&argument), encoder_table[i]->name));
		assert_non_null(strstr(text_of(&help), encoder_table[i]->suffix));
		(void)snprintf(level, sizeof(level), "%d to %d for %s (default %d)", encoder_table[i]->level_min,
			       encoder_table[i]->level_max, encoder_table[i]->name, encoder_table[i]->level_default);
		assert_true((strstr(text_of(&help), level) != NULL) == (encoder_table[i]->level_max > 0));
	}
	assert_string_equal(text_of(&argument), "jsonl|warc|csv|tsv|none|gzip[:LEVEL]|zstd[:LEVEL]");
	assert_non_null(strstr(text_of(&help), "plus .jsonl, .warc, .csv or .tsv, plus .gz or .zst if"));
}

/* The suffix of a compression is cut off, then that of an archive; no others, and each once. */
TEST(base_names_lose_the_suffixes_of_archives)
{
	static const char *const names[][2] = {
		{ "a.warc.gz", "a" },        { "a.arc.zst", "a" },   { "a.warc", "a" },
		{ "a.b.arc", "a.b" },        { "a.gz", "a" },        { "a.warc.gz.gz", "a.warc.gz" },
		{ "a.warc.warc", "a.warc" }, { "a.html", "a.html" }, { "awarc", "awarc" },
		{ "a.arc.warc", "a.arc" },   { "stdin", "stdin" },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct slice base = output_base_name(slice_from_text(names[i][0]));
		assert_true(slice_equal(base, slice_from_text(names[i][1])));
	}
}
