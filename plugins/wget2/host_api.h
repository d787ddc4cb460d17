/* SPDX-License-Identifier: MIT */
/*
 * libwget's plugin interface under our own names. Version 2 of libwget renamed types and functions of version 1 (1.99
 * of wget2 has version 1); configure finds out which is installed. Source: wget.h of both, "libwget-plugin".
 */
#ifndef DANA_PLUGINS_WGET2_HOST_API_H
#define DANA_PLUGINS_WGET2_HOST_API_H

#include <wget.h>

#ifdef HAVE_WGET_PLUGIN_REGISTER_ARGP
typedef wget_plugin_t host_plugin;
typedef wget_iri_t host_iri;
typedef wget_downloaded_file_t host_file;
typedef wget_intercept_action_t host_action;
typedef wget_buffer_t host_buffer;
typedef wget_logger_t host_logger;
typedef wget_logger_func_t host_logger_function;
#define host_on_option wget_plugin_register_argp
#define host_on_url wget_plugin_register_url_filter
#else
typedef wget_plugin host_plugin;
typedef wget_iri host_iri;
typedef wget_downloaded_file host_file;
typedef wget_intercept_action host_action;
typedef wget_buffer host_buffer;
typedef wget_logger host_logger;
typedef wget_logger_func *host_logger_function;
#define host_on_option wget_plugin_register_option_callback
#define host_on_url wget_plugin_register_url_filter_callback
#endif

/** The entry point that wget2 looks up in a plugin. */
__attribute__((visibility("default"))) int wget_plugin_initializer(host_plugin *plugin);

#endif
