// SPDX-License-Identifier: MIT
package danatext;

/**
 * What is known about a page besides its bytes; null: not known.
 *
 * @param url its address, for links and models of single sites
 * @param charset a label that is never doubted; what a server sent belongs into the content type
 * @param contentType as the server sent it. {@code text/plain} and {@code text/markdown} are text, types other than
 *        these and HTML are no page
 */
public record PageSource(String url, String charset, String contentType) {
	/** Nothing is known. */
	public static final PageSource UNKNOWN = new PageSource(null, null, null);
}
