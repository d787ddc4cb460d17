// SPDX-License-Identifier: MIT
package danatext;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A struct of C, written member by member from its beginning, each at its alignment, and read by words of eight bytes. It
 * keeps what its members point to.
 */
final class Struct {
	/** Buffers for strings, which a thread keeps up to this size: a reader of a few documents makes none. */
	private static final int KEPT_BYTES = 4 << 20;
	private static final ThreadLocal<byte[]> BYTES = new ThreadLocal<>();
	private static final ThreadLocal<char[]> CHARS = new ThreadLocal<>();
	/** All memory of the process, from address 0 on. */
	static final Pointer ALL = new Pointer(0);

	final Memory memory;
	private int at;
	/** Of `read`. */
	private final long[] words;
	private final List<Object> kept = new ArrayList<>();
	private Memory message;

	/** A struct of zeros, whose first member, its size, is set. */
	Struct(int size) {
		memory = new Memory(size);
		words = new long[size / 8];
		reset();
	}

	/** As a new one. */
	void reset() {
		memory.clear();
		at = 0;
		put(memory.size());
	}

	Struct put(long value) {
		at = at + 7 & -8;
		memory.setLong(at, value);
		at += 8;
		return this;
	}

	Struct putInt(long value) {
		if (value < 0 || value > 0xffffffffL)
			throw new IllegalArgumentException(value + " is not from 0 to 4294967295");
		memory.setInt(at, (int) value);
		at += 4;
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
		for (String text : texts.subList(first, texts.size()))
			list.put(text);
		return put(list).put(n);
	}

	/** A pointer to another struct, which is kept; null: NULL. */
	Struct put(Struct other) {
		if (other == null)
			return put(0);
		kept.add(other.memory);
		kept.addAll(other.kept);
		return put(other.memory);
	}

	/** A pointer to what an object has, which is kept; null: NULL. */
	Struct put(Pointer pointer, Object owner) {
		kept.add(owner);
		return put(pointer == null ? 0 : Pointer.nativeValue(pointer));
	}

	/** A buffer for a message, and its size. */
	Struct putBuffer() {
		message = new Memory(1024);
		message.setByte(0, (byte) 0);
		return put(message).put(message.size());
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
		at = 0;
		return this;
	}

	/** Takes all words as they are now: one copy, as a call for each member costs more than the member. */
	Struct read() {
		return read(Pointer.nativeValue(memory));
	}

	/** The same of another struct of this size. */
	Struct read(long address) {
		ALL.read(address, words, 0, words.length);
		return this;
	}

	long word(int i) {
		return words[i];
	}

	/** A terminated string, or null. */
	String string(int i) {
		return words[i] == 0 ? null : ALL.getString(words[i], "UTF-8");
	}

	/** A view, of two words; null where it is NULL. What comes from heads of records need not be valid UTF-8. */
	String view(int i) {
		return words[i] == 0 ? null : new String(copy(i), 0, (int) words[i + 1], StandardCharsets.UTF_8);
	}

	/** The same of a text, which is valid UTF-8, of so many code points. */
	String text(int i, long codePoints) {
		if (words[i] == 0)
			return null;
		byte[] bytes = copy(i);
		int len = (int) words[i + 1];
		if (codePoints == len)
			return new String(bytes, 0, len, StandardCharsets.ISO_8859_1);
		char[] chars = CHARS.get();
		if (chars == null || chars.length < len) {
			chars = new char[bytes.length];
			if (len <= KEPT_BYTES)
				CHARS.set(chars);
		}
		return new String(chars, 0, decode(bytes, len, chars));
	}

	/** The bytes of a view, in an array that the thread uses again. */
	private byte[] copy(int i) {
		int len = Math.toIntExact(words[i + 1]);
		byte[] bytes = BYTES.get();
		if (bytes == null || bytes.length < len) {
			bytes = new byte[Math.addExact(len, len / 2 + 1024)];
			if (len <= KEPT_BYTES)
				BYTES.set(bytes);
		}
		ALL.read(words[i], bytes, 0, len);
		return bytes;
	}

	/** Decodes valid UTF-8, in less time and memory than the JVM needs for what may be invalid. Returns the number of chars. */
	private static int decode(byte[] bytes, int len, char[] chars) {
		int n = 0;
		for (int i = 0; i < len; n++) {
			int c = bytes[i++];
			if (c < 0) {
				int second = bytes[i++] & 63;
				if (c < -32) {
					c = (c & 31) << 6 | second;
				} else {
					c = (c & 15) << 12 | second << 6 | bytes[i++] & 63;
					if (bytes[i - 3] >= -16) {
						c = c << 6 | bytes[i++] & 63;
						chars[n++] = Character.highSurrogate(c);
						c = Character.lowSurrogate(c);
					}
				}
			}
			chars[n] = (char) c;
		}
		return n;
	}
}
