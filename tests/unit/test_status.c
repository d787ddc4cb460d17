/* SPDX-License-Identifier: MIT */
/* Texts of errors: those of the system stay each thread's own. */
#include <errno.h>
#include <pthread.h>

#include "base/status.h"
#include "support/unit.h"

TEST(a_number_of_the_system_has_its_text)
{
	assert_string_equal(system_text(ENOENT), strerror(ENOENT));
	assert_non_null(strstr(system_text(EMFILE), "ulimit -n"));
	assert_non_null(strstr(system_text(12345), "12345"));
}

struct caller {
	int first; /* of the numbers, which no system knows */
	bool mixed;
};

/* A text that another thread can write to is another number's sooner or later. */
static void *ask(void *arg)
{
	struct caller *c = arg;
	for (int i = 0; i < 20000; i++) {
		int error = c->first + i % 1000;
		const char *text = system_text(error);
		size_t len = strcspn(text, "0123456789");
		c->mixed |= atoi(text + len) != error;
	}
	return NULL;
}

TEST(threads_do_not_share_a_text)
{
	struct caller callers[2] = { { .first = 10000 }, { .first = 20000 } };
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask, &callers[i]), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_false(callers[i].mixed);
	}
}
