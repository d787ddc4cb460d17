// SPDX-License-Identifier: MIT
package danatext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaczTest {
	@TempDir
	Path folder;

	private static byte[] zip(boolean deflated, Map<String, byte[]> entries) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (ZipOutputStream zip = new ZipOutputStream(out)) {
			for (Map.Entry<String, byte[]> each : entries.entrySet()) {
				ZipEntry entry = new ZipEntry(each.getKey());
				if (!deflated) {
					CRC32 sum = new CRC32();
					sum.update(each.getValue());
					entry.setMethod(ZipEntry.STORED);
					entry.setSize(each.getValue().length);
					entry.setCrc(sum.getValue());
				}
				zip.putNextEntry(entry);
				zip.write(each.getValue());
			}
		}
		return out.toByteArray();
	}

	private static Map<String, byte[]> archives() throws IOException {
		Map<String, byte[]> entries = new LinkedHashMap<>();
		entries.put("archive/a.warc.gz", Inputs.archive(3));
		entries.put("datapackage.json", "{}".getBytes(StandardCharsets.US_ASCII));
		entries.put("archive/b.warc.gz", Inputs.archive(5));
		return entries;
	}

	private static int documents(ArchiveReader reader, Path file, String name) throws IOException {
		int n = 0;
		try (reader) {
			for (; reader.read() != null; n++)
				assertTrue(reader.line().contains("\"file\":\"" + file + "/" + name + "\""), reader.line());
			assertFalse(reader.counts().toString().contains("bad_member"));
		}
		return n;
	}

	@Test
	void archivesOfZipsAndOfZipsInThemAreInputs() throws IOException {
		for (int form = 0; form < 4; form++) {
			byte[] inner = zip(form % 2 > 0, archives());
			Map<String, byte[]> entries = archives();
			entries.put("x/inner.wacz", inner);
			Path file = Files.write(folder.resolve("m.wacz"), zip(form / 2 > 0, entries));
			List<Wacz> found = Wacz.archives(file);
			assertEquals(List.of("archive/a.warc.gz", "archive/b.warc.gz", "x/inner.wacz/archive/a.warc.gz",
					"x/inner.wacz/archive/b.warc.gz"), found.stream().map(Wacz::name).toList());
			for (Wacz each : found) {
				assertNull(each.fault());
				assertEquals(each.name().endsWith("a.warc.gz") ? 3 : 5, documents(each.open(null), file, each.name()));
			}
		}
	}

	@Test
	void aWrongChecksumIsDamageAndWhatCannotBeReadIsSaid() throws IOException {
		for (int form = 0; form < 2; form++) {
			byte[] bytes = zip(form > 0, archives());
			int directory = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("PK\1\2");
			bytes[directory + 16] ^= 1;
			Path file = Files.write(folder.resolve("x.wacz"), bytes);
			try (ArchiveReader reader = Wacz.archives(file).get(0).open(null)) {
				for (int i = 0; i < 3; i++)
					assertEquals("http://a.example/" + i, reader.read().url());
				assertNull(reader.read());
				assertEquals("{bad_member=1}", reader.counts().get("damaged").toString());
			}
			bytes[directory + 8] |= 1;
			Wacz encrypted = Wacz.archives(Files.write(file, bytes)).get(0);
			assertEquals("zip: it is encrypted", encrypted.fault());
			assertThrows(IOException.class, () -> encrypted.open(null));
		}
		Path text = Files.writeString(folder.resolve("text"), "no zip");
		assertThrows(IOException.class, () -> Wacz.archives(text));
		Path none = Files.write(folder.resolve("none.wacz"), zip(true, Map.of("a.txt", new byte[9])));
		assertTrue(assertThrows(IOException.class, () -> Wacz.archives(none)).getMessage().contains("it holds no archive"));
	}
}
