/* SPDX-License-Identifier: MIT */
/* `dana serve`: options to the service in src/serve/. */
#include "config.h"

#include "serve/serve.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/plugin/plugins.h"
#include "base/system.h"
#include "cli/command.h"
#include "cli/options.h"
#include "dana/dana.h"
#include "run/methods.h"
#include "run/signals.h"

struct serve_settings {
	const char *listen, *token_file;
	struct text_list methods, hosts, origins;
	struct plugin_rows plugins;
	struct text_options text;
	unsigned jobs;
	size_t max_body, max_memory, max_connections, max_peer, max_requests, max_children;
	unsigned head_time, idle_time, drain_time, page_time;
	bool fetch, report, quiet;
};

#define AT(m) OPTION_MEMBER(struct serve_settings, m)

static const struct option options[] = {
	{ "listen", 'l', OPTION_LIST, "ADDRESS,...", NULL, "127.0.0.1:8472",
	  "listen on IPv4:PORT, [IPv6]:PORT or unix:PATH; port 0 takes a free one", "Options", 0, 0, 0, AT(listen),
	  .more = "An address that other machines can reach needs --token-file." },
	METHOD_ROW(struct serve_settings, methods, "Options"),
	PAGE_TEXTS(PAGE_OPTION_ROW, struct serve_settings, text.page, "Options", NULL, "plain,markdown")
		PAGE_PARTS(PAGE_OPTION_ROW, struct serve_settings, text.page, "Options", NULL, NULL)
			PLUGIN_ROW(struct serve_settings, plugins, "Options",
				   "All of them run for each page of /extract, and for JSON the plugin metadata too, "
				   "unless the request "
				   "chooses with plugin=NAME,..."),
	{ "jobs", 'j', OPTION_NUMBER, "N", NULL, "number of cores", "process N pages at once", "Options", 0, 1, 1024,
	  AT(jobs) },
	{ "token-file", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "require the first line of FILE as a bearer token or password", "Options", 0, 0, 0, AT(token_file),
	  .more = "All requests but GET /healthz must bring it, as Authorization: Bearer or as the password that a "
		  "browser asks for. Only the user of the service may be able to read or replace FILE (chmod 600)." },
	{ "host", 0, OPTION_TEXTS, "NAME", NULL, NULL,
	  "take requests for the host NAME, which a proxy hands on; repeatable", "Options", 0, 0, 0, AT(hosts),
	  .more = "On an address of this machine only requests for localhost, 127.0.0.1 and ::1 are taken otherwise; "
		  "others get 421. Any port is allowed." },
	{ "allow-origin", 0, OPTION_TEXTS, "ORIGIN", NULL, NULL,
	  "let scripts of web pages of ORIGIN use the service; repeatable; * allows all", "Options", 0, 0, 0,
	  AT(origins),
	  .more = "ORIGIN is as browsers send it: https://app.example, with the port where it has one. It gets the "
		  "headers "
		  "of CORS. With *, and without a token, each page that a browser on this machine shows can use the "
		  "service." },
	{ "fetch", 0, OPTION_FLAG, NULL, NULL, NULL, "allow GET /extract?url=URL, which fetches the page", "Options", 0,
	  0, 0, AT(fetch),
	  .more = "Only public addresses are connected to, also after a redirect. --page-time and --max-body limit "
		  "what is "
		  "fetched; at most 32 pages are fetched at once, without a proxy." },
	{ "report", 0, OPTION_FLAG, NULL, NULL, NULL, "collect what GET /report shows of all pages", "Options", 0, 0, 0,
	  AT(report),
	  .more = "As the page of dana filter --report, since the start of the service. It has the titles and the "
		  "beginnings of some texts: whoever may use the service may read them." },
	{ "quiet", 'q', OPTION_FLAG, NULL, NULL, NULL, "do not print the addresses it listens on", "Options", 0, 0, 0,
	  AT(quiet) },
	{ "max-body", 0, OPTION_NUMBER, "N", "16M", NULL, "limit a page to N bytes; archives are not limited", "Limits",
	  0, 1, (uint64_t)1 << 40, AT(max_body) },
	{ "max-memory", 0, OPTION_NUMBER, "N", "64M", NULL, "limit the bytes of pages and responses held at once",
	  "Limits", 0, 1, (uint64_t)1 << 40, AT(max_memory) },
	{ "max-connections", 0, OPTION_NUMBER, "N", "10000", NULL, "limit the connections at once", "Limits", 0, 1,
	  1000000, AT(max_connections) },
	{ "max-peer", 0, OPTION_NUMBER, "N", "256", NULL, "limit the connections of each other machine", "Limits", 0, 1,
	  65535, AT(max_peer) },
	{ "max-requests", 0, OPTION_NUMBER, "N", "1000", NULL, "limit the requests at once, including incomplete ones",
	  "Limits", 0, 1, 100000, AT(max_requests) },
	{ "max-children", 0, OPTION_NUMBER, "N", NULL, "number of cores",
	  "limit the archives and reports processed at once", "Limits", 0, 1, 1024, AT(max_children) },
	{ "head-time", 0, OPTION_NUMBER, "SECONDS", "10", NULL, "refuse a request whose header takes longer to arrive",
	  "Limits", 0, 1, 3600, AT(head_time) },
	{ "idle-time", 0, OPTION_NUMBER, "SECONDS", "30", NULL, "close a connection after SECONDS without a request",
	  "Limits", 0, 1, 86400, AT(idle_time) },
	{ "drain-time", 0, OPTION_NUMBER, "SECONDS", "30", NULL, "wait for requests after SIGTERM, then break them off",
	  "Limits", 0, 0, 3600, AT(drain_time) },
	{ "page-time", 0, OPTION_NUMBER, "SECONDS", "10", NULL, "end a page that takes longer", "Limits", 0, 1, 86400,
	  AT(page_time),
	  .more = "Its request gets 422 with the reason work_limit. A page of more than a second lets others pass; "
		  "when "
		  "there are too many such pages and another one waits, the oldest is ended. In an archive it ends the "
		  "response." },
	{ .name = NULL },
};

