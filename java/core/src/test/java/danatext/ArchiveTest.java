// SPDX-License-Identifier: MIT
package danatext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
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

class ArchiveTest {
	@TempDir
	Path folder;

	private static String lines(ArchiveReader opened) throws IOException {
		StringBuilder lines = new StringBuilder();
		try (ArchiveReader reader = opened) {
			while (reader.read() != null)
				lines.append(reader.line());
		}
		return lines.toString();
	}

	private Path write(byte[] bytes) throws IOException {
		return Files.write(folder.resolve("archive.warc.gz"), bytes);
	}

	/** Gives 1 to 9,999 bytes at once. */
	private static ReadableByteChannel pieces(byte[] bytes, Random random) {
		ReadableByteChannel whole = Channels.newChannel(new ByteArrayInputStream(bytes));
		return new ReadableByteChannel() {
			@Override
			public int read(ByteBuffer target) throws IOException {
				ByteBuffer some = target.duplicate().limit(Math.min(target.limit(), 1 + random.nextInt(9_999)));
				int n = whole.read(some);
				target.position(some.position());
				return n;
			}

			@Override
			public boolean isOpen() {
				return whole.isOpen();
			}

			@Override
			public void close() throws IOException {
				whole.close();
			}
		};
	}

	@Test
	void documentsEqualThoseOfTheProgram() throws Exception {
		String file = Inputs.SAMPLE.toString();
		String want = Inputs.dana("filter", "-q", file);
		assertTrue(want.lines().count() > 5);
		assertEquals(want, lines(ArchiveReader.open(Inputs.SAMPLE, null)));
		byte[] bytes = Files.readAllBytes(Inputs.SAMPLE);
		Options named = new Options().name(file);
		assertEquals(want, lines(ArchiveReader.open(new ByteArrayInputStream(bytes), named)));
		for (int seed = 0; seed < 10; seed++)
			assertEquals(want, lines(ArchiveReader.open(pieces(bytes, new Random(seed)), named)));
		List<Object> texts = new ArrayList<>();
		for (String line : want.split("\n"))
			texts.add(((Map<?, ?>) Json.parse(line)).get("text"));
		try (ArchiveReader reader = ArchiveReader.open(Inputs.SAMPLE, null)) {
			for (Document document : reader)
				assertEquals(texts.remove(0), document.text());
			assertTrue(texts.isEmpty());
			assertEquals(want.lines().count(), reader.counts().get("documents"));
		}
	}

	@Test
	void membersOfADocumentAreThoseOfItsLine() throws Exception {
		Options options = new Options().plugins("metadata").text("markdown,blocks").html(true);
		try (ArchiveReader reader = ArchiveReader.open(Inputs.SAMPLE, options)) {
			for (Document d; (d = reader.read()) != null;) {
				Map<?, ?> want = (Map<?, ?>) Json.parse(reader.line());
				for (Map.Entry<?, ?> field : want.entrySet())
					if (!field.getKey().equals("metadata") && !field.getKey().equals("blocks"))
						assertEquals(field.getValue(), d.field((String) field.getKey()), (String) field.getKey());
				assertEquals(want.get("text"), d.text());
				assertEquals(want.get("id"), d.id());
				assertEquals(want.get("url"), d.url());
				assertEquals(want.get("date"), d.date());
				assertEquals(want.get("title"), d.title());
				assertEquals(want.get("language"), d.language());
				assertEquals(want.get("page_kind"), d.kind());
				assertEquals(want.get("http_status"), (long) d.httpStatus());
				assertEquals(want.get("content_type"), d.contentType());
				assertEquals(want.get("file"), d.file());
				assertEquals(want.get("offset"), d.offset());
				assertEquals(want.get("length"), d.length() < 0 ? null : d.length());
				assertEquals(want.get("markdown"), d.markdown());
				assertEquals(want.get("blocks"), d.blocks());
				assertEquals(want.get("metadata"), d.additions().get("metadata"));
				assertTrue(d.html().length() > d.text().length());
			}
		}
	}

