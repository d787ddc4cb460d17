// SPDX-License-Identifier: MIT
package danatext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
	@TempDir
	Path folder;

	@Test
	@SuppressWarnings("unchecked")
	void pagesEqualThoseOfTheProgram() throws Exception {
		List<byte[]> pages = Inputs.pages();
		assertTrue(pages.size() > 30);
		Options options = new Options().method("learned", "plain").text("plain,markdown").plugins("metadata");
		try (PageReader reader = new PageReader(options)) {
			for (byte[] html : pages) {
				Path file = Files.write(folder.resolve("page.html"), html);
				String out = Inputs.dana("extract", "-f", "json", "-m", "learned", "-m", "plain", "--text", "markdown",
						file.toString());
				Map<String, Object> want = (Map<String, Object>) Json.parse(out);
				Page page = reader.read(html, PageSource.UNKNOWN);
				String text = (String) want.get("text");
				assertEquals(text == null ? "" : text, page.text());
				assertEquals(text == null, page.reason() != null, out);
				assertEquals(want.get("title"), page.title());
				assertEquals(want.get("page_kind"), page.kind());
				assertEquals(want.get("charset"), page.charset());
				assertEquals(want.get("method"), page.method());
				assertEquals(want.get("markdown"), page.markdown());
				assertEquals(want.get("problems"), page.problems());
				assertEquals(want.get("truncated"), page.isTruncated());
				if (text != null) {
					assertEquals(want.get("text_chars"), page.textChars());
					assertEquals(want.get("html_bytes"), page.htmlBytes());
					assertEquals(want.get("texts"), page.texts());
					assertEquals(want.getOrDefault("metadata", Map.of()), page.metadata());
				}
				ByteBuffer direct = ByteBuffer.allocateDirect(html.length + 7).position(7).put(html).position(7);
				assertEquals(page.text(), reader.read(direct, PageSource.UNKNOWN).text());
				assertEquals(7, direct.position());
				assertEquals(page.text(), Dana.extract(html, options).text());
			}
		}
	}

	@Test
	void blocksArePartsOfTheText() {
		Page page = Dana.extract(Inputs.page(3).getBytes(), new Options().text("blocks").dropped(true));
		assertTrue(page.blocks().stream().anyMatch(block -> "h".equals(block.get("t"))));
		assertTrue(page.blocks().stream().anyMatch(block -> Boolean.FALSE.equals(block.get("kept"))));
		assertNull(page.markdown());
		assertTrue(Dana.extract(Inputs.page(3).getBytes(), null).blocks().isEmpty());
	}

	@Test
	void optionsOfAPageFollowFromTheList() throws Exception {
		String html = "<title>t</title><p class=ad>advertisement<p>text <b>bold</b><div class=comments><p>a comment</div>";
		PageSource source = new PageSource("https://example.org/", null, null);
		Options plain = new Options().method("plain").set("exclude", ".ad").set("text_field", "markdown");
		assertEquals("text **bold**\n\na comment", Dana.extract(html.getBytes(), plain, source).text());
		Options rules = new Options().method("plain").rules("example.org\texclude\t.ad, .comments\n");
		assertEquals("text bold", Dana.extract(html.getBytes(), rules, source).text());
		String article = Inputs.page(3) + "<div class=comments id=comments><p>I agree with all of this</p></div>";
		Page apart = Dana.extract(article.getBytes(), new Options().comments("apart"));
		assertTrue(apart.fields().containsKey("comments"));
		assertFalse(Dana.extract(article.getBytes(), null).fields().containsKey("comments"));
		assertEquals(Dana.extract(article.getBytes(), new Options().method("learned:recall=95")).text(),
				Dana.extract(article.getBytes(), new Options().set("recall", "95")).text());
		assertThrows(IllegalArgumentException.class, () -> new Options().comments("away"));
		assertThrows(IllegalArgumentException.class, () -> new Options().set("dropped", "maybe"));
		assertThrows(DanaException.class, () -> new Options().site(Inputs.SAMPLE));
	}

	@Test
	void fieldsAreThoseOfTheProgram() throws Exception {
		for (byte[] html : Inputs.pages().subList(0, 8)) {
			Page page = Dana.extract(html, new Options().text("plain,markdown,blocks").plugins("metadata"));
			for (Map.Entry<String, Object> field : page.fields().entrySet())
				assertEquals(field.getValue(), page.field(field.getKey()));
			assertEquals(page.text(), page.field("text"));
			assertEquals(page.textChars(), page.field("text_chars"));
			assertEquals(page.isTruncated(), page.field("truncated"));
			assertEquals(page.problems(), page.field("problems"));
		}
		assertThrows(IllegalArgumentException.class, () -> Dana.extract(new byte[1], null).field("nothing"));
		assertEquals(-1, Dana.extract(new byte[] { (byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0 }, null).languageScore());
	}

	/** A string that was written into a struct, as a text and as any view. */
	private static String copied(String text) {
		Struct struct = new Struct(16).again().putView(text).read();
		assertEquals(text, struct.view(0));
		return struct.text(0, text == null ? 0 : text.codePointCount(0, text.length()));
	}

	@Test
	void anyTextIsDecoded() {
		int[] edges = { 0, 0x20, 0x7f, 0x80, 0xe9, 0xff, 0x100, 0x7ff, 0x800, 0x4e2d, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x1f600,
				0xfffff, 0x100000, 0x10ffff };
		Random random = new Random(1);
		for (int round = 0; round < 2_000; round++) {
			StringBuilder text = new StringBuilder();
			int known = 1 + random.nextInt(edges.length);
			for (int n = random.nextInt(round < 1_990 ? 200 : 2_000_000); n > 0; n--)
				text.appendCodePoint(edges[random.nextInt(known)]);
			assertEquals(text.toString(), copied(text.toString()));
		}
		assertEquals("", copied(""));
		assertNull(copied(null));
		String large = "a".repeat(9 << 20);
		assertEquals(large, copied(large));
		assertEquals(large + "\u20ac", copied(large + "\u20ac"));
	}

	@Test
	void whatIsKnownCounts() throws Exception {
		byte[] html = "<p>\u0440\u0435\u043a\u0430 \u0438 \u0433\u043e\u0440\u043e\u0434</p>".getBytes("KOI8-R");
		Options plain = new Options().method("plain");
		assertEquals("\u0440\u0435\u043a\u0430 \u0438 \u0433\u043e\u0440\u043e\u0434",
				Dana.extract(html, plain, new PageSource(null, "koi8-r", null)).text());
		Page sent = Dana.extract("a < b".getBytes(), plain, new PageSource(null, null, "text/plain"));
		assertEquals("a < b", sent.text());
		assertNotNull(Dana.extract(new byte[] { (byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0 }, null).reason());
		assertNotNull(Dana.extract(html, null, new PageSource(null, null, "image/png")).reason());
		PageSource blocked = new PageSource("http://a.example/cart/1", null, null);
		Page dropped = Dana.extract(Inputs.page(1).getBytes(), new Options().plugins("url:substring=/cart/"), blocked);
		assertTrue(dropped.reason().startsWith("plugin:url"), dropped.reason());
		assertEquals("", dropped.text());
	}

	@Test
	void whatIsWrongIsNamed() {
		for (Options wrong : List.of(new Options().method("nothing"), new Options().plugins("nothing"),
				new Options().exclude("p:hover"), new Options().method("danag").text("blocks").markdown("x=1")))
			assertTrue(assertThrows(DanaException.class, () -> new PageReader(wrong)).getMessage().length() > 5);
		assertThrows(IllegalArgumentException.class, () -> new Options().text("fat"));
		assertThrows(IllegalArgumentException.class, () -> new Options().set("metod", "danag"));
		assertThrows(IllegalArgumentException.class, () -> new PageReader(new Options().method("a\0b")));
		PageReader closed = new PageReader(null);
		closed.close();
		closed.close();
		assertThrows(IllegalStateException.class, () -> closed.read(new byte[0], PageSource.UNKNOWN));
		try (PageReader reader = new PageReader(null)) {
			PageSource unknown = new PageSource(null, "klingon", null);
			assertEquals(-5, assertThrows(DanaException.class, () -> reader.read(new byte[1], unknown)).status());
			assertTrue(reader.read(Inputs.page(1).getBytes(), PageSource.UNKNOWN).text().contains("river"));
		}
	}

	@Test
	void eightThreadsGiveTheSameTexts() throws Exception {
		List<byte[]> pages = Inputs.pages();
		List<String> want = new ArrayList<>();
		for (byte[] html : pages)
			want.add(Dana.extract(html, null).text());
		ExecutorService pool = Executors.newFixedThreadPool(8);
		try (PageReader shared = new PageReader(null)) {
			List<Future<?>> all = new ArrayList<>();
			for (int t = 0; t < 8; t++) {
				int first = t;
				all.add(pool.submit(() -> {
					try (PageReader own = new PageReader(null)) {
						for (int i = 0; i < 20 * pages.size(); i++) {
							int at = (first * 5 + i) % pages.size();
							PageReader reader = i % 4 == 0 ? shared : own;
							assertEquals(want.get(at), reader.read(pages.get(at), PageSource.UNKNOWN).text());
						}
					}
				}));
			}
			for (Future<?> each : all)
				each.get();
		} finally {
			pool.shutdownNow();
		}
	}

	/** Reads so many pages in each of eight threads; each thread has a reader, and makes another for one page in a hundred. */
	private static void readInEightThreads(List<byte[]> pages, int each) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(8);
		List<Future<?>> all = new ArrayList<>();
		for (int t = 0; t < 8; t++)
			all.add(pool.submit(() -> {
				try (PageReader reader = new PageReader(new Options().plugins("metadata"))) {
					for (int i = 0; i < each; i++) {
						byte[] html = pages.get(i % pages.size());
						assertNotNull((i % 100 == 0 ? Dana.extract(html, null) : reader.read(html, PageSource.UNKNOWN)).text());
					}
				}
				return null;
			}));
		for (Future<?> thread : all)
			thread.get();
		pool.shutdown();
	}

	private static long heap() {
		System.gc();
		return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 10;
	}

	@Test
	void memoryIsFlatInEightThreads() throws Exception {
		List<byte[]> pages = Inputs.pages();
		readInEightThreads(pages, 4_000);
		long heap = heap();
		long resident = Inputs.resident();
		readInEightThreads(pages, 9_000);
		long grown = heap() - heap;
		assertTrue(grown < 3_000, grown + " KiB more of heap after 72,000 pages");
		grown = Inputs.resident() - resident;
		assertTrue(grown < 60_000, grown + " KiB more after 72,000 pages");
	}

	@Test
	void readersThatAreNotClosedAreFreed() throws Exception {
		byte[] html = Inputs.page(2).getBytes();
		byte[] archive = Inputs.archive(3);
		long before = 0;
		for (int i = 0; i < 4000; i++) {
			new PageReader(null).read(html, PageSource.UNKNOWN);
			ArchiveReader.open(new java.io.ByteArrayInputStream(archive), null).read();
			if (i % 200 == 199) {
				System.gc();
				// The cleaner's thread works on one object after the other: what it is given after the readers comes last.
				java.util.concurrent.CountDownLatch done = new java.util.concurrent.CountDownLatch(1);
				Library.CLEANER.register(new Object(), done::countDown);
				System.gc();
				assertTrue(done.await(30, java.util.concurrent.TimeUnit.SECONDS));
			}
			if (i == 1000)
				before = Inputs.resident();
		}
		long grown = Inputs.resident() - before;
		assertTrue(grown < 100_000, grown + " KiB more after 3,000 readers that were not closed");
	}
}
