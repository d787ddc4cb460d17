// SPDX-License-Identifier: MIT
package danatext.spark;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import danatext.ArchiveReader;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/** Opens parts of archives in an executor. */
final class PartReaders implements PartitionReaderFactory {
	private static final long serialVersionUID = 1;
	private final Settings settings;
	private final StructType schema;
	/** The configuration of Hadoop, as it writes itself. */
	private final byte[] configuration;

	PartReaders(Settings settings, StructType schema, byte[] configuration) {
		this.settings = settings;
		this.schema = schema;
		this.configuration = configuration;
	}

	@Override
	public boolean supportColumnarReads(InputPartition partition) {
		return !settings.counts;
	}

	private ArchiveReader open(DanaScan.Part part) throws IOException {
		Configuration conf = new Configuration(false);
		conf.readFields(new DataInputStream(new ByteArrayInputStream(configuration)));
		Path path = new Path(part.path());
		FileSystem files = path.getFileSystem(conf);
		// Beside its file it looks for one with checksums, and has no name for that of a file whose name has a colon.
		FSDataInputStream in = (files instanceof LocalFileSystem local ? local.getRawFileSystem() : files).open(path);
		try {
			return ArchiveReader.open(new Channel(in, part.size()),
					settings.options().name(part.name()).range(part.begin(), part.end()));
		} catch (IOException | RuntimeException e) {
			in.close();
			throw e;
		}
	}

	@Override
	public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
		try {
			return new Batches(open((DanaScan.Part) partition), ArrowMemory.schemaOf(settings.options()), schema);
		} catch (IOException e) {
			throw new java.io.UncheckedIOException(e);
		}
	}

	@Override
	public PartitionReader<InternalRow> createReader(InputPartition partition) {
		return new Counts((DanaScan.Part) partition);
	}

	/** Batches as the library makes them; each is released when the next is read. */
	private static final class Batches implements PartitionReader<ColumnarBatch> {
		private final ArchiveReader reader;
		private final StructType wanted;
		private final int[] ordinals;
		private final Memory array = new Memory(ArrowMemory.ARRAY_BYTES);

		Batches(ArchiveReader reader, StructType all, StructType wanted) {
			this.reader = reader;
			this.wanted = wanted;
			List<String> names = Arrays.asList(all.fieldNames());
			ordinals = Arrays.stream(wanted.fieldNames()).mapToInt(names::indexOf).toArray();
			array.clear();
		}

		private void release() {
			ArrowMemory.releaseArray(Pointer.nativeValue(array));
			array.clear();
		}

		@Override
		public boolean next() throws IOException {
			release();
			return reader.exportBatch(Pointer.nativeValue(array));
		}

		@Override
		public ColumnarBatch get() {
			long batch = Pointer.nativeValue(array);
			ColumnVector[] columns = new ColumnVector[ordinals.length];
			for (int i = 0; i < columns.length; i++)
				columns[i] = new ArrowMemory(wanted.apply(i).dataType(), ArrowMemory.child(batch, ordinals[i]));
			return new ColumnarBatch(columns, Math.toIntExact(ArrowMemory.length(batch)));
		}

		@Override
		public void close() throws IOException {
			release();
			reader.close();
		}
	}

	/** One row: what became of the records of a part. */
	private final class Counts implements PartitionReader<InternalRow> {
		private final DanaScan.Part part;
		private InternalRow row;

		Counts(DanaScan.Part part) {
			this.part = part;
		}

		@Override
		public boolean next() throws IOException {
			if (row != null)
				return false;
			try (ArchiveReader reader = open(part)) {
				while (reader.read() != null)
					continue;
				Map<String, Object> counts = reader.counts();
				row = new GenericInternalRow(Arrays.stream(schema.fieldNames()).map(name -> value(name, counts)).toArray());
			}
			return true;
		}

		private Object value(String name, Map<String, Object> counts) {
			switch (name) {
			case "file":
				return UTF8String.fromString(part.name());
			case "begin":
				return part.begin();
			case "end":
				return part.end() == 0 ? null : part.end();
			default:
				return counts.get(name) instanceof Map<?, ?> map ? mapped(map) : counts.get(name);
			}
		}

		private ArrayBasedMapData mapped(Map<?, ?> map) {
			Object[] words = map.keySet().stream().map(word -> UTF8String.fromString((String) word)).toArray();
			return new ArrayBasedMapData(new GenericArrayData(words), new GenericArrayData(map.values().toArray()));
		}

		@Override
		public InternalRow get() {
			return row;
		}

		@Override
		public void close() {
			// next has closed what it opened
		}
	}

	/** A stream of Hadoop as a channel that can seek. */
	private static final class Channel implements SeekableByteChannel {
		private final FSDataInputStream in;
		private final long size;
		private final byte[] bytes = new byte[256 << 10];
		private boolean open = true;

		Channel(FSDataInputStream in, long size) {
			this.in = in;
			this.size = size;
		}

		@Override
		public int read(ByteBuffer target) throws IOException {
			int n = in.read(bytes, 0, Math.min(bytes.length, target.remaining()));
			if (n > 0)
				target.put(bytes, 0, n);
			return n;
		}

		@Override
		public long position() throws IOException {
			return in.getPos();
		}

		@Override
		public SeekableByteChannel position(long to) throws IOException {
			in.seek(to);
			return this;
		}

		@Override
		public long size() {
			return size;
		}

		@Override
		public int write(ByteBuffer source) {
			throw new NonWritableChannelException();
		}

		@Override
		public SeekableByteChannel truncate(long to) {
			throw new NonWritableChannelException();
		}

		@Override
		public boolean isOpen() {
			return open;
		}

		@Override
		public void close() throws IOException {
			open = false;
			in.close();
		}
	}
}
