# SPDX-License-Identifier: MIT
"""What a process may do meanwhile: fork, spawn, be interrupted, run out of memory; and what an import does."""

import _thread
import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import danatext
import pytest
from conftest import PARAGRAPH, record

try:
    import resource
except ImportError:  # of Windows
    resource = None

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no fork, no /proc and no limits of memory")

PAGE = f"<p>{PARAGRAPH * 20}".encode()


def script(text, *arguments, **options):
    """Runs a program in a process of its own, which finds the package as this one does."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text), *arguments], capture_output=True, text=True, timeout=120, env=environment, **options
    )


@posix
def test_sixty_forks_while_threads_extract():
    stop = threading.Event()

    def work():
        while not stop.is_set():
            danatext.extract(PAGE)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(60):
            child = os.fork()
            if child == 0:
                signal.alarm(20)  # a child that hangs is killed
                os._exit(danatext.extract(PAGE).text_chars != len(PARAGRAPH) * 20 - 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def count(part):
    return sum(document.text_chars for document in danatext.scan(part))


@pytest.mark.parametrize("how", sorted({"spawn", "forkserver"} & set(multiprocessing.get_all_start_methods())))
def test_parts_in_other_processes(many, how):
    parts = danatext.scan(many, split_bytes=8000).splits()
    context = multiprocessing.get_context(how)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert sum(pool.map(count, parts)) == count(many)


def test_threads_give_what_one_thread_gives(many):
    want = list(danatext.open(many))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for got in pool.map(lambda _: list(danatext.open(many)), range(8)):
            assert got == want


@posix
def test_an_import_starts_no_thread_and_opens_no_file():
    done = script(
        """
        import os, sys, threading
        import json, codecs, collections, concurrent.futures, io, itertools, threading, typing  # of Python itself
        before = set(os.listdir("/proc/self/fd")), os.listdir("/proc/self/task")
        import danatext
        assert not any(name.startswith("danatext.") for name in sys.modules)  # they come when they are used
        for name in danatext.__all__:
            assert getattr(danatext, name) is getattr(danatext, name) and name in dir(danatext)
        import danatext.scans
        assert callable(danatext.scan) and not hasattr(danatext, "nosuch")
        after = set(os.listdir("/proc/self/fd")), os.listdir("/proc/self/task")
        assert before == after, (before, after)
        assert not {"pyarrow", "numpy", "polars"} & set(sys.modules)
        """
    )
    assert done.returncode == 0, done.stderr


HALF_READ = {
    "a scan": "kept = iter(danatext.scan([path] * 2)); next(kept)",
    "its archives": "kept = danatext.scan(path).archives(); archive = next(kept); next(archive)",
    "an archive": "kept = danatext.open(path); next(kept)",
    "an archive in a with": "def f():\n    with danatext.open(path) as a:\n        yield next(a)\nkept = f(); next(kept)",
    "a scan with rejects": "kept = iter(danatext.scan(path, rejects=True, type='any')); next(kept)",
    "a scan of a file object": "kept = iter(danatext.scan(open(path, 'rb', buffering=0))); next(kept); kept.close()",
    "a circle": "class C: pass\nkept = C(); kept.me = kept; kept.it = iter(danatext.scan(path)); next(kept.it)",
    "an exception": "try:\n    for d in danatext.scan(path):\n        raise KeyError\nexcept KeyError as e:\n    kept = e",
    "a closed generator": "kept = iter(danatext.scan(path)); next(kept); kept.close(); kept = list(kept)",
    "a pickled scan": "import pickle; s = danatext.scan(path); kept = iter(s); next(kept); t = pickle.loads(pickle.dumps(s)); u = iter(t); next(u)",
    "a thread": "import threading\ndef f():\n    global kept\n    kept = iter(danatext.scan(path)); next(kept)\nt = threading.Thread(target=f); t.start(); t.join()",
    "a daemon": "import threading, time\ngo = threading.Event()\ndef f():\n    for d in danatext.scan([path] * 100000):\n        go.set()\nthreading.Thread(target=f, daemon=True).start(); go.wait()",
    "threads": "from concurrent.futures import ThreadPoolExecutor as P\nits = [iter(danatext.scan(path)) for _ in range(8)]\nwith P(4) as p: list(p.map(next, its))",
    "pages": "kept = danatext.extract_many(('<p>x' for _ in range(10**9))); next(kept)",
    "pages by threads": "kept = danatext.extract_many(('<p>x' for _ in range(10**9)), threads=3); next(kept)",
    "sys.exit": "import sys\nfor d in danatext.scan(path):\n    sys.exit(0)",
    "an atexit": "import atexit; kept = iter(danatext.scan(path)); atexit.register(lambda: next(kept))",
}
if hasattr(os, "fork"):
    HALF_READ["a child"] = "import os; kept = iter(danatext.scan(path)); next(kept); p = os.fork(); p and os.waitpid(p, 0)"


@pytest.mark.parametrize("what", HALF_READ)
def test_python_ends_in_silence_with_something_half_read(sample, what):
    done = script(f"import danatext\npath = {sample!r}\n{HALF_READ[what]}")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")


def test_python_ends_in_silence_with_a_stream_half_read(sample):
    pytest.importorskip("pyarrow")
    done = script(
        f"""
        import danatext, pyarrow
        kept = pyarrow.RecordBatchReader.from_stream(danatext.scan([{sample!r}] * 3, batch_rows=1))
        kept.read_next_batch()
        """
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")


def bomb(path):
    """Half a gigabyte of nothing, in half a megabyte."""
    import zlib

    deflate = zlib.compressobj(9, zlib.DEFLATED, 31)
    with open(path, "wb") as file:
        file.write(deflate.compress(record(1)))
        piece = bytes(1 << 24)
        for _ in range(32):
            file.write(deflate.compress(piece))
        file.write(deflate.flush())


@pytest.fixture
def interrupts():
    """A program in the background of a shell ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_seen_at_once(tmp_path, interrupts):
    bomb(tmp_path / "bomb.warc.gz")
    late = []
    for delay in 0.05, 0.2, 0.4:
        archive = danatext.open(tmp_path / "bomb.warc.gz")
        sent = []

        def interrupt(delay=delay, sent=sent):
            time.sleep(delay)
            sent.append(time.monotonic())
            if os.name == "nt":  # where it would end the process
                _thread.interrupt_main()
            else:
                os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                list(archive)
                archive = danatext.open(tmp_path / "bomb.warc.gz")
        late.append(time.monotonic() - sent[0])
        thread.join()
    assert min(late) < 0.1, late  # a busy machine may delay some of them


