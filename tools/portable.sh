#!/bin/sh
# SPDX-License-Identifier: MIT
# portable.sh TARGET [DIR]: the program `dana` and the wheel of Python with it, for other systems than this one, in DIR (default:
# portable/TARGET). All libraries are linked: built from Debian's sources, which portable.tsv pins, by clang as the package ziglang of
# PyPI brings it. TARGET is one of
#   x86_64-linux-gnu.2.17  x86_64-linux-musl  aarch64-linux-gnu.2.17  aarch64-linux-musl  x86_64-macos  aarch64-macos
#   x86_64-windows-gnu  aarch64-windows-gnu
# or wasm32-wasi: the libraries alone, for the package of JavaScript, as danatext.wasm and core.wasm, which import nothing.
# Libraries are kept in $DANA_PORTABLE (default: ~/.cache/dana-portable) and built anew when their source or their lines here change.
# JOBS is the number of compilers (default: one for each processor).
# Needs python3 with venv, apt-get, dpkg-dev, make, perl.
set -eu
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL CC CXX CFLAGS CXXFLAGS LDFLAGS
export LC_ALL=C
top=$(cd "$(dirname "$0")/.." && pwd)
target=${1:?expected a target, see the head of $0}
jobs=${JOBS:-$(nproc)}
cache=${DANA_PORTABLE:-${XDG_CACHE_HOME:-$HOME/.cache}/dana-portable}
ziglang=0.15.2
clang_sum=806316453d1ede7174ed3fefb8e5348154629089c3bb5fe812dfd0e172fac130
case $target in
x86_64-linux-gnu.2.17 | x86_64-linux-musl | aarch64-linux-gnu.2.17 | aarch64-linux-musl) system=linux ;;
x86_64-macos | aarch64-macos) system=macos ;;
x86_64-windows-gnu | aarch64-windows-gnu) system=windows ;;
wasm32-wasi) system=wasi ;;
*) echo "$target: unknown; expected one of those in the head of $0" >&2; exit 1 ;;
esac
mkdir -p "${2:-portable/$target}"
out=$(cd "${2:-portable/$target}" && pwd)
machine=${target%%-*}
libc=${target#"$machine"-} libc=${libc#linux-} libc=${libc%%.*}
# For configure.
case $system in
linux) host=$machine-linux-$libc zig_target=$target ;;
macos) host=$machine-apple-darwin20 zig_target=$target.11.0 ;;
windows) host=$machine-w64-mingw32 zig_target=$target ;;
wasi) host=$target zig_target=$target ;;
esac
optimise='-O3 -fno-math-errno'
hide='-fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -fno-sanitize=undefined -fno-strict-overflow'

prefix=$cache/$target
work=$prefix/work
tools=$cache/tools-$ziglang-$target
mkdir -p "$cache/sources" "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/done" "$work"

# The compiler, and commands by the names that makefiles know.
if [ ! -x "$cache/ziglang-$ziglang/bin/python" ]; then
	python3 -m venv "$cache/ziglang-$ziglang"
	echo "ziglang==$ziglang --hash=sha256:$clang_sum" >"$cache/requirements.txt"
	"$cache/ziglang-$ziglang/bin/pip" install -q --only-binary :all: --require-hashes -r "$cache/requirements.txt"
