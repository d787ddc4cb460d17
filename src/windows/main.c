/* SPDX-License-Identifier: MIT */
/*
 * Begins the program with what POSIX would give it: arguments in UTF-8, of which patterns are the files that they
 * match, standard streams of bytes, and a console that shows UTF-8 and knows how to clear a line. The program's own
 * main is dana_main here.
 *
 * A shell of POSIX replaces "*.warc.gz" by names, one of Windows does not. So each word with * or ? that is not in
 * quotes becomes the names that match it in its folder, sorted; a word that matches none stays as it is.
 *
 * The other rooms separate the names of a path by slashes. A word with backslashes that is the path of something, or of
 * something new in a folder that is there, gets slashes; others, such as patterns of text, stay as they are.
 */
#include "config.h"

#undef main

#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "windows/inside.h"

int dana_main(int argc, char **argv);

struct arguments {
	char **at;
	size_t n;
};

static _Noreturn void no_memory(void)
{
	static const char text[] = "dana: out of memory\n";
	(void)_write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EXIT_FAILURE);
}

/* Takes the word over. */
static void add(struct arguments *words, char *word)
{
	char **more = word ? realloc(words->at, (words->n + 2) * sizeof(*more)) : NULL;
	if (!more)
		no_memory();
	words->at = more;
	words->at[words->n++] = word;
	words->at[words->n] = NULL;
}

/* ---- patterns ---- */

/* Letters may be large or small. */
static bool matches(const wchar_t *pattern, const wchar_t *name)
{
	const wchar_t *star = NULL, *from = NULL; /* the last star, and what follows what it stands for */
	while (*name) {
		if (*pattern == '*') {
			star = pattern++;
			from = name;
		} else if (*pattern == '?' || windows_capital(*pattern) == windows_capital(*name)) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == 0;
}

static size_t name_at(const wchar_t *path)
{
	size_t at = wcslen(path);
	while (at > 0 && !wcschr(L"/\\:", path[at - 1]))
		at--;
	return at;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_path(struct arguments *words, const wchar_t *folder, size_t len, const wchar_t *name)
{
	const size_t more = wcslen(name) + 1;
	wchar_t *path = malloc((len + more) * sizeof(*path));
	if (!path)
		no_memory();
	wmemcpy(path, folder, len);
	wmemcpy(path + len, name, more);
	char *text = windows_text(path);
	for (char *at = text; at && (at = strchr(at, '\\'));)
		*at = '/';
	free(path);
	add(words, text);
}

/* Adds what the pattern matches; false: nothing. */
static bool add_matches(struct arguments *words, const wchar_t *pattern)
{
	const size_t before = words->n, len = name_at(pattern);
	WIN32_FIND_DATAW found;
	wchar_t *all = malloc((len + 2) * sizeof(*all));
	if (!all)
		no_memory();
	wmemcpy(all, pattern, len);
	wmemcpy(all + len, L"*", 2);
	HANDLE search = wcspbrk(pattern, L"*?") < pattern + len ? INVALID_HANDLE_VALUE : FindFirstFileW(all, &found);
	free(all);
	if (search == INVALID_HANDLE_VALUE)
		return false;
	do {
		/* as a shell: "*" does not stand for a dot at the beginning */
		if ((found.cFileName[0] != '.' || pattern[len] == '.') && matches(pattern + len, found.cFileName))
			add_path(words, pattern, len, found.cFileName);
	} while (FindNextFileW(search, &found));
	(void)FindClose(search);
	if (words->n > before)
		qsort(words->at + before, words->n - before, sizeof(*words->at), compare);
	return words->n > before;
}

/* ---- paths ---- */

static bool is_there(wchar_t *path, size_t len)
{
	const wchar_t after = path[len];
	path[len] = 0;
	const bool there = GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
	path[len] = after;
	return there;
}

/* The word, or what follows "--NAME=" or "-X" in it, is a path. */
static void separate_by_slashes(wchar_t *word)
{
	const wchar_t *value = *word == '-' ? wcschr(word, '=') : NULL;
	wchar_t *begins[] = { word, word + (value ? value + 1 - word : 0), word + (*word == '-' && word[1] ? 2 : 0) };
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		wchar_t *path = begins[i];
		const size_t name = name_at(path);
		if (!wcschr(path, '\\') || !(is_there(path, wcslen(path)) || (name > 1 && is_there(path, name))))
			continue;
		while ((path = wcschr(path, '\\')))
			*path = '/';
		return;
	}
}

/* ---- the command line ---- */

/*
 * The next word, into `word`, by the rules of Microsoft: quotes hold blanks together, backslashes in front of a quote
 * are half of them, and a quote after an odd number is itself. *pattern: it has * or ? outside of quotes.
 */
static const wchar_t *take_word(const wchar_t *line, wchar_t *word, bool *pattern)
{
	bool quoted = false;
	*pattern = false;
	while (*line && (quoted || (*line != ' ' && *line != '\t'))) {
		const size_t slashes = wcsspn(line, L"\\");
		const bool before_quote = line[slashes] == '"';
		const size_t kept = before_quote ? slashes / 2 : slashes;
		for (size_t i = 0; i < kept; i++)
			*word++ = '\\';
		line += slashes;
		if (before_quote && slashes % 2) {
			*word++ = *line++;
		} else if (before_quote && quoted && line[1] == '"') {
			*word++ = '"';
			line += 2;
		} else if (before_quote) {
			quoted = !quoted;
			line++;
		} else if (slashes == 0) {
			*pattern |= !quoted && (*line == '*' || *line == '?');
			*word++ = *line++;
		}
	}
	*word = 0;
	return line + wcsspn(line, L" \t");
}

static struct arguments read_line(const wchar_t *line)
{
	struct arguments words = { 0 };
	wchar_t *word = malloc((wcslen(line) + 1) * sizeof(*word));
	bool pattern;
	if (!word)
		no_memory();
	while (*line) {
		line = take_word(line, word, &pattern);
		if (words.n > 0 && pattern && *word != '-' && add_matches(&words, word))
			continue;
		if (words.n > 0)
			separate_by_slashes(word);
		add(&words, windows_text(word));
	}
	free(word);
	return words;
}

/* ---- the console ---- */

static UINT code_page_before;

static void restore_console(void)
{
	(void)SetConsoleOutputCP(code_page_before);
}

/* ENABLE_VIRTUAL_TERMINAL_PROCESSING: the console knows the sequences of terminals. */
static void prepare_console(void)
{
	HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
	DWORD mode;
	code_page_before = GetConsoleOutputCP();
	if (code_page_before && code_page_before != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
		(void)atexit(restore_console);
	if (GetConsoleMode(console, &mode))
		(void)SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

/* A number of a descriptor that is not open is an error, and does not end the process. */
static void go_on(const wchar_t *expression, const wchar_t *function, const wchar_t *file, unsigned line,
		  uintptr_t more)
{
	(void)expression, (void)function, (void)file, (void)line, (void)more;
}

int main(void)
{
	(void)_set_invalid_parameter_handler(go_on);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		(void)_setmode(fd, _O_BINARY);
	prepare_console();
	const struct arguments words = read_line(GetCommandLineW());
	return dana_main((int)words.n, words.at);
}
