/* SPDX-License-Identifier: MIT */
/* State of the pump, shared by its two files: pump.c is the flow, pump_place.c begins in the middle of an input. */
#ifndef DANA_ARCHIVE_PUMP_PRIVATE_H
#define DANA_ARCHIVE_PUMP_PRIVATE_H

#include "archive/codec/codec.h"
#include "archive/input_window.h"
#include "archive/member_probes.h"
#include "archive/member_reader.h"
#include "archive/pump.h"
#include "archive/warc/framer.h"

enum pump_state {
	PUMP_DETECTING,
	PUMP_PROBING,    /* neither begins here: where does the first member or record begin? */
	PUMP_PLAIN,      /* not compressed */
	PUMP_DICTIONARY, /* in one that is needed to start in the middle */
	PUMP_BORDER,     /* a member may begin */
	PUMP_MEMBER,     /* in one */
	PUMP_SEARCH,     /* after damage: where does the next one begin? */
};

struct pump {
	struct pump_config config;
	struct warc_framer *framer;
	struct codec *codec;         /* of the container; NULL while that is not known */
	bool container_sure;         /* a member of it held something: all that follow are of the same container */
	struct member_probes probes; /* open in PUMP_PROBING */
	enum pump_state state;
	struct input_window input;
	bool last; /* the input is over */
	bool done;
	struct member_reader member; /* the one under way */
	uint64_t member_offset;
	bool member_told;        /* the framer knows of it */
	bool skipped;            /* it was a skippable frame or padding, which has ended */
	uint64_t member_decoded; /* bytes */
	uint64_t reread;         /* what searching damaged members has cost */
	bool has_dictionary;
	uint64_t dictionary; /* offset of the last one */
	uint64_t start;      /* in the middle: what is read after the dictionary */
};

struct codec_limits pump_codec_limits(const struct pump *p);
/** What follows is not compressed. As warc_framer_plain. */
int pump_begin_plain(struct pump *p);
/** A member begins here. */
void pump_begin_member(struct pump *p);
/** The member under way has ended, or failed: notes it when it was a dictionary. */
void pump_note_dictionary(struct pump *p);
/** A step of PUMP_DICTIONARY. STEP_START: it is over. */
int pump_load_dictionary(struct pump *p);

/* What the functions of the states return, besides 0 (go on), FRAMER_SEEK and negative statuses. */
enum { STEP_STARVED = 2, STEP_START = 3 };

#endif
