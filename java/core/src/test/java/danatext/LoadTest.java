// SPDX-License-Identifier: MIT
package danatext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the native library comes from. */
class LoadTest {
	private static final String NAME = System.mapLibraryName("dana-archive");
	private static final Path BUILT = Path.of(System.getProperty(Library.FOLDER), NAME);
	@TempDir
	Path folder;

	/** Prints the text of a page. */
	public static final class Program {
		private Program() {
		}

		public static void main(String[] arguments) {
			System.out.println(Dana.extract("<p>the text of a page</p>".getBytes(), new Options().method("plain")).text());
		}
	}

	/** What Program prints in a new JVM, where `extra` comes first on its class path. */
	private String run(Path extra, String... properties) throws IOException, InterruptedException {
		Path temporary = Files.createDirectories(folder.resolve("tmp"));
		List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
				"-Djava.io.tmpdir=" + temporary, "-Djna.tmpdir=" + Files.createDirectories(folder.resolve("jna"))));
		command.addAll(List.of(properties));
		command.addAll(List.of("-cp", extra + File.pathSeparator + System.getProperty("java.class.path"),
				Program.class.getName()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		try (var left = Files.list(temporary)) {
			assertEquals(List.of(), left.filter(path -> path.toString().contains("dana")).toList());
		}
		return out;
	}

	private Path resources(String sum) throws IOException {
		Path natives = Files.createDirectories(folder.resolve("jar/natives/" + Library.platform()));
		Files.copy(BUILT, natives.resolve(NAME));
		Files.writeString(natives.resolve(NAME + ".sha256"), sum + "\n");
		return folder.resolve("jar");
	}

	@Test
	void fromInsideTheJar() throws Exception {
		byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(BUILT));
		assertEquals("the text of a page\n", run(resources(HexFormat.of().formatHex(sum))));
	}

	@Test
	void anotherChecksumIsRefused() throws Exception {
		Path jar = resources("00".repeat(32));
		assertTrue(run(jar).contains("does not have the checksum"));
		Path sum = jar.resolve("natives/" + Library.platform() + "/" + NAME + ".sha256");
		Files.writeString(sum, "");
		assertTrue(run(jar).contains("does not have the checksum"));
	}

	@Test
	void fromAFolderOrTheSystem() throws Exception {
		assertEquals("the text of a page\n", run(folder, "-D" + Library.FOLDER + "=" + BUILT.getParent()));
		assertEquals("the text of a page\n", run(folder, "-Djna.library.path=" + BUILT.getParent()));
		assertTrue(run(folder, "-D" + Library.FOLDER + "=" + folder).contains("UnsatisfiedLinkError"));
	}

	@Test
	void twoClassLoadersLoadItTwice() throws Exception {
		List<URL> urls = new ArrayList<>();
		for (String path : System.getProperty("java.class.path").split(File.pathSeparator))
			urls.add(new File(path).toURI().toURL());
		Class<?> before = Dana.class;
		for (int i = 0; i < 3; i++) {
			try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
				Class<?> dana = loader.loadClass(Dana.class.getName());
				assertNotSame(before, dana);
				before = dana;
				Object page = dana.getMethod("extract", byte[].class, loader.loadClass(Options.class.getName()))
						.invoke(null, Inputs.page(1).getBytes(), null);
				assertEquals(Dana.extract(Inputs.page(1).getBytes(), null).text(),
						page.getClass().getMethod("text").invoke(page));
			}
		}
	}
}
