/* SPDX-License-Identifier: MIT */
/* What the plugin of wget2 uses of libwget, under the names of its version 2, so that a machine with version 1 can
 * compile against them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WGET_LOGGER_DEBUG 3

typedef struct wget_plugin wget_plugin;
typedef struct wget_downloaded_file wget_downloaded_file;
typedef struct wget_intercept_action wget_intercept_action;
typedef struct wget_logger wget_logger;
typedef struct {
	char *data;
	size_t length, size;
} wget_buffer;
typedef struct {
	const char *uri;
} wget_iri;

typedef void wget_logger_func(const char *text, size_t len);
typedef int wget_plugin_option_callback(wget_plugin *plugin, const char *option, const char *value);
typedef void wget_plugin_url_filter_callback(wget_plugin *plugin, const wget_iri *iri, wget_intercept_action *action);
typedef int wget_plugin_post_processor(wget_plugin *plugin, wget_downloaded_file *file);
typedef void wget_plugin_finalizer_fn(wget_plugin *plugin, int exit_status);

void wget_plugin_register_option_callback(wget_plugin *plugin, wget_plugin_option_callback *call);
void wget_plugin_register_url_filter_callback(wget_plugin *plugin, wget_plugin_url_filter_callback *call);
void wget_plugin_register_post_processor(wget_plugin *plugin, wget_plugin_post_processor *call);
void wget_plugin_register_finalizer(wget_plugin *plugin, wget_plugin_finalizer_fn *call);
void wget_intercept_action_reject(wget_intercept_action *action);
const wget_iri *wget_downloaded_file_get_source_url(wget_downloaded_file *file);
int wget_downloaded_file_get_contents(wget_downloaded_file *file, const void **data, size_t *size);
FILE *wget_downloaded_file_open_stream(wget_downloaded_file *file);
char *wget_iri_get_escaped_resource(const wget_iri *iri, wget_buffer *buf);
int wget_buffer_init(wget_buffer *buf, char *data, size_t size);
void wget_buffer_deinit(wget_buffer *buf);
wget_logger *wget_get_logger(int id);
void wget_logger_set_func(wget_logger *logger, wget_logger_func *call);
wget_logger_func *wget_logger_get_func(wget_logger *logger);
void wget_error_printf(const char *format, ...);