	@Test
	void optionsOfAPageAreThoseOfTheProgram() throws Exception {
		String file = Inputs.SAMPLE.toString();
		String want = Inputs.dana("filter", "-q", "--exclude", "nav", "--comments", "apart", "--tables", "drop",
				"--text-field", "markdown", "-m", "learned:recall=70", file);
		Options options = new Options().exclude("nav").comments("apart").tables("drop").set("text_field", "markdown");
		assertEquals(want, lines(ArchiveReader.open(Inputs.SAMPLE, options.set("recall", "70"))));
	}

	@Test
	void rulesOfSitesAreThoseOfTheProgram(@TempDir Path folder) throws Exception {
		String file = Inputs.SAMPLE.toString(), all = lines(ArchiveReader.open(Inputs.SAMPLE, null));
		Path rules = folder.resolve("rules.tsv");
		String[] texts = { "127.0.0.1\texclude\tp\n", "# none of these\nexample.org\texclude\tp\n127.0.0.1\tonly\th1\n",
				"example.org\texclude\tp\n" };
		for (String text : texts) {
			Files.writeString(rules, text);
			String want = Inputs.dana("filter", "-q", "--rules", rules.toString(), file);
			assertEquals(want, lines(ArchiveReader.open(Inputs.SAMPLE, new Options().rules(text))), text);
			assertEquals(text.startsWith("example"), want.equals(all), text);
		}
		DanaException wrong = assertThrows(DanaException.class,
				() -> ArchiveReader.open(Inputs.SAMPLE, new Options().rules(texts[0] + "127.0.0.1 exclude p\n")));
		assertTrue(wrong.getMessage().contains("line 2 of the rules"), wrong.getMessage());
	}

	@Test
	void aTableOfSitesIsThatOfTheProgram(@TempDir Path folder) throws Exception {
		String file = Inputs.SAMPLE.toString();
		Path table = folder.resolve("sites");
		Inputs.dana("site", "learn", "-o", table.toString(), file);
		Options options = new Options().site(table);
		assertEquals(Inputs.dana("filter", "-q", "--site", table.toString(), file), lines(ArchiveReader.open(Inputs.SAMPLE, options)));
		assertEquals(lines(ArchiveReader.open(Inputs.SAMPLE, options)), lines(ArchiveReader.open(Inputs.SAMPLE, options)));
	}

	/** Heads in which any bytes may be: what is no UTF-8 is U+FFFD, as in the lines of the program. */
	@Test
	void headsNeedNotBeValid() throws Exception {
		for (int seed = 0; seed < 60; seed++) {
			Random random = new Random(seed);
			StringBuilder bad = new StringBuilder();
			for (int n = 1 + seed % 9; n > 0; n--)
				bad.append((char) (random.nextInt(3) == 0 ? 0x61 + random.nextInt(26) : 0x80 + random.nextInt(0x80)));
			String block = "HTTP/1.1 200 OK\r\nContent-Type: text/html; x=" + bad + "\r\n\r\n<title>t</title>"
					+ "<p>The river and the town, and the river.";
			String record = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:" + bad + ">\r\nWARC-Date: " + bad
					+ "\r\nWARC-Target-URI: http://a.example/" + bad + "\r\nContent-Type: application/http; msgtype=response"
					+ "\r\nContent-Length: " + block.length() + "\r\n\r\n" + block + "\r\n\r\n";
			byte[] bytes = record.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
			try (ArchiveReader reader = ArchiveReader.open(new ByteArrayInputStream(bytes), null)) {
				Document d = reader.read();
				Map<?, ?> want = (Map<?, ?>) Json.parse(reader.line());
				assertEquals(want.get("id"), d.id(), record);
				assertEquals(want.get("url"), d.url(), record);
				assertEquals(want.get("date"), d.date(), record);
				assertEquals(want.get("content_type"), d.contentType(), record);
			}
		}
	}

