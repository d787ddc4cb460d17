/* `dana train`: hands over to the trainer of `learned`, or makes a model of the Mountain Model's ridge classifier from gold pages. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/page_decoder.h"
#include "cli/train_learned.h"
#include "cli/train_mountain.h"
#include "measure/gold.h"

enum {
	SITE_PAGES = 40,      /* of the one site: as in the paper */
	HOST_PAGES = 20,      /* of each host for a model for all: as in the paper for each category */
	UNIVERSAL_PAGES = 640, /* in all: more gave no better model, only more support vectors, which cost time on every page */
};

struct train_settings {
	const char *output, *site;
	bool hold_out;
};

#define AT(m) OPTION_MEMBER(struct train_settings, m)

static const struct option options[] = {
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, "standard output", "where the model goes", "Options", 0, 0, 0, AT(output) },
	{ "site", 0, OPTION_TEXT, "HOST", NULL, NULL,
	  "train on 40 pages of this host only, and compare with the universal model on its other pages", "Options", 0, 0, 0,
	  AT(site) },
	{ "hold-out", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "leave out a fifth of the hosts, and tell how good the model is on their pages", "Options", 0, 0, 0, AT(hold_out) },
	{ .name = NULL },
};

const struct option_table train_options = {
	.command = "train",
	.summary = "make a model from gold pages",
	.synopsis = "[OPTIONS] mountain|learned DIR",
	.description = "Reads gold pages as dana eval does, labels the ridges of each page by its gold text, and trains the classifier of "
		       "the method mountain with libsvm: C and gamma by four-fold cross-validation. At most 640 pages are taken, and at "
		       "most 20 of one host. The host of a page is that of the url in index.tsv; a page without one stands for a host of its own.\n\n"
		       "A model is a text file. dana filter -m mountain:model=FILE uses it for all pages; with "
		       "-m mountain:site-models=FOLDER pages of a host use FOLDER/HOST.model where there is one (without www.).\n\n"
		       "dana train learned -o FOLDER DIR trains the model of the method learned with a Python program (numpy, scipy and "
		       "xgboost are needed): FOLDER gets model.bin for -m learned:model=FOLDER/model.bin, and report.txt with figures that "
		       "are cross-validated by host. It runs dana features.",
	.examples = "dana train mountain --hold-out -o my.model gold\n"
		    "dana train mountain --site example.org -o models/example.org.model gold\n"
		    "dana train learned -o trained gold",
	.options = options,
	.least_positionals = 2,
	.most_positionals = 2,
};

/* The pages of a folder and what each is for. */
struct lesson {
	const struct train_settings *settings;
	struct train_ridges ridges;
	struct page_decoder decoder;
	struct buf html, gold;
	uint8_t *train, *test; /* by page */
};

static const char *without_www(const char *host)
{
	return strncmp(host, "www.", 4) == 0 ? host + 4 : host;
}

static bool is_asked_for(const struct lesson *l, const struct gold_page *page)
{
	return !l->settings->site || strcmp(without_www(page->site), without_www(l->settings->site)) == 0;
}

static int add_page(struct lesson *l, const struct gold_folder *folder, const struct gold_page *page, struct error *err)
{
	const char *site = page->site[0] ? without_www(page->site) : page->id;
	int status = gold_read(folder, page, GOLD_HTML, &l->html, err);
	if (status == DANA_OK)
		status = gold_read(folder, page, GOLD_TEXT, &l->gold, err);
	if (status == DANA_OK)
		status = page_decoder_decode(&l->decoder, buf_slice(&l->html), slice_from_text(page->charset));
	if (status == DANA_OK)
		status = train_ridges_add(&l->ridges, buf_slice(&l->decoder.page), buf_slice(&l->gold), slice_from_text(site));
	return status < 0 ? error_set(err, (enum dana_status)status, "%s/%s: %s", page->corpus, page->id, status_text(status)) : status;
}

/* How many pages before this one have the same site. */
static size_t count_before(const struct lesson *l, size_t index)
{
	size_t n = 0;
	for (size_t i = 0; i < index; i++)
		n += train_page_at(&l->ridges, i)->site == train_page_at(&l->ridges, index)->site;
	return n;
}

/* Leaves UNIVERSAL_PAGES of the marked pages, evenly spread. */
static void thin_out(uint8_t *marks, size_t count)
{
	size_t marked = 0, seen = 0;
	for (size_t i = 0; i < count; i++)
		marked += marks[i];
	for (size_t i = 0; i < count && marked > UNIVERSAL_PAGES; i++) {
		if (marks[i]) {
			marks[i] = seen * UNIVERSAL_PAGES / marked < (seen + 1) * UNIVERSAL_PAGES / marked;
			seen++;
		}
	}
}

static int divide_pages(struct lesson *l)
{
	size_t count = train_pages_count(&l->ridges);
	l->train = calloc(count + 1, 1);
	l->test = calloc(count + 1, 1);
	if (!l->train || !l->test)
		return DANA_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		size_t before = count_before(l, i);
		if (l->settings->site) {
			l->train[i] = before < SITE_PAGES;
			l->test[i] = !l->train[i];
		} else {
			l->test[i] = l->settings->hold_out && train_page_at(&l->ridges, i)->site % 5 == 0;
			l->train[i] = !l->test[i] && before < HOST_PAGES;
		}
	}
	if (!l->settings->site)
		thin_out(l->train, count);
	return DANA_OK;
}

