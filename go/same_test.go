// SPDX-License-Identifier: MIT

package danatext

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

// The results are those of the program: $DANA names it, and $srcdir the sources, whose pages and archives are read.

func native(t *testing.T, words ...string) string {
	t.Helper()
	program := os.Getenv("DANA")
	if program == "" {
		t.Skip("DANA names no program")
	}
	out, err := exec.Command(program, words...).Output()
	if e, ok := err.(*exec.ExitError); err != nil && (!ok || e.ExitCode() != 2) {
		t.Fatalf("%v: %v", words, err)
	}
	return string(out)
}

func files(t *testing.T, patterns ...string) (names []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(os.Getenv("srcdir"), pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if os.Getenv("srcdir") == "" || len(names) == 0 {
		t.Skip("srcdir names no sources")
	}
	return names
}

func pages(t *testing.T) []string {
	names := files(t, "sample/site/*.html", "tests/data/gold/*.html", "tests/data/gold/*/*.html")
	if more := os.Getenv("DANA_GO_PAGES"); more != "" { // a folder
		_ = filepath.WalkDir(more, func(name string, entry os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(name, ".html") {
				names = append(names, name)
			}
			return err
		})
	}
	return names
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func jsonOf(t *testing.T, text []byte) (value any) {
	t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// sameFields compares all members of a line of the program with a document: null is the zero value.
func sameFields(t *testing.T, name, line string, d *Document) {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &members); err != nil {
		t.Fatal(err)
	}
	for key, raw := range members {
		var wanted, got any
		switch member := d.member(key).(type) {
		case *[]Block:
			blocks := []Block(nil)
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&blocks); err != nil {
				t.Fatalf("%s: blocks: %v", name, err)
			}
			wanted, got = blocks, *member
		case *string, *int64, *bool:
			value := reflect.New(reflect.TypeOf(member).Elem())
			if err := json.Unmarshal(raw, value.Interface()); err != nil {
				t.Fatalf("%s: %s: %v", name, key, err)
			}
			wanted, got = value.Elem().Interface(), reflect.ValueOf(member).Elem().Interface()
		default:
			switch {
			case key == "problems":
				words := []string{}
				if err := json.Unmarshal(raw, &words); err != nil {
					t.Fatal(err)
				}
				wanted, got = words, append([]string{}, d.Problems...)
			case key == "texts":
				texts := map[string]string{}
				if err := json.Unmarshal(raw, &texts); err != nil {
					t.Fatal(err)
				}
				wanted, got = texts, d.Texts
			case key == "reason":
				wanted, got = jsonOf(t, raw), d.Reason
			case d.Added[key] != nil:
				wanted, got = jsonOf(t, raw), jsonOf(t, d.Added[key])
			default:
				wanted, got = jsonOf(t, raw), d.Other[key]
			}
		}
		if !reflect.DeepEqual(wanted, got) {
			t.Errorf("%s: %s is %v; expected %v", name, key, got, wanted)
		}
	}
}

func TestPagesHaveTheFieldsOfTheProgram(t *testing.T) {
	names := pages(t)
	recall := 80
	for _, each := range []struct {
		options Options
		words   []string
	}{
		{Options{Text: "plain,markdown,blocks"}, nil},
		{Options{Text: "plain,markdown,blocks", Comments: "apart", Tables: "drop", Exclude: "h1, .byline", Markdown: "links=0,images=1", Dropped: true},
			[]string{"--comments", "apart", "--tables", "drop", "--exclude", "h1, .byline", "--markdown", "links=0,images=1", "--dropped"}},
		{Options{Method: "danag", MoreMethods: []string{"mountain", "plain"}, Plugins: []string{"quality", "pii"}},
			[]string{"--method", "danag", "--method", "mountain", "--method", "plain", "--plugin", "quality", "--plugin", "pii"}},
		{Options{TextField: "markdown", Recall: &recall, Kind: "article"}, []string{"--text-field", "markdown", "--method", "learned:recall=80,kind=article"}},
	} {
		text := each.options.Text
		if text == "" {
			text = "plain,markdown"
		}
		words := append([]string{"extract", "-f", "jsonl", "-j", "1", "--text", text}, each.words...)
		lines := strings.Split(strings.TrimSpace(native(t, append(words, names...)...)), "\n")
		if len(lines) != len(names) {
			t.Fatalf("%d lines of %d pages", len(lines), len(names))
		}
		for n, name := range names {
			page, err := Extract(context.Background(), read(t, name), nil, &each.options)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sameFields(t, name, lines[n], &Document{Page: *page, File: name})
		}
	}
}

func TestGoroutines(t *testing.T) {
	names := pages(t)
	names = names[:min(len(names), 12)]
	wanted := make([]*Page, len(names))
	var err error
	for n, name := range names {
		if wanted[n], err = Extract(context.Background(), read(t, name), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for worker := range 6 {
		all.Go(func() {
			for n := range names {
				n = (n + worker) % len(names)
				page, err := Extract(context.Background(), read(t, names[n]), nil, nil)
				if err != nil || !reflect.DeepEqual(page, wanted[n]) {
					t.Errorf("%s: another page in a goroutine: %v", names[n], err)
				}
			}
			if worker%2 == 0 {
				_ = linesOf(t, bytes.NewReader(read(t, files(t, "sample/sample.warc.gz")[0])), nil)
			}
		})
	}
	all.Wait()
}

// linesOf returns the lines of an archive; one without records has none.
func linesOf(t *testing.T, r io.Reader, options *ScanOptions) string {
	t.Helper()
	var lines strings.Builder
	s, err := Scan(context.Background(), r, options)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for {
		_, err := s.Next()
		if e, ok := err.(*Error); err == io.EOF || ok && e.Code == NotAnArchive {
			return lines.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		line, err := s.Line()
		if err != nil {
			t.Fatal(err)
		}
		lines.WriteString(line)
	}
}

func archives(t *testing.T) []string {
	names := files(t, "sample/sample.warc.gz", "tests/golden/*/in.warc", "tests/golden/*/in.warc.*", "tests/golden/*/in.arc", "tests/golden/*/in.arc.*")
	if len(names) < 10 {
		t.Fatalf("only %d archives", len(names))
	}
	return names
}

func TestArchivesHaveTheLinesOfTheProgram(t *testing.T) {
	for _, name := range archives(t) {
		wanted := native(t, "filter", "-q", "-j", "0", "-f", "jsonl", "-o", "-", name)
		if got := linesOf(t, bytes.NewReader(read(t, name)), &ScanOptions{Name: name}); got != wanted {
			t.Errorf("%s: other lines:\n%s\nexpected:\n%s", name, got, wanted)
		}
	}
}

func TestDocumentsHaveTheFieldsOfTheProgram(t *testing.T) {
	name := files(t, "sample/sample.warc.gz")[0]
	wanted := native(t, "filter", "-q", "-j", "0", "-f", "jsonl", "-o", "-", "--text", "plain,markdown,blocks",
		"--min-chars", "0", "--plugin", "metadata", "--plugin", "quality", name)
	s, err := Scan(context.Background(), bytes.NewReader(read(t, name)), &ScanOptions{Name: name, HTML: true, MinChars: -1,
		Options: Options{Text: "plain,markdown,blocks", Plugins: []string{"metadata", "quality"}}})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(wanted) {
		document, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		sameFields(t, name, line, document)
		if !strings.Contains(document.HTML, "<html") {
			t.Errorf("the page is %q", document.HTML)
		}
		n++
	}
	if _, err := s.Next(); err != io.EOF || n == 0 {
		t.Fatalf("after %d documents: %v", n, err)
	}
}

// The law of the split: the same lines, however a reader cuts the input.
func TestLawOfTheSplit(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for _, name := range archives(t) {
		content := read(t, name)
		if len(content) > 200_000 {
			continue
		}
		whole := linesOf(t, bytes.NewReader(content), nil)
		readers := map[string]io.Reader{
			"one byte at a time":        iotest.OneByteReader(bytes.NewReader(content)),
			"half of what is asked":     iotest.HalfReader(bytes.NewReader(content)),
			"the end with the last one": iotest.DataErrReader(bytes.NewReader(content)),
		}
		for range 10 {
			at := random.IntN(len(content) + 1)
			readers["two parts"] = io.MultiReader(bytes.NewReader(content[:at]), bytes.NewReader(content[at:]))
			for how, reader := range readers {
				if got := linesOf(t, reader, nil); got != whole {
					t.Errorf("%s, %s (%d): other lines", name, how, at)
				}
			}
			readers = map[string]io.Reader{}
		}
	}
}

func TestWACZ(t *testing.T) {
	archive := read(t, files(t, "sample/sample.warc.gz")[0])
	file, err := os.Create(filepath.Join(t.TempDir(), "a.wacz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z := zip.NewWriter(file)
	for name, method := range map[string]uint16{"archive/a.warc.gz": zip.Store, "archive/b.warc.gz": zip.Deflate} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = w.Write(archive)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	wanted := native(t, "filter", "-q", "-j", "0", "-f", "jsonl", "-o", "-", file.Name())
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	got := linesOf(t, file, &ScanOptions{Name: file.Name()})
	if got != wanted || strings.Count(got, "\n") != 14 {
		t.Errorf("other lines:\n%s\nexpected:\n%s", got, wanted)
	}
}
