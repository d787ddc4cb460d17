// SPDX-License-Identifier: MIT
package danatext;

/** The native library has failed. What is wrong with a page or an archive is no exception, but a reason or a count. */
public final class DanaException extends RuntimeException {
	private static final long serialVersionUID = 1;
	/** What the page reader returns for a page that a plugin has dropped. */
	static final int DROPPED = 1;
	static final int NOT_A_PAGE = -3;
	static final int LIMIT = -4;
	/** The status in the C headers, which is negative. */
	private final int status;

	DanaException(int status, String message) {
		super(message == null || message.isEmpty() ? Library.dana_status_text(status) : message);
		this.status = status;
	}

	/**
	 * Returns the status, as {@code dana/archive.h} defines it: -5 for an option, -6 for a plugin.
	 *
	 * @return a negative number
	 */
	public int status() {
		return status;
	}
}