	@Test
	void rangesGiveInOrderWhatTheWholeGives() throws Exception {
		Path file = write(Inputs.archive(120));
		String want = Inputs.dana("filter", "-q", file.toString());
		assertEquals(120, want.lines().count());
		long size = Files.size(file);
		for (int parts : new int[] { 2, 3, 7, 20, 50 }) {
			StringBuilder all = new StringBuilder();
			for (int i = 0; i < parts; i++) {
				long end = i == parts - 1 ? 0 : size * (i + 1) / parts;
				Options range = new Options().name(file.toString()).range(size * i / parts, end);
				all.append(lines(i % 2 == 0 ? ArchiveReader.open(file, range)
						: ArchiveReader.open(Files.newInputStream(file), range)));
			}
			assertEquals(want, all.toString(), parts + " parts");
		}
		try (FileChannel channel = FileChannel.open(file)) { // from its position
			channel.position(0);
			assertEquals(want, lines(ArchiveReader.open(channel, new Options().name(file.toString()))));
		}
	}

	@Test
	void readingResumesAtAPlace() throws Exception {
		Path file = write(Inputs.archive(30));
		String want = lines(ArchiveReader.open(file, null));
		for (int n = 1; n < 30; n += 7) {
			StringBuilder all = new StringBuilder();
			String place;
			try (ArchiveReader reader = ArchiveReader.open(file, null)) {
				for (int i = 0; i < n; i++) {
					reader.read();
					all.append(reader.line());
				}
				place = reader.place();
			}
			assertEquals(want, all + lines(ArchiveReader.open(file, new Options().place(place))));
		}
	}

	@Test
	void damageIsCountedAndSkippedAsTheProgramDoes() throws Exception {
		byte[] whole = Inputs.archive(40);
		for (int seed = 0; seed < 30; seed++) {
			Random random = new Random(seed);
			byte[] bytes = whole.clone();
			for (int n = 1 + seed % 5; n > 0; n--)
				bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
			if (seed % 3 == 0)
				bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
			Path file = write(bytes);
			Path rejects = folder.resolve("out.jsonl.rejects.jsonl");
			Files.deleteIfExists(rejects);
			String out = folder.resolve("out.jsonl").toString();
			Inputs.dana("filter", "-q", "--force", "--damaged-ok", "--rejects", "-o", out, file.toString());
			StringBuilder lines = new StringBuilder();
			StringBuilder rejected = new StringBuilder();
			try (ArchiveReader reader = ArchiveReader.open(file, new Options().rejects(true))) {
				while (reader.read() != null)
					lines.append(reader.line());
				rejected.append(reader.rejects());
				Map<?, ?> damaged = (Map<?, ?>) reader.counts().get("damaged");
				assertEquals(rejected.length() > 0, !damaged.isEmpty());
			}
			assertEquals(Files.readString(Path.of(out)), lines.toString(), "seed " + seed);
			assertEquals(Files.readString(rejects), rejected.toString(), "seed " + seed);
		}
	}

	@Test
	void limitsCut() throws Exception {
		byte[] bytes = Inputs.archive(5);
		Options options = new Options().limit(Options.Limit.TEXT, 100).limit(Options.Limit.DEPTH, 64);
		try (ArchiveReader reader = ArchiveReader.open(new ByteArrayInputStream(bytes), options)) {
			for (Document document : reader) {
				assertTrue(document.text().length() <= 100);
				assertEquals(List.of("truncated_text"), document.problems());
				assertTrue(document.isTruncated());
			}
		}
	}