const struct option_table serve_options = {
	.command = "serve",
	.summary = "serve the main text of pages over HTTP",
	.synopsis = "[OPTIONS]",
	.description =
		"POST /extract: the body is an HTML page, the response its main text. Accept chooses the format: "
		"text/plain, application/json (the object that dana extract -f json writes), text/markdown, text/html, "
		"application/xml or application/tei+xml. The query may have url, charset (default: the charset of "
		"Content-Type); method, names joined by commas; format: text, json, markdown, html, xml or tei, which "
		"counts more than Accept; the options of a page: text, markdown, text-field, dropped (0 or 1), "
		"exclude, "
		"only, rules (lines, not a file), comments, tables, as dana extract has them, and recall and kind, "
		"keys of "
		"the method learned; and plugin=NAME,... for the loaded plugins that are to run, none if it is empty. "
		"What is left out is as the options of the service say. Of a page that a plugin drops JSON has a null "
		"text and the reason; as text the response is 422.\n\n"
		"With Content-Type: application/json the body is an object with html (or html_base64) and the same "
		"names: {\"html\":\"...\",\"format\":\"markdown\"}.\n\n"
		"With Content-Type: application/jsonl each line of the body is an object, as for dana extract --jsonl, "
		"and each line of the response its text or the reason, in the same order. Lines are sent while others "
		"come "
		"in: the client must read while it sends.\n\n"
		"GET /extract?url=URL, with --fetch: the page at URL, with the same parameters.\n\n"
		"POST /filter: the body is an archive (WARC or ARC, also compressed), the response the "
		"documents in it, which are sent while the archive comes in. The query takes the options "
		"format, compress, method, schema, fields, min-chars, status, mime, type, warc-version and source of "
		"dana filter, and the options of a page; method may be several joined by commas. The trailer "
		"Dana-Status is good, damaged or failed.\n\n"
		"GET / is a form for people. GET /openapi.json describes all this for programs (OpenAPI 3.1). GET "
		"/healthz answers whether the "
		"service takes requests, GET /metrics has counters for Prometheus, GET /report (with --report) shows "
		"what became of the pages.\n\n"
		"Sockets that a supervisor hands over (LISTEN_FDS, as systemd does) are used when --listen is "
		"not given.\n\n"
		"Statuses: 400 an ambiguous or malformed request or parameter, 401 no token, 403 a page of another "
		"site or "
		"a URL whose address is not public, 408 too slow, 413 too large, 415 no HTML, 421 a Host that is not "
		"this machine, 422 no text could be made (work_limit: --page-time), 502 and 504 the page cannot be "
		"fetched, 429 and 503 (with Retry-After) too much at once. doc/SERVICE.md has a table, and proxies. "
		"SIGTERM "
		"and SIGINT end the service when the requests under way have their responses.",
	.examples = "dana serve --listen unix:/run/dana/socket\n"
		    "dana serve --listen 127.0.0.1:8472,10.0.0.5:8472 --token-file token\n"
		    "curl --data-binary @page.html http://127.0.0.1:8472/extract\n"
		    "curl --data-binary @page.html 'http://127.0.0.1:8472/extract?format=markdown'\n"
		    "curl -T crawl.warc.gz -X POST http://127.0.0.1:8472/filter >text.jsonl",
	.options = options,
};

