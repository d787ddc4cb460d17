/* SPDX-License-Identifier: MIT */
/* Turns log odds (1/4096) into a probability (1/65536) by a table: equal on every machine. */
#ifndef DANA_LEARNED_CHANCE_H
#define DANA_LEARNED_CHANCE_H

#include <stdint.h>

/** Returns 1 to 65535. */
uint16_t chance_of(int32_t margin);

#endif
