// SPDX-License-Identifier: MIT
package danatext;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Reads any number of single pages, one after the other, and keeps its memory between them.
 *
 * <p>Threads: a call waits while another thread reads; for pages at the same time make a reader for each thread. One that
 * is not closed is freed after it has become unreachable.
 */
public final class PageReader implements AutoCloseable {
	/** Copies of pages up to this size reuse one buffer. */
	private static final int KEPT_BYTES = 4 << 20;

	private final Pointer reader;
	private final Cleaner.Cleanable cleanable;
	private final Fields fields = new Fields();
	private Memory copy = new Memory(64 << 10);
	private boolean closed;

	/**
	 * Makes a reader.
	 *
	 * @param options null: the defaults
	 * @throws DanaException for an unknown option, plugin or method, or when memory is exhausted
	 */
	public PageReader(Options options) {
		Struct given = (options == null ? new Options() : options).ofPage();
		PointerByReference out = new PointerByReference();
		int status = Library.dana_page_reader_new(out, given.memory);
		if (status != 0)
			throw new DanaException(status, given.message());
		Pointer made = out.getValue();
		reader = made;
		cleanable = Library.CLEANER.register(this, () -> Library.dana_page_reader_free(made));
		Reference.reachabilityFence(given);
	}

	/**
	 * Reads a page.
	 *
	 * @param html the page as the server sent it, in any charset
	 * @param source what is known about it
	 * @return the page; what cannot be read has an empty text, and a reason
	 * @throws DanaException for an unknown charset, a plugin that fails, or when memory is exhausted; the next page can be
	 *         read
	 * @throws IllegalStateException if this is closed
	 */
	public synchronized Page read(byte[] html, PageSource source) {
		return read(ByteBuffer.wrap(html), source);
	}

	/**
	 * As {@link #read(byte[], PageSource)}, for the bytes from the buffer's position to its limit, which do not move. The
	 * bytes of a direct buffer are not copied, and must not change meanwhile.
	 *
	 * @param html the page as the server sent it
	 * @param source what is known about it
	 * @return the page
	 */
	public synchronized Page read(ByteBuffer html, PageSource source) {
		if (closed)
			throw new IllegalStateException("the page reader is closed");
		Struct known = new Struct(48).again().putView(source.url()).putView(source.charset());
		known.putView(source.contentType());
		try {
			Pointer bytes = html.isDirect() ? Native.getDirectBufferPointer(html).share(html.position()) : copy(html);
			int status = Library.dana_page_read(reader, known.memory, bytes, html.remaining(), fields.document.memory);
			if (status == 0)
				return new Page(fields, null);
			String message = Library.dana_page_error(reader).getString(0, "UTF-8");
			if (status != DanaException.DROPPED && status != DanaException.NOT_A_PAGE && status != DanaException.LIMIT)
				throw new DanaException(status, message);
			fields.document.reset();
			return new Page(fields, message);
		} finally {
			Reference.reachabilityFence(known);
			Reference.reachabilityFence(html);
			Reference.reachabilityFence(this);
		}
	}

	private Memory copy(ByteBuffer html) {
		int size = html.remaining();
		Memory target = size > copy.size() ? new Memory(size + size / 2L) : copy;
		if (target.size() <= KEPT_BYTES)
			copy = target;
		target.getByteBuffer(0, target.size()).put(html.duplicate());
		return target;
	}

	/** Frees the memory. Once closed, it reads no page. */
	@Override
	public synchronized void close() {
		closed = true;
		cleanable.clean();
		copy.close();
		fields.close();
	}
}
