/* SPDX-License-Identifier: MIT */
/*
 * The table of `dana filter`: from a row come parsing, --help, the manual, the configuration file and the completions.
 * What a row cannot say - options that exclude or need each other, defaults that depend on others - is checked when
 * all values are known.
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>

#include "archive/http/media_type.h"
#include "cli/options.h"
#include "dana/dana.h"

#define AT(m) OPTION_MEMBER(struct filter_settings, run.m)
#define OWN(m) OPTION_MEMBER(struct filter_settings, m)
#define OR_WORD(identifier, word) "|" word
#define SCHEMA_WORDS (&(SINK_SCHEMAS(OR_WORD))[1]) /* "dana|datatrove|dolma|bulk" */
#define INPUT "Input"
#define OUTPUT "Output"
#define WORK "Extraction and work"
#define CHOICE "Which records"
#define REPORT "Reports"
#define NETWORK "Inputs from the network"
#define LIMITS "Limits (in bytes unless it says otherwise)"

static const struct option options[] = {
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, "standard output",
	  "one output for all inputs; - is standard output", OUTPUT, 0, 0, 0, AT(outputs.file), .apart = true },
	{ "output-dir", 'O', OPTION_TEXT, "DIR", NULL, NULL, NULL, OUTPUT, 0, 0, 0, AT(outputs.folder),
	  .write_help = output_dir_help, .apart = true },
	{ "format", 'f', OPTION_TEXT, NULL, NULL, "from the name of -o, else " OUTPUT_FORMAT_DEFAULT, "output format",
	  OUTPUT, 0, 0, 0, OWN(format), .write_argument = output_format_argument },
	{ "compress", 'z', OPTION_TEXT, NULL, NULL,
	  "from the name of -o, else " OUTPUT_COMPRESS_DEFAULT "; " OUTPUT_COMPRESS_DIR_DEFAULT " with -O", NULL,
	  OUTPUT, 0, 0, 0, OWN(compress), .write_argument = output_compress_argument,
	  .write_help = output_compress_help, .apart = true },
	{ "schema", 0, OPTION_CHOICE, SCHEMA_WORDS, "dana", NULL, "layout of JSONL documents", OUTPUT, 0, 0, 0,
	  AT(outputs.schema) },
	{ "source", 0, OPTION_TEXT, "NAME", NULL, "base name of the input", "value of `source` with --schema dolma",
	  OUTPUT, 0, 0, 0, AT(outputs.source) },
	TEXT_ROWS(struct filter_settings, run.text, OUTPUT),
	TEXT_FIELD_ROW(struct filter_settings, run.text, OUTPUT),
	DROPPED_ROW(struct filter_settings, run.text, OUTPUT),
	{ "warc-version", 0, OPTION_CHOICE, "1.1|1.0", "1.1", NULL, "version of WARC output", OUTPUT, 0, 0, 0,
	  AT(outputs.warc_version) },
	{ "force", 0, OPTION_FLAG, NULL, NULL, NULL, "overwrite outputs and .part files that exist", OUTPUT, 0, 0, 0,
	  AT(outputs.force), .apart = true },
	{ "resume", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "go on with what an earlier run has left: outputs that are complete are passed over, FILE.part goes on from "
	  "its last checkpoint; inputs and options must be the same",
	  OUTPUT, 0, 0, 0, AT(outputs.resume), .apart = true },
	{ "checkpoint-bytes", 0, OPTION_NUMBER, "N", "64M", NULL,
	  "bytes of input between checkpoints, from which --resume can go on", OUTPUT, 0, 1, 0,
	  AT(outputs.checkpoint_bytes), .apart = true },
	{ "list", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "more inputs, one a line, each as it stands: there are no comments; may be gzip; - is standard input", INPUT,
	  0, 0, 0, AT(inputs.list), .apart = true },
	{ "range", 0, OPTION_TEXT, "BEGIN-END", NULL, NULL,
	  "of the one input only the records whose member (not compressed: whose first byte) lies at an offset from "
	  "BEGIN on and before END; BEGIN- is to the end. The outputs of all parts of a file, joined, are that of the "
	  "whole. Of inputs on the command line and in --list, FILE@BEGIN-END is a part; -O calls its output "
	  "NAME.BEGIN.jsonl.zst",
	  INPUT, 0, 0, 0, AT(inputs.range), .apart = true },
	{ "shard", 0, OPTION_TEXT, "R/N", NULL, NULL,
	  "of all inputs only share R of N, the first is 0: input i is in share i mod N; auto/N: R is PARALLEL_SEQ of "
	  "GNU parallel less 1. Without this option, with --list in a job array of Slurm (SLURM_ARRAY_TASK_ID and "
	  "SLURM_ARRAY_TASK_COUNT are set) the share is that of the task, which a line on standard error says; 0/1 "
	  "takes all",
	  INPUT, 0, 0, 0, AT(inputs.shard), .apart = true },
	{ "split-bytes", 0, OPTION_NUMBER, "N", "0", NULL,
	  "cut files into parts of N bytes (0: into none), as --range does; with -O each part has an output, and -J "
	  "reads several parts of a file at once. With --shard part k of input i is in share (i + k) mod N, so that a "
	  "large file is shared among tasks",
	  INPUT, 0, 0, (uint64_t)1 << 60, AT(inputs.split_bytes), .apart = true },
	{ "base", 0, OPTION_TEXT, "PREFIX", NULL, NULL,
	  "put before the lines of --list, and the files that --cdx names, that are neither addresses nor absolute "
	  "paths; none of these may have .. as a folder",
	  INPUT, 0, 0, 0, AT(inputs.base), .apart = true },
	{ "cdx", 0, OPTION_TEXTS, "FILE", NULL, NULL,
	  "read only the records that this index names, in its order: CDXJ or CDX, a path or an address, may be gzip; "
	  "or a list of such files; repeatable",
	  INPUT, 0, 0, 0, AT(inputs.cdx), .apart = true },
	{ "cdx-match", 0, OPTION_TEXTS, "FIELD=PATTERN", NULL, NULL,
	  "of --cdx take the lines whose field is so: url=example.org/news/, url=*.example.org, mime=text/html, "
	  "status=200, languages=ara|fas; * stands for any characters, | parts alternatives; repeatable, and all must "
	  "hold",
	  INPUT, 0, 0, 0, AT(inputs.cdx_match), .apart = true },
	{ "watch", 0, OPTION_TEXT, "DIR", NULL, NULL,
	  "finished WARC files of DIR as they appear, until a signal comes; needs -O", INPUT, 0, 0, 0, AT(inputs.watch),
	  .apart = true },
	{ "connections", 0, OPTION_NUMBER, "N", "1", NULL, "connections to one host at once, of all inputs together",
	  NETWORK, 0, 1, 4, AT(network.connections), .apart = true },
	{ "retry-time", 0, OPTION_NUMBER, "SECONDS", "3600", NULL,
	  "time that an input may lose to faults of servers and connections before it is given up, from when it begins "
	  "to wait; 0: no second try",
	  NETWORK, 0, 0, 31536000, AT(network.retry_seconds), .apart = true },
	{ "user-agent", 0, OPTION_TEXT, "TEXT", NULL, PACKAGE_NAME "/" PACKAGE_VERSION,
	  "what servers learn of who asks: a product, and an address where you can be reached", NETWORK, 0, 0, 0,
	  AT(network.user_agent), .apart = true },
	{ "ca-file", 0, OPTION_TEXT, "FILE", NULL, "those of the system", "certificates that are trusted, in PEM form",
	  NETWORK, 0, 0, 0, AT(network.ca_file), .apart = true },
	{ "proxy", 0, OPTION_TEXT, "URL|env", NULL, "none",
	  "proxy for all requests; env: what http_proxy, https_proxy and no_proxy say", NETWORK, 0, 0, 0,
	  AT(network.proxy), .apart = true },
	{ "insecure", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "do not verify the certificates of servers: anybody on the way can change what is read", NETWORK,
	  OPTION_COMMAND_LINE, 0, 0, AT(network.insecure), .apart = true },
	{ "type", 0, OPTION_LIST, "LIST", "response,resource", NULL,
	  "record types to take, of WARC or beginning with x-; any takes all", CHOICE, 0, 0, 0, AT(choice.types) },
	{ "status", 0, OPTION_LIST, "LIST", "200", NULL,
	  "HTTP statuses to take; any takes all; a record without HTTP status passes", CHOICE, 0, 0, 0,
	  AT(choice.statuses) },
	{ "mime", 0, OPTION_LIST, "LIST", MEDIA_HTML(","), NULL, "media types to take; any takes all", CHOICE, 0, 0, 0,
	  AT(choice.mimes) },
	{ "min-chars", 0, OPTION_NUMBER, "N", "1", NULL,
	  "drop documents with fewer characters of text; 0 writes empty and unreadable ones too", CHOICE, 0, 0, 0,
	  AT(choice.min_chars) },
	{ "check-digests", 0, OPTION_CHOICE, "auto|always|never", "auto", NULL,
	  "compare blocks with their WARC-Block-Digest, and give a document whose block differs the problem "
	  "bad_digest; auto: where no checksum of the compression covers the block",
	  CHOICE, 0, 0, 0, AT(check_digests) },
	{ "require-digest", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "a record whose block is not the one of its WARC-Block-Digest is damaged; implies --check-digests always",
	  CHOICE, 0, 0, 0, AT(require_digest) },
	METHOD_ROW(struct filter_settings, run.methods, WORK),
	PARTS_ROWS(struct filter_settings, run.text, WORK),
	{ "plugin", 0, OPTION_PLUGIN, "NAME[:KEY=VALUE,...]", NULL, NULL,
	  "a plugin with its options; several are asked in their order; dana plugins lists them, and says how a file "
	  "names them",
	  WORK, 0, 0, 0, AT(plugins) },
	{ "sandbox", 0, OPTION_CHOICE, "auto|off|require", "auto", NULL,
	  "deny the process what the work does not need: files other than inputs and outputs, programs, and sockets "
	  "where no input is fetched; auto: as far as this system can, with a line that says what it lacks; require: "
	  "fail where it lacks something",
	  WORK, 0, 0, 0, AT(sandbox), .apart = true },
	{ "jobs", 'j', OPTION_NUMBER, "N", NULL, "cores divided by -J, at least 1",
	  "workers for each input; 0 does everything on one thread; the output is the same for every N", WORK, 0, 0,
	  1024, AT(jobs), .apart = true },
	{ "parallel-inputs", 'J', OPTION_NUMBER, "N", "1", NULL, "inputs at once; more than 1 needs -O", WORK, 0, 1,
	  1024, AT(parallel_inputs), .apart = true },
	{ "rejects", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "beside each output FILE write FILE.rejects.jsonl: one line for every skipped or damaged record, those "
	  "skipped for their type apart; needs -o FILE or -O",
	  REPORT, 0, 0, 0, AT(outputs.rejects) },
	{ "damaged-ok", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "exit status 0 in place of 2: damaged records are not a failure of the run; they are still reported and "
	  "counted",
	  REPORT, 0, 0, 0, OWN(damaged_ok), .apart = true },
	{ "stats", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "write counters as one JSON object at the end; - is standard error", REPORT, 0, 0, 0, AT(reports.stats),
	  .apart = true },
	{ "metrics", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "write counters as Prometheus reads them, every 10 seconds and at the end; FILE is replaced as a whole, as "
	  "its "
	  "textfile collector wants it",
	  REPORT, 0, 0, 0, AT(reports.metrics), .apart = true },
	{ "progress", 0, OPTION_CHOICE, "auto|always|never", "auto", NULL,
	  "progress line, and a summary of two lines at the end, on standard error; auto: on a terminal", REPORT, 0, 0,
	  0, OWN(progress), .apart = true },
	{ "quiet", 'q', OPTION_FLAG, NULL, NULL, NULL, "errors only: no warnings, no summary", REPORT, 0, 0, 0,
	  AT(reports.quiet), .apart = true },
	{ "verbose", 'v', OPTION_FLAG, NULL, NULL, NULL, "report every skipped record too", REPORT, 0, 0, 0,
	  AT(reports.verbose), .apart = true },
	{ "config", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "read options from FILE, lines of key = value, that not everyone may write; the command line wins", REPORT,
	  OPTION_COMMAND_LINE, 0, 0, OWN(config), .apart = true },
	{ "print-config", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "print the options in effect as such a file and end; addresses without user, password and values of the "
	  "query",
	  REPORT, OPTION_COMMAND_LINE, 0, 0, OWN(print_config), .apart = true },
	{ "print-limits", 0, OPTION_FLAG, NULL, NULL, NULL, "print all limits with their sum and end", REPORT,
	  OPTION_COMMAND_LINE, 0, 0, OWN(print_limits), .apart = true },
	{ "max-head", 0, OPTION_NUMBER, "SIZE", "8M", NULL, "WARC record head", LIMITS, 0, 1024, (uint64_t)1 << 30,
	  AT(limits.head) },
	{ "max-head-line", 0, OPTION_NUMBER, "SIZE", "64K", NULL, "part that is kept of each line of a WARC head",
	  LIMITS, 0, 256, (uint64_t)1 << 30, AT(limits.head_line) },
	{ "max-head-fields", 0, OPTION_NUMBER, "N", "100K", NULL, "fields of a WARC head that are read", LIMITS, 0, 16,
	  1 << 30, AT(limits.head_fields) },
	{ "max-block", 0, OPTION_NUMBER, "SIZE", "32M", NULL, "part of a WARC block that is looked at", LIMITS, 0, 1,
	  (uint64_t)1 << 40, AT(limits.block) },
	{ "max-http-head", 0, OPTION_NUMBER, "SIZE", "256K", NULL, "HTTP head", LIMITS, 0, 1024, (uint64_t)1 << 30,
	  AT(limits.http_head) },
	{ "max-http-lines", 0, OPTION_NUMBER, "N", "1000", NULL, "lines of an HTTP head", LIMITS, 0, 1, 1000000,
	  AT(limits.http_lines) },
	{ "max-body", 0, OPTION_NUMBER, "SIZE", "16M", NULL, "page after content decoding", LIMITS, 0, 1,
	  (uint64_t)1 << 40, AT(limits.body) },
	{ "max-codings", 0, OPTION_NUMBER, "N", "4", NULL, "content codings of a page", LIMITS, 0, 0, 16,
	  AT(limits.codings) },
	{ "max-expansion", 0, OPTION_NUMBER, "N", "1000", NULL,
	  "bytes that one coded byte may become, after the first 1M of a page", LIMITS, 0, 1, 1000000,
	  AT(limits.expansion) },
	{ "max-window", 0, OPTION_NUMBER, "SIZE", "8M", NULL, "zstd window and dictionary of the input", LIMITS, 0,
	  1024, (uint64_t)128 << 20, AT(limits.window) },
	{ "max-text", 0, OPTION_NUMBER, "SIZE", "8M", NULL, "kept text of a page", LIMITS, 0, 1024, (uint64_t)1 << 30,
	  AT(limits.text) },
	{ "max-depth", 0, OPTION_NUMBER, "N", "512", NULL, "open elements of a page", LIMITS, 0, 16, 65536,
	  AT(limits.depth) },
	{ "max-work", 0, OPTION_NUMBER, "N", "64", NULL,
	  "steps of counted work for each byte of a page; one that takes more is skipped", LIMITS, 0, 1, 1000000,
	  AT(limits.work) },
	{ "max-in-flight", 0, OPTION_NUMBER, "SIZE", "64M", NULL, "blocks that wait for workers or for output", LIMITS,
	  0, 1 << 20, (uint64_t)1 << 40, AT(limits.in_flight), .apart = true },
	{ .name = NULL },
};

