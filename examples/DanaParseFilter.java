// SPDX-License-Identifier: MIT
package dana;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.stormcrawler.parse.ParseFilter;
import org.apache.stormcrawler.parse.ParseResult;
import org.w3c.dom.DocumentFragment;

/**
 * A parse filter of StormCrawler: the text of a page is what `dana serve` finds to be its main text. In parsefilters.json:
 *
 * <pre>
 * { "class": "dana.DanaParseFilter", "name": "DanaParseFilter",
 *   "params": { "address": "http://127.0.0.1:8472" } }
 * </pre>
 *
 * The value `dana.status` of the metadata is 200 where that was done. Otherwise the text stays what StormCrawler made it: 415 means that
 * this is no HTML, 422 that no text could be made, 503 that the service has too much to do, 0 that it cannot be reached.
 */
public class DanaParseFilter extends ParseFilter {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
    private String address = "http://127.0.0.1:8472";

    @Override
    public void configure(Map<String, Object> stormConf, JsonNode parameters) {
        JsonNode node = parameters.get("address");
        if (node != null) {
            address = node.asText();
        }
    }

    @Override
    public void filter(String url, byte[] content, DocumentFragment doc, ParseResult parse) {
        String target = address + "/extract?url=" + URLEncoder.encode(url, StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(URI.create(target))
                .timeout(PATIENCE)
                .header("Accept", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofByteArray(content))
                .build();
        int status = 0;
        try {
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            status = response.statusCode();
            if (status == 200) {
                parse.get(url).setText(response.body());
            }
        } catch (IOException e) {
            status = 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        parse.get(url).put("dana.status", Integer.toString(status));
    }
}
