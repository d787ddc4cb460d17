// SPDX-License-Identifier: MIT
package danatext.spark;

import danatext.PageReader;
import danatext.PageSource;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.api.java.UDF1;

/**
 * The main text of a column of pages, binary or characters:
 *
 * <pre>spark.udf().register("dana_text", new DanaText(), DataTypes.StringType);
 * spark.sql("SELECT dana_text(html) FROM pages")</pre>
 *
 * <p>null where the column is null, or the bytes are no page.
 */
public final class DanaText implements UDF1<Object, String> {
	private static final long serialVersionUID = 1;
	private static final ThreadLocal<PageReader> READERS = ThreadLocal.withInitial(() -> new PageReader(null));

	/** For {@code spark.udf()}. */
	public DanaText() {
		// nothing to set
	}

	@Override
	public String call(Object html) {
		if (html == null)
			return null;
		byte[] page = html instanceof byte[] bytes ? bytes : html.toString().getBytes(StandardCharsets.UTF_8);
		PageSource source = new PageSource(null, html instanceof byte[] ? null : "utf-8", null);
		danatext.Page read = READERS.get().read(page, source);
		return read.reason() == null ? read.text() : null;
	}
}
