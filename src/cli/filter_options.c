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
#define LIMITS "Limits (SIZE in bytes)"

static const struct option options[] = {
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, "standard output",
	  "write all documents to FILE; - is standard output", OUTPUT, 0, 0, 0, AT(outputs.file), .apart = true,
	  .first = true },
	{ "output-dir", 'O', OPTION_TEXT, "DIR", NULL, NULL,
	  "write one output for each input into DIR; cannot be used with -o", OUTPUT, 0, 0, 0, AT(outputs.folder),
	  .write_more = output_dir_help, .apart = true, .first = true },
	{ "format", 'f', OPTION_TEXT, NULL, NULL, "from the name of -o, else " OUTPUT_FORMAT_DEFAULT,
	  "set the output format", OUTPUT, 0, 0, 0, OWN(format), .write_argument = output_format_argument },
	{ "compress", 'z', OPTION_TEXT, NULL, NULL,
	  "from the name of -o, else " OUTPUT_COMPRESS_DEFAULT "; " OUTPUT_COMPRESS_DIR_DEFAULT " with -O",
	  "compress the output", OUTPUT, 0, 0, 0, OWN(compress), .write_argument = output_compress_argument,
	  .write_more = output_compress_help, .apart = true },
	{ "schema", 0, OPTION_CHOICE, SCHEMA_WORDS, "dana", NULL, "set the layout of JSONL documents", OUTPUT, 0, 0, 0,
	  AT(outputs.schema) },
	FIELDS_ROW(struct filter_settings, run.outputs.fields, OUTPUT),
	{ "source", 0, OPTION_TEXT, "NAME", NULL, "base name of the input", "set the field `source` of --schema dolma",
	  OUTPUT, 0, 0, 0, AT(outputs.source) },
	PAGE_TEXTS(PAGE_OPTION_ROW, struct filter_settings, run.text.page, OUTPUT, "plain",
		   NULL){ "warc-version", 0, OPTION_CHOICE, "1.1|1.0", "1.1", NULL, "set the version of WARC output",
			  OUTPUT, 0, 0, 0, AT(outputs.warc_version) },
	{ "force", 0, OPTION_FLAG, NULL, NULL, NULL, "overwrite existing outputs and .part files", OUTPUT, 0, 0, 0,
	  AT(outputs.force), .apart = true, .first = true },
	{ "resume", 0, OPTION_FLAG, NULL, NULL, NULL, "resume an interrupted run; finished outputs are skipped", OUTPUT,
	  0, 0, 0, AT(outputs.resume), .apart = true, .first = true,
	  .more = "FILE.part continues from its last checkpoint. Inputs and options must be the same as in the "
		  "interrupted run." },
	{ "checkpoint-bytes", 0, OPTION_NUMBER, "N", "64M", NULL,
	  "set the bytes of input between checkpoints, where --resume can continue", OUTPUT, 0, 1, 0,
	  AT(outputs.checkpoint_bytes), .apart = true },
	{ "list", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "read names of inputs from FILE, one a line; may be gzip; - is standard input", INPUT, 0, 0, 0,
	  AT(inputs.list), .apart = true, .first = true, .more = "Comments are not supported: each line is a name." },
	{ "recursive", 'r', OPTION_FLAG, NULL, NULL, NULL, "read also the archives in the folders below a folder",
	  INPUT, 0, 0, 0, AT(inputs.recursive), .apart = true },
	{ "range", 0, OPTION_TEXT, "BEGIN-END", NULL, NULL,
	  "read only records that begin at byte offsets from BEGIN up to, not including, END", INPUT, 0, 0, 0,
	  AT(inputs.range), .apart = true,
	  .more = "K, M and G may follow a number. In a compressed input the offset is the start of the member that "
		  "holds the record. BEGIN- reads to "
		  "the end. There must be exactly one input. The outputs of all parts of a file, joined, equal the "
		  "output of the whole file. On the command line and in --list, FILE@BEGIN-END is a part; -O names its "
		  "output NAME.BEGIN.jsonl.zst." },
	{ "shard", 0, OPTION_TEXT, "R/N", NULL, NULL,
	  "read only share R of N of the inputs; R counts from 0, auto/N is for GNU parallel", INPUT, 0, 0, 0,
	  AT(inputs.shard), .apart = true,
	  .more = "Input i belongs to share i mod N. With auto/N, R is PARALLEL_SEQ minus 1. With --list in a Slurm "
		  "job array (SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT are set) the share of the task is the "
		  "default, and a line on standard error names it; 0/1 reads all inputs." },
	{ "split-bytes", 0, OPTION_NUMBER, "N", "0", NULL, "cut input files into parts of N bytes; 0 does not cut",
	  INPUT, 0, 0, (uint64_t)1 << 60, AT(inputs.split_bytes), .apart = true,
	  .more = "Parts are cut as by --range. With -O each part has its own output, and -J reads several parts of a "
		  "file at once. With --shard, part k of input i belongs to share (i + k) mod N, so that tasks share a "
		  "large file." },
	{ "base", 0, OPTION_TEXT, "PREFIX", NULL, NULL, "put PREFIX before relative names in --list and --cdx", INPUT,
	  0, 0, 0, AT(inputs.base), .apart = true,
	  .more = "Addresses and absolute paths are left as they are. A name with the folder .. is refused." },
	{ "cdx", 0, OPTION_TEXTS, "FILE", NULL, NULL,
	  "read only the records that this CDXJ or CDX index names; repeatable", INPUT, 0, 0, 0, AT(inputs.cdx),
	  .apart = true,
	  .more = "Records come in the order of the index. FILE is a path or a URL, may be gzip, and may be a "
		  "list of index files." },
	{ "cdx-match", 0, OPTION_TEXTS, "FIELD=PATTERN", NULL, NULL,
	  "use only lines of --cdx whose FIELD matches, as status=200; repeatable, all must match", INPUT, 0, 0, 0,
	  AT(inputs.cdx_match), .apart = true,
	  .more = "Examples: url=example.org/news/, url=*.example.org, mime=text/html, status=200, languages=ara|fas. "
		  "* matches any characters, | separates alternatives." },
	{ "watch", 0, OPTION_TEXT, "DIR", NULL, NULL,
	  "process finished archives of DIR as they appear, until a signal comes; needs -O", INPUT, 0, 0, 0,
	  AT(inputs.watch), .apart = true },
	{ "connections", 0, OPTION_NUMBER, "N", "1", NULL, "open at most N connections to one host, over all inputs",
	  NETWORK, 0, 1, 4, AT(network.connections), .apart = true },
	{ "retry-time", 0, OPTION_NUMBER, "SECONDS", "3600", NULL,
	  "give up on an input after SECONDS of retrying; 0 never retries", NETWORK, 0, 0, 31536000,
	  AT(network.retry_seconds), .apart = true,
	  .more = "The time counts from the first wait, and covers faults of servers and connections." },
	NETWORK_ROWS(struct filter_settings, run.network, NETWORK, NULL, "none"),
	{ "type", 0, OPTION_LIST, "LIST", "response,resource", NULL,
	  "process only these WARC record types; any processes all", CHOICE, 0, 0, 0, AT(choice.types),
	  .more = "Types of WARC, and types that begin with x-." },
	{ "status", 0, OPTION_LIST, "LIST", "200", NULL, "process only these HTTP statuses; any processes all", CHOICE,
	  0, 0, 0, AT(choice.statuses), .more = "A record without HTTP status is always processed." },
	{ "mime", 0, OPTION_LIST, "LIST", MEDIA_HTML(","), NULL, "process only these media types, or any", CHOICE, 0, 0,
	  0, AT(choice.mimes) },
	{ "min-chars", 0, OPTION_NUMBER, "N", "1", NULL,
	  "drop documents with fewer than N characters of text; 0 keeps empty ones", CHOICE, 0, 0, 0,
	  AT(choice.min_chars), .more = "0 also keeps documents whose text is unreadable." },
	{ "check-digests", 0, OPTION_CHOICE, "auto|always|never", "auto", NULL,
	  "compare blocks with their WARC-Block-Digest; auto: only if no checksum covers them", CHOICE, 0, 0, 0,
	  AT(records.check_digests),
	  .more = "A document whose block differs gets the problem bad_digest. The checksum meant belongs to the "
		  "compression." },
	{ "require-digest", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "report records that do not match their WARC-Block-Digest as damaged", CHOICE, 0, 0, 0,
	  AT(records.require_digest), .more = "Such records are not written. Implies --check-digests always." },
	{ "revisits", 0, OPTION_CHOICE, "count|resolve", "count", NULL,
	  "count revisits, or write the page that each refers to, if the inputs have it", CHOICE, 0, 0, 0, AT(revisits),
	  .more = "resolve reads the inputs twice: first the headers of their records. A revisit becomes a document "
		  "with "
		  "its own URL and date, and with the field resolved_from." },
	METHOD_ROW(struct filter_settings, run.methods, WORK),
	PAGE_PARTS(PAGE_OPTION_ROW, struct filter_settings, run.text.page, WORK, NULL, NULL){
		"site", 0, OPTION_TEXT, "FILE|auto|window[:BYTES]|off", "off", NULL,
		"give less weight to text that other pages of the site repeat", WORK, 0, 0, 0, OWN(site),
		.more = "FILE is a table of dana site learn. auto reads the inputs twice: first to make such a table, "
			"of the "
			"first pages of each site in them and a sample of the others, which is removed again. window "
			"reads "
			"them once, also from pipes and the network: pages wait until BYTES (64M) of records of their "
			"input "
			"have come, and are judged by each other. The method learned uses it; others do not change." },
	{ "plugin", 0, OPTION_PLUGIN, "NAME[:KEY=VALUE,...]", NULL, NULL,
	  "run a plugin (a name, or an absolute path) on each document; repeatable; dana plugins lists them", WORK, 0,
	  0, 0, AT(plugins), .first = true, .more = "/opt/mine/words.so:least=50 is the plugin words with an option." },
	{ "sandbox", 0, OPTION_CHOICE, "auto|off|require", "auto", NULL,
	  "restrict the process to the system calls and files that it needs", WORK, 0, 0, 0, AT(sandbox), .apart = true,
	  .more = "Denied are files other than inputs and outputs, starting programs, and sockets unless an input is "
		  "fetched. auto: as far as the system can; a line reports what it lacks. require: fail if the system "
		  "lacks something." },
	{ "jobs", 'j', OPTION_NUMBER, "N", NULL, "cores divided by -J",
	  "use N workers for each input; 0 does everything on one thread", WORK, 0, 0, 1024, AT(jobs), .apart = true,
	  .first = true, .more = "The output is the same for every N. The default is at least 1." },
	{ "parallel-inputs", 'J', OPTION_NUMBER, "N", "1", NULL, "process N inputs at once; more than 1 needs -O", WORK,
	  0, 1, 1024, AT(parallel_inputs), .apart = true },
	{ "rejects", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "list skipped and damaged records in FILE.rejects.jsonl; needs -o FILE or -O", REPORT, 0, 0, 0,
	  AT(outputs.rejects), .first = true,
	  .more = "One line for each record, beside each output FILE. Records skipped for their type are left out." },
	{ "damaged-ok", 0, OPTION_FLAG, NULL, NULL, NULL, "exit with status 0 instead of 2 when records are damaged",
	  REPORT, 0, 0, 0, OWN(damaged_ok), .apart = true, .more = "They are still reported and counted." },
	{ "stats", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "write counters as one JSON object at the end; - is standard error", REPORT, 0, 0, 0, AT(reports.stats),
	  .apart = true },
	{ "report", 0, OPTION_TEXT, "FILE", NULL, NULL, "write a page (HTML) that shows what happened in the run",
	  REPORT, 0, 0, 0, AT(reports.page), .apart = true,
	  .more = "One file that loads nothing: why pages were left out, problems with their places, lengths, sites, "
		  "kinds and languages, and samples. With --stats its counters are in `report`, from which dana stats "
		  "report makes the page of many runs. A resumed run must have had it from its start." },
	{ "metrics", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "write counters for Prometheus (textfile collector) every 10 seconds and at the end", REPORT, 0, 0, 0,
	  AT(reports.metrics), .apart = true, .more = "FILE is always replaced as a whole." },
	{ "progress", 0, OPTION_CHOICE, "auto|always|never", "auto", NULL,
	  "show progress and a summary on standard error; auto: on a terminal", REPORT, 0, 0, 0, OWN(progress),
	  .apart = true },
	{ "quiet", 'q', OPTION_FLAG, NULL, NULL, NULL, "print errors only: no warnings, no summary", REPORT, 0, 0, 0,
	  AT(reports.quiet), .apart = true },
	{ "verbose", 'v', OPTION_FLAG, NULL, NULL, NULL, "report every skipped record, too", REPORT, 0, 0, 0,
	  AT(reports.verbose), .apart = true },
	{ "config", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "read options from FILE, lines of key = value; the command line wins", REPORT, OPTION_COMMAND_LINE, 0, 0,
	  OWN(config), .apart = true, .more = "A FILE that everyone may write is refused." },
	{ "print-config", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "print the options in effect as a configuration file and exit", REPORT, OPTION_COMMAND_LINE, 0, 0,
	  OWN(print_config), .apart = true,
	  .more = "Addresses are printed without user, password and values of the query." },
	{ "print-limits", 0, OPTION_FLAG, NULL, NULL, NULL, "print all limits, and the memory they add up to, and exit",
	  REPORT, OPTION_COMMAND_LINE, 0, 0, OWN(print_limits), .apart = true },
	{ "max-head", 0, OPTION_NUMBER, "SIZE", "8M", NULL, "limit the header of a WARC record", LIMITS, 0, 1024,
	  (uint64_t)1 << 30, AT(limits.head) },
	{ "max-head-line", 0, OPTION_NUMBER, "SIZE", "64K", NULL,
	  "limit each line of a WARC header; the rest of the line is cut", LIMITS, 0, 256, (uint64_t)1 << 30,
	  AT(limits.head_line) },
	{ "max-head-fields", 0, OPTION_NUMBER, "N", "100K", NULL, "limit the number of fields of a WARC header", LIMITS,
	  0, 16, 1 << 30, AT(limits.head_fields) },
	{ "max-block", 0, OPTION_NUMBER, "SIZE", "32M", NULL, "limit the part of a WARC block that is read", LIMITS, 0,
	  1, (uint64_t)1 << 40, AT(limits.block) },
	{ "max-http-head", 0, OPTION_NUMBER, "SIZE", "256K", NULL, "limit the HTTP header", LIMITS, 0, 1024,
	  (uint64_t)1 << 30, AT(limits.http_head) },
	{ "max-http-lines", 0, OPTION_NUMBER, "N", "1000", NULL, "limit the number of lines of an HTTP header", LIMITS,
	  0, 1, 1000000, AT(limits.http_lines) },
	{ "max-body", 0, OPTION_NUMBER, "SIZE", "16M", NULL, "limit a page after its Content-Encoding is decoded",
	  LIMITS, 0, 1, (uint64_t)1 << 40, AT(limits.body) },
	{ "max-codings", 0, OPTION_NUMBER, "N", "4", NULL, "limit the number of Content-Encodings of a page", LIMITS, 0,
	  0, 16, AT(limits.codings) },
	{ "max-expansion", 0, OPTION_NUMBER, "N", "1000", NULL,
	  "limit the bytes decoded from one encoded byte, after the first 1M of a page", LIMITS, 0, 1, 1000000,
	  AT(limits.expansion) },
	{ "max-window", 0, OPTION_NUMBER, "SIZE", "8M", NULL, "limit the zstd window and dictionary of the input",
	  LIMITS, 0, 1024, (uint64_t)128 << 20, AT(limits.window) },
	{ "max-text", 0, OPTION_NUMBER, "SIZE", "8M", NULL, "limit the kept text of a page", LIMITS, 0, 1024,
	  (uint64_t)1 << 30, AT(limits.text) },
	{ "max-depth", 0, OPTION_NUMBER, "N", "512", NULL, "limit the nesting depth of elements", LIMITS, 0, 16, 65536,
	  AT(limits.depth) },
	{ "max-work", 0, OPTION_NUMBER, "N", "64", NULL,
	  "limit the work for each byte of a page, in steps; pages over it are skipped", LIMITS, 0, 1, 1000000,
	  AT(limits.work) },
	{ "max-in-flight", 0, OPTION_NUMBER, "SIZE", "64M", NULL,
	  "limit the blocks that wait for workers or for output", LIMITS, 0, 1 << 20, (uint64_t)1 << 40,
	  AT(limits.in_flight), .apart = true },
	{ "max-revisits", 0, OPTION_NUMBER, "SIZE", "64M", NULL,
	  "limit the table of --revisits resolve; what has no room in it is not found", LIMITS, 0, 1 << 16,
	  (uint64_t)1 << 34, AT(limits.revisits) },
	{ .name = NULL },
};

