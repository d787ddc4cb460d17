// SPDX-License-Identifier: MIT
// An index of Lucene over archives, and the addresses of the pages that have a word:
// java -cp lucene-core.jar:dana-java.jar:jna.jar examples/LuceneArchive.java INDEX WORD FILE.warc.gz...
import danatext.ArchiveReader;
import danatext.Options;
import java.nio.file.Path;
import java.util.Arrays;
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

public class LuceneArchive {
	public static void main(String[] arguments) throws Exception {
		try (FSDirectory folder = FSDirectory.open(Path.of(arguments[0]))) {
			try (IndexWriter writer = new IndexWriter(folder, new IndexWriterConfig(new StandardAnalyzer()))) {
				for (String file : Arrays.asList(arguments).subList(2, arguments.length)) {
					try (ArchiveReader archive = ArchiveReader.open(Path.of(file), new Options().minChars(100))) {
						for (danatext.Document page : archive) {
							Document document = new Document();
							document.add(new StringField("url", page.url(), Field.Store.YES));
							document.add(new TextField("text", page.text(), Field.Store.NO));
							writer.updateDocument(new Term("url", page.url()), document);
						}
					}
				}
			}
			try (DirectoryReader reader = DirectoryReader.open(folder)) {
				IndexSearcher searcher = new IndexSearcher(reader);
				TermQuery query = new TermQuery(new Term("text", arguments[1]));
				for (ScoreDoc hit : searcher.search(query, Math.max(reader.numDocs(), 1)).scoreDocs)
					System.out.println(searcher.storedFields().document(hit.doc).get("url"));
			}
		}
	}
}
