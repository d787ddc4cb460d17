#!/bin/sh
# Each room includes only what its .may_include allows. Patterns: 'room/*' for our headers, '<name>' for outside ones.
# Headers of the C library and POSIX are free for all.
set -u
cd "${srcdir:-.}/src" || exit 99
bad=0
for list in */.may_include; do
	room=${list%/.may_include}
	for file in $(find "$room" -name '*.[ch]'); do
		sed -n 's/^[ \t]*#[ \t]*include[ \t]*\([<"][^>"]*[>"]\).*/\1/p' "$file" | {
			status=0
			while IFS= read -r header; do
				case $header in
				\"config.h\") continue ;;
				\"*) name=${header#?}; name=${name%?} ;;
				*) name=$header ;;
				esac
				found=no
				while IFS= read -r pattern; do
					case $name in $pattern) found=yes ;; esac
				done <"$list"
				case $header in
				"<uv.h>" | "<curl/"* | "<zlib.h>" | "<zstd"* | "<isa-l"* | "<brotli/"* | "<openssl/"* | "<iconv.h>" | "<uchardet/"* | \
					"<jansson.h>" | "<libsvm/"* | "<lmdb.h>" | "<dlfcn.h>" | "<pthread.h>" | "<gumbo.h>" | "<sys/socket.h>") ;;
				"<"*) found=yes ;;
				esac
				if [ "$found" = no ]; then
					echo "src/$file includes $header, which src/$list does not allow"
					status=1
				fi
			done
			exit $status
		} || bad=1
	done
done
exit $bad