const struct option_table filter_options = {
	.command = "filter",
	.summary = "find the main content of every page of WARC files",
	.synopsis = "[OPTIONS] [INPUT...]",
	.description =
		"Reads web archives (WARC 0.17 to 1.1, ARC; compressed or not, recognised by content), finds the main "
		"content of every HTML page in one pass, and writes one document for each page as JSONL or WARC.\n\n"
		"INPUT is a path, a URL (http://, https://, s3://BUCKET/KEY), or - for standard input, which is "
		"also read when there is no INPUT. A folder means the archives in it, in the order of their names: "
		"names that end in .warc or .arc, also with .gz or .zst, or in .wacz. Each archive in a WACZ, a file "
		"or a URL that ends in .wacz, is an input with a name such as x.wacz/archive/data.warc.gz, which can "
		"also be given; with -O its output is x.data.jsonl.zst. So is each archive of the WACZs in a zip: "
		"x.zip/inner.wacz/archive/data.warc.gz.\n\n"
		"Documents come in the order of the input, and the output bytes "
		"depend on input and options only: not on -j, time or load.\n\n"
		"Output is written to FILE.part, which is renamed to FILE when it is complete. Damaged records are "
		"reported with file, offset and reason; the run continues with the next good record.\n\n"
		"Inputs from the network are read as they arrive. A failed request is repeated from the byte where it "
		"stopped: after 429, 5xx, broken connections and stalls for as long as --retry-time allows. The wait "
		"before it is what Retry-After requires, else a random part of 1 second, doubled each time up to 60. "
		"403 ends an input at the second try; 404, 410 and a file that changes on the server end it at once. A "
		"failing host gets one attempt a second, and one a minute while more than half of its last 20 answers "
		"are errors. A reply that brings less than 100 bytes a second has stalled: it has 20 seconds (less if "
		"--retry-time leaves less), and each byte gives back 10 milliseconds. When an input is given up and "
		"its host has given no good answer for --retry-time, later inputs of that host are tried once; after "
		"three failures in a row the others are reported without a request, except for one attempt a "
		"minute.\n\n"
		"With --cdx the output has the order of the index. Pieces of a file that are up to 64K apart are "
		"fetched together, and the whole file when more than half of the span from the first to the last piece "
		"is wanted. Up to 16M of pieces are kept until their turn, so an index sorted by file and offset, or "
		"-O, needs the fewest requests. Records in zstd archives with a dictionary cannot be read by "
		"pieces.\n\n"
		"s3:// is signed with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN of the "
		"environment, for AWS_REGION (default us-east-1) and AWS_ENDPOINT_URL; without a key it is not "
		"signed.\n\n"
		"An input that cannot be opened is reported and left out: FILE is complete without it, and the exit "
		"status is 1. If reading an input breaks off, the other inputs are processed, and the output remains "
		"FILE.part.\n\n"
		"FILE.state records how far FILE.part is. After a kill, a signal, a full disk or an input that broke "
		"off, the same command with --resume continues from the last checkpoint, and the result has the same "
		"bytes as an uninterrupted run; with -O, finished outputs are skipped. A checkpoint is taken at the "
		"end "
		"of an output member, each --checkpoint-bytes of input: an input that is one big gzip member is read "
		"again from its start up to there. Standard input and output, pipes and devices cannot be resumed.\n\n"
		"With --watch DIR the inputs are the archives of DIR: first existing files, then new ones, until "
		"SIGINT, SIGTERM, or until DIR is removed. Their names end in .warc or .arc, with or without .gz or "
		".zst, and do not begin with a dot, so temporary files of crawlers (.open, .part, .tmp) and subfolders "
		"are ignored. A file is finished when no program has it open for writing and it has not changed for 5 "
		"seconds; for 60 seconds where the system cannot tell who has it open (the file of another user, a "
		"network file system). Files found together are processed in the order of their names. A processed "
		"file is known by its output, so after a stop or a kill the same command continues, with or without "
		"--resume; a file that was in progress continues from its checkpoint. A failing file is reported, and "
		"the others are processed; it is tried again when dana is started again. To process an archive again, "
		"remove its output before a start. --stats counts this process only.",
	.examples = "dana filter crawl.warc.gz > pages.jsonl\n"
		    "dana filter --plugin language:include=de,nl -o pages.jsonl.zst crawl.warc.gz\n"
		    "dana filter --fields url,title,text -o pages.csv crawl.warc.gz\n"
		    "dana filter -O out -J 2 --rejects *.warc.gz\n"
		    "dana filter -O out -J 2 --rejects --resume *.warc.gz  # after a kill\n"
		    "dana filter -O out --base https://data.commoncrawl.org/ --list warc.paths.gz\n"
		    "dana filter --base https://example.org/ --cdx a.cdxj --cdx-match status=200\n"
		    "dana filter --watch crawl/warcs -O text -J 2\n"
		    "zstdcat crawl.warc.zst | dana filter -f warc -z gzip -o clean.warc.gz -",
	.options = options,
	.shortened = true,
	.most_positionals = SIZE_MAX,
};