	@Test
	void eightThreadsReadEightArchives() throws Exception {
		byte[] bytes = Inputs.archive(100);
		String want = lines(ArchiveReader.open(new ByteArrayInputStream(bytes), null));
		ExecutorService pool = Executors.newFixedThreadPool(8);
		try {
			List<Future<String>> all = new ArrayList<>();
			for (int i = 0; i < 32; i++)
				all.add(pool.submit(() -> lines(ArchiveReader.open(new ByteArrayInputStream(bytes), null))));
			for (Future<String> each : all)
				assertEquals(want, each.get());
		} finally {
			pool.shutdownNow();
		}
	}

	@Test
	void anInterruptEndsTheReadAndItCanBeResumed() throws Exception {
		byte[] bytes = Inputs.archive(200);
		String want = lines(ArchiveReader.open(new ByteArrayInputStream(bytes), null));
		StringBuilder got = new StringBuilder();
		int interrupts = 0;
		try (ArchiveReader reader = ArchiveReader.open(pieces(bytes, new Random(1)), null)) {
			for (int i = 0;; i++) {
				if (i % 10 == 0)
					Thread.currentThread().interrupt();
				try {
					if (reader.read() == null)
						break;
					got.append(reader.line());
				} catch (InterruptedIOException e) {
					interrupts++;
					assertTrue(Thread.interrupted());
				}
			}
		} finally {
			Thread.interrupted();
		}
		assertEquals(want, got.toString());
		assertTrue(interrupts > 5, interrupts + " interrupts");
	}

	@Test
	void failuresOfTheInputArePassedOn() throws Exception {
		InputStream failing = new InputStream() {
			@Override
			public int read() throws IOException {
				throw new IOException("the disk is gone");
			}
		};
		try (ArchiveReader reader = ArchiveReader.open(failing, null)) {
			assertEquals("the disk is gone", assertThrows(IOException.class, reader::read).getMessage());
		}
		assertThrows(IOException.class, () -> ArchiveReader.open(folder.resolve("nowhere"), null));
		assertThrows(DanaException.class, () -> ArchiveReader.open(Inputs.SAMPLE, new Options().method("nothing")));
		ArchiveReader closed = ArchiveReader.open(Inputs.SAMPLE, null);
		assertFalse(closed.read().text().isEmpty());
		closed.close();
		closed.close();
		assertThrows(IllegalStateException.class, closed::read);
		assertThrows(IllegalStateException.class, closed::counts);
		try (ArchiveReader empty = ArchiveReader.open(InputStream.nullInputStream(), null)) {
			assertNull(empty.read());
			assertNull(empty.read());
		}
	}

	/** A channel that writes a part of what it says, or closes the reader that asks it. */
	private static ReadableByteChannel wrong(byte[] bytes, int more, AutoCloseable[] closed) {
		return new ReadableByteChannel() {
			private boolean given;

			@Override
			public int read(ByteBuffer target) throws IOException {
				if (closed[0] != null) {
					try {
						closed[0].close();
					} catch (Exception e) {
						throw new IOException(e);
					}
				}
				if (given)
					return -1;
				given = true;
				target.put(bytes);
				return bytes.length + more;
			}

			@Override
			public boolean isOpen() {
				return true;
			}

			@Override
			public void close() {
			}
		};
	}

	/** Only the bytes that a channel has written are read, and no memory after a reader has been closed. */
	@Test
	void channelsThatAreWrong() throws IOException {
		byte[] bytes = Files.readAllBytes(Inputs.SAMPLE);
		String want = lines(ArchiveReader.open(new ByteArrayInputStream(bytes), null));
		for (int more : new int[] {1, 1 << 20, Integer.MAX_VALUE - bytes.length, 1 - bytes.length})
			assertEquals(want, lines(ArchiveReader.open(wrong(bytes, more, new AutoCloseable[1]), null)));
		for (int i = 0; i < 50; i++) {
			AutoCloseable[] closed = new AutoCloseable[1];
			ArchiveReader reader = ArchiveReader.open(wrong(bytes, 0, closed), null);
			closed[0] = reader;
			assertThrows(IllegalStateException.class, reader::read);
		}
	}
}
