/* SPDX-License-Identifier: MIT */
/*
 * Libraries are loaded on demand (libcurl, modules of the name service, libcrypto, which reads its configuration then).
 * They are files that anybody may read, so their folders are allowed as a whole. Besides the usual ones these are the
 * folders of the libraries that are loaded already: some systems (Nix, Guix) keep them elsewhere.
 */
#include "config.h"

#include "run/sandbox/system_paths.h"

#include <link.h>
#include <stdlib.h>

#include "base/ondemand/library.h"

static int add_all(struct sandbox *s, const char *const *paths)
{
	int status = DANA_OK;
	for (; *paths && status == DANA_OK; paths++)
		status = sandbox_path(s, *paths, SANDBOX_READ);
	return status;
}

/* A list of folders, joined by colons. */
static int add_list(struct sandbox *s, const char *variable)
{
	const char *list = getenv(variable);
	int status = DANA_OK;
	while (list && *list && status == DANA_OK) {
		char folder[4096];
		size_t n = strcspn(list, ":");
		if (n && n < sizeof(folder)) {
			memcpy(folder, list, n);
			folder[n] = 0;
			status = sandbox_path(s, folder, SANDBOX_READ);
		}
		list += n + (list[n] == ':');
	}
	return status;
}

struct walk {
	struct sandbox *sandbox;
	int status;
};

static int add_folder_of(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct walk *w = arg;
	char folder[4096];
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	(void)size;
	if (!slash || slash == info->dlpi_name || (size_t)(slash - info->dlpi_name) >= sizeof(folder))
		return 0;
	memcpy(folder, info->dlpi_name, (size_t)(slash - info->dlpi_name));
	folder[slash - info->dlpi_name] = 0;
	w->status = sandbox_path(w->sandbox, folder, SANDBOX_READ);
	return w->status;
}

/* Parts of the program that are loaded on demand. */
static int add_modules(struct sandbox *s)
{
	char folder[4096];
	int status = DANA_OK;
	for (size_t i = 0; status == DANA_OK && library_folder(i, folder, sizeof(folder)); i++)
		status = sandbox_path(s, folder, SANDBOX_READ);
	return status;
}

int system_paths_libraries(struct sandbox *s)
{
	static const char *const paths[] = { "/lib",       "/lib32",     "/lib64",         "/usr/lib",
					     "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
					     "/dev/null",  NULL };
	static const char *const libcrypto[] = { "/etc/ssl/openssl.cnf", "/etc/pki/tls", "/etc/crypto-policies", NULL };
	struct walk walk = { s, add_all(s, paths) };
	if (walk.status == DANA_OK)
		(void)dl_iterate_phdr(add_folder_of, &walk);
	if (walk.status == DANA_OK)
		walk.status = add_list(s, "LD_LIBRARY_PATH");
	if (walk.status == DANA_OK)
		walk.status = add_modules(s);
	if (walk.status == DANA_OK)
		walk.status = add_all(s, libcrypto);
	return walk.status == DANA_OK ? add_list(s, "OPENSSL_CONF") : walk.status;
}

int system_paths_network(struct sandbox *s)
{
	static const char *const paths[] = { "/etc/resolv.conf",
					     "/etc/hosts",
					     "/etc/host.conf",
					     "/etc/nsswitch.conf",
					     "/etc/gai.conf",
					     "/etc/services",
					     "/etc/protocols",
					     "/run/systemd/resolve",
					     "/run/nscd",
					     "/run/resolvconf",
					     "/etc/ssl",
					     "/etc/pki",
					     "/etc/ca-certificates",
					     "/etc/crypto-policies",
					     "/etc/gnutls",
					     "/usr/share/ca-certificates",
					     "/usr/local/share/ca-certificates",
					     "/dev/urandom",
					     NULL };
	int status = add_all(s, paths);
	if (status == DANA_OK)
		status = add_list(s, "SSL_CERT_DIR");
	return status == DANA_OK ? add_list(s, "SSL_CERT_FILE") : status;
}