const struct option_table filter_options = {
	.command = "filter",
	.summary = "find the main content of every page of WARC files",
	.synopsis = "[OPTIONS] [INPUT...]",
	.description =
		"Reads web archives (WARC 0.17 to 1.1, ARC; compressed or not, recognised by content), finds the main "
		"content of every HTML page in one pass, and writes one document for each page as JSONL or WARC.\n\n"
		"INPUT is a path, an address (http://, https://, s3://BUCKET/KEY), or - for standard input, which is "
		"also read when "
		"there is no INPUT. Output order is input order, and the output bytes depend on input and options "
		"only: not on -j, time or load.\n\n"
		"Output goes to FILE.part, which is renamed to FILE when it is complete. Damaged records are reported "
		"with file, offset and reason; the run goes on with the next good one.\n\n"
		"Inputs from the network are read as they arrive. A request that fails is made again from the byte "
		"where it stopped: after 429, 5xx, broken connections and stalls as long as --retry-time allows, with "
		"waits of 1 second, doubled up to 60, of which a random part is taken, or what Retry-After says; 403 "
		"ends an input the second time, 404 and 410 at once, and so does a file that changes on the server. A "
		"host that is failing gets one attempt a second, and one a minute while more than half of its last 20 "
		"answers are errors. A stall is a reply that brings less than 100 bytes a second: it has 20 seconds "
		"(less where --retry-time leaves less), and each byte gives back 10 milliseconds of them. When an "
		"input is given up and its host has given no good answer for --retry-time, later inputs of the host "
		"are tried once; when three in a row are given up, they are reported and not asked for, but for one "
		"attempt a minute.\n\n"
		"With --cdx the output has the order of the index. Pieces of a file that are up to 64K apart are "
		"fetched together, and all of it where more than half of what lies from the first to the last piece is "
		"wanted; up to 16M of pieces are kept until their turn, so an index sorted by file and offset, or -O, "
		"needs the fewest requests. Records in zstd archives with a dictionary cannot be read by pieces.\n\n"
		"s3:// is signed with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN of the "
		"environment, for AWS_REGION (default us-east-1) and AWS_ENDPOINT_URL; without a key it is not "
		"signed.\n\n"
		"An input that cannot be opened is reported and left out: FILE is complete without it, and the exit "
		"status is 1. Where reading an input breaks off, the rest of the inputs are done, and the output stays "
		"FILE.part.\n\n"
		"FILE.state says how far FILE.part is. After a kill, a signal, a full disk or an input that broke off, "
		"the same command with --resume goes on from the last checkpoint, and ends with the bytes of a run "
		"that was not interrupted; with -O, outputs that are complete are passed over. A checkpoint is taken "
		"at the end of an output member, each --checkpoint-bytes of input: in an input that is one big gzip "
		"member, the input is read again from its start up to there. Standard input and output, pipes and "
		"devices cannot be resumed.\n\n"
		"With --watch DIR the inputs are the archives of DIR: the files that are there, then those that come, "
		"until SIGINT, SIGTERM, or DIR goes. Their names end in .warc or .arc, with or without .gz or .zst, "
		"and do not begin with a dot, so what crawlers call .open, .part or .tmp meanwhile is left alone, and "
		"so are folders in DIR. A file is finished when no program has it open for writing and it has not "
		"changed for 5 seconds; for 60 seconds where the system does not say who has it open (the file of "
		"another user, a network file system). Files that are found together are done in the order of their "
		"names. One that is done is known by its output, so the same command goes on after a stop or a kill, "
		"with or without --resume; what is under way goes on from its checkpoint. A fault of one file is "
		"reported, "
		"and the others are done; it is tried again when dana is started again. Removing an output has its "
		"archive done again at the next start. --stats counts this process only.",
	.examples = "dana filter crawl.warc.gz > pages.jsonl\n"
		    "dana filter -m learned -m danag -O out crawl.warc.gz\n"
		    "dana filter -m danag -O out -J 2 --rejects --stats stats.json *.warc.gz\n"
		    "dana filter -O out --base https://data.commoncrawl.org/ --list warc.paths.gz\n"
		    "dana filter --base https://example.org/ --cdx a.cdxj --cdx-match status=200\n"
		    "dana filter --watch crawl/warcs -O text -J 2\n"
		    "zstdcat crawl.warc.zst | dana filter -f warc -z gzip -o clean.warc.gz -",
	.options = options,
	.most_positionals = SIZE_MAX,
};

