// SPDX-License-Identifier: MIT
package danatext;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The documents of a web archive: WARC 0.17 to 1.1 or ARC, uncompressed, in gzip or zstd, recognised by content. Damage
 * in it is skipped and counted.
 *
 * <p>Units: bytes of the input as it is stored, counted from its position when it is passed. Threads: a call waits while
 * another thread is in one; any number of readers work at once, and none starts threads. A reader that is not closed is
 * freed after it has become unreachable, but for its channel. Interrupts: when the thread is interrupted, the next read
 * of input throws {@link InterruptedIOException}, and leaves the thread's flag set.
 */
public final class ArchiveReader implements Iterable<Document>, AutoCloseable {
	private static final int READ_BYTES = 256 << 10;
	private static final int PLACE_BYTES = 48;
	private static final int HUNGRY = 0;
	private static final int DOCUMENT = 1;
	private static final int SEEK = 2;
	private static final int OVER = 3;

	private final Pointer archive;
	private final Cleaner.Cleanable cleanable;
	private final ReadableByteChannel channel;
	private final long base;
	private final Fields fields = new Fields();
	private final Memory input = new Memory(READ_BYTES);
	private final ByteBuffer buffer = input.getByteBuffer(0, READ_BYTES);
	private boolean closed;
	private boolean feeding; /* the channel is at work, which may call back */

	private ArchiveReader(ReadableByteChannel channel, String name, Options options) throws IOException {
		this.channel = channel;
		SeekableByteChannel seekable = channel instanceof SeekableByteChannel s ? s : null;
		base = seekable == null ? 0 : seekable.position();
		long size = seekable == null ? 0 : Math.max(seekable.size() - base, 0);
		Struct given = (options == null ? new Options() : options).ofArchive(name, size);
		PointerByReference out = new PointerByReference();
		int status = Library.dana_archive_new(out, given.memory);
		if (status != 0)
			throw new DanaException(status, given.message());
		Pointer made = out.getValue();
		archive = made;
		cleanable = Library.CLEANER.register(this, new Free(made, given));
	}

	/** Frees an archive; the name in its options is borrowed. */
	private record Free(Pointer archive, Struct options) implements Runnable {
		@Override
		public void run() {
			Library.dana_archive_free(archive);
			Reference.reachabilityFence(options);
		}
	}

	/**
	 * Opens a file.
	 *
	 * @param path an archive; those in a WACZ are opened by {@link Wacz#open}
	 * @param options null: the defaults
	 * @return its reader
	 * @throws IOException if it cannot be opened
	 * @throws DanaException for an unknown option, plugin or method, or when memory is exhausted
	 */
	public static ArchiveReader open(Path path, Options options) throws IOException {
		FileChannel channel = FileChannel.open(path);
		try {
			return new ArchiveReader(channel, path.toString(), options);
		} catch (IOException | RuntimeException e) {
			channel.close();
			throw e;
		}
	}

	/**
	 * Reads a stream, which {@link #close} closes.
	 *
	 * @param stream an archive; it need not seek
	 * @param options null: the defaults
	 * @return its reader
	 * @throws IOException if its size or position cannot be had
	 * @throws DanaException as {@link #open(Path, Options)}; the stream stays open
	 */
	public static ArchiveReader open(InputStream stream, Options options) throws IOException {
		return new ArchiveReader(Channels.newChannel(stream), null, options);
	}

	/**
	 * Reads a channel in blocking mode, which {@link #close} closes. Of one that can seek, only what a range needs is read.
	 *
	 * @param channel an archive; a {@link SeekableByteChannel} is read from its position
	 * @param options null: the defaults
	 * @return its reader
	 * @throws IOException if its size or position cannot be had
	 * @throws DanaException as {@link #open(Path, Options)}; the channel stays open
	 */
	public static ArchiveReader open(ReadableByteChannel channel, Options options) throws IOException {
		return new ArchiveReader(channel, null, options);
	}

	static ArchiveReader open(ReadableByteChannel channel, String name, Options options) throws IOException {
		return new ArchiveReader(channel, name, options);
	}

	/**
	 * Reads the next document.
	 *
	 * @return null at the end
	 * @throws IOException if the input fails, or the thread is interrupted, after which reading can be resumed if the
	 *         channel is still open
	 * @throws DanaException if a plugin fails, or memory is exhausted; the archive gives no more documents
	 * @throws IllegalStateException if this is closed
	 */
	public synchronized Document read() throws IOException {
		return next(false, fields.document.memory) ? new Document(fields) : null;
	}

