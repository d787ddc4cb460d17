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
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.parse.ParserFactory;
import org.apache.nutch.parse.ParserNotFound;
import org.apache.nutch.protocol.Content;

/**
 * Parses HTML and XHTML: the text is the main text of the page. Title, outlinks, directives to robots, redirections, and
 * what filters of pages add come from a parser of Nutch, which runs first: the first of the property {@code dana.parser}
 * that is active. What is known about the page is added to the parse metadata, under names that begin with {@code dana.}.
 * A property {@code dana.option.NAME} is the option of that name ({@link Options#set}).
 */
public final class DanaParser extends Configured implements Parser {
	/** What names in the parse metadata begin with. */
	static final String PREFIX = "dana.";
	private static final String[] OWN = { "org.apache.nutch.parse.html.HtmlParser",
			"org.apache.nutch.parse.tika.TikaParser" };

	private ThreadLocal<PageReader> readers;
	private Parser own;

	/** For Nutch, which sets a configuration. */
	public DanaParser() {
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

	/** The parser of Nutch. It is found late, because it may be a plugin that is read after this one. */
	private synchronized Parser own() throws ParserNotFound {
		if (own != null)
			return own;
		ParserNotFound none = new ParserNotFound("the property dana.parser is empty");
		for (String id : getConf().getStrings("dana.parser", OWN)) {
			try {
				own = new ParserFactory(getConf()).getParserById(id);
				return own;
			} catch (ParserNotFound e) {
				none = e;
			}
		}
		throw none;
	}

	@Override
	public ParseResult getParse(Content content) {
		ParseResult result;
		try {
			result = own().getParse(content);
		} catch (ParserNotFound e) {
			return new ParseStatus(e).getEmptyParseResult(content.getUrl(), getConf());
		}
		Parse parse = result.get(content.getUrl());
		// A page that forbids an index has no text, and gets none.
		if (parse == null || !parse.getData().getStatus().isSuccess() || parse.getText().isEmpty())
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