/* Text that becomes a line of a request's head must not end that line. */
static bool is_printable(const char *text)
{
	for (; *text; text++) {
		if (*text < ' ' || *text > '~')
			return false;
	}
	return true;
}

int filter_options_resolve(struct filter_settings *s, unsigned cores, struct error *err)
{
	struct run_settings *run = &s->run;
	const struct output_wish wish = { .format = s->format,
					  .compress = s->compress,
					  .name = run->outputs.file,
					  .each_input = run->outputs.folder != NULL };
	int status;
	if (run->outputs.file && run->outputs.folder)
		return error_set(err, DANA_ECONFIG, "--output and --output-dir exclude each other; give one of them");
	if (run->outputs.resume && run->outputs.force)
		return error_set(err, DANA_ECONFIG, "--resume and --force exclude each other; give one of them");
	if (run->outputs.resume && !run->outputs.folder && (!run->outputs.file || strcmp(run->outputs.file, "-") == 0))
		return error_set(
			err, DANA_ECONFIG,
			"--resume: standard output cannot be resumed; expected --output FILE or --output-dir DIR");
	if (run->parallel_inputs > 1 && !run->outputs.folder)
		return error_set(err, DANA_ECONFIG, "--parallel-inputs above 1 needs --output-dir DIR");
	if (run->inputs.watch && !run->outputs.folder)
		return error_set(err, DANA_ECONFIG, "--watch needs --output-dir DIR");
	if (run->inputs.watch && (run->inputs.list || run->inputs.cdx.n))
		return error_set(err, DANA_ECONFIG, "--watch excludes --list and --cdx; give one of them");
	if ((run->inputs.shard || run->inputs.split_bytes) &&
	    (run->inputs.watch || run->inputs.cdx.n || run->inputs.range))
		return error_set(
			err, DANA_ECONFIG,
			"--shard and --split-bytes share files out; expected no --watch, --cdx or --range besides");
	if (run->outputs.rejects && !run->outputs.folder && (!run->outputs.file || strcmp(run->outputs.file, "-") == 0))
		return error_set(err, DANA_ECONFIG,
				 "--rejects needs an output file: --output FILE or --output-dir DIR");
	if (run->outputs.source && run->outputs.schema != SCHEMA_DOLMA)
		return error_set(err, DANA_ECONFIG, "--source is a field of --schema dolma; give both, or neither");
	if (run->network.user_agent && !is_printable(run->network.user_agent))
		return error_set(err, DANA_ECONFIG, "--user-agent: expected printable ASCII characters");
	if (run->inputs.base && !run->inputs.list && !run->inputs.cdx.n)
		return error_set(err, DANA_ECONFIG,
				 "--base is put before the lines of --list FILE and --cdx FILE; give one of them too");
	if (run->inputs.cdx.n && run->inputs.list)
		return error_set(err, DANA_ECONFIG, "--cdx and --list exclude each other; give one of them");
	if (run->require_digest && run->check_digests == DIGESTS_NEVER)
		return error_set(err, DANA_ECONFIG,
				 "--require-digest and --check-digests never exclude each other; give one of them");
	if (run->inputs.cdx_match.n && !run->inputs.cdx.n)
		return error_set(err, DANA_ECONFIG, "--cdx-match needs --cdx FILE");
	if (run->reports.quiet && run->reports.verbose)
		return error_set(err, DANA_ECONFIG, "--quiet and --verbose exclude each other; give one of them");
	if (run->limits.head_line > run->limits.head)
		return error_set(err, DANA_ECONFIG, "--max-head-line is more than --max-head; expected less");

	status = output_kind_find(&run->outputs.kind, &wish, err);
	if (status < 0)
		return status;
	s->format = run->outputs.kind.format->name;
	if (run->jobs == UINT_MAX)
		run->jobs = cores > run->parallel_inputs ? cores / run->parallel_inputs : 1;
	return DANA_OK;
}

