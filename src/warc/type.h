/* Record types and versions (WARC 1.1, sections 4 and 5.5). Pure functions. */
#ifndef DANA_WARC_TYPE_H
#define DANA_WARC_TYPE_H

#include "stream/record.h"

/** The type of a WARC-Type value, any case; RECORD_OTHER for those of no standard. */
enum record_type warc_type_of(struct slice name);

/** True for the version lines we read: WARC/0.17, 0.18, 1.0, 1.1; blanks and CR behind are tolerated. */
bool warc_version_known(struct slice line);

/** Length of the known version at the end of `line`, blanks and CR behind it included; 0 when there is none. */
size_t warc_version_at_end(struct slice line);

#endif
