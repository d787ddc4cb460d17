// SPDX-License-Identifier: MIT
package danatext;

/** A page of an archive. */
public final class Document extends Page {
	Document(Struct document) {
		super(document, null);
	}

	/**
	 * Returns the {@code WARC-Record-ID} without angle brackets.
	 *
	 * @return null if the record has none
	 */
	public String id() {
		return strings[ID];
	}

	/**
	 * Returns the address of the page.
	 *
	 * @return null if the record has none
	 */
	public String url() {
		return strings[URL];
	}

	/**
	 * Returns the {@code WARC-Date} as written there.
	 *
	 * @return null if the record has none
	 */
	public String date() {
		return strings[DATE];
	}

	/**
	 * Returns the type that the server sent.
	 *
	 * @return null if it sent none
	 */
	public String contentType() {
		return strings[CONTENT_TYPE];
	}

	/**
	 * Returns the page as characters, with {@link Options#html}.
	 *
	 * @return null without it
	 */
	public String html() {
		return strings[HTML];
	}

	/**
	 * Returns the name of the input.
	 *
	 * @return the name in the options, the path, or "-"
	 */
	public String file() {
		return strings[FILE];
	}

	/**
	 * Returns the status that the server sent.
	 *
	 * @return 0 if it is not known
	 */
	public int httpStatus() {
		return httpStatus;
	}

	/**
	 * Returns where in the input the member begins that has the record, in bytes as stored; uncompressed: the record.
	 *
	 * @return in bytes
	 */
	public long offset() {
		return offset;
	}

	/**
	 * Returns the bytes of that member if it holds nothing else.
	 *
	 * @return -1 if it is not known
	 */
	public long length() {
		return length;
	}
}