static int read_pages(struct lesson *l, const char *path, struct error *err)
{
	struct gold_folder *folder = NULL;
	int status = gold_open(&folder, path, err);
	for (size_t i = 0; status == DANA_OK && i < gold_count(folder); i++) {
		const struct gold_page *page = gold_page(folder, i);
		if (is_asked_for(l, page))
			status = add_page(l, folder, page, err);
	}
	gold_close(folder);
	return status < 0 ? status : divide_pages(l);
}

/* Mean F1 over the marked pages. */
static double test(const struct lesson *l, const uint8_t *use, const struct mountain_model *model, size_t *pages)
{
	double sum = 0;
	*pages = 0;
	for (size_t i = 0; i < train_pages_count(&l->ridges); i++) {
		double *decisions = use[i] ? calloc(train_page_at(&l->ridges, i)->count + 1, sizeof(double)) : NULL;
		if (!decisions)
			continue;
		train_page_decide(&l->ridges, i, model, decisions);
		sum += train_page_score(&l->ridges, i, decisions, 0);
		++*pages;
		free(decisions);
	}
	return *pages ? sum / (double)*pages : 0;
}

static void tell(const struct lesson *l, const struct mountain_model *model, const struct train_result *r)
{
	size_t trained, tested;
	double universal_trained = test(l, l->train, &mountain_universal, &trained);
	double mine = test(l, l->test, model, &tested), universal = test(l, l->test, &mountain_universal, &tested);
	command_message("train", "%zu pages, %zu ridges (%zu primary); C %g, gamma %g, bias moved by %g; %zu support vectors", trained,
			r->samples, r->primary, r->c, r->gamma, r->shift, model->count);
	command_message("train", "F1 in cross-validation %.4f (universal model, not cross-validated: %.4f)", r->score,
			universal_trained);
	if (tested)
		command_message("train", "F1 on %zu pages left out %.4f (universal model: %.4f)", tested, mine, universal);
}

static int write_model(const struct train_settings *s, const struct mountain_model *model)
{
	struct buf out = { 0 };
	char comment[320];
	(void)snprintf(comment, sizeof comment, "dana train mountain%s%s", s->site ? " --site " : "", s->site ? s->site : "");
	int status = mountain_model_write(model, comment, &out);
	int answer = EXIT_FAULT;
	if (status < 0) {
		command_message("train", "%s", status_text(status));
	} else if (!s->output || strcmp(s->output, "-") == 0) {
		answer = command_print("train", buf_slice(&out));
	} else {
		FILE *file = fopen(s->output, "wb");
		bool good = file && fwrite(out.data, 1, out.len, file) == out.len;
		if (file && fclose(file) != 0)
			good = false;
		answer = good ? EXIT_DONE : EXIT_FAULT;
		if (!good)
			command_message("train", "%s: %s", s->output, strerror(errno));
	}
	buf_free(&out);
	return answer;
}

static int train(struct lesson *l, const char *path)
{
	struct error err = { 0 };
	struct mountain_model model = { 0 };
	struct train_result result;
	int answer = EXIT_FAULT;
	int status = train_ridges_init(&l->ridges);
	if (page_decoder_init(&l->decoder) < 0 || status < 0)
		status = error_set(&err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	else
		status = read_pages(l, path, &err);
	if (status == DANA_OK) {
		status = train_mountain(&l->ridges, l->train, !l->settings->site, &model, &result);
		if (status == DANA_EFORMAT)
			(void)error_set(&err, DANA_EFORMAT, "%s: no page has a ridge to learn from", path);
	}
	if (status == DANA_OK) {
		tell(l, &model, &result);
		answer = write_model(l->settings, &model);
	} else {
		command_message("train", "%s", err.text[0] ? err.text : status_text(status));
	}
	mountain_model_free(&model);
	return answer;
}

static int run(const struct train_settings *s, const struct options_rest *rest)
{
	struct lesson lesson = { .settings = s };
	if (strcmp(rest->positionals[0], "learned") == 0)
		return train_learned(s->output, rest->positionals[1]);
	if (strcmp(rest->positionals[0], "mountain") != 0) {
		command_message("train", "nothing to train for '%s'; right is mountain or learned", rest->positionals[0]);
		return EXIT_USAGE;
	}
	if (!train_mountain_built_in) {
		command_message("train", "this dana was built without libsvm; build it with libsvm to train mountain");
		return EXIT_FAULT;
	}
	int answer = train(&lesson, rest->positionals[1]);
	train_ridges_free(&lesson.ridges);
	page_decoder_free(&lesson.decoder);
	buf_free(&lesson.html);
	buf_free(&lesson.gold);
	free(lesson.train);
	free(lesson.test);
	return answer;
}

int train_run(int argc, char **argv)
{
	struct train_settings settings;
	struct options_rest rest = { 0 };
	int answer = command_options(&train_options, &settings, argc, argv, &rest);
	if (answer < 0)
		answer = run(&settings, &rest);
	options_rest_free(&rest);
	return answer;
}
