# SPDX-License-Identifier: MIT
# root.sh, read by other scripts: roots of Debian 12, in which commands run with nothing of this machine but its kernel. Needs root and
# mmdebstrap. $work is a folder of the caller's.
command -v mmdebstrap >/dev/null && [ "$(id -u)" = 0 ] || {
	echo "mmdebstrap, run as root, is needed (Debian: apt-get install mmdebstrap)" >&2
	exit 1
}

# root_image NAME OPTION...: what is made once, and unpacked often: $work/NAME.tar
root_image() {
	name=$1
	shift
	mmdebstrap "$@" bookworm "$work/$name.tar" >"$work/$name.log" 2>&1 || { tail -n 30 "$work/$name.log" >&2; return 1; }
}

# root_make NAME IMAGE: the folder $work/NAME
root_make() {
	mkdir "$work/$1" && tar -xf "$work/$2.tar" -C "$work/$1" && cp /etc/resolv.conf "$work/$1/etc/" || return 1
	printf '#!/bin/sh\nexit 101\n' >"$work/$1/usr/sbin/policy-rc.d" && chmod 755 "$work/$1/usr/sbin/policy-rc.d" # no service is begun
}

# in_root NAME COMMAND...: what it mounts is gone when the command ends, and so are processes that it leaves behind.
in_root() {
	folder=$work/$1
	shift
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		unshare --mount --pid --fork --kill-child sh -c '
			mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' "$folder" "$@"
}