fi
zig=$("$cache/ziglang-$ziglang/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
mkdir -p "$tools"
# Of processors of x86-64 the oldest; registers of 512 bits are an own feature of this clang, which functions for AVX-512 need.
[ $machine != x86_64 ] || processor=-mcpu=x86_64+evex512
[ $machine != wasm32 ] || processor=-msimd128
for each in cc c++; do
	printf '#!/bin/sh\nexec %s %s -target %s %s "$@"\n' "$zig" $each $zig_target "${processor-}" >"$tools/$each"
done
for each in ar ranlib; do
	printf '#!/bin/sh\nexec %s %s "$@"\n' "$zig" $each >"$tools/$each"
done
chmod +x "$tools"/*
PATH=$tools:$PATH

row() { awk -F '\t' -v name="$1" -v n="$2" '$1 == name { print $n }' "$top/tools/portable.tsv"; }
# apt COMMAND...: apt-get, which sees the sources of Debian 12 and 13 from where this machine has its packages
apt() {
	mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial"
	if [ ! -s "$cache/apt/sources.list" ]; then
		uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
		for suite in bookworm trixie; do
			echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main"
		done >"$cache/apt/sources.list"
		apt update -q >&2
	fi
	apt-get -o Dir::Etc::sourcelist="$cache/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root \
		-o Dir::State::lists="$cache/apt/lists" -o Dir::Cache="$cache/apt" "$@"
}
# fetch NAME: the files of a row, into the cache; what differs from the row is an error.
fetch() {
	name=$1 file=$(row "$1" 3) version=$(row "$1" 2)
	sum="$(row "$1" 4)  $file"
	cd "$cache/sources"
	if [ ! -f "$file" ]; then
		case $file in
		*.dsc) apt source -q --download-only "$name=$version" >&2 ;;
		*.deb) apt-get download -q "$name=$version" >&2 ;;
		*)
			# The address and the sum by which the index knows the file, of which apt-helper checks the second.
			apt source --print-uris "$name=$version" | sed -n "s/^'\([^']*\)' $file [0-9]* \(.*\)$/\1 \2/p" >uri
			read -r uri known <uri
			/usr/lib/apt/apt-helper download-file "$uri" "$file" "$known" >&2
			;;
		esac
	fi
	echo "$sum" | sha256sum -c --quiet >&2 || { echo "$file differs from tools/portable.tsv" >&2; exit 1; }
}
# unpack NAME: its source in $work/NAME
unpack() {
	fetch "$1"
	rm -rf "${work:?}/$1"
	case $file in
	*.dsc) dpkg-source --no-check -x "$file" "$work/$1" >/dev/null ;;
	*.deb) dpkg-deb -x "$file" "$work/$1" ;;
	*) mkdir "$work/$1" && tar -xf "$file" --strip-components=1 -C "$work/$1" ;;
	esac
	cd "$work/$1"
	mkdir -p "$prefix/licences"
	for licence in debian/copyright LICENSE COPYING COPYRIGHT "usr/share/doc/$1/copyright"; do
		[ ! -f $licence ] || { cp $licence "$prefix/licences/$1"; break; }
	done
}
# objects LIBRARY FLAGS FILE...: compiles each FILE and puts them into the archive of LIBRARY
objects() {
	library=$1 flags=$(echo "$2" | tr -s '\n\t' '  ')
	shift 2
	rm -rf .objects && mkdir .objects
	for each; do
		case $each in
		*.c | *.S) echo "cc $optimise $hide -w $flags -c -o .objects/$(echo "$each" | tr / _).o $each" ;;
		*) echo "c++ $optimise $hide -w $flags -c -o .objects/$(echo "$each" | tr / _).o $each" ;;
		esac
	done | xargs -P "$jobs" -I '{}' sh -c '{} || exit 255'
	rm -f "$prefix/lib/lib$library.a"
	ar crs "$prefix/lib/lib$library.a" .objects/*.o
}
# describe NAME VERSION LIBS [REQUIRES]: the file of pkg-config
describe() {
	printf 'Name: %s\nDescription: %s\nVersion: %s\nCflags: -I%s\nLibs: -L%s %s\nRequires.private: %s\n' \
		"$1" "$1" "$2" "$prefix/include" "$prefix/lib" "$3" "${4:-}" >"$prefix/lib/pkgconfig/$1.pc"
}
upstream() { row "$1" 2 | sed 's/^[0-9]*://; s/[-+].*//; s/\.dfsg//'; }
# by_configure OPTION...: for this target
by_configure() {
	[ $system != macos ] || set -- ac_cv_func_strchrnul=no "$@" # the linker has what macOS got after version 11, too
	./configure -q --host=$host --build="$(cc -dumpmachine 2>/dev/null | grep -v . || echo x86_64-pc-linux-gnu)" --prefix="$prefix" --libdir="$prefix/lib" \
		--disable-shared --enable-static --disable-dependency-tracking CC=cc CXX=c++ AR=ar RANLIB=ranlib \
		CFLAGS="$optimise $hide -w" PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" "$@" >configure.log 2>&1 || { tail -n 30 configure.log >&2; exit 1; }
}
# quietly COMMAND...: its output is shown when it fails
quietly() { "$@" </dev/null >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }; }

