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
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;

/** Finds links, and leaves out the text of a page that forbids an index, as the plugin parse-html does, which is no package. */
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
		boolean isHidden = page.contains("noindex");
		ParseStatus status = page.contains("broken") ? new ParseStatus(ParseStatus.FAILED) : ParseStatus.STATUS_SUCCESS;
		Metadata own = new Metadata();
		own.set("own", "kept");
		ParseData data = new ParseData(status, isHidden ? "" : "a title", links.toArray(new Outlink[0]),
				content.getMetadata(), own);
		return ParseResult.createParseResult(content.getUrl(), new ParseImpl(isHidden ? "" : "what was there", data));
	}
}
