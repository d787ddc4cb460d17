dnl SPDX-License-Identifier: MIT
dnl DANA_PLUGINS_BEGIN, DANA_PLUGIN([NAME], [what it does], [condition of the shell], [ordered])..., DANA_PLUGINS_END
dnl
dnl --with-plugin-NAME=yes|shared|no; yes is built in, and the default where the condition holds (as test "x$have_psl" = xyes). Sets the
dnl conditionals PLUGIN_NAME_BUILT_IN and PLUGIN_NAME_SHARED, for plugins/NAME/include.am.
AC_DEFUN([DANA_PLUGINS_BEGIN], [
plugins_built_in=
plugins_pure=
AC_SEARCH_LIBS([dlopen], [dl], [AS_IF([test "x$ac_cv_search_dlopen" != "xnone required"], [DLOPEN_LIBS=$ac_cv_search_dlopen])],
	[AM_COND_IF([LOADER], [AC_MSG_ERROR([dlopen is needed])])])
AC_SUBST([DLOPEN_LIBS])
])

AC_DEFUN([DANA_PLUGIN], [
m4_pushdef([IDENTIFIER], m4_translit([$1], [-], [_]))
m4_pushdef([UPPER], m4_translit([$1], [a-z-], [A-Z_]))
AC_ARG_WITH([plugin-$1], [AS_HELP_STRING([--with-plugin-$1=yes|shared|no], [$2])], [], [with_plugin_]IDENTIFIER[=auto])
plugin_can=yes
m4_ifnblank([$3], [AS_IF([$3], [], [plugin_can=no])])
AS_CASE([$with_plugin_]IDENTIFIER[:$plugin_can],
	[auto:yes], [with_plugin_]IDENTIFIER[=yes],
	[auto:no], [with_plugin_]IDENTIFIER[=no],
	[yes:no|shared:no], [AC_MSG_ERROR([--with-plugin-$1: a library that it needs is missing])],
	[shared:*], [AS_IF([test "x$enable_shared" = xno], [AC_MSG_ERROR([--with-plugin-$1=shared and --disable-shared exclude each other])])],
	[yes:*|no:*], [],
	[AC_MSG_ERROR([--with-plugin-$1: expected yes, shared or no])])
AS_IF([test "x$with_plugin_]IDENTIFIER[" = xyes], [
	plugins_built_in="$plugins_built_in X(]IDENTIFIER[)"
	m4_ifblank([$4], [plugins_pure="$plugins_pure X(]IDENTIFIER[)"])])
AM_CONDITIONAL([PLUGIN_]UPPER[_BUILT_IN], [test "x$with_plugin_]IDENTIFIER[" = xyes])
AM_CONDITIONAL([PLUGIN_]UPPER[_SHARED], [test "x$with_plugin_]IDENTIFIER[" = xshared])
m4_popdef([IDENTIFIER])
m4_popdef([UPPER])
])

AC_DEFUN([DANA_PLUGINS_END], [
AC_DEFINE_UNQUOTED([PLUGINS_BUILT_IN(X)], [$plugins_built_in], [The plugins that are built in, X(identifier) each.])
AC_DEFINE_UNQUOTED([PLUGINS_PURE(X)], [$plugins_pure], [Those of them that look at each page by itself.])
])