build_zlib() {
	objects z '-DHAVE_UNISTD_H -DHAVE_STDARG_H -DHAVE_HIDDEN -D_LARGEFILE64_SOURCE=1 -Dfdopen=fdopen' *.c
	cp zlib.h zconf.h "$prefix/include/"
	describe zlib "$(upstream zlib)" -lz
}
build_libzstd() {
	cd lib
	defines=-DZSTD_MULTITHREAD threads=-lpthread assembly=$(echo decompress/*.S)
	[ $system != wasi ] || defines=-DZSTD_DISABLE_ASM threads='' assembly=''
	objects zstd "-DXXH_NAMESPACE=ZSTD_ $defines -DZSTD_LEGACY_SUPPORT=5 -I. -Icommon -Ilegacy" \
		common/*.c compress/*.c decompress/*.c $assembly dictBuilder/*.c legacy/zstd_v05.c legacy/zstd_v06.c legacy/zstd_v07.c
	cp zstd.h zstd_errors.h zdict.h "$prefix/include/"
	describe libzstd "$(upstream libzstd)" "-lzstd $threads"
}
build_libdeflate() {
	objects deflate -I. lib/*.c lib/x86/*.c lib/arm/*.c
	cp libdeflate.h "$prefix/include/"
	describe libdeflate "$(upstream libdeflate)" -ldeflate
}
build_brotli() {
	objects brotlidec -Ic/include c/common/*.c c/dec/*.c
	cp -R c/include/brotli "$prefix/include/"
	describe libbrotlidec "$(upstream brotli)" -lbrotlidec
}
build_uchardet() {
	cd src
	objects uchardet '-std=c++11 -fno-exceptions' *.cpp LangModels/*.cpp
	mkdir -p "$prefix/include/uchardet"
	cp uchardet.h "$prefix/include/uchardet/"
	describe uchardet "$(upstream uchardet)" -luchardet
	sed -i 's,^Cflags: .*,&/uchardet,' "$prefix/lib/pkgconfig/uchardet.pc"
}
build_xxhash() {
	objects xxhash '' xxhash.c
	cp xxhash.h xxh3.h "$prefix/include/"
	describe libxxhash "$(upstream xxhash)" -lxxhash
}
build_utf8proc() {
	objects utf8proc -DUTF8PROC_STATIC utf8proc.c
	cp utf8proc.h "$prefix/include/"
	describe libutf8proc "$(upstream utf8proc)" -lutf8proc
}
build_pcre2() {
	cd src
	cp config.h.generic config.h && cp pcre2.h.generic pcre2.h && cp pcre2_chartables.c.dist pcre2_chartables.c
	objects pcre2-8 '-DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DSUPPORT_PCRE2_8 -DSUPPORT_UNICODE -DSUPPORT_JIT -DPCRE2_STATIC -I.' \
		pcre2_auto_possess.c pcre2_chartables.c pcre2_compile.c pcre2_config.c pcre2_context.c pcre2_convert.c pcre2_dfa_match.c \
		pcre2_error.c pcre2_extuni.c pcre2_find_bracket.c pcre2_jit_compile.c pcre2_maketables.c pcre2_match.c pcre2_match_data.c \
		pcre2_newline.c pcre2_ord2utf.c pcre2_pattern_info.c pcre2_script_run.c pcre2_serialize.c pcre2_string_utils.c pcre2_study.c \
		pcre2_substitute.c pcre2_substring.c pcre2_tables.c pcre2_ucd.c pcre2_valid_utf.c pcre2_xclass.c
	cp pcre2.h "$prefix/include/"
	describe libpcre2-8 "$(upstream pcre2)" -lpcre2-8
}
build_libidn2() {
	by_configure --disable-doc --disable-nls --disable-gtk-doc --with-included-libunistring --disable-rpath
	sed -i '/HAVE_SYMVER_ALIAS_SUPPORT/d' config.h # versions of symbols are for shared libraries
	for each in gl unistring lib; do quietly make -j"$jobs" -C $each; done
	cp lib/idn2.h "$prefix/include/"
	cp lib/.libs/libidn2.a "$prefix/lib/"
	describe libidn2 "$(upstream libidn2)" '-lidn2'
}
build_libpsl() {
	if [ $system = wasi ]; then # nothing calls it there
		sed 's/@LIBPSL_VERSION[A-Z_]*@/0/' include/libpsl.h.in >"$prefix/include/libpsl.h"
		describe libpsl "$(upstream libpsl)" ''
		return
	fi
	# The same for all targets, and slow.
	list=$cache/suffixes-$(row publicsuffix 4).h
	(unpack publicsuffix)
	if [ ! -f "$list" ]; then
		(cd "$work/publicsuffix/usr/share/publicsuffix" && python3 "$work/libpsl/src/psl-make-dafsa" --output-format=cxx+ public_suffix_list.dat "$list.new")
		mv "$list.new" "$list"
	fi
	cp "$list" src/suffixes_dafsa.h
	IFS=. read -r major minor patch <<-END
		$(upstream libpsl)
	END
	sed "s/@LIBPSL_VERSION@/$major.$minor.$patch/; s/@LIBPSL_VERSION_MAJOR@/$major/; s/@LIBPSL_VERSION_MINOR@/$minor/
		s/@LIBPSL_VERSION_PATCH@/$patch/; s/@LIBPSL_VERSION_NUMBER@/0x0$major${minor}0$patch/" include/libpsl.h.in >include/libpsl.h
	printf '#define %s\n' _GNU_SOURCE 'ENABLE_BUILTIN 1' "PACKAGE_VERSION \"$(upstream libpsl)\"" 'PSL_DISTFILE ""' \
		'HAVE_CLOCK_GETTIME 1' 'HAVE_UNISTD_H 1' 'HAVE_STDINT_H 1' 'HAVE_STRNDUP 1' >config.h
	objects psl '-I. -Iinclude -Isrc -DHAVE_CONFIG_H -DPSL_STATIC' src/psl.c src/lookup_string_in_fixed_set.c
	cp include/libpsl.h "$prefix/include/"
	describe libpsl "$(upstream libpsl)" -lpsl
}
# The iconv of musl, for systems whose C library has none. There wchar_t has 16 bits, and locales are no matter of it.
build_musl() {
	cd src/locale
	sed '/features.h/d; s/^#define __NEED_size_t/#include <stddef.h>/; /alltypes.h/d' ../../include/iconv.h >"$prefix/include/iconv.h"
	cat >locale_impl.h <<-END
		typedef int locale_t;
		static locale_t locale;
		#define CURRENT_LOCALE locale
		#define UTF8_LOCALE 0
		#define wchar_t unsigned
		#define mbrtowc read_utf8
		#define wctomb write_utf8
		static size_t read_utf8(unsigned *c, const char *s, size_t n, mbstate_t *state)
		{
		    const unsigned char *at = (const unsigned char *)s;
		    const size_t len = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf5 ? 4 : 0;
		    unsigned all = len == 1 ? *at : *at & 0x7f >> len;
		    for (size_t i = 1; i < len; i++) {
		        if (i == n)
		            return (size_t)-2;
		        if (at[i] >> 6 != 2)
		            return (size_t)-1;
		        all = all << 6 | (at[i] & 0x3f);
		    }
		    *c = all;
		    const int wrong = len == 0 || all > 0x10ffff || (all >> 11) == 0x1b || (len == 3 && all < 0x800) || (len == 4 && all < 0x10000);
		    return wrong ? (size_t)-1 : len;
		}
		static size_t write_utf8(char *to, unsigned c)
		{
		    const size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		    for (size_t i = len; --i > 0; c >>= 6)
		        to[i] = (char)(0x80 | (c & 0x3f));
		    to[0] = (char)(len == 1 ? c : (0xf00u >> len & 0xf0) | c);
		    return len;
		}
	END
	objects iconv "-I. -I$prefix/include" iconv.c iconv_close.c
}
build_croaring() {
	objects roaring '-std=gnu11 -Iinclude' src/*.c src/containers/*.c
	cp -R include/roaring "$prefix/include/"
}
build_simdjson() {
	cd singleheader
	objects simdjson '-std=c++17 -fno-exceptions -DSIMDJSON_EXCEPTIONS=0' simdjson.cpp
	cp simdjson.h "$prefix/include/"
	describe simdjson "$(upstream simdjson)" -lsimdjson
}
build_cld2() {
	cd internal
	objects cld2 '-std=c++98 -Wno-narrowing' \
		cldutil.cc cldutil_shared.cc compact_lang_det.cc compact_lang_det_hint_code.cc compact_lang_det_impl.cc debug.cc \
		fixunicodevalue.cc generated_entities.cc generated_language.cc generated_ulscript.cc getonescriptspan.cc lang_script.cc \
		offsetmap.cc scoreonescriptspan.cc tote.cc utf8statetable.cc cld_generated_cjk_uni_prop_80.cc \
		cld2_generated_cjk_compatible.cc cld_generated_cjk_delta_bi_4.cc generated_distinct_bi_0.cc cld2_generated_quadchrome_2.cc \
		cld2_generated_deltaoctachrome.cc cld2_generated_distinctoctachrome.cc cld_generated_score_quad_octa_2.cc
	mkdir -p "$prefix/include/cld2"
	cp -R ../public ../internal "$prefix/include/cld2/" && find "$prefix/include/cld2" -type f ! -name '*.h' -delete
}
build_libseccomp() {
	IFS=. read -r major minor patch <<-END
		$(upstream libseccomp)
	END
	sed "s/@VERSION_MAJOR@/$major/; s/@VERSION_MINOR@/$minor/; s/@VERSION_MICRO@/$patch/" include/seccomp.h.in >include/seccomp.h
	echo "#define HAVE_LINUX_SECCOMP_H 1" >configure.h
	objects seccomp '-Iinclude -I. -D_GNU_SOURCE' $(find src -maxdepth 1 -name '*.c' ! -name arch-syscall-dump.c)
	cp include/seccomp.h include/seccomp-syscalls.h "$prefix/include/"
	describe libseccomp "$(upstream libseccomp)" -lseccomp
}
build_libsvm() {
	objects svm '' svm.cpp
	mkdir -p "$prefix/include/libsvm"
	cp svm.h "$prefix/include/libsvm/"
}
build_libuv1() {
	needed=-lpthread
	common='async core dl fs getaddrinfo getnameinfo loop loop-watcher pipe poll process proctitle random-devurandom signal stream tcp
		thread tty udp'
	case $system in
	linux)
		common="$common linux-core linux-inotify linux-syscalls procfs-exepath random-getrandom random-sysctl-linux epoll"
		defines=-D_GNU_SOURCE
		;;
	macos)
		common="$common bsd-ifaddrs darwin darwin-proctitle fsevents kqueue random-getentropy"
		defines='-D_DARWIN_UNLIMITED_SELECT=1 -D_DARWIN_USE_64_BIT_INODE=1'
		;;
	windows)
		defines='-DWIN32_LEAN_AND_MEAN -D_WIN32_WINNT=0x0602'
		needed='-lpsapi -luser32 -ladvapi32 -liphlpapi -luserenv -lws2_32'
		;;
	esac
	objects uv "-Iinclude -Isrc $defines" src/*.c \
		$([ $system = windows ] && echo src/win/*.c || for each in $common; do echo src/unix/$each.c; done)
	cp -R include/uv include/uv.h "$prefix/include/"
	describe libuv "$(upstream libuv1)" "-luv $needed"
}
build_openssl() {
	case $target in
	x86_64-linux-*) name=linux-x86_64 ;;
	aarch64-linux-*) name=linux-aarch64 ;;
	x86_64-macos) name=darwin64-x86_64-cc ;;
	aarch64-macos) name=darwin64-arm64-cc ;;
	esac
	quietly env CC=cc AR=ar RANLIB=ranlib ./Configure $name no-shared no-tests no-module no-legacy no-dso no-engine no-comp no-ssl3 \
		no-idea no-mdc2 no-rc2 no-rc4 no-rc5 no-aria no-camellia no-seed no-bf no-cast no-des no-sm2 no-sm4 no-gost no-cmp no-cms no-ts \
		no-srp no-psk no-dtls no-ct no-rfc3779 no-scrypt no-siphash no-ui-console no-dsa no-ec2m no-uplink no-afalgeng no-secure-memory \
		--prefix="$prefix" --libdir=lib --openssldir=/etc/ssl -O2 -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections \
		-fno-sanitize=undefined -w -DOPENSSL_NO_APPLE_CRYPTO_RANDOM
	quietly make -j"$jobs" build_generated
	quietly make -j"$jobs" libcrypto.a libssl.a
	cp libcrypto.a libssl.a "$prefix/lib/"
	cp -R include/openssl "$prefix/include/"
	describe libcrypto "$(upstream openssl)" '-lcrypto -lpthread'
	describe libssl "$(upstream openssl)" -lssl libcrypto
}
build_curl() {
	if [ $system = windows ]; then # it has TLS and certificates of its own; curl knows it without configure
		objects curl "-Iinclude -Ilib -I$prefix/include -DBUILDING_LIBCURL -DCURL_STATICLIB -DHTTP_ONLY -DUSE_SCHANNEL
			-DUSE_WINDOWS_SSPI -DHAVE_LIBZ -DHAVE_ZLIB_H -DCURL_DISABLE_NTLM -DCURL_DISABLE_ALTSVC -DCURL_DISABLE_HSTS
			-DCURL_DISABLE_LIBCURL_OPTION" lib/*.c lib/v*/*.c
		needed='-lws2_32 -lcrypt32 -lbcrypt -ladvapi32' before=zlib
	else
		by_configure --with-openssl --with-zlib="$prefix" --without-brotli --without-zstd --without-libpsl --without-libidn2 --without-nghttp2 \
			--without-librtmp --without-libssh2 --without-ca-bundle --without-ca-path --with-ca-fallback --without-zsh-functions-dir --disable-ftp \
			--disable-file --disable-ldap --disable-ldaps --disable-rtsp --disable-dict --disable-telnet --disable-tftp --disable-pop3 \
			--disable-imap --disable-smb --disable-smtp --disable-gopher --disable-mqtt --disable-manual --disable-ntlm --disable-tls-srp \
			--disable-unix-sockets --disable-alt-svc --disable-hsts --disable-libcurl-option --enable-threaded-resolver --disable-ares \
			CPPFLAGS="-I$prefix/include -DCURL_STATICLIB" LDFLAGS="-L$prefix/lib" LIBS=-lpthread
		quietly make -j"$jobs" -C lib
		cp lib/.libs/libcurl.a "$prefix/lib/"
		needed=-lpthread before='libssl zlib'
	fi
	cp -R include/curl "$prefix/include/"
	describe libcurl "$(upstream curl)" "-lcurl $needed" "$before"
	sed -i 's/^Cflags: .*/& -DCURL_STATICLIB/' "$prefix/lib/pkgconfig/libcurl.pc"
}

# adapt NAME: what macOS needs in its source.
adapt() {
	case $1 in
	curl)
		# There is the C library alone, and no framework, by which networks of IPv6 alone reach numeric addresses.
		sed -i 's/-framework [A-Za-z]*//g' configure
		sed -i '/define CURL_OSX_CALL_COPYPROXIES/d' lib/curl_setup.h
		;;
	openssl)
		# Variables that assembly and C define together cannot be hidden.
		sed -i '/^\.comm.*OPENSSL_ia32cap_P/d' crypto/x86_64cpuid.pl
		sed -i 's/^extern \(unsigned int OPENSSL_ia32cap_P\[4\]\);/\1 = { 0 };/' crypto/cpuid.c
		;;
	esac
}
# hide BEGIN FILE...: what objects for macOS, and those in archives, share with others stays in what they are linked to, but for names
# with this beginning. The linker takes no list of names; compilers do not know it of assembly.
hide() {
	python3 - "$@" <<-END
		import struct, sys
		N_EXT, N_TYPE, N_PEXT, LC_SYMTAB = 1, 14, 16, 2

		def objects(content):
		    at = 8
		    while content.startswith(b"!<arch>") and at < len(content):
		        name, size = bytes(content[at : at + 16]), int(content[at + 48 : at + 58])
		        yield at + 60 + (int(name[3:]) if name.startswith(b"#1/") else 0)
		        at += 60 + size + size % 2
		    if at == 8:
		        yield 0

		for path in sys.argv[2:]:
		    with open(path, "r+b") as file:
		        content = bytearray(file.read())
		        for at in objects(content):
		            magic, _, _, _, commands = struct.unpack_from("<5I", content, at)
		            command = at + 32
		            for _ in range(commands if magic == 0xFEEDFACF else 0):
		                kind, size, table, n, names = struct.unpack_from("<5I", content, command)
		                for symbol in range(at + table, at + table + 16 * n if kind == LC_SYMTAB else 0, 16):
		                    name = at + names + struct.unpack_from("<I", content, symbol)[0]
		                    shared = content[symbol + 4] & N_EXT and content[symbol + 4] & N_TYPE
		                    if shared and not content.startswith(b"_" + sys.argv[1].encode(), name):
		                        content[symbol + 4] |= N_PEXT
		                command += size
		        file.seek(0)
		        file.write(content)
	END
}

