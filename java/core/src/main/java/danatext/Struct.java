// SPDX-License-Identifier: MIT
package danatext;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A struct of C, written or read member by member from its beginning, each at its alignment. It keeps what its members
 * point to.
 */
final class Struct {
	final Memory memory;
	private final ByteBuffer bytes;
	private final List<Memory> kept = new ArrayList<>();
	private Memory message;

	/** A struct of zeros, whose first member, its size, is set. */
	Struct(int size) {
		memory = new Memory(size);
		memory.clear();
		bytes = memory.getByteBuffer(0, size).order(ByteOrder.nativeOrder());
		put(size);
	}

	/** One in the memory of the library. */
	Struct(Pointer pointer, int size) {
		memory = null;
		bytes = pointer.getByteBuffer(0, size).order(ByteOrder.nativeOrder());
	}

	private ByteBuffer aligned(int size) {
		return bytes.position((bytes.position() + size - 1) & -size);
	}

	Struct put(long value) {
		aligned(8).putLong(value);
		return this;
	}

	Struct putInt(long value) {
		if (value < 0 || value > 0xffffffffL)
			throw new IllegalArgumentException(value + " is not from 0 to 4294967295");
		aligned(4).putInt((int) value);
		return this;
	}

	Struct put(Pointer pointer) {
		return put(Pointer.nativeValue(pointer));
	}

	private Memory keep(byte[] value) {
		Memory copy = new Memory(value.length + 1L);
		copy.write(0, value, 0, value.length);
		copy.setByte(value.length, (byte) 0);
		kept.add(copy);
		return copy;
	}

	/** A terminated string, or NULL. */
	Struct put(String text) {
		if (text == null)
			return put(0);
		if (text.indexOf('\0') >= 0)
			throw new IllegalArgumentException("an option has the character U+0000");
		return put(keep(text.getBytes(StandardCharsets.UTF_8)));
	}

	/** A list of strings from `first` on, and their number. */
	Struct put(List<String> texts, int first) {
		int n = Math.max(texts.size() - first, 0);
		if (n == 0)
			return put(0).put(0);
		Struct list = new Struct(8 * n).again();
		texts.subList(first, texts.size()).forEach(list::put);
		return keep(list).put(list.memory).put(n);
	}

	/** Keeps another struct, to which a member points. */
	Struct keep(Struct other) {
		kept.add(other.memory);
		kept.addAll(other.kept);
		return this;
	}

	/** A buffer for a message, and its size. */
	Struct putBuffer() {
		message = keep(new byte[1023]);
		return put(message).put(1024);
	}

	/** The message in that buffer. */
	String message() {
		return message.getString(0, "UTF-8");
	}

	/** A view of UTF-8, or nothing. */
	Struct putView(String text) {
		byte[] value = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
		return value == null ? put(0).put(0) : put(keep(value)).put(value.length);
	}

	/** From the beginning, the size too. */
	Struct again() {
		bytes.clear();
		return this;
	}

	long getLong() {
		return aligned(8).getLong();
	}

	int getInt() {
		return aligned(4).getInt();
	}

	double getDouble() {
		return aligned(8).getDouble();
	}

	Pointer getPointer() {
		long address = getLong();
		return address == 0 ? null : new Pointer(address);
	}

	/** A terminated string, or null. */
	String getString() {
		Pointer text = getPointer();
		return text == null ? null : text.getString(0, "UTF-8");
	}

	/** A view of UTF-8; null where it is NULL. */
	String getView() {
		Pointer data = getPointer();
		long len = getLong();
		return data == null ? null : new String(data.getByteArray(0, Math.toIntExact(len)), StandardCharsets.UTF_8);
	}
}
