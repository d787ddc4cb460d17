dnl SPDX-License-Identifier: MIT
# DANA_WGET2_PLUGIN: whether the plugin of wget2 is built, and which of the two versions of libwget's interface there is.
AC_DEFUN([DANA_WGET2_PLUGIN], [
AC_ARG_WITH([wget2], [AS_HELP_STRING([--with-wget2=auto|yes|no], [a plugin of wget2 that filters what it downloads])], [], [with_wget2=auto])
have_wget2=no
# A plugin is loaded while wget2 runs, so it exists as a shared library only.
AS_IF([test "x$with_wget2$enable_shared" = xyesno], [AC_MSG_ERROR([--with-wget2 needs shared libraries, and --disable-shared is given])])
AS_IF([test "x$with_wget2" != xno && test "x$enable_shared" != xno], [
	PKG_CHECK_MODULES([WGET2], [libwget], [have_wget2=yes], [have_wget2=no])
	AS_IF([test $have_wget2 = yes], [
		dana_saved_libs=$LIBS
		dana_saved_cppflags=$CPPFLAGS
		LIBS="$WGET2_LIBS $LIBS"
		CPPFLAGS="$WGET2_CFLAGS $CPPFLAGS"
		AC_CHECK_HEADER([wget.h], [], [have_wget2=no])
		AC_CHECK_FUNCS([wget_plugin_register_argp wget_plugin_register_option_callback])
		AS_CASE([$ac_cv_func_wget_plugin_register_argp$ac_cv_func_wget_plugin_register_option_callback],
			[*yes*], [], [have_wget2=no])
		LIBS=$dana_saved_libs
		CPPFLAGS=$dana_saved_cppflags])
	AS_IF([test "x$with_wget2$have_wget2" = xyesno], [AC_MSG_ERROR([libwget with plugins is asked for and not found])])])
AM_CONDITIONAL([HAVE_WGET2], [test $have_wget2 = yes])
])
