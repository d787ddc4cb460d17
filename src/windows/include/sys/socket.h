/* SPDX-License-Identifier: MIT */
/* Sockets, which are no descriptors here. */
#ifndef DANA_WINDOWS_INCLUDE_SYS_SOCKET_H
#define DANA_WINDOWS_INCLUDE_SYS_SOCKET_H

#include <winsock2.h>
#include <ws2tcpip.h>

/* Words of compilers for 16 bits, which are names elsewhere. */
#undef far
#undef near

#endif
