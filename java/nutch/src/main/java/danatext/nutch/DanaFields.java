// SPDX-License-Identifier: MIT
package danatext.nutch;

import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.Inlinks;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;

/** Makes a field of each name that {@link DanaParser} has added: "dana.page_kind" becomes the field "dana_page_kind". */
public final class DanaFields extends Configured implements IndexingFilter {
	/** For Nutch, which sets a configuration. */
	public DanaFields() {
		super(null);
	}

	@Override
	public NutchDocument filter(NutchDocument document, Parse parse, Text url, CrawlDatum datum, Inlinks inlinks) {
		Metadata metadata = parse.getData().getParseMeta();
		for (String name : metadata.names())
			if (name.startsWith(DanaParser.PREFIX))
				document.add(name.replace('.', '_'), metadata.get(name));
		return document;
	}
}
