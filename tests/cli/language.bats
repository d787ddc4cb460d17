# SPDX-License-Identifier: MIT
# The plugin language: answers, lists, WARC, several languages, models of fastText.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	if ! "$DANA" plugins | grep -q '^  language '; then
		skip "the plugin language is not built in"
	fi
	n=0
	: >pages.warc
	page "The river rose in the night, and the people of the village carried their books and their animals to the hill before the morning came."
	page "رودخانه در شب بالا آمد و مردم روستا پیش از آنکه صبح بیاید کتاب‌ها و حیوانات خود را به تپه بردند و همه با هم منتظر ماندند."
	page "ارتفع النهر في الليل وحمل أهل القرية كتبهم وحيواناتهم إلى التل قبل أن يأتي الصباح وانتظروا جميعا هناك حتى توقف المطر."
	page "رات کو دریا چڑھ گیا اور گاؤں کے لوگ صبح ہونے سے پہلے اپنی کتابیں اور جانور پہاڑی پر لے گئے اور سب نے مل کر انتظار کیا۔"
	page "سیند د شپې راپورته شو او د کلي خلکو د سهار له راتلو مخکې خپل کتابونه او څاروي غونډۍ ته یووړل او ټولو یو ځای انتظار وکړ، ښه وړځ وه."
	page "הנהר עלה בלילה ואנשי הכפר נשאו את ספריהם ואת בעלי החיים שלהם אל הגבעה לפני שהגיע הבוקר, וכולם חיכו שם יחד."
	page "xq zzv 17 29 qqp"
}

page() {
	response $((++n)) http://a.example/$n "<!doctype html><meta charset=utf-8><body><article><h1>N</h1><p>$1</p></article>" >>pages.warc
}

tags() {
	"$DANA" filter -q --plugin "$@" pages.warc | sed 's/.*"language":\("[^"]*"\|null\).*/\1/' | tr -d '"' | tr '\n' ' '
}

@test "each page has its language, and unknown is null" {
	[ "$(tags language)" = "en fa ar ur ps he null " ]
	"$DANA" filter -q --plugin language pages.warc >out
	head -n 1 out | grep -q '"language_score":0.9'
	tail -n 1 out | grep -q '"language":null.*"language_score":null'
	"$DANA" filter -q pages.warc >plain
	[ "$(grep -c '"language":null' plain)" -eq 7 ]
	[ "$(grep -c language_score plain)" -eq 0 ]
}

@test "include and exclude take and drop, and the rejects name the rule" {
	[ "$(tags language:include=fa,ps)" = "fa ps " ]
	[ "$(tags language:include=fas,pus)" = "fa ps " ]
	[ "$(tags language:include=unknown)" = "null " ]
	[ "$(tags language:exclude=en,unknown)" = "fa ar ur ps he " ]
	"$DANA" filter -q --plugin language:exclude=en --rejects --stats stats -o out.jsonl pages.warc
	grep -q '"reason":"plugin:language","detail":"excluded"' out.jsonl.rejects.jsonl
	grep -q '"plugin:language":1' stats
}

@test "below the threshold the language is unknown" {
	[ "$(tags language:threshold=1)" = "null null null null ps null null " ]
}

@test "WARC output has the codes of three letters" {
	"$DANA" filter -q --plugin language -f warc pages.warc >out.warc
	[ "$(grep -a -o 'WARC-Identified-Content-Language: [a-z,]*' out.warc | cut -d' ' -f2 | tr '\n' ' ')" = "eng fas ara urd pus heb " ]
}

@test "the longest line tells the language, unless it is in several" {
	local en="The river rose in the night, and the people of the village carried their books and their animals to the hill before the morning came. "
	local fr="La rivière est montée pendant la nuit, et les habitants du village ont porté leurs livres sur la colline avant le matin. "
	: >pages.warc
	page "$en$en</p><p>$fr$fr$fr$fr"
	page "$fr$fr$fr$fr</p><p>$en$en"
	page "$fr$en$fr$en$fr"
	page "$en$en$en"
	"$DANA" filter -q -m plain --plugin language pages.warc | sed 's/.*"language":"\([^"]*\)","language_score":\([0-9.]*\).*/\1 \2/' >found
	[ "$(head -n 2 found | grep -c '^fr 0.99')" -eq 2 ]
	sed -n 3p found | grep -q '^en 0\.[5-8]'
	sed -n 4p found | grep -q '^en 0.99'
}

@test "languages tells those of the paragraphs" {
	: >pages.warc
	page "The river rose in the night, and the people of the village carried their books to the hill.</p><p>رودخانه در شب بالا آمد و مردم روستا پیش از آنکه صبح بیاید کتاب‌ها و حیوانات خود را به تپه بردند."
	"$DANA" filter -q -m plain --plugin language:languages=2 pages.warc >out
	grep -q '"languages":{"shares":\[{"tag":"fa","share":0\.[0-9]*},{"tag":"en","share":0\.[0-9]*}\]}' out
	"$DANA" filter -q -m plain --plugin language:languages=2 -f warc pages.warc | grep -a -q 'WARC-Identified-Content-Language: fas,eng'
}

@test "a word that is not a language is a usage error" {
	run -3 "$DANA" filter --plugin language:include=farsi pages.warc
	[[ $output == *'include: "farsi" is not a language; expected tags such as fa or zh-Hant, or unknown'* ]]
}

@test "the output is the same for every number of workers" {
	for k in 1 2 3 4 5; do cat pages.warc; done >more.warc
	"$DANA" filter -q -j 0 --plugin language:languages=3 more.warc >one
	"$DANA" filter -q -j 3 --plugin language:languages=3 more.warc >three
	cmp one three
}

@test "a model in fastText's format is asked instead, and a file that is none is named" {
	"$DANA" --version | grep -q '^fasttext *built in' || skip "built without libfasttext"
	head -c 1000 /dev/zero >none.bin
	prints 3 '*plugin language*none.bin*' "$DANA" filter --plugin language:model=none.bin pages.warc
	run -3 "$DANA" filter --plugin language:model=missing.bin pages.warc
	command -v fasttext >/dev/null || skip "the program fasttext is missing"
	for k in $(seq 60); do
		echo "__label__eng_Latn the river rose in the night and people carried books to the hill $k"
		echo "__label__pes_Arab رودخانه در شب بالا آمد و مردم کتاب ها را به تپه بردند $k"
	done >train.txt
	fasttext supervised -input train.txt -output model -epoch 20 -minn 2 -maxn 3 -dim 8 -bucket 2000 -thread 1 >/dev/null 2>&1
	[ "$(tags language:model=model.bin,include=eng,pes | cut -d' ' -f1-2)" = "eng-Latn pes-Arab" ]
	"$DANA" filter -q --plugin language:model=model.bin -f warc pages.warc | grep -a -q 'WARC-Identified-Content-Language: pes'
}