	/** Moves to the next document, or batch. */
	private boolean next(boolean batch, Pointer target) throws IOException {
		try {
			for (;;) {
				Pointer a = archive();
				int answer = batch ? Library.dana_archive_batch(a, target) : Library.dana_archive_next(a, target);
				if (answer < 0)
					throw new DanaException(answer, Library.dana_archive_error(a).getString(0, "UTF-8"));
				if (answer == DOCUMENT || answer == OVER)
					return answer == DOCUMENT;
				if (Thread.currentThread().isInterrupted())
					throw new InterruptedIOException("interrupted while reading an archive");
				if (answer == SEEK)
					((SeekableByteChannel) channel).position(base + Library.dana_archive_seek_to(a));
				if (answer == SEEK || answer == HUNGRY)
					feed();
			}
		} finally {
			Reference.reachabilityFence(this);
		}
	}

	private void feed() throws IOException {
		boolean over;
		feeding = true;
		try {
			over = channel.read(buffer.clear()) < 0;
		} finally {
			feeding = false;
		}
		Pointer a = archive();
		int n = buffer.position(); /* whatever number the channel has returned */
		if (!over && n == 0)
			throw new IOException("the channel has no bytes at the moment; expected one that waits for them");
		String fault = over && channel instanceof Wacz.Checked c ? c.fault() : null;
		int status = !over ? Library.dana_archive_push(a, input, n)
				: fault != null ? Library.dana_archive_damaged(a, fault) : Library.dana_archive_end(a);
		if (status != 0)
			throw new DanaException(status, Library.dana_archive_error(a).getString(0, "UTF-8"));
	}

	private Pointer archive() {
		if (closed)
			throw new IllegalStateException("the archive reader is closed");
		return archive;
	}

	/**
	 * Returns the documents that are left. {@code hasNext} reads one ahead: beside {@link #place} and {@link #line} use
	 * {@link #read}. Exceptions of the input are {@link UncheckedIOException}.
	 */
	@Override
	public Iterator<Document> iterator() {
		return new Iterator<>() {
			private Document next;

			@Override
			public boolean hasNext() {
				try {
					next = next == null ? read() : next;
				} catch (IOException e) {
					throw new UncheckedIOException(e);
				}
				return next != null;
			}

			@Override
			public Document next() {
				if (!hasNext())
					throw new NoSuchElementException();
				Document taken = next;
				next = null;
				return taken;
			}
		};
	}

	/** A function that makes a view. */
	private interface View {
		int of(Pointer archive, Pointer view);
	}

	private String view(View function) {
		Struct view = new Struct(16);
		int status = function.of(archive(), view.memory);
		Reference.reachabilityFence(this);
		if (status != 0)
			throw new DanaException(status, null);
		String text = view.read().view(0);
		return text == null ? "" : text;
	}

	/**
	 * Returns the document read last as {@code dana filter} writes it.
	 *
	 * @return an object of JSON, and a line feed
	 */
	public synchronized String line() {
		return view(Library::dana_archive_line);
	}

	/**
	 * Returns what was skipped or damaged since the last call, with {@link Options#rejects}.
	 *
	 * @return lines as {@code dana filter --rejects} writes them
	 */
	public synchronized String rejects() {
		return view(Library::dana_archive_rejects);
	}

	/**
	 * Returns the counters so far, as {@code dana filter --stats} has them, as "documents", "damaged".
	 *
	 * @return numbers, and maps of numbers
	 */
	@SuppressWarnings("unchecked")
	public synchronized Map<String, Object> counts() {
		return (Map<String, Object>) Json.parse(view(Library::dana_archive_counts));
	}

	/**
	 * Returns where to resume after the document read last.
	 *
	 * @return a word for {@link Options#place}
	 */
	public synchronized String place() {
		Memory word = new Memory(PLACE_BYTES);
		int status = Library.dana_archive_place(archive(), word, PLACE_BYTES);
		Reference.reachabilityFence(this);
		if (status != 0)
			throw new DanaException(status, null);
		return word.getString(0, "UTF-8");
	}

	/**
	 * Describes the columns of {@link #exportBatch}.
	 *
	 * @param schema the address of a {@code struct ArrowSchema} of Arrow's C data interface, which is filled, and must be
	 *        released by its {@code release}
	 */
	public synchronized void exportSchema(long schema) {
		int status = Library.dana_archive_schema(archive(), new Pointer(schema));
		Reference.reachabilityFence(this);
		if (status != 0)
			throw new DanaException(status, null);
	}

	/**
	 * Reads the next batch of documents, in place of {@link #read}.
	 *
	 * @param array the address of a {@code struct ArrowArray} of Arrow's C data interface, which is filled. It outlives
	 *        this reader, and must be released by its {@code release}, in any thread
	 * @return false at the end: nothing was filled
	 * @throws IOException as {@link #read}
	 */
	public synchronized boolean exportBatch(long array) throws IOException {
		return next(true, new Pointer(array));
	}

	/** Frees the memory and closes the channel. Once closed, it can only be closed again. */
	@Override
	public synchronized void close() throws IOException {
		closed = true;
		cleanable.clean();
		if (!feeding) /* else it is freed when the channel has it no more */
			input.close();
		fields.close();
		channel.close();
	}
}