/*
 * The blocks and heads that wait for workers (src/run/handoff.c). `held`: input is read while less than in_flight
 * is held, so one record may come on top of it, and what the framer reads again at once (16M). Buffers grow by
 * doubling. Each batch keeps the memory of 1M of blocks for the next ones, and 2M for heads and text.
 */
static uint64_t waiting_sum(const struct limits *l, unsigned jobs)
{
	const uint64_t batches = (uint64_t)jobs * 3 + 1;
	const uint64_t held = l->in_flight + l->block + l->head + ((uint64_t)16 << 20);
	return jobs ? batches * ((uint64_t)3 << 20) + 2 * held : 0;
}

/*
 * What workers hold that read spans of the input ahead (src/run/span_reader.c), each as the reader in order: two heads,
 * window and dictionary, bytes to go back to (16M and 4M), a member that is not yet verified (5M); and the outcomes of
 * three spans, 4M each.
 */
static uint64_t ahead_sum(const struct limits *l, unsigned jobs, uint64_t head)
{
	return jobs >= 2 ? jobs * (2 * head + 2 * (uint64_t)l->window + ((uint64_t)37 << 20)) : 0;
}

/*
 * What one input holds at most besides its code: two heads with their fields (one is read while the record of the other
 * is open), window and dictionary; bytes to go back to after a wrong length (16M) or in a damaged member (4M); a member
 * that is not yet verified (5M); the output's queue (8M) and other buffers (8M); for each worker HTTP head, windows of
 * content codings, and for each method text three times (its best and open region, the document); with workers what
 * waits for them and what they read ahead. What buffers that grow by doubling have reserved beyond their bytes is not
 * resident. Finished pages that wait for earlier ones are not counted: nothing limits their text.
 */
