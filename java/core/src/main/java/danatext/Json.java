// SPDX-License-Identifier: MIT
package danatext;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON that the library writes, which is valid: maps, lists, strings, Long, Double, Boolean, null. */
final class Json {
	private final String text;
	private int at;

	private Json(String text) {
		this.text = text;
	}

	static Object parse(String text) {
		return new Json(text).value();
	}

	private char peek() {
		while (text.charAt(at) <= ' ')
			at++;
		return text.charAt(at);
	}

	private Object value() {
		switch (peek()) {
		case '{':
			Map<String, Object> map = new LinkedHashMap<>();
			for (at++; peek() != '}'; at += peek() == ',' ? 1 : 0) {
				String name = string();
				peek();
				at++; // :
				map.put(name, value());
			}
			at++;
			return map;
		case '[':
			List<Object> list = new ArrayList<>();
			for (at++; peek() != ']'; at += peek() == ',' ? 1 : 0)
				list.add(value());
			at++;
			return list;
		case '"':
			return string();
		default:
			return word();
		}
	}

	private String string() {
		peek();
		StringBuilder out = new StringBuilder();
		for (int from = ++at;; from = at) {
			while (text.charAt(at) != '"' && text.charAt(at) != '\\')
				at++;
			out.append(text, from, at);
			if (text.charAt(at++) == '"')
				return out.toString();
			char c = text.charAt(at++);
			int escape = "bfnrt".indexOf(c);
			if (c == 'u') {
				out.append((char) Integer.parseInt(text, at, at + 4, 16));
				at += 4;
			} else {
				out.append(escape < 0 ? c : "\b\f\n\r\t".charAt(escape));
			}
		}
	}

	private Object word() {
		int from = at;
		while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0)
			at++;
		String word = text.substring(from, at);
		switch (word) {
		case "true":
		case "false":
			return Boolean.valueOf(word);
		case "null":
			return null;
		default:
			if (word.chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E'))
				return Double.valueOf(word);
			return Long.valueOf(word);
		}
	}
}
