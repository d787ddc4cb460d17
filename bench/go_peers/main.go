// SPDX-License-Identifier: MIT

// go_peers FOLDER [MOST]: danatext beside go-trafilatura and go-readability on the pages of a folder (NAME.html, in UTF-8, with the
// main text in NAME.txt), one page after the other in one goroutine: pages a second in a second round, and precision, recall and F1 of
// the texts, by the longest common sequence of words, as `dana eval` measures them. A page that a package fails on counts 0. go.mod
// takes danatext from go/, where tools/go.sh or you have put danatext.wasm; from elsewhere by
//
//	go mod edit -replace danatext=FOLDER_OF_THE_MODULE
package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log"
	"math/bits"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	readability "codeberg.org/readeck/go-readability/v2"
	"danatext"
	"github.com/markusmobius/go-trafilatura"
)

type page struct {
	html   []byte
	wanted []string
}

// Words, and each character of scripts that are written without blanks.
const alone = `\x{0e00}-\x{0eff}\x{1000}-\x{109f}\x{1780}-\x{17ff}\x{3005}-\x{3007}\x{3040}-\x{30ff}\x{31f0}-\x{31ff}` +
	`\x{3400}-\x{4dbf}\x{4e00}-\x{9fff}\x{f900}-\x{faff}\x{20000}-\x{3ffff}`

var (
	word    = regexp.MustCompile(`[` + alone + `]|[^\s\p{Z}` + alone + `]+`)
	unseen  = regexp.MustCompile(`[\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{feff}\x{00ad}]`)
	example = &url.URL{Scheme: "https", Host: "example.org", Path: "/"}
)

func wordsOf(text string) []string { return word.FindAllString(unseen.ReplaceAllString(text, ""), -1) }

// common returns the length of the longest common sequence, with a bit for each word of a (Hyyrö, "Bit-parallel LCS-length computation
// revisited", 2004).
func common(a, b []string) int {
	at, size := map[string][]int{}, len(a)/64+1
	for i, each := range a {
		at[each] = append(at[each], i)
	}
	row := make([]uint64, size)
	for i := range row {
		row[i] = ^uint64(0)
	}
	same := make([]uint64, size)
	for _, each := range b {
		places := at[each]
		if len(places) == 0 {
			continue
		}
		clear(same)
		for _, i := range places {
			same[i/64] |= 1 << (i % 64)
		}
		carry := uint64(0)
		for i, now := range row {
			var sum uint64
			sum, carry = bits.Add64(now, now&same[i], carry)
			row[i] = sum | now&^same[i]
		}
	}
	n := 0
	for i := range a {
		if row[i/64]&(1<<(i%64)) == 0 {
			n++
		}
	}
	return n
}

func scoreOf(found, wanted []string) [3]float64 {
	if len(found) == 0 || len(wanted) == 0 {
		if len(found) == len(wanted) {
			return [3]float64{1, 1, 1}
		}
		return [3]float64{}
	}
	n := float64(common(found, wanted))
	if n == 0 {
		return [3]float64{}
	}
	p, r := n/float64(len(found)), n/float64(len(wanted))
	return [3]float64{p, r, 2 * p * r / (p + r)}
}

func pagesOf(folder string, most int) (pages []page) {
	var names []string
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if _, gone := os.Stat(strings.TrimSuffix(name, "html") + "txt"); strings.HasSuffix(name, ".html") && gone == nil {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	sort.Strings(names)
	for i := range min(len(names), most) {
		name := names[i*len(names)/min(len(names), most)]
		html, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		text, err := os.ReadFile(strings.TrimSuffix(name, "html") + "txt")
		if err != nil {
			log.Fatal(err)
		}
		pages = append(pages, page{html, wordsOf(string(text))})
	}
	return pages
}

var programs = []struct {
	name    string
	extract func(html []byte) (string, error)
}{
	{"danatext", func(html []byte) (string, error) {
		page, err := danatext.Extract(context.Background(), html, &danatext.Source{Charset: "utf-8"}, &danatext.Options{Text: "plain"})
		if err != nil {
			return "", err
		}
		return page.Text, nil
	}},
	{"danatext, with Markdown", func(html []byte) (string, error) {
		page, err := danatext.Extract(context.Background(), html, &danatext.Source{Charset: "utf-8"}, nil)
		if err != nil {
			return "", err
		}
		return page.Text, nil
	}},
	{"go-readability", func(html []byte) (string, error) {
		article, err := readability.FromReader(bytes.NewReader(html), example)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		err = article.RenderText(&text)
		return text.String(), err
	}},
	{"go-trafilatura", func(html []byte) (string, error) {
		result, err := trafilatura.Extract(bytes.NewReader(html), trafilatura.Options{OriginalURL: example})
		if err != nil {
			return "", err
		}
		return result.ContentText, nil
	}},
	{"go-trafilatura, with fallback", func(html []byte) (string, error) {
		result, err := trafilatura.Extract(bytes.NewReader(html), trafilatura.Options{OriginalURL: example, EnableFallback: true})
		if err != nil {
			return "", err
		}
		return result.ContentText, nil
	}},
}

// cpu returns the time that the process has worked.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// tried returns the text of a page; a package that panics fails on it.
func tried(extract func([]byte) (string, error), html []byte) (text string, err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("%v", wrong)
		}
	}()
	return extract(html)
}

func main() {
	most := 500
	if len(os.Args) > 2 {
		most, _ = strconv.Atoi(os.Args[2])
	}
	if len(os.Args) < 2 || most < 1 {
		log.Fatal("expected a folder of pages")
	}
	pages := pagesOf(os.Args[1], most)
	if len(pages) == 0 {
		log.Fatalf("%s has no NAME.html with NAME.txt", os.Args[1])
	}
	fmt.Printf("%d pages\n| program | pages a second | failed | precision | recall | F1 |\n|---|--:|--:|--:|--:|--:|\n", len(pages))
	for _, program := range programs {
		var seconds float64
		failed, sums := 0, [3]float64{}
		for round := range 2 {
			texts, errs := make([]string, len(pages)), make([]error, len(pages))
			began := cpu()
			for n, page := range pages {
				texts[n], errs[n] = tried(program.extract, page.html)
			}
			seconds = (cpu() - began).Seconds()
			for n, text := range texts {
				if round == 0 {
					break
				}
				if errs[n] != nil {
					failed++
					continue
				}
				for k, value := range scoreOf(wordsOf(text), pages[n].wanted) {
					sums[k] += value / float64(len(pages))
				}
			}
		}
		fmt.Printf("| %s | %.1f | %d | %.3f | %.3f | %.3f |\n", program.name, float64(len(pages))/seconds, failed, sums[0], sums[1], sums[2])
	}
}
