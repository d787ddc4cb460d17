#!/bin/sh
# SPDX-License-Identifier: MIT
# Plugins over an archive: what they learn, drop, change and count; their order; failures; the same bytes for every -j.
set -u
. "${srcdir:-.}/tests/plugin/common.sh"
command -v python3 >/dev/null || exit 77
build probe probe
build order order
build faulty faulty
in=$top/tests/golden/whole/in.warc.gz
probe=$tmp/probe.so order=$tmp/order.so faulty=$tmp/faulty.so

# same NAME ARGUMENTS...: the outputs are equal for all numbers of workers; those of the first stay in NAME.*
same() {
	base=$1
	shift
	for jobs in 0 1 3; do
		rm -f "$tmp/o.jsonl" "$tmp/o.jsonl.rejects.jsonl"
		run 0 -j "$jobs" --rejects --stats "$tmp/o.stats" -o "$tmp/o.jsonl" "$@"
		sed 's/,"seconds".*//' "$tmp/o.stats" >"$tmp/o.counts"
		for end in jsonl jsonl.rejects.jsonl counts; do
			[ "$jobs" != 0 ] || cp "$tmp/o.$end" "$tmp/$base.$end"
			cmp -s "$tmp/o.$end" "$tmp/$base.$end" || wrong "$base: -j $jobs: $end differs"
		done
	done
}

same plain "$in"
for method in learned danag; do
	same "probe-$method" -m "$method" --plugin "$probe" "$in"
	same "late-$method" -m "$method" --plugin "$order" --plugin "$probe" "$in"
done
for at in head http media page; do
	same "drop-$at" --plugin "$probe:drop=e,at=$at" "$in"
done
same order --plugin "$order:empty=2" --plugin "$probe:drop=page5" "$in"
same two --plugin "$probe" --plugin pii --plugin "$order" "$in"
run 0 -j 0 -f warc --plugin "$order" "$in"
grep -aq '^page 1' "$tmp/out" || wrong "WARC output has not the text that a plugin set"
python3 "$top/tests/plugin/check.py" "$tmp" || status=1

# ---- failures: status 1, the plugin and the reason by name, for every number of workers the same line and how to go on ----

# fails HOW REASON
fails() {
	for jobs in 0 1 3; do
		rm -f "$tmp/o.jsonl.part"
		run_said 1 "dana: plugin faulty: $2" -j "$jobs" -o "$tmp/o2.jsonl" --force --plugin "$faulty:how=$1,at=5" "$in"
		[ "$(grep -vc "^dana filter: --resume continues" "$tmp/err")" -eq 1 ] || wrong "$1, -j $jobs: not one line: $(cat "$tmp/err")"
		[ ! -e "$tmp/o2.jsonl" ] && [ -e "$tmp/o2.jsonl.part" ] || wrong "$1, -j $jobs: no FILE.part"
	done
}
fails page 'it cannot read'
fails number 'its function page returned 7 and gave no reason'
fails negative 'its function page returned -9 and gave no reason'
fails twice "the key 'a' is put twice"
fails key "invalid key; expected letters"
fails json "the value of 'a' is not JSON"
fails utf8 'set_text: the text is not UTF-8'
fails language 'set_language needs a page and the flag DANA_PLUGIN_LANGUAGE'
run 0 --plugin "$faulty:how=rule" --rejects -o "$tmp/rule.jsonl" "$in"
grep '"reason":"plugin:faulty"' "$tmp/rule.jsonl.rejects.jsonl" |
	python3 -c 'import json, sys; sys.exit(sorted({json.loads(l)["detail"] for l in sys.stdin.buffer}) != ["\u00e9" * 63])' ||
	wrong "a rule of more than 127 bytes is not cut after a character"
run_said 3 'dana filter: plugin faulty: its list is missing' --plugin "$faulty:how=load" /nowhere/input
run_said 3 'dana filter: plugin faulty: its function load returned -5 and gave no reason' --plugin "$faulty:how=quiet" /nowhere/input
run_said 1 'dana filter: plugin order: it does not want to finish' --plugin "$order:fails=1" "$in"
# What another plugin keeps to go on from stays until the run that is resumed has ended.
if "$dana" plugins | grep -q '^  dedup-exact '; then
	finish() {
		want=$1
		shift
		run "$want" -m plain -o "$tmp/finish.jsonl" --plugin dedup-exact:index="$tmp/texts" --plugin "$order:fails=1" "$@" "$in"
	}
	finish 1
	[ -s "$tmp/texts" ] && [ -s "$tmp/texts.journal" ] || wrong "a journal is gone too early"
	cp "$tmp/texts" "$tmp/texts.first"
	ORDER_FINISHES=1 finish 0 --resume
	cmp "$tmp/texts" "$tmp/texts.first" || wrong "the index has changed"
	[ ! -e "$tmp/texts.journal" ] || wrong "a journal stays"
