/* SPDX-License-Identifier: MIT */
/*
 * LuceneIndex BULK INDEX QUERIES: as fts5.py, with Lucene. Class path: lucene-core and gson, of Maven Central.
 */
import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

public final class LuceneIndex {
	private static Document page(String action, String line) {
		JsonObject page = JsonParser.parseString(line).getAsJsonObject();
		String id = JsonParser.parseString(action).getAsJsonObject().getAsJsonObject("index").get("_id").getAsString();
		Document document = new Document();
		document.add(new StringField("id", id, Field.Store.YES));
		document.add(new StringField("url", page.get("url").getAsString(), Field.Store.YES));
		if (!page.get("title").isJsonNull())
			document.add(new TextField("title", page.get("title").getAsString(), Field.Store.NO));
		document.add(new TextField("text", page.get("text").getAsString(), Field.Store.NO));
		return document;
	}

	public static void main(String[] arguments) throws Exception {
		try (FSDirectory folder = FSDirectory.open(Path.of(arguments[1]))) {
			try (IndexWriter writer = new IndexWriter(folder, new IndexWriterConfig(new StandardAnalyzer()))) {
				List<String> lines = Files.readAllLines(Path.of(arguments[0]));
				for (int i = 0; i + 1 < lines.size(); i += 2) {
					Document page = page(lines.get(i), lines.get(i + 1));
					writer.updateDocument(new Term("id", page.get("id")), page);
				}
				writer.forceMerge(1);
			}
			try (DirectoryReader reader = DirectoryReader.open(folder)) {
				IndexSearcher searcher = new IndexSearcher(reader);
				for (String query : Files.readAllLines(Path.of(arguments[2]))) {
					List<String> urls = new ArrayList<>();
					for (ScoreDoc hit : searcher.search(new TermQuery(new Term("text", query)), 10).scoreDocs)
						urls.add(searcher.storedFields().document(hit.doc).get("url"));
					System.out.println(new Gson().toJson(urls));
				}
			}
		}
	}
}
