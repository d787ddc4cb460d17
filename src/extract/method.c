#include "extract/method.h"

#include "base/ascii.h"
#include "base/status.h"
#include "extract/methods.h"

const struct method *const method_table[] = {
	&method_r2l,     &method_dana,    &method_dana_slides, &method_danag,   &method_addanag, &method_auto,    &method_plain,
	&method_mountain, &method_wlr,    &method_wlr_media,   &method_bte,     &method_dsc,     &method_ccb,     &method_accb_40,
	&method_tccb_18, &method_tccb_25, &method_lqf_25,      &method_lqf_50,  &method_lqf_75,  &method_fe,      &method_kfe,
	&method_density, &method_crunch,  &method_cetr,        &method_learned,  NULL,
};

const struct method *method_find(struct slice spec, struct slice *keys)
{
	const uint8_t *colon = spec.len ? memchr(spec.data, ':', spec.len) : NULL;
	size_t len = colon ? (size_t)(colon - spec.data) : spec.len;
	*keys = colon ? slice_skip(spec, len + 1) : slice_of(NULL, 0);
	for (size_t i = 0; method_table[i]; i++) {
		if (slice_equal(slice_of(spec.data, len), slice_from_text(method_table[i]->name)))
			return method_table[i];
	}
	return NULL;
}

int method_configure(const struct method *m, void *state, struct slice keys)
{
	while (keys.len) {
		const uint8_t *comma = memchr(keys.data, ',', keys.len);
		struct slice pair = slice_of(keys.data, comma ? (size_t)(comma - keys.data) : keys.len);
		keys = slice_skip(keys, pair.len + (comma != NULL));
		const uint8_t *equals = pair.len ? memchr(pair.data, '=', pair.len) : NULL;
		if (!equals || !m->set)
			return DANA_ECONFIG;
		size_t at = (size_t)(equals - pair.data);
		int status = m->set(state, slice_of(pair.data, at), slice_skip(pair, at + 1));
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

bool method_number(struct slice value, unsigned long most, unsigned long *number)
{
	unsigned long n = 0;
	if (value.len == 0 || value.len > 9)
		return false;
	for (size_t i = 0; i < value.len; i++) {
		if (!ascii_is_digit(value.data[i]))
			return false;
		n = n * 10 + (unsigned long)(value.data[i] - '0');
	}
	*number = n;
	return n <= most;
}
