// SPDX-License-Identifier: MIT
package danatext;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** What the tests read, and what the program makes of it. */
final class Inputs {
	static final Path SOURCE = Path.of(System.getProperty("dana.source"));
	static final Path SAMPLE = SOURCE.resolve("sample/sample.warc.gz");
	private static final String DANA = Path.of(System.getProperty("dana.build"), "src/cli/dana").toString();

	private Inputs() {
	}

	/** What a command of the program writes. */
	static String dana(String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(DANA));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return out;
	}

	/** Pages of several languages, charsets and faults. */
	static List<byte[]> pages() throws IOException {
		List<byte[]> pages = new ArrayList<>();
		try (var files = Files.newDirectoryStream(SOURCE.resolve("sample/site"), "*.html")) {
			for (Path file : files)
				pages.add(Files.readAllBytes(file));
		}
		for (int i = 0; i < 20; i++)
			pages.add(page(i).getBytes(StandardCharsets.UTF_8));
		pages.add(page(20).replace("utf-8", "koi8-r").replace("river", "река").getBytes("KOI8-R"));
		pages.add(page(21).replace("utf-8", "shift_jis").replace("river", "河川").getBytes("Shift_JIS"));
		pages.add(("\ufeff" + page(22)).getBytes(StandardCharsets.UTF_16LE));
		pages.add(page(23).substring(0, 700).getBytes(StandardCharsets.UTF_8));
		pages.add(page(24).replace("river", "\ud83d\ude00\0").getBytes(StandardCharsets.UTF_8));
		pages.add(new byte[0]);
		pages.add("no markup at all".getBytes(StandardCharsets.UTF_8));
		return pages;
	}

	static String page(int seed) {
		String[] words = "archive page river stone letter garden winter school harbour market signal paper".split(" ");
		Random random = new Random(seed);
		StringBuilder page = new StringBuilder("<!DOCTYPE html><meta charset=utf-8><title>Page " + seed
				+ " &amp; more</title><nav><ul><li><a href=/a>Home</a><li><a href=/b>News</a></ul></nav><main><h1>A "
				+ words[seed % words.length] + "</h1>");
		for (int i = 3 + seed % 7; i > 0; i--) {
			page.append("<p>The river");
			for (int n = 20 + random.nextInt(40); n > 0; n--)
				page.append(n % 9 == 0 ? ", " : " ").append(words[random.nextInt(words.length)]);
			page.append(".</p>\n");
		}
		return page.append("</main><footer><a href=/c>Imprint</a></footer>").toString();
	}

	/** An archive of so many pages, each in a member of gzip. */
	static byte[] archive(int pages) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (int i = 0; i < pages; i++) {
			byte[] block = ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page(i))
					.getBytes(StandardCharsets.UTF_8);
			try (GZIPOutputStream member = new GZIPOutputStream(new Unclosed(out))) {
				member.write(String.format("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%08d-0000-4000-"
						+ "8000-000000000000>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://a.example/%d\r\n"
						+ "Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n", i, i,
						block.length).getBytes(StandardCharsets.US_ASCII));
				member.write(block);
				member.write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			}
		}
		return out.toByteArray();
	}

	private static final class Unclosed extends java.io.FilterOutputStream {
		Unclosed(ByteArrayOutputStream out) {
			super(out);
		}

		@Override
		public void close() {
			// the next member follows
		}
	}

	/** Resident memory of this process, in KiB. */
	static long resident() throws IOException {
		for (String line : Files.readAllLines(Path.of("/proc/self/status")))
			if (line.startsWith("VmRSS:"))
				return Long.parseLong(line.replaceAll("\\D", ""));
		throw new IOException("no VmRSS");
	}
}
