// SPDX-License-Identifier: MIT

package danatext

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// The library as WebAssembly, which tools/go.sh builds: it imports nothing.
//
//go:embed danatext.wasm
var wasm []byte

const (
	memoryMost = 512 << 20 // of an instance, as the module says
	memoryKept = 64 << 20  // an instance that has grown above this is not kept: it can only grow
	inputMost  = 256 << 20 // bytes of a page
	inputKept  = 4 << 20
	readersMax = 8  // readers that an instance keeps, by their options
	listed     = 60 // texts of a list
)

// compiled is done once, at the first use.
var compiled = sync.OnceValues(func() (*engine, error) {
	ctx := context.Background()
	e := &engine{runtime: wazero.NewRuntime(ctx), idle: make(chan *instance, runtime.GOMAXPROCS(0))}
	var err error
	if e.module, err = e.runtime.CompileModule(ctx, wasm); err != nil {
		return nil, &Error{Code: Failed, Message: "the module cannot be compiled: " + err.Error(), Err: err}
	}
	return e, nil
})

// engine has the compiled module, and the instances that nobody uses at the moment.
type engine struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	idle    chan *instance
}

// instance is one instance of the module with its own memory, for one goroutine at a time. After a trap it is dead: it
// is closed, and the next call makes another one.
type instance struct {
	module   api.Module
	calls    map[string]api.Function
	dead     bool
	input    uint32 // where a page or a piece lies, only one at a time
	size     int    // of input
	names    []string
	problems []string
	fields   uint32 // where the fields of a document are written
	view     uint32
	readers  []reader // the one used last is the last
}

// reader reads pages with one set of options.
type reader struct {
	key string
	at  uint32
}

// borrow returns an instance, which the caller brings back.
func borrow() (*instance, error) {
	e, err := compiled()
	if err != nil {
		return nil, err
	}
	select {
	case i := <-e.idle:
		return i, nil
	default:
	}
	return newInstance(e)
}

// bring gives an instance back.
func (i *instance) bring() {
	e, err := compiled()
	if err == nil && i.reusable() {
		select {
		case e.idle <- i:
			return
		default:
		}
	}
	_ = i.module.Close(context.Background())
	i.dead = true
}

// reusable frees a large input, and returns whether the instance is worth keeping.
func (i *instance) reusable() bool {
	err := guarded(func() error {
		if i.size > inputKept {
			i.dropInput()
		}
		return nil
	})
	return err == nil && !i.dead && i.module.Memory().Size() <= memoryKept
}

func newInstance(e *engine) (*instance, error) {
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	module, err := e.runtime.InstantiateModule(context.Background(), e.module, config)
	if err != nil {
		return nil, &Error{Code: OutOfMemory, Message: "no instance of the module can be made: " + err.Error(), Err: err}
	}
	i := &instance{module: module, calls: map[string]api.Function{}}
	err = guarded(func() error {
		i.names, i.problems = i.list("field_name"), i.list("problem_word")
		i.fields = i.take(fieldSize * len(i.names))
		i.view = i.take(16)
		return nil
	})
	if err != nil {
		_ = module.Close(context.Background())
		return nil, err
	}
	return i, nil
}

// list returns the texts that a function has for 0, 1 and so on.
func (i *instance) list(name string) (texts []string) {
	for n := uint32(0); ; n++ {
		at := i.call(name, n)
		if at == 0 {
			return texts
		}
		texts = append(texts, i.terminated(at))
	}
}

// guarded calls use, and returns its error, or the one that a call of the module has panicked with.
func guarded(use func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			trap, ok := value.(*Error)
			if !ok {
				panic(value)
			}
			err = trap
		}
	}()
	return use()
}

// call calls a function of the module. It panics with an *Error if the module traps, which guarded makes an error of.
func (i *instance) call(name string, values ...uint32) uint32 {
	words := make([]uint64, len(values))
	for n, value := range values {
		words[n] = uint64(value)
	}
	return uint32(i.callWide(name, words...))
}