fi

# ---- options ----

# refused TEXT SETTINGS
refused() {
	run_said 3 "$1" --plugin "$probe:$2" /nowhere/input
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || wrong "$2: not one line"
}
refused "plugin probe: 'shar' is unknown; expected drop, at, size, share, level, on, list, file; did you mean share?" shar=1
refused "plugin probe: size: '1Q' is wrong; expected a number, optionally followed by K, M or G" size=1Q
refused 'plugin probe: size: 2M is out of range; expected 1 to 1048576' size=2M
refused 'plugin probe: size: 0 is out of range' size=0
refused "plugin probe: share: '.5' is wrong; expected a decimal number" share=.5
refused 'plugin probe: share: 1.01 is out of range; expected 0 to 1' share=1.01
refused "plugin probe: level: '1.5' is wrong; expected a whole number" level=1.5
refused 'plugin probe: level: -4 is out of range; expected -3 to 3' level=-4
refused "plugin probe: on: 'maybe' is wrong; expected 1 or 0" on=maybe
refused "plugin probe: at: 'haed' is unknown; expected head|http|media|page; did you mean head?" at=haed
refused 'plugin probe: list: ' list=a,,b
refused "plugin probe: drop: the empty value is wrong; expected WORD" drop=
refused "--plugin: '' is not a setting; expected NAME:KEY=VALUE,..." ''
refused "--plugin: 'drop' is not a setting" drop
refused "--plugin: '=1' is not a setting" =1
refused "--plugin: 'a b' cannot be a key of a plugin" 'a b=1'
refused "--plugin: a control character in a name or value" "drop=a
b"
# A path may hold colons, and so may a value; a value may hold slashes.
mkdir "$tmp/a:b" && cp "$probe" "$tmp/a:b/probe.so"
run 0 -j 0 --plugin "$tmp/a:b/probe.so:drop=http://nowhere:1/x,y,at=head" "$in"
grep -q '"probe":' "$tmp/out" || wrong "a path with a colon"
run_said 3 '--plugin: the value is empty' --plugin '' x
run_said 3 '--plugin: the name of a plugin is empty' --plugin :a=b x
run_said 3 '--parallel-inputs above 1 excludes the plugin order' --plugin pii --plugin "$probe" -J 2 -O "$tmp/many" --plugin "$order" "$in"
run_said 0 'dana: plugin probe: loaded, level 2048, share 0.25, on 1, \x1b[2J' -v --plugin "$probe:size=2K,share=0.25,level=-3,on=yes,list=a,b,c,file=x" "$in"

# ---- the configuration file ----

printf '%s\n' 'min-chars = 2' '' "[plugin $probe]" 'drop = e' 'at = media' '[plugin pii]' 'phone = no' >"$tmp/conf"
run 0 --config "$tmp/conf" --print-config
cp "$tmp/out" "$tmp/printed"
run 0 --config "$tmp/printed" --print-config
cmp -s "$tmp/out" "$tmp/printed" || wrong "--print-config is not read back"
run 0 -j 0 --config "$tmp/printed" -o "$tmp/c.jsonl" --rejects "$in"
cmp -s "$tmp/c.jsonl.rejects.jsonl" "$tmp/drop-media.jsonl.rejects.jsonl" || wrong "the section was not taken"
# The command line adds to the file, and wins.
run 0 -j 0 --config "$tmp/conf" --plugin "$probe:at=head" -o "$tmp/c2.jsonl" --rejects "$in"
cmp -s "$tmp/c2.jsonl.rejects.jsonl" "$tmp/drop-head.jsonl.rejects.jsonl" || wrong "the command line did not win"
printf '%s\n' '[plugin pii]' 'fone = no' >"$tmp/conf"
run_said 3 "plugin pii: 'fone' is unknown; expected email, ip, phone, public; did you mean phone?" --config "$tmp/conf" /nowhere/input
printf '%s\n' '[plugins pii]' >"$tmp/conf"
run_said 3 "conf:1: a section that is unknown; expected [plugin NAME]" --config "$tmp/conf" /nowhere/input
exit $status
