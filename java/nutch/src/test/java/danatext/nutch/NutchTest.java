// SPDX-License-Identifier: MIT
package danatext.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.crawl.Inlinks;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.indexer.IndexingFilters;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.util.NutchConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nutch crawls a site on loopback with the plugin as it is built. */
class NutchTest {
	private static final Path SOURCE = Path.of(System.getProperty("dana.source"));
	@TempDir
	Path folder;
	/** Path on the server to page. */
	private final Map<String, byte[]> site = new HashMap<>();
	/** Path on the server to type. */
	private final Map<String, String> types = new HashMap<>();

	private void page(String path, String type, String text, String charset) {
		site.put(path, text.getBytes(Charset.forName(charset)));
		types.put(path, type);
	}

	private void makeSite() throws Exception {
		try (var files = Files.newDirectoryStream(SOURCE.resolve("sample/site"), "*.html")) {
			for (Path file : files) {
				site.put("/" + file.getFileName(), Files.readAllBytes(file));
				types.put("/" + file.getFileName(), "text/html");
			}
		}
		for (int i = 0; i < 20; i++) {
			StringBuilder page = new StringBuilder("<!DOCTYPE html><title>Page</title><nav><a href=/a>A</a></nav><main>");
			for (int n = 3 + i % 5; n > 0; n--)
				page.append("<p>").append("The r\u00edver and the town, ".repeat(5 + new Random(i * 9L + n).nextInt(9)));
			page.append("</main><footer><a href=\"b\">B</a></footer>");
			boolean latin = i % 2 == 0;
			page("/made" + i, "text/html; charset=" + (latin ? "iso-8859-1" : "utf-8"), page.toString(),
					latin ? "ISO-8859-1" : "UTF-8");
		}
		page("/hidden", "text/html", "<meta name=robots content=noindex><p>not for an index", "UTF-8");
	}

	private Configuration configuration(String plugins) {
		Configuration conf = NutchConfiguration.create();
		conf.set("hadoop.tmp.dir", folder.resolve("hadoop").toString());
		conf.set("plugin.folders", System.getProperty("plugin.folders"));
		conf.set("plugin.includes", plugins);
		conf.set("http.agent.name", "test");
		conf.set("fetcher.server.delay", "0");
		conf.set("fetcher.server.min.delay", "0");
		conf.set("fetcher.threads.per.queue", "4");
		conf.set("dana.option.plugins", "metadata");
		return conf;
	}

	private static <T extends Writable> Map<String, T> read(Path segment, String part, java.util.function.Supplier<T> make)
			throws Exception {
		Map<String, T> found = new HashMap<>();
		org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(segment.resolve(part + "/part-r-00000").toString());
		try (MapFile.Reader reader = new MapFile.Reader(path, new Configuration())) {
			Text key = new Text();
			for (T value = make.get(); reader.next(key, value); value = make.get())
				found.put(key.toString(), value);
		}
		return found;
	}

	private String extracted(byte[] page, String url, String type) throws Exception {
		Path file = Files.write(folder.resolve("page.html"), page);
		Process process = new ProcessBuilder(Path.of(System.getProperty("dana.build"), "src/cli/dana").toString(), "extract",
				"--url", url, "--content-type", type, file.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return out.strip();
	}

	@Test
	void aCrawlHasTheTextsOfTheProgram() throws Exception {
		makeSite();
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", exchange -> {
			byte[] body = site.get(exchange.getRequestURI().getPath());
			exchange.getResponseHeaders().set("Content-Type", types.get(exchange.getRequestURI().getPath()));
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.start();
		String root = "http://127.0.0.1:" + server.getAddress().getPort();
		try {
			Path seeds = Files.createDirectories(folder.resolve("urls"));
			Files.write(seeds.resolve("seed.txt"), site.keySet().stream().map(path -> root + path).toList());
			Configuration conf = configuration("nutch-extensionpoints|test-site|parse-dana");
			org.apache.hadoop.fs.Path db = new org.apache.hadoop.fs.Path(folder.resolve("crawldb").toString());
			new Injector(conf).inject(db, new org.apache.hadoop.fs.Path(seeds.toString()));
			org.apache.hadoop.fs.Path segments = new org.apache.hadoop.fs.Path(folder.resolve("segments").toString());
			org.apache.hadoop.fs.Path[] made = new Generator(conf).generate(db, segments, 1, 1000, System.currentTimeMillis());
			new Fetcher(conf).fetch(made[0], 4);
			new ParseSegment(conf).parse(made[0]);
			check(root, Path.of(made[0].toUri().getPath()), conf);
		} finally {
			server.stop(0);
		}
	}

	private void check(String root, Path segment, Configuration conf) throws Exception {
		Map<String, ParseText> texts = read(segment, ParseText.DIR_NAME, ParseText::new);
		Map<String, ParseData> data = read(segment, ParseData.DIR_NAME, ParseData::new);
		assertEquals(site.size(), texts.size());
		int kinds = 0;
		for (String path : site.keySet()) {
			String url = root + path;
			ParseData found = data.get(url);
			assertEquals("a title", found.getTitle());
			if (path.equals("/hidden")) {
				assertEquals("what was there", texts.get(url).getText());
				continue;
			}
			assertEquals(extracted(site.get(path), url, types.get(path)), texts.get(url).getText(), path);
			if (path.startsWith("/made"))
				assertEquals(2, found.getOutlinks().length);
			assertEquals("learned", found.getParseMeta().get("dana.method"));
			kinds += found.getParseMeta().get("dana.page_kind") == null ? 0 : 1;
			NutchDocument document = new IndexingFilters(conf).filter(new NutchDocument(),
					new ParseImpl(texts.get(url), found), new Text(url), new CrawlDatum(), new Inlinks());
			assertEquals("learned", document.getFieldValue("dana_method"));
			assertEquals(found.getParseMeta().get("dana.page_kind"), document.getFieldValue("dana_page_kind"));
			assertNull(document.getFieldValue("dana_reason"));
		}
		assertTrue(kinds > 15, kinds + " pages with a kind");
	}

	@Test
	void aWrongOptionIsReportedAtOnce() {
		Configuration conf = new Configuration(false);
		conf.set("dana.option.metod", "danag");
		assertThrows(IllegalArgumentException.class, () -> new DanaFilter().setConf(conf));
	}
}
