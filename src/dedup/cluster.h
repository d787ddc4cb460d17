/* SPDX-License-Identifier: MIT */
/*
 * Joins the documents of any number of files of signatures that share a bucket, directly or by others, keeps one of
 * each group, and writes the list of the other rows. The result does not depend on the order of the files: they are
 * taken in the order of the names of their first inputs.
 */
#ifndef DANA_DEDUP_CLUSTER_H
#define DANA_DEDUP_CLUSTER_H

#include "dedup/signatures.h"

/**
 * Which document of a group is kept: the first; or the one with the longest text or the highest score, else the first.
 */
enum cluster_keep { CLUSTER_FIRST, CLUSTER_LONGEST, CLUSTER_BEST };

struct cluster_settings {
	enum cluster_keep keep;
	double similarity; /* drop only documents of at least this estimated similarity to the kept one; 0: all */
	bool force;
	const char *folder; /* for temporary files; by default the folder of the output */
};

struct cluster_result {
	uint64_t documents, groups, dropped, pairs; /* groups: of two or more. pairs: bucket and row, as read */
};

/** Returns 0; DANA_ECONFIG, DANA_EFORMAT, DANA_EIO, DANA_ELIMIT or DANA_ENOMEM with the text in `err`. */
int cluster_files(const char *const *paths, size_t n, const char *output, const struct cluster_settings *settings,
		  struct cluster_result *result, struct error *err);

#endif
