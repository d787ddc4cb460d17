/* SPDX-License-Identifier: MIT */
/* What becomes of bytes that libcurl hands over. */
#ifndef DANA_IO_NET_BODY_ANSWER_H
#define DANA_IO_NET_BODY_ANSWER_H

enum body_answer {
	BODY_TAKEN,
	BODY_TAKEN_LAST, /* likewise, but little room is left: wait for the call to go on */
	BODY_NO_ROOM,    /* not taken: the same again when called to go on */
	BODY_STOP,       /* nothing more is wanted: end the transfer */
};

#endif
