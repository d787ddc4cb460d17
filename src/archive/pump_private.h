/* SPDX-License-Identifier: MIT */
/*
 * State of the pump, shared by its files: pump.c is the flow, pump_place.c goes on in the middle of an input,
 * pump_border.c where others have read, pump_range.c reads a part of one.
 */
#ifndef DANA_ARCHIVE_PUMP_PRIVATE_H
#define DANA_ARCHIVE_PUMP_PRIVATE_H

#include "archive/codec/codec.h"
#include "archive/input_window.h"
#include "archive/member_probes.h"
#include "archive/member_reader.h"
#include "archive/pump.h"
#include "archive/range_records.h"
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

/* How far the search for the first record of a range has come. */
enum pump_range_state {
	PUMP_RANGE_WHOLE,  /* no range is set */
	PUMP_RANGE_HEAD,   /* in the first record of the input */
	PUMP_RANGE_SEARCH, /* before `begin`, where no record has come yet */
	PUMP_RANGE_FOUND,  /* what comes is as if all had been read */
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
	bool elsewhere;      /* what comes next is not in the input window: pump_pass went beyond it */
	bool in_range;
	enum pump_range_state range_state;
	struct range_records range;
	uint64_t look_back; /* bytes before `begin` to which the next jump goes */
};

static inline struct codec_limits pump_codec_limits(const struct pump *p)
{
	return (struct codec_limits){ .window = p->config.limits->window };
}

/** Says that what follows is not compressed; returns as warc_framer_plain. */
static inline int pump_begin_plain(struct pump *p)
{
	return warc_framer_plain(p->framer, p->input.offset, p->config.seekable ? p->config.source_size : UINT64_MAX);
}

/** A member begins here. */
static inline void pump_begin_member(struct pump *p)
{
	member_reader_begin(&p->member, p->codec);
	p->member_offset = p->input.offset;
	p->member_told = false;
	p->member_decoded = 0;
	p->skipped = false;
	p->state = PUMP_MEMBER;
}

/** The member under way has ended, or failed: notes it when it was a dictionary. */
void pump_note_dictionary(struct pump *p);
/** A step of PUMP_DICTIONARY; returns STEP_START when it is over. */
int pump_load_dictionary(struct pump *p);

/** Returns pump_place.container of p->codec. */
unsigned pump_container(const struct pump *p);
/** Starts at a place in a member. 0, DANA_EFORMAT or DANA_ENOMEM. */
int pump_start_members(struct pump *p, const struct pump_place *place);

/** Before the framer is made: sets the range of the config, if there is one. */
void pump_range_open(struct pump *p);
/** Returns the sink that takes the framer's records. */
struct record_sink *pump_records(struct pump *p);
/** After a step while range_state is not FOUND. Returns 0, STEP_START (jump to p->start) or DANA_ENOMEM. */
int pump_range_step(struct pump *p);
/** The source is at p->start. Returns 0 or a negative status. */
int pump_range_started(struct pump *p);
/**
 * The input is over. Returns 0, or STEP_START where no record was found and there is more before it; or DANA_ENOMEM.
 */
int pump_range_ends(struct pump *p);
/** As pump_counts, of the range. Of all ranges of an undamaged input the results add up to those of the whole. */
struct pump_counts pump_range_counts(const struct pump *p);

/* What the functions of the states return, besides 0 (go on), FRAMER_SEEK and negative statuses. */
enum { STEP_STARVED = 2, STEP_START = 3, STEP_PAUSED = 4, STEP_ELSEWHERE = 5 };

#endif
