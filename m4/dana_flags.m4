dnl SPDX-License-Identifier: MIT
# DANA_FLAGS_IF_KNOWN(PLACE, VARIABLE, FLAGS[, link]): adds to VARIABLE each flag that is taken in PLACE (CFLAGS, CXXFLAGS, LDFLAGS),
# with `link` by the linker. All are tried at once before each of them, since nearly every compiler takes all.
AC_DEFUN([DANA_FLAGS_IF_KNOWN], [
	AC_MSG_CHECKING([which flags can be added to $2])
	dana_saved=$$1 dana_known=
	dana_all="m4_normalize([$3])"
	for dana_flag in "$dana_all" $dana_all; do
		$1="$dana_saved $$2 -Werror$dana_known $dana_flag"
		m4_ifval([$4], [AC_LINK_IFELSE], [AC_COMPILE_IFELSE])([AC_LANG_PROGRAM()], [
			dana_known="$dana_known $dana_flag"
			AS_IF([test "x$dana_flag" = "x$dana_all"], [break])])
	done
	$1=$dana_saved
	$2="$$2$dana_known"
	AC_MSG_RESULT([${dana_known:-none}])
])

# DANA_CFLAGS_IF_KNOWN(FLAGS): for DANA_CFLAGS, of C.
AC_DEFUN([DANA_CFLAGS_IF_KNOWN], [DANA_FLAGS_IF_KNOWN([CFLAGS], [DANA_CFLAGS], [$1])])

# DANA_LDFLAGS_IF_KNOWN(VARIABLE, FLAGS): for VARIABLE, of the linker, beside DANA_CFLAGS.
AC_DEFUN([DANA_LDFLAGS_IF_KNOWN], [
	dana_saved_cflags=$CFLAGS
	CFLAGS="$CFLAGS $DANA_CFLAGS"
	DANA_FLAGS_IF_KNOWN([LDFLAGS], [$1], [$2], [link])
	CFLAGS=$dana_saved_cflags
])

# DANA_CXXFLAGS_IF_KNOWN(FLAGS): for DANA_CXXFLAGS, of C++.
AC_DEFUN([DANA_CXXFLAGS_IF_KNOWN], [
	AC_LANG_PUSH([C++])
	DANA_FLAGS_IF_KNOWN([CXXFLAGS], [DANA_CXXFLAGS], [$1])
	AC_LANG_POP([C++])
])

# DANA_CXX_LIBS: sets have_cxx, and CXX_LIBS to what the C compiler must link for an object of C++ that catches exceptions.
AC_DEFUN([DANA_CXX_LIBS], [
	have_cxx=no
	CXX_LIBS=
	AM_COND_IF([SMALL], [
		have_cxx=yes # without exceptions
		CXX_LIBS='-lc++ -lc++abi'], [
	AC_LANG_PUSH([C++])
	AC_MSG_CHECKING([whether $CXX works])
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <new>]], [[try { throw std::bad_alloc(); } catch (...) { return 1; }]])], [have_cxx=yes])
	AC_MSG_RESULT([$have_cxx])
	AC_LANG_POP([C++])
	AS_IF([test $have_cxx = yes], [
		dana_saved=$LIBS
		AC_SEARCH_LIBS([__cxa_begin_catch], [stdc++ c++], [CXX_LIBS=${ac_cv_search___cxa_begin_catch#none required}], [have_cxx=no])
		LIBS=$dana_saved])])
	AC_SUBST([CXX_LIBS])
])

# DANA_OPTIONAL_LIB(VARIABLE, option, pkg-config module, what it is for[, commands that may still set have_VARIABLE=no])
AC_DEFUN([DANA_OPTIONAL_LIB], [
	AC_ARG_WITH([$2], [AS_HELP_STRING([--without-$2], [no $4])], [], [with_$2=check])
	have_$1=no
	AS_IF([test "x$with_$2" != xno], [
		PKG_CHECK_MODULES([$1], [$3], [have_$1=yes], [
			AS_IF([test "x$with_$2" = xyes], [AC_MSG_ERROR([$3 is asked for and not found])])])])
	$5
	AS_IF([test $have_$1 = yes], [AC_DEFINE([HAVE_$1], [1], [$3: $4])])
	AM_CONDITIONAL([HAVE_$1], [test $have_$1 = yes])
])

# DANA_OPTIONAL_HEADER_LIB(VARIABLE, option, header, library, function, what it is for): for libraries without pkg-config
AC_DEFUN([DANA_OPTIONAL_HEADER_LIB], [
	AC_ARG_WITH([$2], [AS_HELP_STRING([--without-$2], [no $6])], [], [with_$2=check])
	have_$1=no
	AS_IF([test "x$with_$2" != xno], [
		AC_CHECK_HEADER([$3], [AC_CHECK_LIB([$4], [$5], [have_$1=yes; $1_LIBS="-l$4"])])
		AS_IF([test "x$with_$2$have_$1" = xyesno], [AC_MSG_ERROR([lib$4 is asked for and not found])])])
	AC_SUBST([$1_LIBS])
	AS_IF([test $have_$1 = yes], [AC_DEFINE([HAVE_$1], [1], [lib$4: $6])])
	AM_CONDITIONAL([HAVE_$1], [test $have_$1 = yes])
])

# DANA_OPTIONAL_CXX_LIB(VAR, name, #includes, statement, lib, what it is for): a C++ library without pkg-config.
AC_DEFUN([DANA_OPTIONAL_CXX_LIB], [
	AC_ARG_WITH([$2], [AS_HELP_STRING([--without-$2], [no $6])], [], [with_$2=check])
	have_$1=no
	AS_IF([test "x$with_$2" != xno && test $have_cxx = yes], [
		AC_LANG_PUSH([C++])
		dana_saved=$LIBS
		LIBS="$LIBS -l$5"
		AC_MSG_CHECKING([for lib$5])
		AC_LINK_IFELSE([AC_LANG_PROGRAM([$3], [$4])], [have_$1=yes; $1_LIBS="-l$5"])
		AC_MSG_RESULT([$have_$1])
		LIBS=$dana_saved
		AC_LANG_POP([C++])])
	AS_IF([test "x$with_$2$have_$1" = xyesno], [AC_MSG_ERROR([lib$5 is asked for and not found])])
	AC_SUBST([$1_LIBS])
	AS_IF([test $have_$1 = yes], [AC_DEFINE([HAVE_$1], [1], [lib$5: $6])])
	AM_CONDITIONAL([HAVE_$1], [test $have_$1 = yes])
])

# DANA_SONAME(VARIABLE, library): defines VARIABLE_SONAME, the name by which the loader finds the library that $VARIABLE_LIBS links;
# where it is loaded on demand.
AC_DEFUN([DANA_SONAME], [
	AC_REQUIRE([LT_INIT])
	AC_MSG_CHECKING([for the SONAME of lib$2])
	dana_saved=$LIBS dana_soname=
	LIBS="-Wl,--no-as-needed $$1_LIBS $LIBS"
	AC_LINK_IFELSE([AC_LANG_PROGRAM()],
		[dana_soname=`$OBJDUMP -p conftest$EXEEXT | $AWK '$[]1 == "NEEDED" && $[]2 ~ /^lib$2[[-.]]/ { print $[]2; exit }'`])
	LIBS=$dana_saved
	AS_IF([test "x$dana_soname" = x], [AC_MSG_ERROR([no shared lib$2 is found; it is loaded when it is needed])])
	AC_MSG_RESULT([$dana_soname])
	AC_DEFINE_UNQUOTED([$1_SONAME], ["$dana_soname"], [the shared lib$2])
])
