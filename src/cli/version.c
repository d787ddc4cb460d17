/* SPDX-License-Identifier: MIT */
/* `dana --version`: the program, the libraries built in, the vector instructions in use. */
#include "config.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <uv.h>
#include <zlib.h>
#include <zstd.h>
#ifdef HAVE_IDN2
#include <idn2.h>
#endif
#ifdef HAVE_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
#ifdef HAVE_PSL
#include <libpsl.h>
#endif
#ifdef HAVE_ROARING
#include <roaring/roaring_version.h>
#endif
#ifdef HAVE_SVM
#include <libsvm/svm.h>
#endif
#ifdef HAVE_UTF8PROC
#include <utf8proc.h>
#endif
#ifdef HAVE_XXHASH
#include <xxhash.h>
#endif

#include "base/cpu.h"
#include "base/crypto_library.h"
#include "base/curl_library.h"
#include "cli/command.h"
#include "run/sandbox.h"

static const char not_built_in[] = "not built in", not_loaded[] = "cannot be loaded";

/* Those of duplicates. */
static void put_dedup(struct buf *out)
{
#ifdef HAVE_XXHASH
	buf_printf(out, "xxhash     %d.%d.%d\n", XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE);
#else
	buf_printf(out, "xxhash     %s\n", not_built_in);
#endif
#ifdef HAVE_UTF8PROC
	buf_printf(out, "utf8proc   %s\n", utf8proc_version());
#else
	buf_printf(out, "utf8proc   %s\n", not_built_in);
#endif
#ifdef HAVE_ROARING
	buf_printf(out, "roaring    %d.%d.%d\n", ROARING_VERSION_MAJOR, ROARING_VERSION_MINOR,
		   ROARING_VERSION_REVISION);
#else
	buf_printf(out, "roaring    %s\n", not_built_in);
#endif
}

static void put_versions(struct buf *out)
{
	const struct curl_library *curl = curl_library(NULL);
	const struct crypto_library *crypto = crypto_library(NULL);
	const uint32_t brotli = BrotliDecoderVersion();
	const char *uchardet = not_built_in, *simdjson = not_built_in;
#ifdef HAVE_UCHARDET
	uchardet = "built in"; /* it has no version */
#endif
#ifdef HAVE_SIMDJSON
	simdjson = "built in"; /* only C++ can read its version */
#endif
	buf_printf(out,
		   "dana " PACKAGE_VERSION "\n"
		   "libuv      %s\nlibcurl    %s\nzlib       %s\nzstd       %s\nlibcrypto  %s\n"
		   "libdeflate %s\nbrotli     %u.%u.%u\n",
		   uv_version_string(), curl ? curl->curl_version_info(CURLVERSION_NOW)->version : not_loaded,
		   zlibVersion(), ZSTD_versionString(), crypto ? crypto->OpenSSL_version(OPENSSL_VERSION) : not_loaded,
		   LIBDEFLATE_VERSION_STRING, brotli >> 24, brotli >> 12 & 0xfff, brotli & 0xfff);
	buf_printf(out, "uchardet   %s\nsimdjson   %s\n", uchardet, simdjson);
#ifdef HAVE_SVM
	buf_printf(out, "libsvm     %d.%d\n", LIBSVM_VERSION / 100, LIBSVM_VERSION % 100);
#else
	buf_printf(out, "libsvm     %s\n", not_built_in);
#endif
	put_dedup(out);
	/* neither has a version that C can read */
	const char *cld2 = not_built_in, *fasttext = not_built_in;
#ifdef HAVE_CLD2
	cld2 = "built in";
#endif
#ifdef HAVE_FASTTEXT
	fasttext = "built in";
#endif
	buf_printf(out, "cld2       %s\nfasttext   %s\n", cld2, fasttext);
	/* those of the plugin url: as they were when dana was built, because a shared plugin brings its own */
#ifdef HAVE_PSL
	buf_printf(out, "libpsl     %s\n", PSL_VERSION);
#else
	buf_printf(out, "libpsl     %s\n", not_built_in);
#endif
#ifdef HAVE_IDN2
	buf_printf(out, "libidn2    %s\n", IDN2_VERSION);
#else
	buf_printf(out, "libidn2    %s\n", not_built_in);
#endif
#ifdef HAVE_PCRE2
	buf_printf(out, "pcre2      %d.%d\n", PCRE2_MAJOR, PCRE2_MINOR);
#else
	buf_printf(out, "pcre2      %s\n", not_built_in);
#endif
	buf_append_text(out, "sandbox    ");
	sandbox_describe(out);
	buf_printf(out, "\ncpu path   %s\n", cpu_level_name(cpu_level()));
}

int version_run(void)
{
	struct buf out = { 0 };
	put_versions(&out);
	return command_print_made(NULL, DANA_OK, &out);
}
