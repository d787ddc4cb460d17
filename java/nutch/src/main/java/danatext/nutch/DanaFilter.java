// SPDX-License-Identifier: MIT
package danatext.nutch;

import danatext.Options;
import danatext.Page;
import danatext.PageReader;
import danatext.PageSource;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilter;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.w3c.dom.DocumentFragment;

/**
 * Replaces the text that parse-html or parse-tika gives by the main text of the page, and adds what is known about it to
 * the parse metadata, under names that begin with {@code dana.}. Title and outlinks stay as they are. A property
 * {@code dana.option.NAME} is the option of that name ({@link Options#set}).
 */
public final class DanaFilter extends Configured implements HtmlParseFilter {
	/** What names in the parse metadata begin with. */
	static final String PREFIX = "dana.";

	private ThreadLocal<PageReader> readers;

	/** For Nutch, which sets a configuration. */
	public DanaFilter() {
		super(null);
	}

	@Override
	public void setConf(Configuration conf) {
		super.setConf(conf);
		if (conf == null)
			return;
		Options options = new Options();
		conf.getPropsWithPrefix("dana.option.").forEach(options::set);
		new PageReader(options).close(); // a wrong option is reported here
		readers = ThreadLocal.withInitial(() -> new PageReader(options));
	}

	@Override
	public ParseResult filter(Content content, ParseResult result, HTMLMetaTags tags, DocumentFragment document) {
		Parse parse = result.get(content.getUrl());
		if (parse == null || !parse.getData().getStatus().isSuccess() || tags != null && tags.getNoIndex())
			return result;
		String type = content.getMetadata().get("Content-Type");
		boolean isHtml = type != null && type.toLowerCase(Locale.ROOT).contains("html");
		PageSource source = new PageSource(content.getUrl(), null, isHtml ? type : null);
		Page page = readers.get().read(content.getContent(), source);
		Metadata metadata = parse.getData().getParseMeta();
		set(metadata, "page_kind", page.kind());
		set(metadata, "language", page.language());
		set(metadata, "charset", page.charset());
		set(metadata, "method", page.method());
		set(metadata, "markdown", page.markdown());
		set(metadata, "reason", page.reason());
		page.metadata().forEach((name, value) -> set(metadata, "metadata." + name, value));
		// What is no page for dana, or costs too much, keeps the text that Nutch found.
		if (page.reason() == null || page.reason().startsWith("plugin:"))
			result.put(content.getUrl(), new ParseText(page.text()), parse.getData());
		return result;
	}

	private static void set(Metadata metadata, String name, Object value) {
		if (value != null)
			metadata.set(PREFIX + name, value.toString());
	}
}
