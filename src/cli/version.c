/* SPDX-License-Identifier: MIT */
/* `dana --version`: the program, the libraries built in, the vector instructions in use. */
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <brotli/decode.h>
#include <idn2.h>
#include <libdeflate.h>
#include <libpsl.h>
#include <libsvm/svm.h>
#include <pcre2.h>
#include <utf8proc.h>
#include <uv.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>
#ifdef HAVE_ROARING
#include <roaring/roaring_version.h>
#endif

#include "base/cpu.h"
#include "base/curl_library.h"
#include "base/digest.h"
#include "cli/command.h"
#include "run/sandbox.h"

int version_run(void)
{
	static const char not_built_in[] = "not built in", not_loaded[] = "cannot be loaded";
	const struct curl_library *curl = curl_library(NULL);
	const char *crypto = digest_library_version();
	const uint32_t brotli = BrotliDecoderVersion();
	struct buf out = { 0 };
	/* uchardet has no version, that of the others only C++ can read */
	const char *uchardet = not_built_in, *simdjson = not_built_in, *cld2 = not_built_in, *fasttext = not_built_in;
#ifdef HAVE_UCHARDET
	uchardet = "built in";
#endif
#ifdef HAVE_SIMDJSON
	simdjson = "built in";
#endif
#ifdef HAVE_CLD2
	cld2 = "built in";
#endif
#ifdef HAVE_FASTTEXT
	fasttext = "built in";
#endif
	buf_printf(&out,
		   "dana " PACKAGE_VERSION "\n"
		   "libuv      %s\nlibcurl    %s\nzlib       %s\nzstd       %s\nlibcrypto  %s\n"
		   "libdeflate %s\nbrotli     %u.%u.%u\nuchardet   %s\nsimdjson   %s\nlibsvm     %d.%d\n"
		   "xxhash     %d.%d.%d\nutf8proc   %s\n",
		   uv_version_string(), curl ? curl->curl_version_info(CURLVERSION_NOW)->version : not_loaded,
		   zlibVersion(), ZSTD_versionString(), crypto ? crypto : not_loaded, LIBDEFLATE_VERSION_STRING,
		   brotli >> 24, brotli >> 12 & 0xfff, brotli & 0xfff, uchardet, simdjson, LIBSVM_VERSION / 100,
		   LIBSVM_VERSION % 100, XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE, utf8proc_version());
#ifdef HAVE_ROARING
	buf_printf(&out, "roaring    %d.%d.%d\n", ROARING_VERSION_MAJOR, ROARING_VERSION_MINOR,
		   ROARING_VERSION_REVISION);
#else
	buf_printf(&out, "roaring    %s\n", not_built_in);
#endif
	/* libraries of the plugin url: as they were when dana was built, because a shared plugin brings its own */
	buf_printf(&out, "cld2       %s\nfasttext   %s\nlibpsl     %s\nlibidn2    %s\npcre2      %d.%d\nsandbox    ",
		   cld2, fasttext, PSL_VERSION, IDN2_VERSION, PCRE2_MAJOR, PCRE2_MINOR);
	sandbox_describe(&out);
	buf_printf(&out, "\ncpu path   %s\n", cpu_level_name(cpu_level()));
#ifndef PLUGIN_FILES
	buf_append_text(&out, "plugins    built in only: no files are loaded\n");
#endif
	return command_print_made(NULL, DANA_OK, &out);
}
