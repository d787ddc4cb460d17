/* SPDX-License-Identifier: MIT */
/* Made by tools/method_figures.sh from gold pages: do not edit. The F1 of `learned` is that of doc/LEARNED.md. */
#ifndef DANA_CLI_METHOD_FIGURES_H
#define DANA_CLI_METHOD_FIGURES_H

/* clang-format off */
#define METHOD_FIGURES_DATE "2026-11-22"
#define METHOD_FIGURES_PROCESSOR "AMD EPYC"
#define METHOD_FIGURES_PAGES 3991
#define METHOD_FIGURES_UNSEEN 916
/* name, F1 in thousandths, F1 of the pages from which no method has learned, MB/s */
#define METHOD_FIGURES(X) \
	X("r2l", 21, 0, 870) \
	X("dana", 165, 0, 1836) \
	X("dana-slides", 199, 60, 1836) \
	X("danag", 843, 723, 1755) \
	X("addanag", 843, 693, 694) \
	X("auto", 843, 723, 1526) \
	X("plain", 618, 683, 1843) \
	X("mountain", 814, 705, 296) \
	X("wlr", 618, 683, 432) \
	X("wlr-media", 618, 683, 408) \
	X("bte", 788, 734, 552) \
	X("dsc", 781, 596, 556) \
	X("ccb", 745, 703, 352) \
	X("accb-40", 727, 708, 350) \
	X("tccb-18", 779, 693, 294) \
	X("tccb-25", 784, 682, 267) \
	X("lqf-25", 776, 743, 476) \
	X("lqf-50", 766, 747, 493) \
	X("lqf-75", 753, 746, 502) \
	X("fe", 346, 173, 548) \
	X("kfe", 783, 712, 462) \
	X("density", 753, 685, 560) \
	X("crunch", 770, 732, 333) \
	X("cetr", 720, 740, 374) \
	X("learned", 932, 861, 386)
/* clang-format on */

#endif