libraries='zlib libzstd libdeflate brotli uchardet xxhash utf8proc pcre2 libidn2 libpsl croaring simdjson cld2 libsvm libuv1 openssl curl'
case $system in
linux) libraries="libseccomp $libraries" ;;
windows) libraries='zlib libzstd libdeflate brotli uchardet xxhash utf8proc pcre2 libidn2 libpsl musl croaring simdjson cld2 libsvm libuv1 curl' ;;
wasi) libraries='zlib libzstd libdeflate brotli uchardet xxhash utf8proc libpsl' ;;
esac
for library in $libraries; do
	flags="$optimise $hide"
	[ $library != openssl ] || flags= # it has its own
	key=$({
		row "$library" 0
		echo "$ziglang $zig_target $flags"
		[ $system != macos ] || sed -n "/^adapt()/,/^}/p" "$0"
		sed -n "/^build_$library()/,/^}/p" "$0"
	} | sha256sum)
	[ "$(cat "$prefix/done/$library" 2>/dev/null)" = "$key" ] && continue
	echo "$target: $library $(row "$library" 2)"
	(unpack "$library" && { [ $system != macos ] || adapt "$library"; } && "build_$library")
	rm -rf "${work:?}/$library"
	echo "$key" >"$prefix/done/$library"
done
[ $system != macos ] || hide dana_ "$prefix"/lib/*.a

# Nothing but the two modules: what js/wasm/*.c exports, and what that needs.
if [ $system = wasi ]; then
	rm -rf "$out/libraries"
	mkdir -p "$out/libraries"
	cd "$out/libraries"
	[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi)
	# What guards the stack would import random numbers.
	plain="$optimise -ffunction-sections -fdata-sections -fno-stack-protector"
	emulated='-D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL'
	quietly "$top/configure" -q --host=$host --build="$(sh "$top/build-aux/config.guess")" --without-cli --without-fasttext --without-cld2 \
		CC=cc CXX=c++ AR=ar RANLIB=ranlib CFLAGS="$plain" CXXFLAGS="$plain -fno-exceptions" CPPFLAGS="-I$prefix/include $emulated" \
		PKG_CONFIG='pkg-config --static' PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig"
	make -s -j"$jobs" archive-parts >parts 2>"$work/log" || { tail -n 40 "$work/log" >&2; exit 1; }
	# link_module NAME SOURCE PART...: a module that has what js/wasm/SOURCE exports. Its memory grows to 512 MiB at most.
	link_module() {
		name=$1 source=$2
		shift 2
		# shellcheck disable=SC2086 # a list
		quietly cc -mexec-model=reactor $optimise -std=c17 -Wall -Wextra -Werror -s "-I$top/include" "-I$top/src" -o "$out/$name" \
			-Wl,--gc-sections -Wl,-z,stack-size=1048576 -Wl,--max-memory=536870912 "$top/js/wasm/$source" "$top/js/wasm/no_system.c" "$@" "-L$prefix/lib"
	}
	link_module core.wasm core.c src/extract/libextract.a src/base/libbase.a
	# shellcheck disable=SC2046 # a list
	link_module danatext.wasm whole.c "$top/src/lab/recording.c" "$top/src/lab/measure.c" \
		$(tail -n 1 parts | tr ' ' '\n' | grep -v -e '^$' -e -lpthread) -lxxhash
	# What is linked, of which libpsl is not, and their licences.
	linked=$(echo "$libraries" | sed 's/ libpsl//')
	version=$(sed -n 's/^AC_INIT(\[dana\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
	export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/configure.ac")}"
	# shellcheck disable=SC2086 # a list
	"$cache/ziglang-$ziglang/bin/python" "$top/tools/sbom.py" --linked danatext "$version" $linked >"$out/danatext.cdx.json"
	rm -rf "$out/licences"
	mkdir "$out/licences"
	# shellcheck disable=SC2086 # a list
	(cd "$prefix/licences" && cp $linked "$out/licences/")
	ls -l "$out"
	exit
fi

# What each program is linked to beside these. Of macOS, the compiler knows the symbols of the C library; iconv is one of its own there.
rest=-lc++ stripped=-s
[ $system != windows ] || rest='-lc++ -liconv -lws2_32'
if [ $system = macos ]; then
	rest='-lc++ -liconv' stripped='-Wl,-s -Wl,-x -Wl,-dead_strip'
	cat >"$prefix/lib/libiconv.tbd" <<-END
		--- !tapi-tbd
		tbd-version: 4
		targets: [ x86_64-macos, arm64-macos ]
		install-name: /usr/lib/libiconv.2.dylib
		current-version: 7
		compatibility-version: 7
		exports:
		  - targets: [ x86_64-macos, arm64-macos ]
		    symbols: [ _iconv, _iconv_close, _iconv_open ]
		...
	END
fi

# On Windows headers would say of some libraries that they are loaded; and `long` has 32 bits, which -Wconversion sees outside of them.
headers=-I$prefix/include strict=
if [ $system = windows ]; then
	headers="-isystem $prefix/include -DIDN2_STATIC -DPCRE2_STATIC -DPSL_STATIC -DUTF8PROC_STATIC"
	strict='-Werror=conversion -Wno-error=enum-conversion'
fi

# build FOLDER OPTION...: configures a build of dana there; what one has found out is known to the next
rm -f "$out/known"
build() {
	mkdir -p "$out/$1"
	cd "$out/$1"
	shift
	quietly "$top/configure" -q --cache-file="$out/known" --host=$host --build="$(sh "$top/build-aux/config.guess")" \
		--without-fasttext --without-cmocka --without-jansson CC=cc CXX=c++ AR=ar RANLIB=ranlib CFLAGS="$optimise $strict" CXXFLAGS="$optimise $strict" CPPFLAGS="$headers" LDFLAGS="$stripped -L$prefix/lib" \
		LIBS="$rest" PKG_CONFIG='pkg-config --static' PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" "$@"
}
# The program, and what the extension of Python consists of, which needs no libcurl.
[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi)
linking=linked
[ $libc != musl ] || linking=static
build program --with-libraries=$linking
quietly make -s -j"$jobs" program
program=dana
[ $system != windows ] || program=dana.exe
cp "src/cli/$program" "$out/"
build extension --without-cli
make -s -j"$jobs" archive-parts >parts 2>"$work/log" || { tail -n 40 "$work/log" >&2; exit 1; }

# The library of include/dana/archive.h, for languages that load one, and below the extension: both link the same and show their own
# names; for macOS what the first shows is hidden before the second is linked.
python=$cache/ziglang-$ziglang/bin/python
"$python" -c 'import build, setuptools' 2>/dev/null || "$python" -m pip install -q build==1.3.0 setuptools==80.9.0 wheel==0.45.1
version=$(sed -n 's/^AC_INIT(\[dana\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
parts=$(tail -n 1 parts | sed "s, \(src\|plugins\)/, $PWD/\1/,g; s,^src/,$PWD/src/,")
echo '{ global: PyInit__dana; local: *; };' >names
echo '{ global: dana_*; local: *; };' >library_names
# link_library SUFFIX FLAGS
link_library() {
	# shellcheck disable=SC2046,SC2086 # lists
	quietly cc -shared -o "$out/libdana-archive.$1" -Wl,--whole-archive $(echo "$parts" | tr ' ' '\n' | grep '\.a$') \
		-Wl,--no-whole-archive $(echo "$parts" | tr ' ' '\n' | grep -v '\.a$') "-L$prefix/lib" $rest $2
}
included=
case $system in
linux)
	flags="-Wl,--gc-sections -Wl,-z,relro,-z,now -Wl,-z,noexecstack -Wl,-s"
	link_library so "$flags -Wl,-soname,libdana-archive.so.1 -Wl,--version-script=library_names"
	flags="$flags -Wl,--version-script=$PWD/names"
	;;
macos)
	# Copies, as make does not make anew what is hidden.
	rm -rf shown hidden
	mkdir shown hidden
	for each in $(echo "$parts" | tr ' ' '\n' | grep '\.a$'); do
		cp "$each" "shown/$(echo "$each" | tr / _)"
	done
	cp shown/* hidden/
	hide dana_ shown/*
	hide PyInit_ hidden/*
	others=$(echo "$parts" | tr ' ' '\n' | grep -v '\.a$')
	parts="$(echo shown/*) $others"
	link_library dylib "$stripped -Wl,-install_name,@rpath/libdana-archive.dylib"
	parts="$(echo "$PWD"/hidden/*) $others"
	flags="$stripped -Wl,-install_name,@rpath/_dana.abi3.so -Wl,-undefined,dynamic_lookup"
	;;
windows)
	# The headers of the python at hand serve all systems, but for one; of what they declare, python3.dll has the stable part.
	rm -rf headers
	mkdir headers
	cp "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')"/*.h headers/
	cp "$top/tools/windows_python.h" headers/pyconfig.h
	{
		echo EXPORTS
		cat headers/*.h | tr '\n' ' ' | grep -o -e 'PyAPI_[A-Z]*([^)]*) *_*[A-Za-z0-9_]*' -e '_Py[A-Za-z_]*_SizeT' | sed 's/.*[ )]//' | sort -u
	} >python3.def
	"$zig" dlltool -m "$(echo $machine | sed "s/x86_64/i386:x86-64/; s/aarch64/arm64/")" -D python3.dll -d python3.def -l libpython3.a
	included=-I$PWD/headers
	flags="-Wl,--gc-sections $stripped -L$PWD -lpython3"
	export SETUPTOOLS_EXT_SUFFIX=.pyd
	;;
esac
case $target in
*-gnu.2.17) tag=manylinux_2_17_$machine.manylinux2014_$machine ;;
*-musl) tag=musllinux_1_2_$machine ;;
x86_64-macos) tag=macosx_11_0_x86_64 ;;
aarch64-macos) tag=macosx_11_0_arm64 ;;
x86_64-windows-gnu) tag=win_amd64 ;;
aarch64-windows-gnu) tag=win_arm64 ;;
esac
rm -rf "$out/python" "$out"/*.whl
mkdir "$out/python"
(cd "$top/python" && tar -cf - COPYING README.md pyproject.toml setup.py danatext pyspark_danatext ext) | tar -xf - -C "$out/python"
ln -s "$top" "$out/python/dana"
(cd "$out/python" && quietly env CC=cc LDSHARED='cc -shared' CFLAGS="-O2 $hide $included" LDFLAGS= \
	DANATEXT_LIBS="$parts -L$prefix/lib $rest $flags" "$python" -m build -n -w -o "$out" .)
libraries=$(echo " $libraries" | sed 's/ libpsl/& publicsuffix/')
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/configure.ac")}"
# shellcheck disable=SC2086 # a list
"$python" "$top/tools/sbom.py" --linked dana "$version" $libraries >"$out/dana.cdx.json"
rm -rf "$out/licences"
mkdir "$out/licences"
# shellcheck disable=SC2086 # a list
(cd "$prefix/licences" && cp $libraries "$out/licences/")
"$python" "$top/tools/seal.py" --program "$out/$program" --materials "$out/dana.cdx.json" --licences "$out/licences" --tag "$tag" "$out"/*.whl
rm -rf "$out/python"
ls -l "$out"