static bool quiet;

static void print_line(const char *text)
{
	if (!quiet)
		command_message("serve", "%s", text);
}

/* The first line of the file, which nobody else may have read or written. */
static int read_token(const char *path, char *token, size_t size, struct error *err)
{
	*token = 0;
	if (!path)
		return DANA_OK;
	char whole[PATH_MAX];
	struct error why = { 0 };
	const bool found = realpath(path, whole) != NULL;
	if (found && file_trust_secret(whole, &why) < 0)
		return error_set(err, DANA_ECONFIG, "--token-file: %s", why.text);
	FILE *file = found ? fopen(path, "re") : NULL;
	if (!file)
		return error_set(err, DANA_EIO, "--token-file: %s: %s", path, system_text(errno));
	bool good = fgets(token, (int)size, file) != NULL;
	(void)fclose(file);
	token[good ? strcspn(token, "\r\n") : 0] = 0;
	enum { LEAST = 16 };
	if (strlen(token) >= LEAST)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "--token-file: %s: expected a line of at least %d characters", path, LEAST);
}

/* Sockets of a supervisor (sd_listen_fds(3)): they are meant for this process, and only once. */
static unsigned inherited(void)
{
	const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
	enum { MOST = 64 };
	unsigned long n = count ? strtoul(count, NULL, 10) : 0;
	bool ours = pid && strtoul(pid, NULL, 10) == (unsigned long)getpid();
	(void)unsetenv("LISTEN_PID");
	(void)unsetenv("LISTEN_FDS");
	(void)unsetenv("LISTEN_FDNAMES");
	return ours && n <= MOST ? (unsigned)n : 0;
}

/* What the process is, as the word before its options says. The service starts itself for the others. */
enum role { SERVICE, WORKER, FETCHER };

static char role_words[][12] = { "", "--worker", "--fetcher" };

/* Returns the command line of this process in another role. */
static char **line_of_role(int argc, char **argv, enum role role)
{
	char **line = calloc((size_t)argc + 3, sizeof(*line));
	if (line) {
		line[0] = (char *)(uintptr_t)system_self();
		line[1] = argv[0];
		line[2] = role_words[role];
		memcpy(line + 3, argv + 1, (size_t)(argc - 1) * sizeof(*line));
	}
	return line;
}

/* Checks what people take for each other. */
static int check_names(const struct serve_settings *s, struct error *err)
{
	for (size_t i = 0; i < s->hosts.n; i++) {
		const char *name = s->hosts.at[i];
		if (strcmp(name, "0.0.0.0") == 0 || strcmp(name, "::") == 0 || strcmp(name, "[::]") == 0)
			return error_set(err, DANA_ECONFIG,
					 "--host: '%s' is an address to listen on; expected the name of a host, or "
					 "--listen %s:8472 --token-file FILE",
					 name, strcmp(name, "::") == 0 ? "[::]" : name);
		if (!*name || strpbrk(name, "/: \t*"))
			return error_set(err, DANA_ECONFIG,
					 "--host: '%s' is no name of a host; expected one, as text.example.org", name);
	}
	for (size_t i = 0; i < s->origins.n; i++) {
		const char *origin = s->origins.at[i], *host = strstr(origin, "://");
		if (strcmp(origin, "*") != 0 && (!host || !host[3] || strpbrk(host + 3, "/ \t*")))
			return error_set(
				err, DANA_ECONFIG,
				"--allow-origin: '%s' is no origin; expected SCHEME://HOST or SCHEME://HOST:PORT, "
				"without a slash behind it, or *",
				origin);
	}
	return DANA_OK;
}

