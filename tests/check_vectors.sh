#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source file that picks a vector path stands in the table of tests/unit/test_vectors.c, which runs it at all levels, and no
# file asks for the processor in a way of its own (base/cpu.h decides). system.c has nothing to pick: what it uses every processor has
# (test_memchr.c). What stands for SSE2 in WebAssembly is compared with plain C by tests/js/robust.test.mjs.
set -u
cd "${srcdir:-.}" || exit 99
status=0
for file in $(grep -rlE 'CPU_PATHS_|BITS_FAST|bits_fast\(|cpu_level\(' src --include='*.[ch]'); do
	case $file in src/base/cpu.[ch] | src/base/sse2.h | src/base/system.c | src/cli/version.c) continue ;; esac
	grep -q "[\" ]${file#src/}[\" ]" tests/unit/test_vectors.c || { echo "$file is not in test_vectors.c"; status=1; }
done
for word in __builtin_cpu_supports '__attribute__((target' '__(SSE|AVX|ARM|aarch|x86|i386)[A-Za-z0-9_]*__'; do
	others=$(grep -rlE "$(echo "$word" | sed 's/((/\\(\\(/')" src --include='*.[ch]' | grep -vE 'src/base/(cpu|bits)\.[ch]')
	[ -z "$others" ] || { echo "$word stands outside of base/cpu.h:" $others; status=1; }
done
exit $status
