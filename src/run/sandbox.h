/* SPDX-License-Identifier: MIT */
/*
 * A list of the paths that will be opened, and the step after which nothing else can be. What opens a file later than
 * that must be on the list (run/README). One owner, one thread; sandbox_enter must come before any other thread is
 * started, because it holds for the calling thread and those that it starts.
 */
#ifndef DANA_RUN_SANDBOX_H
#define DANA_RUN_SANDBOX_H

#include "base/buf.h"
#include "base/status.h"

/** Returns the version of the kernel's Landlock, from 1; 0 if it lacks one, or it is switched off. */
int landlock_abi(void);

struct sandbox;

enum sandbox_use {
	SANDBOX_READ,  /* a file, or all files below a folder */
	SANDBOX_WRITE, /* the same; besides, the file is written, or files in the folder are made, written, renamed and
			  removed */
};

/** Makes a sandbox with the libraries that libc and others open by themselves. */
struct sandbox *sandbox_new(void);
/** The path is copied, and looked up by sandbox_enter; one that does not exist then cannot be opened later. */
int sandbox_path(struct sandbox *s, const char *path, enum sandbox_use use);
/** Adds an output: its folder, if it is a regular file or is not there yet; else (a device, a pipe) only itself. */
int sandbox_output(struct sandbox *s, const char *path);
/** Allows sockets: names are looked up, certificates checked. */
int sandbox_network(struct sandbox *s);
/**
 * Restricts the process for good. Returns 0 if all parts do; DANA_ECONFIG if the system, or this build, lacks parts, or
 * another thread runs already, as `err` says: the other parts hold all the same; or DANA_ENOMEM.
 */
int sandbox_enter(struct sandbox *s, struct error *err);
/** The restrictions stay. */
void sandbox_free(struct sandbox *s);
/** What the kernel and this build have, and so sandbox_enter puts in force: "Landlock ABI 7, seccomp 2.5.4". Before it.
 */
void sandbox_describe(struct buf *out);

#endif