@posix
def test_memory_that_ends_is_an_exception(sample):
    done = script(
        """
        import resource, sys
        import danatext
        page = b"<p>" + b"word and word. " * 200000
        assert danatext.extract(page).text_chars > 100000
        assert len(list(danatext.open(sys.argv[1]))) == 7  # so that all modules are loaded
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        failed = 0
        for room in range(0, 24 << 20, 1 << 20):
            resource.setrlimit(resource.RLIMIT_AS, (used + room, resource.RLIM_INFINITY))
            for use in (lambda: danatext.extract(page, method="plain"), lambda: danatext.extract(page),
                        lambda: list(danatext.open(sys.argv[1]))):
                try:
                    use()
                except MemoryError:
                    failed += 1
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert failed > 3, failed
        assert len(list(danatext.open(sys.argv[1]))) == 7
        """,
        sample,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def resident():
    if resource is None:
        return 0
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def everything(sample):
    """Each call once, with its failures."""
    archive = danatext.open(sample, plugins=["metadata"], html=True, rejects=True)
    documents = list(archive)
    list(archive.rejects), archive.counts, archive.place
    archive.close()
    danatext.open(sample)
    next(danatext.open(sample))
    danatext.extract(PAGE)
    danatext.extract(PAGE, text="plain,markdown,blocks", dropped=True)
    danatext.extract(b"\x89PNG\r\n\x1a\n")
    for wrong in ({"method": "danag:gap=x"}, {"charset": "klingon"}):
        try:
            danatext.extract(PAGE, **wrong)
        except danatext.OptionError:
            pass
    try:
        danatext.open(sample, plugins=["nosuch"])
    except danatext.OptionError:
        pass
    danatext.scan(sample).__arrow_c_schema__()
    danatext.scan(sample).__arrow_c_stream__()
    return documents


def streams(sample):
    pa = pytest.importorskip("pyarrow")
    pa.table(danatext.scan(sample, batch_rows=2))
    pa.table(danatext.scan(sample, text="plain,markdown,blocks"))
    pa.table(danatext.extract_column(pa.array([PAGE, None]), text="blocks"))
    try:
        pa.table(danatext.scan("/nowhere"))
    except OSError:
        pass


@pytest.mark.parametrize("use, slack", [(everything, 1), (streams, 3)])
def test_nothing_leaks(sample, use, slack):
    """Counts the blocks of Python's allocator, and what the process has, over many rounds."""
    import gc

    rounds = 300
    for _ in range(rounds):
        use(sample)
    gc.collect()
    blocks, bytes_before = sys.getallocatedblocks(), resident()
    for _ in range(rounds):
        use(sample)
    gc.collect()
    # What leaks does so in each round; pyarrow keeps something once in a while.
    assert sys.getallocatedblocks() - blocks < slack * rounds
    assert resident() - bytes_before < 6 << 20
