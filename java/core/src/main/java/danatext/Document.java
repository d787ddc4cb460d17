// SPDX-License-Identifier: MIT
package danatext;

/** A page of an archive. */
public final class Document extends Page {
	private static final int ID = Fields.place("id");
	private static final int URL = Fields.place("url");
	private static final int DATE = Fields.place("date");
	private static final int CONTENT_TYPE = Fields.place("content_type");
	private static final int HTML = Fields.place("html");
	private static final int FILE = Fields.place("file");
	private static final int HTTP_STATUS = Fields.place("http_status");
	private static final int OFFSET = Fields.place("offset");
	private static final int LENGTH = Fields.place("length");

	Document(Fields document) {
		super(document, null);
	}

	/**
	 * Returns the {@code WARC-Record-ID} without angle brackets.
	 *
	 * @return null if the record has none
	 */
	public String id() {
		return value(ID);
	}

	/**
	 * Returns the address of the page.
	 *
	 * @return null if the record has none
	 */
	public String url() {
		return value(URL);
	}

	/**
	 * Returns the {@code WARC-Date} as written there.
	 *
	 * @return null if the record has none
	 */
	public String date() {
		return value(DATE);
	}

	/**
	 * Returns the type that the server sent.
	 *
	 * @return null if it sent none
	 */
	public String contentType() {
		return value(CONTENT_TYPE);
	}

	/**
	 * Returns the page as characters, with {@link Options#html}.
	 *
	 * @return null without it
	 */
	public String html() {
		return value(HTML);
	}

	/**
	 * Returns the name of the input.
	 *
	 * @return the name in the options, the path, or "-"
	 */
	public String file() {
		return value(FILE);
	}

	/**
	 * Returns the status that the server sent.
	 *
	 * @return 0 if it is not known
	 */
	public int httpStatus() {
		return (int) number(HTTP_STATUS, 0);
	}

	/**
	 * Returns where in the input the member begins that has the record, in bytes as stored; uncompressed: the record.
	 *
	 * @return in bytes
	 */
	public long offset() {
		return number(OFFSET, 0);
	}

	/**
	 * Returns the bytes of that member if it holds nothing else.
	 *
	 * @return -1 if it is not known
	 */
	public long length() {
		return number(LENGTH, -1);
	}
}