func (i *instance) callWide(name string, values ...uint64) uint64 {
	if i.dead {
		panic(&Error{Code: Trap, Message: "this instance has ended after an error before"})
	}
	f := i.calls[name]
	if f == nil {
		f = i.module.ExportedFunction(name)
		i.calls[name] = f
	}
	results, err := f.Call(context.Background(), values...)
	if err != nil {
		i.dead = true
		if float64(i.module.Memory().Size()) > memoryMost*0.9 {
			panic(noMemory())
		}
		reason, _, _ := strings.Cut(err.Error(), "\n")
		panic(&Error{Code: Trap, Message: "the module has ended with an error (" + reason + "); the next call begins anew", Err: err})
	}
	if len(results) == 0 {
		return 0
	}
	return results[0]
}

func noMemory() *Error {
	return &Error{Code: OutOfMemory, Message: "memory is exhausted: an instance has 512 MiB at most"}
}

// take returns memory, which give frees.
func (i *instance) take(size int) uint32 {
	at := i.call("take", uint32(size))
	if at == 0 {
		i.dead = true
		panic(noMemory())
	}
	return at
}

func (i *instance) give(at uint32) {
	if at != 0 && !i.dead {
		i.call("give", at)
	}
}

// bytes returns memory itself, until the next call.
func (i *instance) bytes(at, size uint32) []byte {
	view, ok := i.module.Memory().Read(at, size)
	if !ok {
		i.dead = true
		panic(&Error{Code: Trap, Message: "the module has named memory that it does not have"})
	}
	return view
}

func (i *instance) words(at uint32, n int) []uint32 {
	view, words := i.bytes(at, uint32(4*n)), make([]uint32, n)
	for k := range words {
		words[k] = binary.LittleEndian.Uint32(view[4*k:])
	}
	return words
}

func (i *instance) text(at, size uint32) string {
	if at == 0 {
		return ""
	}
	return string(i.bytes(at, size))
}

// terminated returns the text at an address, "" at 0.
func (i *instance) terminated(at uint32) string {
	if at == 0 {
		return ""
	}
	rest := i.bytes(at, i.module.Memory().Size()-at)
	if end := bytes.IndexByte(rest, 0); end >= 0 {
		rest = rest[:end]
	}
	return string(rest)
}

// room returns where a page or a piece of so many bytes is put.
func (i *instance) room(size int) []byte {
	if size > i.size || i.input == 0 {
		i.dropInput()
		i.input, i.size = i.take(size+1), size
	}
	return i.bytes(i.input, uint32(size))
}

func (i *instance) dropInput() {
	i.give(i.input)
	i.input, i.size = 0, 0
}

// A record is the argument of some functions of the module: numbers of 32 bits, a text as the address of its copy (a nil
// pointer 0), a list of texts as the address of one copy that an empty text ends.
type record []any

// with calls use with the address of a record.
func (i *instance) with(r record, use func(at uint32) uint32) uint32 {
	var blocks []uint32
	defer func() {
		for _, at := range blocks {
			i.give(at)
		}
	}()
	copied := func(content string) uint32 {
		at := i.take(len(content) + 1)
		blocks = append(blocks, at)
		to := i.bytes(at, uint32(len(content)+1))
		to[copy(to, content)] = 0
		return at
	}
	packed := make([]byte, 0, 4*len(r))
	for _, member := range r {
		value := uint32(0)
		switch member := member.(type) {
		case uint32:
			value = member
		case *string:
			if member != nil {
				value = copied(*member)
			}
		case []string:
			var all strings.Builder
			for _, each := range member {
				all.WriteString(each)
				all.WriteByte(0)
			}
			value = copied(all.String())
		default:
			panic(fmt.Sprintf("a record has a member of type %T", member))
		}
		packed = binary.LittleEndian.AppendUint32(packed, value)
	}
	at := i.take(len(packed))
	blocks = append(blocks, at)
	copy(i.bytes(at, uint32(len(packed))), packed)
	return use(at)
}

// refusal returns why an object was not made.
func (i *instance) refusal(method string) *Error {
	status := int32(i.call("status"))
	text := i.terminated(i.call("error_text"))
	if text == "" {
		text = fmt.Sprintf("method %q is unknown, or does not take a key of it", method)
	}
	if codeOf(status) == OutOfMemory {
		i.dead = true
	}
	return &Error{Code: codeOf(status), Message: text}
}

// viewed returns the text that a function puts into a view.
func (i *instance) viewed(name string, object uint32) string {
	if int32(i.call(name, object, i.view)) < 0 {
		i.dead = true
		panic(noMemory())
	}
	view := i.words(i.view, 2)
	return i.text(view[0], view[1])
}
