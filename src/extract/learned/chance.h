/* SPDX-License-Identifier: MIT */
/* Log odds (1/4096) to probability (1/65536), by table: equal on every machine. */
#ifndef DANA_LEARNED_CHANCE_H
#define DANA_LEARNED_CHANCE_H

#include <stdint.h>

/** 1 .. 65535. */
uint16_t chance_of(int32_t margin);

#endif