static uint64_t memory_sum(const struct run_settings *s)
{
	enum { FIELD_BYTES = 48 };
	const struct limits *l = &s->limits;
	uint64_t fixed = (uint64_t)41 << 20;
	uint64_t head = l->head + (uint64_t)l->head_fields * FIELD_BYTES;
	uint64_t page = l->http_head + (uint64_t)l->codings * l->window + 3 * s->methods.n * (uint64_t)l->text;
	uint64_t workers = s->jobs ? s->jobs : 1;
	if (s->plugins.n) /* the page that is kept for them, and the texts that they set, in buffers that grow by
			     doubling */
		page += 2 * (uint64_t)l->body + 4 * (uint64_t)l->text;
	return fixed + 2 * head + 2 * (uint64_t)l->window + workers * page + waiting_sum(l, s->jobs) +
	       ahead_sum(l, s->jobs, head);
}

int filter_print_limits(const struct filter_settings *s, struct buf *out)
{
	const struct run_settings *run = &s->run;
	for (const struct option *o = options; o->name; o++) {
		if (strncmp(o->name, "max-", 4) == 0) {
			struct buf value = { 0 };
			option_value(o, s, &value);
			buf_printf(out, "%-16s %8.*s  %s\n", o->name, (int)value.len, (const char *)value.data,
				   o->help);
			buf_latch(out, buf_status(&value));
			buf_free(&value);
		}
	}

	uint64_t mib = (memory_sum(run) * run->parallel_inputs + (1 << 20) - 1) >> 20;
	return buf_printf(out, "%-16s %7lluM  memory at most, %u at once with -j %u%s\n", "sum",
			  (unsigned long long)mib, run->parallel_inputs, run->jobs,
			  run->jobs && run->plugins.n
				  ? "; and finished pages that wait for earlier ones, and what plugins hold"
			  : run->jobs      ? "; and finished pages that wait for earlier ones"
			  : run->plugins.n ? "; and what plugins hold"
					   : "");
}
