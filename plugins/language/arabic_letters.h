/* SPDX-License-Identifier: MIT */
/*
 * Recognises languages in Arabic script that CLD2 does not know (Pashto, Sorani Kurdish, Uyghur, Sindhi) and takes for
 * Persian, Arabic or Urdu: each has letters that the others do not use.
 */
#ifndef DANA_LANGUAGE_ARABIC_LETTERS_H
#define DANA_LANGUAGE_ARABIC_LETTERS_H

#include <stddef.h>

/**
 * Returns the language whose own letters are at least LETTERS_SHARE percent of the letters of Arabic script, and more
 * than those of any other; NULL if there is no such language.
 */
const char *language_of_letters(const char *text, size_t len);

enum { LETTERS_SHARE = 2 };

#endif