/* Reads --site. */
static int read_site(struct filter_settings *s, struct error *err)
{
	enum { WINDOW_BYTES = 64 << 20, MOST_GIB = 1 << 20 };
	static const char window[] = "window";
	struct run_settings *run = &s->run;
	const char *rest = s->site + (sizeof(window) - 1);
	run->site_auto = strcmp(s->site, "auto") == 0;
	run->site_window = 0;
	run->text.site = NULL;
	if (run->site_auto || strcmp(s->site, "off") == 0)
		return DANA_OK;
	if (strcmp(s->site, window) == 0) {
		run->site_window = WINDOW_BYTES;
	} else if (strncmp(s->site, window, sizeof(window) - 1) == 0 && *rest == ':') {
		if (!decimal_with_unit(slice_from_text(rest + 1), &run->site_window) || run->site_window == 0 ||
		    run->site_window > (uint64_t)MOST_GIB << 30)
			return error_set(err, DANA_ECONFIG,
					 "--site window: expected a number of bytes above 0, optionally followed by K, "
					 "M or G, after the colon; at most %dG",
					 MOST_GIB);
	} else {
		run->text.site = s->site;
	}
	return DANA_OK;
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
	if (run->inputs.base && !run->inputs.list && !run->inputs.cdx.n)
		return error_set(err, DANA_ECONFIG,
				 "--base is put before the lines of --list FILE and --cdx FILE; give one of them too");
	if (run->inputs.cdx.n && run->inputs.list)
		return error_set(err, DANA_ECONFIG, "--cdx and --list exclude each other; give one of them");
	if (run->records.require_digest && run->records.check_digests == DIGESTS_NEVER)
		return error_set(err, DANA_ECONFIG,
				 "--require-digest and --check-digests never exclude each other; give one of them");
	if (run->inputs.cdx_match.n && !run->inputs.cdx.n)
		return error_set(err, DANA_ECONFIG, "--cdx-match needs --cdx FILE");
	if (run->reports.quiet && run->reports.verbose)
		return error_set(err, DANA_ECONFIG, "--quiet and --verbose exclude each other; give one of them");
	if (run->limits.head_line > run->limits.head)
		return error_set(err, DANA_ECONFIG, "--max-head-line is more than --max-head; expected less");

	status = read_site(s, err);
	if (status < 0)
		return status;

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
 * What one input holds at most besides its code:
 *
 *  - two heads with their fields (one is read while the record of the other is open), window and dictionary;
 *  - bytes to go back to after a wrong length (16M) or in a damaged member (4M); a member that is not yet verified
 * (5M);
 *  - the output's queue (8M) and other buffers (8M);
 *  - for each worker HTTP head, windows of content codings, and for each method text three times (its best and open
 *    region, the document); with workers also what waits for them and what they read ahead;
 *  - a block and a head of what waits for the continuations of a segmented record;
 *  - with --revisits resolve a reader for each worker, and a table for the run;
 *  - with --site window two windows, each with one record more and with what its memory has reserved (8M), and what
 *    waits for workers that count.
 *
 * What buffers that grow by doubling have reserved beyond their bytes is not resident. Finished pages that wait for
 * earlier ones are not counted: nothing limits their text.
 */
static uint64_t memory_sum(const struct run_settings *s)
{
	enum { FIELD_BYTES = 48 };
	const struct limits *l = &s->limits;
	uint64_t fixed = (uint64_t)41 << 20;
	uint64_t head = l->head + (uint64_t)l->head_fields * FIELD_BYTES;
	uint64_t page = l->http_head + (uint64_t)l->codings * l->window + 3 * s->methods.n * (uint64_t)l->text;
	uint64_t workers = s->jobs ? s->jobs : 1;
	fixed += l->block + l->head;
	if (s->plugins.n) /* the page that is kept for them, and the texts that they set, in buffers that grow by
			     doubling */
		page += 2 * (uint64_t)l->body + 4 * (uint64_t)l->text;
	if (s->site_window)
		fixed += 2 * (s->site_window + l->block + l->head + ((uint64_t)8 << 20)) + waiting_sum(l, s->jobs) +
			 workers * (uint64_t)l->text;
	if (s->revisits == RUN_REVISITS_RESOLVE) {
		fixed += (uint64_t)l->revisits * 3 / 2; /* while it grows */
		page += 2 * head + 2 * (uint64_t)l->window + l->block + l->head + ((uint64_t)26 << 20);
	}
	return fixed + 2 * head + 2 * (uint64_t)l->window + workers * page + waiting_sum(l, s->jobs) +
	       (s->site_window ? 0 : ahead_sum(l, s->jobs, head));
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
