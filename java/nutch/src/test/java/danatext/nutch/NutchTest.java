// SPDX-License-Identifier: MIT
package danatext.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.indexer.IndexingJob;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.protocol.Content;
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
		page("/xhtml", "application/xhtml+xml", "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body>"
				+ "<p>" + "The town by the river, ".repeat(30) + "</p></body></html>", "UTF-8");
		page("/hidden", "text/html", "<meta name=robots content=noindex><p>not for an index", "UTF-8");
		page("/text", "text/plain", "not for a parser of pages", "UTF-8");
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
		conf.set("mapreduce.task.io.sort.mb", "8"); // default 100, of a heap of 160
		conf.set("dana.parser", "danatext.nutch.LinkParser");
		conf.set("dana.option.plugins", "[\"metadata\", \"language\"]");
		conf.set("test.index", folder.resolve("index").toString());
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
			Configuration conf = configuration("nutch-extensionpoints|test-site|(parse|index)-dana");
			org.apache.hadoop.fs.Path db = new org.apache.hadoop.fs.Path(folder.resolve("crawldb").toString());
			new Injector(conf).inject(db, new org.apache.hadoop.fs.Path(seeds.toString()));
			org.apache.hadoop.fs.Path segments = new org.apache.hadoop.fs.Path(folder.resolve("segments").toString());
			org.apache.hadoop.fs.Path[] made = new Generator(conf).generate(db, segments, 1, 1000, System.currentTimeMillis());
			new Fetcher(conf).fetch(made[0], 4);
			new ParseSegment(conf).parse(made[0]);
			new CrawlDb(conf).update(db, made, false, false);
			new IndexingJob(conf).index(db, null, List.of(made), false);
			check(root, Path.of(made[0].toUri().getPath()));
		} finally {
			server.stop(0);
		}
	}

	/** Address to field to value. */
	private Map<String, Map<String, String>> index() throws Exception {
		Map<String, Map<String, String>> found = new HashMap<>();
		for (String line : Files.readAllLines(folder.resolve("index"))) {
			String[] parts = line.split("\t", 3);
			found.computeIfAbsent(parts[0], url -> new HashMap<>()).put(parts[1], parts[2].replace("\\n", "\n"));
		}
		return found;
	}

	private void check(String root, Path segment) throws Exception {
		Map<String, ParseText> texts = read(segment, ParseText.DIR_NAME, ParseText::new);
		Map<String, ParseData> data = read(segment, ParseData.DIR_NAME, ParseData::new);
		Map<String, Map<String, String>> index = index();
		assertEquals(site.size(), texts.size());
		assertEquals(site.size(), index.size());
		int kinds = 0;
		for (String path : site.keySet()) {
			String url = root + path;
			ParseData found = data.get(url);
			Metadata known = found.getParseMeta();
			assertEquals("kept", known.get("own"));
			assertEquals(texts.get(url).getText(), index.get(url).get("content"));
			if (path.equals("/hidden") || path.equals("/text")) {
				assertEquals(path.equals("/text") ? "what was there" : "", texts.get(url).getText());
				assertNull(known.get("dana.method"));
				continue;
			}
			assertEquals("a title", found.getTitle());
			assertEquals(extracted(site.get(path), url, types.get(path)), texts.get(url).getText(), path);
			if (path.startsWith("/made")) {
				assertEquals(2, found.getOutlinks().length);
				assertEquals("en", known.get("dana.language"));
			}
			kinds += known.get("dana.page_kind") == null ? 0 : 1;
			assertEquals("learned", index.get(url).get("dana_method"));
			for (String name : known.names())
				if (name.startsWith("dana."))
					assertEquals(known.get(name), index.get(url).get(name.replace('.', '_')));
			assertNull(known.get("dana.reason"));
		}
		assertTrue(kinds > 15, kinds + " pages with a kind");
	}

	private static DanaParser parser(Configuration conf) {
		DanaParser parser = new DanaParser();
		parser.setConf(conf);
		return parser;
	}

	private ParseResult parsed(Configuration conf, String type, byte[] page) throws Exception {
		Metadata metadata = new Metadata();
		metadata.set("Content-Type", type);
		return new ParseUtil(conf).parse(new Content("http://a.example/", "http://a.example/", page, type, metadata, conf));
	}

	@Test
	void whatFailsIsWhatNutchReports() throws Exception {
		Configuration conf = configuration("nutch-extensionpoints|test-site|parse-dana");
		Parse broken = parsed(conf, "text/html", "<p>broken".getBytes()).get("http://a.example/");
		assertFalse(broken.getData().getStatus().isSuccess());
		byte[] picture = { (byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0 };
		Parse none = parser(conf).getParse(new Content("http://a.example/", "http://a.example/", picture, "text/html",
				new Metadata(), conf)).get("http://a.example/");
		assertEquals("what was there", none.getText());
		assertNotNull(none.getData().getParseMeta().get("dana.reason"));
		Configuration dropping = configuration("nutch-extensionpoints|test-site|parse-dana");
		dropping.set("dana.option.plugins", "url:substring=a.example");
		assertEquals("", parsed(dropping, "text/html", "<p>The river".getBytes()).get("http://a.example/").getText());
		Configuration without = configuration("nutch-extensionpoints|parse-dana");
		without.unset("dana.parser");
		Parse nothing = parsed(without, "text/html", "<p>The river".getBytes()).get("http://a.example/");
		assertFalse(nothing.getData().getStatus().isSuccess());
	}

	@Test
	void aWrongOptionIsReportedAtOnce() {
		Configuration conf = new Configuration(false);
		conf.set("dana.option.metod", "danag");
		assertThrows(IllegalArgumentException.class, () -> new DanaParser().setConf(conf));
	}
}
