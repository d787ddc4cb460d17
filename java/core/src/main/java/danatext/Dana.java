// SPDX-License-Identifier: MIT
package danatext;

import java.nio.ByteBuffer;

/**
 * Single pages by one call. For many pages keep a {@link PageReader}, for archives an {@link ArchiveReader}.
 *
 * <p>Any thread may call these methods, any number at once.
 */
public final class Dana {
	private Dana() {
	}

	/**
	 * Returns the main text of a page.
	 *
	 * @param html the page as the server sent it, in any charset
	 * @param options what to read, and how; null: the defaults
	 * @return the page; what cannot be read has an empty text, and a reason
	 * @throws DanaException for an unknown option, plugin or method, or when memory is exhausted
	 */
	public static Page extract(byte[] html, Options options) {
		return extract(html, options, PageSource.UNKNOWN);
	}

	/**
	 * As {@link #extract(byte[], Options)}, with what is known about the page.
	 *
	 * @param html the page as the server sent it
	 * @param options null: the defaults
	 * @param source its address, charset and type
	 * @return the page
	 */
	public static Page extract(byte[] html, Options options, PageSource source) {
		try (PageReader reader = new PageReader(options)) {
			return reader.read(html, source);
		}
	}

	/**
	 * As {@link #extract(byte[], Options)}, for the bytes from the buffer's position to its limit, which do not move. The
	 * bytes of a direct buffer are not copied, and must not change meanwhile.
	 *
	 * @param html the page as the server sent it
	 * @param options null: the defaults
	 * @return the page
	 */
	public static Page extract(ByteBuffer html, Options options) {
		try (PageReader reader = new PageReader(options)) {
			return reader.read(html, PageSource.UNKNOWN);
		}
	}

	/**
	 * Returns the version of the native library.
	 *
	 * @return as "1.2.0"
	 */
	public static String version() {
		return Library.dana_version();
	}
}
