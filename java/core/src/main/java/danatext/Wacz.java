// SPDX-License-Identifier: MIT
package danatext;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.Pointer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * An archive in a WACZ, or in a WACZ in a zip: an input by itself, as {@code dana filter} has it.
 *
 * <pre>{@code
 * for (Wacz archive : Wacz.archives(Path.of("crawl.wacz")))
 *     try (ArchiveReader reader = archive.open(null)) {
 *         ...
 *     }
 * }</pre>
 */
public final class Wacz {
	private static final int DANA_ZIP_NONE = 1;
	private static final int BUFFER_BYTES = 64 << 10;
	private static final String DAMAGED = "zip: the entry is damaged: ";

	private final Path file;
	private final String name;
	private final Range range;
	/** The deflated zip that it lies in, or null. */
	private final Range zip;
	private final String fault;

	/** What struct dana_zip_entry has of a place. */
	private record Range(long begin, long length, boolean deflated, long size, long crc) {
		static Range at(Pointer entry) {
			return new Range(entry.getLong(8), entry.getLong(16), entry.getInt(24) != 0, entry.getLong(32),
					entry.getInt(40) & 0xffffffffL);
		}
	}

	private Wacz(Path file, Pointer entry) {
		Pointer outer = entry.getPointer(48);
		Pointer why = entry.getPointer(56);
		this.file = file;
		name = entry.getPointer(0).getString(0, "UTF-8");
		range = Range.at(entry);
		zip = outer == null ? null : Range.at(outer);
		fault = why == null ? null : why.getString(0, "UTF-8");
	}

	/** A function that C calls. */
	private interface ReadAt extends Callback {
		long read(Pointer arg, long offset, Pointer bytes, long length);
	}

	/** A function that C calls. */
	private interface TakeEntry extends Callback {
		int take(Pointer arg, Pointer entry);
	}

	/**
	 * Lists the archives of a WACZ, of a zip with WACZs, or of both, in the order of its directory.
	 *
	 * @param file a zip
	 * @return its archives, those that cannot be read, too
	 * @throws IOException if it cannot be read, is no zip, is damaged, or holds no archive
	 */
	public static List<Wacz> archives(Path file) throws IOException {
		List<Wacz> found = new ArrayList<>();
		IOException[] failed = new IOException[1];
		try (FileChannel channel = FileChannel.open(file)) {
			ReadAt read = (arg, offset, bytes, length) -> {
				try {
					return readAt(channel, offset, bytes.getByteBuffer(0, length));
				} catch (IOException e) {
					failed[0] = e;
					return -1;
				}
			};
			TakeEntry take = (arg, entry) -> {
				found.add(new Wacz(file, entry));
				return 0;
			};
			Struct struct = new Struct(56).put(CallbackReference.getFunctionPointer(read))
					.put(CallbackReference.getFunctionPointer(take)).put(0).put(channel.size()).putBuffer();
			int status = Library.dana_zip_read(struct.memory);
			java.lang.ref.Reference.reachabilityFence(read);
			java.lang.ref.Reference.reachabilityFence(take);
			if (failed[0] != null)
				throw failed[0];
			if (status == DANA_ZIP_NONE)
				throw new IOException(file + ": it is no zip");
			if (status != 0)
				throw new IOException(file + ": " + struct.message());
		}
		return found;
	}

	/** Reads until the buffer is full or the file ends. */
	private static int readAt(FileChannel channel, long offset, ByteBuffer bytes) throws IOException {
		int before = bytes.position();
		for (int n = 0; n >= 0 && bytes.hasRemaining();)
			n = channel.read(bytes, offset + bytes.position() - before);
		return bytes.position() - before;
	}

	/**
	 * Returns its name in the zip.
	 *
	 * @return as {@code archive/data.warc.gz}, or {@code inner.wacz/archive/data.warc.gz}
	 */
	public String name() {
		return name;
	}

	/**
	 * Returns why it cannot be read.
	 *
	 * @return null: it can
	 */
	public String fault() {
		return fault;
	}

	/**
	 * Opens it. Its documents have the file {@code crawl.wacz/archive/data.warc.gz}. An entry that is not what the zip
	 * has of it counts as damaged, {@code bad_member}, at its end.
	 *
	 * @param options null: the defaults
	 * @return its reader
	 * @throws IOException if it cannot be read
	 * @throws DanaException as {@link ArchiveReader#open(Path, Options)}
	 */
	public ArchiveReader open(Options options) throws IOException {
		if (fault != null)
			throw new IOException(file + "/" + name + ": " + fault);
		FileChannel channel = FileChannel.open(file);
		try {
			return ArchiveReader.open(bytes(channel), file + "/" + name, options);
		} catch (IOException | RuntimeException e) {
			channel.close();
			throw e;
		}
	}

	private ReadableByteChannel bytes(FileChannel channel) throws IOException {
		if (zip == null)
			return range.deflated ? new Inflated(new Stored(channel, range, false), range) : new Stored(channel, range, true);
		Inflated whole = new Inflated(new Stored(channel, zip, false), zip);
		Inside inside = new Inside(whole, range);
		return range.deflated ? new Inflated(inside, range) : inside;
	}

