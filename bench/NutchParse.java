// SPDX-License-Identifier: MIT
// NutchParse FOLDERS PARSER FILE: pages a second of CPU time of a parser of Nutch, on the pages of an archive. FOLDERS of plugins are
// joined by commas; PARSER is the id of its extension, as danatext.nutch.DanaParser. The class path has Nutch with all that it needs.
import danatext.ArchiveReader;
import danatext.Document;
import danatext.Options;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.parse.ParserFactory;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.NutchConfiguration;

public final class NutchParse {
	private static final int ROUNDS = 5;
	private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

	public static void main(String[] arguments) throws Exception {
		Configuration conf = NutchConfiguration.create();
		conf.set("plugin.folders", arguments[0]);
		conf.set("plugin.includes", "nutch-extensionpoints|parse-.*");
		List<Content> pages = new ArrayList<>();
		try (ArchiveReader archive = ArchiveReader.open(Path.of(arguments[2]), new Options().html(true))) {
			for (Document document : archive) {
				Metadata metadata = new Metadata();
				metadata.set("Content-Type", "text/html; charset=utf-8");
				pages.add(new Content(document.url(), document.url(), document.html().getBytes(StandardCharsets.UTF_8),
						"text/html; charset=utf-8", metadata, conf));
			}
		}
		Parser parser = new ParserFactory(conf).getParserById(arguments[1]);
		double best = 0;
		long chars = 0;
		long links = 0;
		for (int i = 0; i < ROUNDS; i++) {
			chars = 0;
			links = 0;
			long start = THREAD.getCurrentThreadCpuTime();
			for (Content page : pages) {
				Parse parse = parser.getParse(page).get(page.getUrl());
				chars += parse.getText().length();
				links += parse.getData().getOutlinks().length;
			}
			best = Math.max(best, pages.size() * 1e9 / (THREAD.getCurrentThreadCpuTime() - start));
		}
		System.out.printf("%s: %.0f pages a second, %d characters of text, %d links%n", arguments[1], best, chars, links);
	}
}
