// SPDX-License-Identifier: MIT
import danatext.ArchiveReader;
import danatext.Dana;
import danatext.Document;
import danatext.Options;
import danatext.Page;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The fields and the option that the recipes add are in Java, which has no line about them. */
public final class Fields {
	private static void check(boolean is, Object shown) {
		if (!is)
			throw new AssertionError(shown);
	}

	public static void main(String[] arguments) throws Exception {
		byte[] html = "<h1>Heading</h1><p>caf\u00e9".getBytes(StandardCharsets.UTF_8);
		Page page = Dana.extract(html, new Options().method("plain").text("plain,markdown").set("heads", "drop"));
		check(page.text().equals("caf\u00e9"), page.text());
		check(page.field("text_bytes").equals(5L) && page.field("markdown_bytes").equals(5L), page.fields());
		page = Dana.extract(html, new Options().method("plain"));
		check(page.text().contains("Heading") && !page.fields().containsKey("markdown_bytes"), page.fields());
		try (ArchiveReader archive = ArchiveReader.open(Path.of(arguments[0]), new Options().text("markdown"))) {
			for (Document document : archive) {
				long bytes = document.markdown().getBytes(StandardCharsets.UTF_8).length;
				check(document.field("markdown_bytes").equals(bytes), document.fields());
			}
		}
	}
}