static int serve(const struct serve_settings *s, struct model_reader *models, struct texts *texts, enum role role,
		 char **worker, char **fetcher)
{
	const bool is_service = role == SERVICE;
	struct error err = { 0 };
	char token[1024];
	const unsigned sockets = is_service ? inherited() : 0;
	const unsigned cores = system_cores();
	struct text_options wanted = s->text;
	if (!wanted.page.text)
		wanted.page.text = texts_of_method(s->methods.at[0]) ? "plain,markdown" : "plain";
	if (check_names(s, &err) < 0 || methods_check(&s->methods, &err) < 0 ||
	    texts_check(&wanted, &s->methods, texts, &err) < 0 ||
	    (is_service && read_token(s->token_file, token, sizeof(token), &err) < 0))
		return command_failed("serve", &err);
	if (is_service && signals_start() < 0) {
		command_message("serve", "cannot start the thread for signals");
		return EXIT_FAULT;
	}
	struct buf settings = { 0 }; /* of the report */
	buf_printf(&settings, "program %s %s\n", PACKAGE_NAME, PACKAGE_VERSION);
	for (unsigned i = 0; i < s->methods.n; i++)
		buf_printf(&settings, "method %s\n", s->methods.at[i]);
	for (size_t i = 0; i < s->plugins.n; i++)
		buf_printf(&settings, "plugin %.*s\n", (int)s->plugins.at[i].name.len,
			   (const char *)s->plugins.at[i].name.data);
	const struct serve_config config = {
		.listen = s->listen ? s->listen
			  : sockets ? NULL
				    : "127.0.0.1:8472",
		.inherited = sockets,
		.method = s->methods.at[0],
		.texts = *texts,
		.plugins = &s->plugins,
		.jobs = s->jobs == (unsigned)-1 ? cores : s->jobs,
		.token = slice_from_text(token),
		.hosts = &s->hosts,
		.origins = &s->origins,
		.fetch = s->fetch,
		.report = s->report,
		.settings = buf_slice(&settings),
		.program = system_self(),
		.worker = worker,
		.fetcher = fetcher,
		.body_most = s->max_body,
		.memory_most = s->max_memory,
		.connections_most = s->max_connections,
		.peer_most = s->max_peer,
		.requests_most = s->max_requests,
		.children_most = s->max_children == SIZE_MAX ? cores : s->max_children,
		.head_seconds = s->head_time,
		.idle_seconds = s->idle_time,
		.drain_seconds = s->drain_time,
		.page_seconds = s->page_time,
		.read_file = model_reader_read,
		.read_arg = models,
		.line = print_line,
		.watch = signals_watch,
		.unwatch = signals_unwatch,
	};
	const int status = is_service       ? serve_run(&config, &err)
			   : role == WORKER ? serve_worker(&config, &err)
					    : serve_fetcher(&config, &err);
	buf_free(&settings);
	if (status < 0)
		return command_failed("serve", &err);
	if (!is_service)
		return EXIT_SUCCESS;
	return 128 + signals_caught();
}

int serve_command_run(int argc, char **argv)
{
	struct serve_settings settings;
	struct options_rest rest = { 0 };
	struct model_reader models;
	enum role role = FETCHER;
	while (role != SERVICE && (argc < 2 || strcmp(argv[1], role_words[role]) != 0))
		role--;
	char **worker = role == SERVICE ? line_of_role(argc, argv, WORKER) : NULL;
	char **fetcher = role == SERVICE ? line_of_role(argc, argv, FETCHER) : NULL;
	if (role == SERVICE && (!worker || !fetcher)) {
		command_message("serve", "out of memory");
		return EXIT_FAULT;
	}
	int code =
		command_options(&serve_options, &settings, argc - (role != SERVICE), argv + (role != SERVICE), &rest);
	if (code < 0) {
		quiet = settings.quiet;
		model_reader_init(&models, settings.methods.at, settings.methods.n);
		struct texts texts = { 0 };
		code = serve(&settings, &models, &texts, role, worker, fetcher);
		model_reader_free(&models);
		texts_free(&texts);
	}
	options_rest_free(&rest);
	free(worker);
	free(fetcher);
	return code;
}
