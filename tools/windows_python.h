/* SPDX-License-Identifier: MIT */
/* Of CPython for Windows with 64 bits, what its headers ask of a pyconfig.h; tools/portable.sh lays it beside them as that. */
#define HAVE_DECLSPEC_DLL 1
#define HAVE_SSIZE_T 1
#define HAVE_STDDEF_H 1
#define HAVE_WCHAR_H 1
#define MS_WIN64 1
#define MS_WINDOWS 1
#define NT_THREADS 1
#define Py_ENABLE_SHARED 1
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_PID_T 4
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 2
