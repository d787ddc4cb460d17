// SPDX-License-Identifier: MIT
package danatext.nutch;

import crawlercommons.robots.BaseRobotRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.protocol.RobotRulesParser;

/** Fetches pages, because the plugin protocol-http is no package. */
public final class HttpProtocol extends Configured implements Protocol {
	public HttpProtocol() {
		super(null);
	}

	@Override
	public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
		try {
			HttpURLConnection connection = (HttpURLConnection) URI.create(url.toString()).toURL().openConnection();
			Metadata metadata = new Metadata();
			String type = connection.getContentType();
			metadata.set("Content-Type", type);
			try (InputStream body = connection.getInputStream()) {
				return new ProtocolOutput(new Content(url.toString(), url.toString(), body.readAllBytes(), type, metadata,
						getConf()));
			}
		} catch (IOException e) {
			return new ProtocolOutput(null, new ProtocolStatus(e));
		}
	}

	@Override
	public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robots) {
		return RobotRulesParser.EMPTY_RULES;
	}
}
