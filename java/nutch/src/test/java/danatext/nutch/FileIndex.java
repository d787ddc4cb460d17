// SPDX-License-Identifier: MIT
package danatext.nutch;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.Inlinks;
import org.apache.nutch.indexer.IndexWriter;
import org.apache.nutch.indexer.IndexWriterParams;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.parse.Parse;

/** An index that is a file, and the field of the text, because the plugins index-basic and indexer-csv are no packages. */
public final class FileIndex extends Configured implements IndexingFilter, IndexWriter {
	private BufferedWriter file;

	public FileIndex() {
		super(null);
	}

	@Override
	public NutchDocument filter(NutchDocument document, Parse parse, Text url, CrawlDatum datum, Inlinks inlinks) {
		document.add("content", parse.getText());
		return document;
	}

	@Override
	@SuppressWarnings("deprecation")
	public void open(Configuration conf, String name) {
		// the other open has the parameters
	}

	@Override
	public void open(IndexWriterParams parameters) throws IOException {
		file = Files.newBufferedWriter(Path.of(getConf().get("test.index")), StandardOpenOption.CREATE,
				StandardOpenOption.APPEND);
	}

	@Override
	public void write(NutchDocument document) throws IOException {
		for (String field : document.getFieldNames())
			file.write(document.getFieldValue("id") + "\t" + field + "\t"
					+ document.getFieldValue(field).toString().replace("\n", "\\n") + "\n");
	}

	@Override
	public void update(NutchDocument document) throws IOException {
		write(document);
	}

	@Override
	public void delete(String key) {
		// nothing is ever gone from the site
	}

	@Override
	public void commit() throws IOException {
		file.flush();
	}

	@Override
	public void close() throws IOException {
		file.close();
	}

	@Override
	public Map<String, Map.Entry<String, Object>> describe() {
		return Map.of("test.index", Map.entry("the file", getConf().get("test.index")));
	}
}