	/** What an input says of itself when it is over. */
	interface Checked extends ReadableByteChannel {
		/** Returns null if nothing is wrong. */
		String fault();
	}

	/** A range of a file. */
	private static final class Stored implements Checked, SeekableByteChannel {
		private final FileChannel channel;
		private final Range range;
		private final CRC32 sum = new CRC32();
		private final boolean checks;
		private long at;
		private long summed;
		private String fault;

		Stored(FileChannel channel, Range range, boolean checks) {
			this.channel = channel;
			this.range = range;
			this.checks = checks;
		}

		@Override
		public int read(ByteBuffer target) throws IOException {
			int room = (int) Math.min(target.remaining(), Math.max(range.length - at, 0));
			ByteBuffer some = target.duplicate().limit(target.position() + room);
			int n = room == 0 ? -1 : channel.read(some, range.begin + at);
			if (n > 0 && checks && at <= summed && at + n > summed) {
				sum.update(target.duplicate().position(target.position() + (int) (summed - at)).limit(some.position()));
				summed = at + n;
			}
			if (n < 0 && at < range.length)
				fault = DAMAGED + "its data is cut off";
			else if (n < 0 && checks && summed == range.length && sum.getValue() != range.crc)
				fault = DAMAGED + "its checksum is wrong";
			at += Math.max(n, 0);
			target.position(some.position());
			return n;
		}

		@Override
		public String fault() {
			return fault;
		}

		@Override
		public long position() {
			return at;
		}

		@Override
		public SeekableByteChannel position(long position) {
			at = position;
			return this;
		}

		@Override
		public long size() {
			return range.length;
		}

		@Override
		public int write(ByteBuffer source) {
			throw new NonWritableChannelException();
		}

		@Override
		public SeekableByteChannel truncate(long size) {
			throw new NonWritableChannelException();
		}

		@Override
		public boolean isOpen() {
			return channel.isOpen();
		}

		@Override
		public void close() throws IOException {
			channel.close();
		}
	}

	/** What is deflated, inflated. */
	private static final class Inflated implements Checked {
		private final Checked in;
		private final Range range;
		private final Inflater inflater = new Inflater(true);
		private final ByteBuffer taken = ByteBuffer.allocate(BUFFER_BYTES);
		private final CRC32 sum = new CRC32();
		private long made;
		private boolean over;
		private String fault;

		Inflated(Checked in, Range range) {
			this.in = in;
			this.range = range;
		}

		private int end(String why) {
			over = true;
			fault = why == null ? null : in.fault() != null ? in.fault() : DAMAGED + why;
			return -1;
		}

		@Override
		public int read(ByteBuffer target) throws IOException {
			if (!isOpen())
				throw new ClosedChannelException();
			while (!over && target.hasRemaining()) {
				int begin = target.position();
				try {
					inflater.inflate(target);
				} catch (DataFormatException e) {
					return end("its data is not deflated");
				}
				long left = range.size - made;
				if (target.position() - begin > left) {
					target.position(begin + (int) left);
					end("it is longer than its directory has it");
				}
				int n = target.position() - begin;
				made += n;
				sum.update(target.duplicate().position(begin).limit(begin + n));
				if (n > 0)
					return n;
				if (over)
					return -1;
				if (inflater.finished())
					return end(made < range.size ? "it is shorter than its directory has it"
							: sum.getValue() != range.crc ? "its checksum is wrong" : null);
				if (in.read(taken.clear()) < 0)
					return end("its data is cut off");
				inflater.setInput(taken.flip());
			}
			return over ? -1 : 0;
		}

		@Override
		public String fault() {
			return fault;
		}

		@Override
		public boolean isOpen() {
			return in.isOpen();
		}

		@Override
		public void close() throws IOException {
			inflater.end();
			in.close();
		}
	}

	/** An entry of a deflated zip. */
	private static final class Inside implements Checked {
		private final Inflated whole;
		private final Range range;
		private final CRC32 sum = new CRC32();
		private long at;
		private String fault;

		Inside(Inflated whole, Range range) throws IOException {
			this.whole = whole;
			this.range = range;
			ByteBuffer passed = ByteBuffer.allocate(BUFFER_BYTES);
			for (long left = range.begin; left > 0;) {
				int n = whole.read(passed.clear().limit((int) Math.min(left, BUFFER_BYTES)));
				if (n < 0)
					throw new EOFException(whole.fault());
				left -= n;
			}
		}

		@Override
		public int read(ByteBuffer target) throws IOException {
			int room = (int) Math.min(target.remaining(), range.length - at);
			ByteBuffer some = target.duplicate().limit(target.position() + room);
			int n = room == 0 ? -1 : whole.read(some);
			if (n > 0)
				sum.update(target.duplicate().limit(some.position()));
			if (n < 0 && at < range.length)
				fault = whole.fault() != null ? whole.fault() : DAMAGED + "its data is cut off";
			else if (n < 0 && !range.deflated && sum.getValue() != range.crc)
				fault = DAMAGED + "its checksum is wrong";
			at += Math.max(n, 0);
			target.position(some.position());
			return n;
		}

		@Override
		public String fault() {
			return fault;
		}

		@Override
		public boolean isOpen() {
			return whole.isOpen();
		}

		@Override
		public void close() throws IOException {
			whole.close();
		}
	}
}
