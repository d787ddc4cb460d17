# SPDX-License-Identifier: MIT
# Methods with more than text: media, models, training.

load ../support/cli

# A page with a menu, two paragraphs of article $1 and a footer.
page() {
	echo "<html><body><ul>"
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "<li class=\"menu item number $i\"><a href=/m$i>Item $i</a></li>"; done
	echo "</ul><div>"
	for i in 1 2; do
		echo "<p>Article $1, paragraph $i: it has a sentence, with commas, that ends here. Then another one, of the same kind.</p>"
	done
	echo "</div>"
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "<div class=\"one of the many boxes\"><a href=/b$i>Box $i</a></div>"; done
	echo "<p>Terms of use: all rights are reserved, by the owner of this site. Nothing may be copied, by anybody at all.</p>"
	echo "</body></html>"
}

gold() {
	mkdir -p gold/pages
	printf 'corpus\tid\turl\n' >gold/index.tsv
	for n in 1 2 3 4 5 6 7 8; do
		page $n >gold/pages/$n.html
		for i in 1 2; do
			echo "Article $n, paragraph $i: it has a sentence, with commas, that ends here. Then another one, of the same kind."
		done >gold/pages/$n.txt
		printf 'pages\t%s\thttp://www.host%s.example/a\n' $n $((n % 4)) >>gold/index.tsv
	done
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "wlr-media lists large pictures with absolute URLs, beside the text" {
	echo '<base href=/d/><p>Some text.<img src="a&amp;b.png" width=640 height=480 alt="A  picture"><img src=s width=9 height=9>' >page.html
	prints 0 '*"text":"Some text."*' "$DANA" extract -m wlr-media -f json --url http://x.example/q/ page.html
	[[ $output == *'"media":[{"type":"img","url":"http://x.example/d/a&b.png","width":640,"height":480,"alt":"A picture"}]}' ]]
}

@test "wlr-media lists addresses of http and https only" {
	printf '<base href="java&#10;script://z.example/"><p>A text.' >page.html
	for url in 'java&#10;script:alert(1)' 'java&Tab;script:alert(1)' '&#1; JavaScript&#13;:alert(1)' $'java\nscript:alert(1)' 'data:image/png;base64,AAAA' 'FILE:///x' $' a&#9;.p\nng&#32;' 'https://b.example/b.png'; do
		printf '<img src="%s" width=800 height=600>' "$url" >>page.html
	done
	run "$DANA" extract -m wlr-media -f json --url http://x.example/q/ page.html
	[ "$(jq -r '.media[].url' <<<"$output" | paste -sd' ')" = "http://x.example/q/a.png https://b.example/b.png" ]
	run "$DANA" extract -m wlr-media -f json page.html
	[ "$(jq -r '.media[].url' <<<"$output" | paste -sd' ')" = "a.png https://b.example/b.png" ]
}

@test "wlr-media finds what wlr does not" {
	mkdir -p gold/media
	echo '<body><p>A short text beside a picture.</p><img src=/p.jpg width=800 height=600>' >gold/media/1.html
	echo 'A short text beside a picture.' >gold/media/1.txt
	echo '/p.jpg' >gold/media/1.media
	run -0 "$DANA" eval --measure block -m wlr,wlr-media -f tsv gold
	[ "$(awk -F'\t' '$2 == "wlr" { print $6 }' <<<"$output")" = 0.666667 ]
	[ "$(awk -F'\t' '$2 == "wlr-media" { print $6 }' <<<"$output")" = 1.000000 ]
}

@test "train makes a model that mountain uses" {
	gold
	run -0 "$DANA" train -o all.model mountain gold
	[ "$(head -n 1 all.model)" = "dana-mountain-model 1" ]
	# the weights of the two classes balance, and a vector without weight is none
	awk '/^vector / { n++; sum += $2; none += $2 == 0 } END { exit !(n && sum == 0 && none == 0) }' all.model
	prints 0 '*Article 1, paragraph 2*' "$DANA" extract -m mountain:model=all.model gold/pages/1.html
	[[ $output != *"Box 3"* ]]
	mkdir sites
	run -0 "$DANA" train --site host1.example -o sites/host1.example.model mountain gold
	prints 0 '*Article 1, paragraph 2*' "$DANA" extract -m mountain:site-models=sites --url http://www.host1.example/ gold/pages/1.html
	prints 0 '*too few*' "$DANA" train --site host1.example --hold-out -o sites/again.model mountain gold
	cmp sites/host1.example.model sites/again.model
	sed 's/host[0-9]/one/' gold/index.tsv >index && mv index gold/index.tsv
	run -0 "$DANA" train --site one.example --hold-out -o sites/one.example.model mountain gold
	[[ $output == *"F1 on all 8 pages, each fifth left out in turn, 1.0000 (universal model: "* ]]
	run -1 "$DANA" train --site none.example mountain gold
	run -3 "$DANA" train nothing gold
	for option in "--site x.example" --hold-out; do
		run -3 "$DANA" train $option -o folder learned gold
		[ ! -e folder ]
	done
}

# refused COMMAND KEY FILE FAULT: the method does not take the file as its model, and says why.
refused() {
	prints 3 "dana $1: --method: $3: $4" "$DANA" $1 -m "$2=$3" page.html
}

@test "a file that is no model is told with what is wrong and what helps" {
	echo '<p>x' >page.html
	# the beginning of the model built in
	head -c 24 "$DANA_SOURCE/data/learned.model" >damaged.learned
	printf 'dana-learned-2\n\0abcdef' >other.learned
	echo dana-mountain-model 1 >damaged.mountain
	for command in extract filter explain; do
		for method in learned mountain; do
			refused $command $method:model nowhere "cannot be read: No such file or directory"
			refused $command $method:model . "cannot be read: Is a directory"
			refused $command $method:model page.html "not a model of $method; dana train $method makes one"
			refused $command $method:model /dev/null "not a model of $method; dana train $method makes one"
			refused $command $method:model damaged.$method \
				"a damaged model; copy it again, or train it again with dana train $method"
		done
		refused $command learned:heading=0,model other.learned \
			"a model for another version of dana; train it again with dana train learned of this one"
	done
}

@test "filter reads models, of sites too, and resolves media" {
	response 1 http://www.host1.example/x/y '<p>Some text here.<img src=p.jpg width=800 height=600>' >in.warc
	for jobs in 0 2; do
		prints 0 '*"url":"http://www.host1.example/x/p.jpg"*' "$DANA" filter -j $jobs -m wlr-media in.warc
		mkdir -p sites
		prints 0 '*"method":"mountain"*' "$DANA" filter -j $jobs --min-chars 0 -m mountain:site-models=sites in.warc
	done
}

@test "a damaged model of a site ends the run at the first page of its host" {
	for host in a b c; do
		response $host http://www.$host.example/ '<p>A page with some words in it, and with a comma.'
	done >in.warc
	mkdir -p sites gold/x
	echo 'dana-mountain-model 1' >sites/b.example.model
	mkdir sites/c.example.model
	fault='--method: sites/b.example.model: a damaged model; copy it again, or train it again with dana train mountain'
	for jobs in 0 1 3; do
		run -3 "$DANA" filter --force -j $jobs --min-chars 0 -m mountain:site-models=sites -o out.jsonl in.warc
		[ "${lines[0]}" = "dana filter: $fault" ]
		[ ! -e out.jsonl ]
		[ "$(grep -c '"url":"http://www.a.example/"' out.jsonl.part)" -eq 1 ]
		[ "$(wc -l <out.jsonl.part)" -eq 1 ]
	done
	run -3 "$DANA" filter -O many --min-chars 0 -m mountain:site-models=sites in.warc
	printf '<p>Some words, and more of them.' | tee gold/x/1.html >page.html
	echo 'Some words, and more of them.' >gold/x/1.txt
	printf 'corpus\tid\turl\nx\t1\thttp://b.example/\n' >gold/index.tsv
	for command in extract explain; do
		prints 3 "dana $command: $fault" "$DANA" $command -m mountain:site-models=sites --url https://b.example/x page.html
		run -3 "$DANA" $command -m mountain:site-models=sites --url https://c.example/x page.html
		[ "$output" = "dana $command: --method: sites/c.example.model: cannot be read: Is a directory" ]
		run -0 "$DANA" $command -m mountain:site-models=sites --url https://a.example/x page.html
	done
	prints 3 "dana eval: $fault" "$DANA" eval -m plain,mountain:site-models=sites gold
	for command in filter extract explain; do
		run -3 "$DANA" $command -m mountain:site-models=nowhere page.html
		[ "$output" = "dana $command: --method: site-models: nowhere: No such file or directory" ]
	done
	prints 3 "dana explain: $fault" "$DANA" explain -m mountain:site-models=sites --archive in.warc
}

@test "a method that cannot be made is told with the key" {
	cd "$BATS_TEST_TMPDIR"
	echo '<p>x' >page.html
	local command
	for command in "extract" "filter" "explain"; do
		run -3 "$DANA" $command -m lerned:gap=1 page.html
		[ "$output" = "dana $command: --method: 'lerned' is unknown; expected one of those that dana methods lists; did you mean learned?" ]
		run -3 "$DANA" $command -m danag:segment=40,gap=x,unit=chars page.html
		[ "$output" = "dana $command: --method: gap of danag: 'x' is not allowed; expected 1 to 1048576" ]
		run -3 "$DANA" $command -m learned:recal=50 page.html
		[ "$output" = "dana $command: --method: key of learned: 'recal' is unknown; expected heading|recall|kind|model; did you mean recall?" ]
		prints 3 "dana $command: --method: 'x': plain has no keys; expected plain" "$DANA" $command -m plain:x page.html
	done
}

# Whatever the table says of a key is true: its default and its ends are taken, what lies beyond is refused.
@test "methods lists the keys that methods take" {
	cd "$BATS_TEST_TMPDIR"
	echo '<p>x' >page.html
	[ -z "$("$DANA" methods | sed -n 's/^Keys of \(.*\):$/\1/p' | tr -d ' ' | tr ',' '\n' | sort | uniq -d)" ]
	"$DANA" methods | awk '/^Keys of / { sub(/^Keys of /, ""); sub(/:$/, ""); n = split($0, methods, ", "); next }
		n && / (to|[a-z0-9]*\|[a-z0-9|]*) / {
			for (i = 1; i <= n; i++)
				if ($3 == "to") {
					print 0, methods[i] ":" $1 "=" $2; print 0, methods[i] ":" $1 "=" $4
					print 3, methods[i] ":" $1 "=" $4 + 1
				} else {
					m = split($2, words, "|")
					for (w = 1; w <= m; w++) print 0, methods[i] ":" $1 "=" words[w]
					print 3, methods[i] ":" $1 "=" words[m] "x"
				}
		}' >cases
	[ "$(wc -l <cases)" -ge 70 ]
	grep -qx '0 learned:recall=100' cases
	grep -qx '3 dana:unit=charsx' cases
	local wanted spec
	while read -r wanted spec; do
		run "$DANA" extract -m "$spec" page.html
		[ "$status" -eq "$wanted" ] || { echo "$spec: $status" && false; }
	done <cases
}

@test "methods shows figures of every method, and which one is the default" {
	run "$DANA" methods
	table=$(sed '/^$/,$d' <<<"$output")
	[ "$(sed 1d <<<"$table" | awk '{ print $1 }')" = "$("$DANA" eval -m all -f tsv "$DANA_SOURCE/tests/data/gold" |
		awk -F '\t' 'NR > 1 { print $2 }')" ]
	! grep -Evq '^(NAME .*|[a-z0-9-]+ +\.[0-9]{3}  \.[0-9]{3} +[0-9]+  [^ ].*)$' <<<"$table" || { echo "$table" && false; }
	! grep -q '.\{81\}' <<<"$(sed '/^Keys of /,$d' <<<"$output")"
	# the default is marked, and no other
	[ "$(sed -n 's/^\([a-z0-9-]*\) .* default: .*/\1/p' <<<"$table")" = learned ]
	"$DANA" filter --help | grep -q '(default: learned)'
	# what learned has on pages of its training is no measure: the figure is the cross-validated one
	validated=$(sed -n 's/^| all pages | [0-9,]* | 0\(\.[0-9]*\) |$/\1/p' "$DANA_SOURCE/doc/LEARNED.md")
	[ "$(awk '$1 == "learned" { print $2 }' <<<"$table")" = "$validated" ]
	grep -q '^Measured on 20[0-9-]\{8\};' <<<"$output"
}

@test "figures of methods are made of what eval measures" {
	mkdir -p made/new
	cp -r "$DANA_SOURCE/tests/data/gold/." made/
	rm made/index.tsv
	cp made/news/*.html made/news/*.txt made/new/
	UNSEEN=new run sh "$DANA_SOURCE/tools/method_figures.sh" made "$DANA"
	[ "$status" -eq 0 ]
	[ "$(grep -c '^.X(' <<<"$output")" -eq "$("$DANA" methods | sed '1d;/^$/,$d' | wc -l)" ]
	f1=$("$DANA" eval -m danag --per corpus -f tsv made | awk -F '\t' '$1 == "new" { printf "%.0f", $6 * 1000 }')
	grep -q "^.X(\"danag\", [0-9]*, $f1, [0-9]*)" <<<"$output"
	UNSEEN=nosuch run sh "$DANA_SOURCE/tools/method_figures.sh" made "$DANA"
	[ "$status" -eq 1 ]
	[[ $output == *"no pages in corpora nosuch, or none in others"* ]]
}

@test "features without a folder to write to says so" {
	gold
	prints 3 'dana features: -o FOLDER is missing*' "$DANA" features gold
}

@test "train learned without its Python packages names them" {
	cd "$BATS_TEST_TMPDIR"
	mkdir empty
	echo 'raise ImportError("not here")' >empty/catboost.py
	echo '' >empty/numpy.py
	run -1 env PYTHONPATH=empty PYTHONDONTWRITEBYTECODE=1 python3 "$DANA_SOURCE/tools/train/train_learned.py" --help
	[[ $output == "dana train: learned needs the Python packages numpy, scipy and catboost: "* ]]
	[ "${#lines[@]}" -eq 1 ]
}
