// SPDX-License-Identifier: MIT
// The text of each page of an archive that jwarc reads:
// java -cp jwarc.jar:dana-java.jar:jna.jar examples/JwarcText.java FILE.warc.gz
import danatext.PageReader;
import danatext.PageSource;
import java.nio.file.Path;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;

public class JwarcText {
	public static void main(String[] arguments) throws Exception {
		try (WarcReader archive = new WarcReader(Path.of(arguments[0])); PageReader pages = new PageReader(null)) {
			for (WarcRecord record : archive) {
				if (!(record instanceof WarcResponse response) || response.http().status() != 200)
					continue;
				String type = response.http().headers().first("Content-Type").orElse(null);
				byte[] html = response.http().body().stream().readAllBytes();
				System.out.println(pages.read(html, new PageSource(response.target(), null, type)).text());
			}
		}
	}
}
