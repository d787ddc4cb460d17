#include "method/method.h"

#include "base/ascii.h"
#include "base/status.h"

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
