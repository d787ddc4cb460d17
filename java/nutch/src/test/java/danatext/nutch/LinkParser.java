// SPDX-License-Identifier: MIT
package danatext.nutch;

import java.net.MalformedURLException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilters;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;

/** Finds links, and calls the filters as parse-html does, which is no package. */
public final class LinkParser extends Configured implements Parser {
	private static final Pattern LINK = Pattern.compile("href=\"?([^\" >]+)");

	public LinkParser() {
		super(null);
	}

	@Override
	public ParseResult getParse(Content content) {
		List<Outlink> links = new ArrayList<>();
		String page = new String(content.getContent(), StandardCharsets.ISO_8859_1);
		for (Matcher link = LINK.matcher(page); link.find();) {
			try {
				links.add(new Outlink(URI.create(content.getUrl()).resolve(link.group(1)).toString(), ""));
			} catch (MalformedURLException | IllegalArgumentException e) {
				continue;
			}
		}
		HTMLMetaTags tags = new HTMLMetaTags();
		if (page.contains("noindex"))
			tags.setNoIndex();
		ParseData data = new ParseData(ParseStatus.STATUS_SUCCESS, "a title", links.toArray(new Outlink[0]),
				content.getMetadata(), new Metadata());
		ParseResult result = ParseResult.createParseResult(content.getUrl(), new ParseImpl("what was there", data));
		return new HtmlParseFilters(getConf()).filter(content, result, tags, null);
	}
}
