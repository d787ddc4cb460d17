/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_page.h"

const struct oracle oracle_table[] = {
	{ "bte", oracle_run_bte },
	{ "dsc", oracle_run_dsc },
	{ "ccb", oracle_run_ccb },
	{ "accb-40", oracle_run_accb_40 },
	{ "tccb-18", oracle_run_tccb_18 },
	{ "tccb-25", oracle_run_tccb_25 },
	{ "lqf-25", oracle_run_lqf_25 },
	{ "lqf-50", oracle_run_lqf_50 },
	{ "lqf-75", oracle_run_lqf_75 },
	{ "crunch", oracle_run_crunch },
	{ "fe", oracle_run_fe },
	{ "kfe", oracle_run_kfe },
	{ "density", oracle_run_density },
	{ "cetr", oracle_run_cetr },
	{ "wlr", oracle_run_wlr },
	{ "mountain", oracle_run_mountain },
	{ "mountain:model=250000/10", oracle_run_mountain_low },
	{ "mountain:model=3000000/1", oracle_run_mountain_high },
	{ NULL, NULL },
};
