// SPDX-License-Identifier: MIT
// Jvm FILE...: the texts of archives by the jar, for what the whole process takes (doc/CRAWL.md, "Cost").
import danatext.ArchiveReader;
import danatext.Document;
import danatext.Options;
import java.nio.file.Path;

public final class Jvm {
	public static void main(String[] files) throws Exception {
		long documents = 0;
		long chars = 0;
		for (String file : files) {
			try (ArchiveReader archive = ArchiveReader.open(Path.of(file), new Options())) {
				for (Document document : archive) {
					documents++;
					chars += document.text().length();
				}
			}
		}
		System.out.println(documents + " documents, " + chars + " characters");
	}
}
