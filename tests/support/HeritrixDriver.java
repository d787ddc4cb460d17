// SPDX-License-Identifier: MIT
import bsh.Interpreter;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * HeritrixDriver SCRIPT PORT OUTPUT FOLDER: runs examples/heritrix_dana.bsh as Heritrix' ScriptedProcessor does, in several
 * threads, each with an interpreter of its own: `curi` is put, then process(curi) called. Each file NAME.html of FOLDER is a page at
 * http://site.example/NAME; NAME.pdf is another type. Prints each URI with its annotations.
 */
public class HeritrixDriver {
	/** What of org.archive.util.Recorder the script uses. */
	public static class Recorder {
		private final byte[] content;

		Recorder(byte[] content) {
			this.content = content;
		}

		public InputStream getContentReplayInputStream() {
			return new ByteArrayInputStream(content);
		}
	}

	/** What of org.archive.modules.CrawlURI the script uses. */
	public static class CrawlURI {
		private final Path path;
		private final List<String> annotations = new ArrayList<>();

		CrawlURI(Path path) {
			this.path = path;
		}

		public String toString() {
			return "http://site.example/" + path.getFileName().toString().replaceFirst("[.].*", "");
		}

		public int getFetchStatus() {
			return 200;
		}

		public String getContentType() {
			return path.toString().endsWith(".html") ? "text/html; charset=utf-8" : "application/pdf";
		}

		public Recorder getRecorder() throws Exception {
			return new Recorder(Files.readAllBytes(path));
		}

		public Collection<String> getAnnotations() {
			return annotations;
		}
	}

	public static void main(String[] args) throws Exception {
		List<CrawlURI> all = new ArrayList<>();
		try (Stream<Path> files = Files.list(Paths.get(args[3]))) {
			files.sorted().forEach(path -> all.add(new CrawlURI(path)));
		}
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			final int first = i;
			Thread thread = new Thread(() -> {
				try {
					Interpreter script = new Interpreter();
					script.source(args[0]);
					script.set("PORT", Integer.parseInt(args[1]));
					script.set("OUTPUT", args[2]);
					for (int at = first; at < all.size(); at += 4) {
						script.set("curi", all.get(at));
						script.eval("process(curi)");
					}
				} catch (Exception e) {
					e.printStackTrace();
					System.exit(1);
				}
			});
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads)
			thread.join();
		for (CrawlURI curi : all)
			System.out.println(curi + " " + curi.getAnnotations());
	}
}
