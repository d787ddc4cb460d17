// SPDX-License-Identifier: MIT
package danatext;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the fields of a document hold, by the table of the library: names are looked up once, and values are read by
 * their kinds, so that a field that the library has later is there without a change here.
 */
final class Fields {
	/** The names of the fields, in the order of their numbers. */
	static final List<String> NAMES = names(Library::dana_field_name);
	/** A field that the document does not have, which depends on the options. */
	static final Object ABSENT = new Object();
	private static final List<String> PROBLEMS = names(Library::dana_problem_word);
	private static final int TEXT = place("text");
	private static final int TEXT_CHARS = place("text_chars");

	/** The members of struct dana_value, in words of eight bytes; its view and struct dana_method_text have two and three. */
	private static final int DATA = 1;
	private static final int COUNT = 3;
	private static final int REAL = 4;
	private static final int WORDS = 5;
	/** enum dana_value_kind */
	private static final int IS_NONE = 0;
	private static final int IS_TEXT = 2;
	private static final int IS_COUNT = 3;
	private static final int IS_REAL = 4;
	private static final int IS_BOOLEAN = 5;
	private static final int IS_JSON = 6;
	private static final int IS_MEMBER = 7;
	/** More than struct dana_document has; the library sets what is beyond to zero. */
	private static final int DOCUMENT_BYTES = 1024;

	/** A struct dana_document, which the library fills. */
	final Struct document = new Struct(DOCUMENT_BYTES);
	private final Struct values = new Struct(8 * WORDS * NAMES.size());

	/** A function that has words up to a number. */
	private interface Words {
		String of(int i);
	}

	private static List<String> names(Words words) {
		List<String> names = new ArrayList<>();
		for (String name; (name = words.of(names.size())) != null;)
			names.add(name);
		return List.copyOf(names);
	}

	/** The number of a field that all libraries for this class have. */
	static int place(String name) {
		int place = NAMES.indexOf(name);
		if (place < 0)
			throw new UnsatisfiedLinkError("the library of danatext has no field " + name);
		return place;
	}

	/** The values of the document, by the numbers of the fields: String, Long, Double, Boolean, List, Map, null, ABSENT. */
	Object[] read() {
		Library.dana_document_values(document.memory, values.memory, NAMES.size());
		values.read();
		Object[] all = new Object[NAMES.size()];
		for (int i = 0; i < all.length; i++)
			all[i] = value(i);
		return all;
	}

	private Object value(int i) {
		int at = WORDS * i;
		switch ((int) values.word(at)) {
		case IS_NONE:
			return ABSENT;
		case IS_TEXT:
			return i == TEXT ? values.text(at + DATA, values.word(WORDS * TEXT_CHARS + COUNT)) : values.view(at + DATA);
		case IS_JSON:
			return values.view(at + DATA);
		case IS_COUNT:
			return values.word(at + COUNT);
		case IS_REAL:
			return Double.longBitsToDouble(values.word(at + REAL));
		case IS_BOOLEAN:
			return values.word(at + COUNT) != 0;
		case IS_MEMBER:
			return list(NAMES.get(i), values.word(at + DATA), values.word(at + COUNT));
		default:
			return null;
		}
	}

	/** A list; null of media, which JSON alone has. */
	private static Object list(String name, long items, long count) {
		if (name.equals("problems")) {
			List<String> words = new ArrayList<>();
			for (int i = 0; i < PROBLEMS.size(); i++)
				if ((count & 1L << i) != 0)
					words.add(PROBLEMS.get(i));
			return Collections.unmodifiableList(words);
		}
		if (!name.equals("texts"))
			return null;
		Map<String, String> texts = new LinkedHashMap<>();
		Struct text = new Struct(24);
		for (int i = 0; i < count; i++) {
			text.read(items + 24L * i);
			texts.put(text.string(0), text.view(1));
		}
		return Collections.unmodifiableMap(texts);
	}

	void close() {
		document.memory.close();
		values.memory.close();
	}
}
