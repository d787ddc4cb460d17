// SPDX-License-Identifier: MIT
package danatext.spark;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import danatext.ArchiveReader;
import danatext.Options;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of a batch in the memory of the library, by Arrow's C data interface, whose structs are read here. */
final class ArrowMemory extends ColumnVector {
	/** The size of struct ArrowArray, and where its members are. */
	static final int ARRAY_BYTES = 80;
	private static final int NULL_COUNT = 8;
	private static final int BUFFERS = 40;
	private static final int CHILDREN = 48;
	private static final int RELEASE = 64;
	/** The same of struct ArrowSchema. */
	private static final int SCHEMA_BYTES = 72;
	private static final int SCHEMA_NAME = 8;
	private static final int SCHEMA_FLAGS = 24;
	private static final int SCHEMA_COUNT = 32;
	private static final int SCHEMA_CHILDREN = 40;
	private static final int SCHEMA_RELEASE = 56;
	private static final int NULLABLE = 2;

	private final long array;
	private final long validity;
	private final long first;
	private final long second;
	private final ArrowMemory[] children;

	/** The column of a struct ArrowArray, which begins at its first element as the library makes it. */
	ArrowMemory(DataType type, long array) {
		super(type);
		this.array = array;
		long buffers = long_(array + BUFFERS);
		validity = long_(buffers);
		boolean isStruct = type instanceof StructType;
		first = isStruct ? 0 : long_(buffers + 8);
		second = type == DataTypes.StringType ? long_(buffers + 16) : 0;
		if (type instanceof StructType struct) {
			children = new ArrowMemory[struct.size()];
			for (int i = 0; i < children.length; i++)
				children[i] = new ArrowMemory(struct.apply(i).dataType(), child(array, i));
		} else if (type instanceof org.apache.spark.sql.types.ArrayType list) {
			children = new ArrowMemory[] { new ArrowMemory(list.elementType(), child(array, 0)) };
		} else {
			children = new ArrowMemory[0];
		}
	}

	private static long long_(long address) {
		return Platform.getLong(null, address);
	}

	static long child(long array, int i) {
		return long_(long_(array + CHILDREN) + 8L * i);
	}

	static long length(long array) {
		return long_(array);
	}

	/** Calls the release of a struct. */
	static void releaseArray(long array) {
		release(array, RELEASE);
	}

	private static void release(long struct, int at) {
		long function = long_(struct + at);
		if (function != 0)
			Function.getFunction(new Pointer(function)).invokeVoid(new Object[] { new Pointer(struct) });
	}

	/** The columns that options ask for. */
	static StructType schemaOf(Options options) {
		Memory schema = new Memory(SCHEMA_BYTES);
		long address = Pointer.nativeValue(schema);
		try (ArchiveReader reader = ArchiveReader.open(InputStream.nullInputStream(), options)) {
			reader.exportSchema(address);
		} catch (IOException e) {
			throw new UncheckedIOException(e);
		}
		try {
			return struct(address);
		} finally {
			release(address, SCHEMA_RELEASE);
			java.lang.ref.Reference.reachabilityFence(schema);
		}
	}

	private static StructType struct(long schema) {
		StructType made = new StructType();
		for (int i = 0; i < long_(schema + SCHEMA_COUNT); i++)
			made = made.add(field(long_(long_(schema + SCHEMA_CHILDREN) + 8L * i)));
		return made;
	}

	private static StructField field(long schema) {
		boolean nullable = (long_(schema + SCHEMA_FLAGS) & NULLABLE) != 0;
		return DataTypes.createStructField(string(long_(schema + SCHEMA_NAME)), type(schema), nullable);
	}

	private static String string(long address) {
		return new Pointer(address).getString(0, "UTF-8");
	}

	private static DataType type(long schema) {
		String format = string(long_(schema));
		switch (format) {
		case "u":
			return DataTypes.StringType;
		case "l":
			return DataTypes.LongType;
		case "g":
			return DataTypes.DoubleType;
		case "b":
			return DataTypes.BooleanType;
		case "+s":
			return struct(schema);
		case "+l":
			StructField element = field(long_(long_(schema + SCHEMA_CHILDREN)));
			return DataTypes.createArrayType(element.dataType(), element.nullable());
		default:
			throw new IllegalStateException("the library has a column of the unknown format " + format);
		}
	}

	@Override
	public void close() {
		// the batch is released as a whole
	}

	@Override
	public boolean hasNull() {
		return numNulls() != 0;
	}

	@Override
	public int numNulls() {
		return (int) long_(array + NULL_COUNT);
	}

	private static boolean bit(long bits, int row) {
		return (Platform.getByte(null, bits + (row >> 3)) >> (row & 7) & 1) != 0;
	}

	@Override
	public boolean isNullAt(int row) {
		return validity != 0 && !bit(validity, row);
	}

	@Override
	public boolean getBoolean(int row) {
		return bit(first, row);
	}

	@Override
	public long getLong(int row) {
		return long_(first + 8L * row);
	}

	@Override
	public double getDouble(int row) {
		return Platform.getDouble(null, first + 8L * row);
	}

	private int offset(int row) {
		return Platform.getInt(null, first + 4L * row);
	}

	@Override
	public UTF8String getUTF8String(int row) {
		if (isNullAt(row))
			return null;
		int start = offset(row);
		return UTF8String.fromAddress(null, second + start, offset(row + 1) - start);
	}

	@Override
	public ColumnarArray getArray(int row) {
		if (isNullAt(row))
			return null;
		int start = offset(row);
		return new ColumnarArray(children[0], start, offset(row + 1) - start);
	}

	@Override
	public ColumnVector getChild(int ordinal) {
		return children[ordinal];
	}

	private UnsupportedOperationException not() {
		return new UnsupportedOperationException("the library has no column of this type");
	}

	@Override
	public byte getByte(int row) {
		throw not();
	}

	@Override
	public short getShort(int row) {
		throw not();
	}

	@Override
	public int getInt(int row) {
		throw not();
	}

	@Override
	public float getFloat(int row) {
		throw not();
	}

	@Override
	public ColumnarMap getMap(int row) {
		throw not();
	}

	@Override
	public Decimal getDecimal(int row, int precision, int scale) {
		throw not();
	}

	@Override
	public byte[] getBinary(int row) {
		throw not();
	}
}
