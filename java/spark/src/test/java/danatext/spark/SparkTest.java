// SPDX-License-Identifier: MIT
package danatext.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkTest {
	private static final ObjectMapper JSON = new ObjectMapper();
	private static final String[] DANA = { Path.of(System.getProperty("dana.build"), "src/cli/dana").toString(), "filter",
			"-q", "--damaged-ok" };
	@TempDir
	static Path folder;
	private static Path archives;
	private static SparkSession spark;

	@BeforeAll
	static void start() throws Exception {
		archives = folder.resolve("archives");
		Path make = Path.of(System.getProperty("dana.source"), "tests/engines/make_archives.py");
		assertEquals(0, new ProcessBuilder("python3", make.toString(), archives.toString(), "0.5").start().waitFor());
		spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
				.config("spark.sql.shuffle.partitions", "2").config("spark.driver.bindAddress", "127.0.0.1")
				.config("spark.driver.host", "127.0.0.1").config("spark.local.dir", folder.resolve("local").toString())
				.config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString()).getOrCreate();
	}

	@AfterAll
	static void stop() {
		spark.stop();
	}

	private static List<String> command(String... more) throws Exception {
		List<String> arguments = new ArrayList<>(List.of(more));
		try (var files = Files.list(archives)) {
			files.sorted().forEach(file -> arguments.add(file.toString()));
		}
		return lines(arguments);
	}

	private static List<String> lines(List<String> arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of(DANA));
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
	}

	/** Members in order, without those that are null, plugins' objects as text. */
	private static String normal(String line) throws Exception {
		ObjectNode row = (ObjectNode) JSON.readTree(line);
		JsonNode metadata = row.get("metadata");
		if (metadata != null && metadata.isObject())
			row.put("metadata", metadata.toString());
		return strip(row);
	}

	private static String strip(ObjectNode node) throws Exception {
		return JSON.writeValueAsString(JSON.treeToValue(without(node), java.util.TreeMap.class));
	}

	private static JsonNode without(JsonNode node) {
		if (node instanceof ObjectNode object) {
			List<String> empty = new ArrayList<>();
			object.fields().forEachRemaining(member -> {
				if (member.getValue().isNull())
					empty.add(member.getKey());
			});
			object.remove(empty);
		}
		node.forEach(SparkTest::without);
		return node;
	}

	private static List<String> normal(List<String> lines) throws Exception {
		List<String> all = new ArrayList<>();
		for (String line : lines)
			all.add(normal(line));
		all.sort(null);
		return all;
	}

	private static List<String> rows(Dataset<Row> frame) throws Exception {
		Column[] columns = java.util.Arrays.stream(frame.columns()).map(name -> col("`" + name + "`")).toArray(Column[]::new);
		return normal(frame.select(to_json(struct(columns))).as(Encoders.STRING()).collectAsList());
	}

	private static DataFrameReader source(String splitBytes) {
		return spark.read().format("dana").option("split_bytes", splitBytes);
	}

	@Test
	void rowsAreThoseOfTheCommandInAnySplits() throws Exception {
		List<String> want = normal(command());
		assertTrue(want.size() > 500);
		int before = 0;
		for (String splitBytes : List.of("0", "300000", "40000", "9000")) {
			Dataset<Row> frame = source(splitBytes).load(archives.toString());
			assertEquals(want, rows(frame), splitBytes);
			int parts = frame.javaRDD().getNumPartitions();
			assertTrue(parts > before || splitBytes.equals("300000"), parts + " parts");
			before = parts;
		}
		assertEquals(want, rows(source("0").load(archives + "/*.warc.gz")));
		assertEquals(want, rows(source("0").load("file:" + archives)));
	}

	@Test
	void filesAreNamedAsTheyWereGiven() throws Exception {
		boolean isUtf8 = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
		Path odd = Files.createDirectories(folder.resolve("100%25 [x] {y,z}/a b%20" + (isUtf8 ? "\u00fc\u6587" : "")));
		List<String> names = new ArrayList<>(List.of("a b", "50%25", "q?", "s*", "[a-c]", "{p,q}", "x:y", "b\\s", "it's", "#1",
				"a+b&c=d;e", "~", "-"));
		if (isUtf8)
			names.addAll(List.of("\u00fc\u00e4", "u\u0308", "\ud83d\ude00"));
		Path one = archives.resolve("crawl-01.warc.gz");
		for (String name : names)
			Files.copy(one, odd.resolve(name + ".warc.gz"));
		Path here = Path.of("").toAbsolutePath();
		List<String> all = new ArrayList<>();
		for (String name : names) {
			String file = odd.resolve(name + ".warc.gz").toString();
			all.addAll(List.of(file, odd + "/../" + odd.getFileName() + "/./" + name + ".warc.gz", odd + "//" + name + ".warc.gz",
					here.relativize(Path.of(file)).toString()));
		}
		String paths = JSON.writeValueAsString(all);
		List<String> want = normal(lines(all));
		for (String given : all)
			assertTrue(want.stream().anyMatch(row -> row.contains("\"file\":" + JSON.valueToTree(given))), given);
		assertEquals(want, rows(source("0").option("paths", paths).load()));
		List<Row> counts = source("0").option("rows", "counts").option("paths", paths).load().collectAsList();
		assertEquals(all, counts.stream().map(row -> row.getString(0)).toList());
		for (String given : all.subList(0, 4))
			assertEquals(normal(lines(List.of(given))), rows(source("30000").load(given)), given);
		assertEquals(normal(lines(all.subList(0, 1))), rows(source("0").load("file:" + all.get(0))));
		assertEquals(normal(lines(all.subList(0, 1))), rows(source("0").load("file://" + all.get(0))));
		for (String given : List.of(odd.toString(), odd + "/", odd + "/../" + odd.getFileName(), here.relativize(odd).toString())) {
			List<String> inside = names.stream()
					.map(name -> given + (given.endsWith("/") ? "" : "/") + name + ".warc.gz").toList();
			assertEquals(normal(lines(inside)), rows(source("0").load(given)), given);
		}
		// A pattern: the folders before its first one are as given.
		String above = folder + "/../" + folder.getFileName();
		assertEquals(normal(lines(List.of(above + "/archives/crawl-01.warc.gz"))),
				rows(source("0").load(above + "/arch*/crawl-01.warc.g?")));
		assertEquals(normal(lines(List.of(folder + "/archives/crawl-01.warc.gz"))),
				rows(source("0").load(folder + "/arch*/../archives/crawl-01.warc.g?")));
		String relative = here.relativize(archives).toString();
		assertEquals(normal(lines(List.of(relative + "/crawl-01.warc.gz", relative + "/crawl-02.warc.gz"))),
				rows(source("0").load(relative + "/crawl-0[12].warc.gz")));
	}

	/** Up to 60 archives that other programs have written, from all over the folder. */
	private static List<Path> foreign() throws Exception {
		String shared = System.getenv("DANA_SHARED");
		assumeTrue(shared != null && Files.isDirectory(Path.of(shared, "warcs")), "DANA_SHARED has no warcs");
		List<Path> all;
		try (var files = Files.walk(Path.of(shared, "warcs"))) {
			all = files.filter(file -> file.toString().matches("(?i).*\\.w?arc(\\.gz|\\.zst)?")
					&& file.toFile().length() > 4000).sorted().toList();
		}
		List<Path> some = new ArrayList<>();
		for (int i = 0; i < Math.min(60, all.size()); i++)
			some.add(all.get((int) ((long) i * all.size() / Math.min(60, all.size()))));
		return some;
	}

	@Test
	void archivesOfOtherProgramsHaveTheirRowsInAnySplits() throws Exception {
		List<Path> files = foreign();
		Dataset<Row> whole = source("0").option("paths", JSON.writeValueAsString(files.stream().map(Path::toString).toList()))
				.load();
		List<String> want = normal(lines(files.stream().map(Path::toString).toList()));
		assertEquals(want, rows(whole));
		assertTrue(want.size() > 100, want.size() + " documents");
		for (int i = 0; i < files.size(); i++) {
			List<String> one = normal(lines(List.of(files.get(i).toString())));
			long size = Files.size(files.get(i));
			for (int parts : new int[] { 2, 2 + i * 17 % 49, 50 }) {
				Dataset<Row> frame = source(Long.toString((size + parts - 1) / parts)).load(files.get(i).toString());
				assertEquals(one, rows(frame), files.get(i) + " in " + parts + " parts");
			}
		}
	}

	@Test
	void allColumnsAreThoseOfTheCommand() throws Exception {
		List<String> want = normal(command("-m", "learned", "-m", "danag:gap=40", "-m", "plain", "--text",
				"plain,markdown,blocks", "--plugin", "metadata", "--min-chars", "1500"));
		Dataset<Row> frame = source("60000").option("method", "learned,danag:gap=40,plain").option("plugins", "metadata")
				.option("text", "plain,markdown,blocks").option("MIN_CHARS", "1500").load(archives.toString());
		assertEquals(want, rows(frame));
		assertTrue(want.get(0).contains("\"blocks\":[{"));
	}

	@Test
	void parquetHasTheSameRows() throws Exception {
		String out = folder.resolve("out.parquet").toString();
		source("60000").option("text", "plain,blocks").load(archives.toString()).write().parquet(out);
		assertEquals(normal(command("--text", "plain,blocks")), rows(spark.read().parquet(out)));
	}

	@Test
	void sqlAndColumns() throws Exception {
		List<String> want = command();
		long chars = 0;
		for (String line : want)
			chars += JSON.readTree(line).get("text_chars").asLong();
		source("60000").load(archives.toString()).createOrReplaceTempView("docs");
		Row found = spark.sql("select count(*), sum(text_chars), count(distinct url) from docs where text like '%e%'").first();
		assertEquals(want.size(), found.getLong(0));
		assertEquals(chars, found.getLong(1));
		Dataset<Row> some = source("60000").option("columns", "url, text_chars").load(archives.toString());
		assertEquals(List.of("url", "text_chars"), List.of(some.columns()));
		assertEquals(chars, some.agg(Map.of("text_chars", "sum")).first().getLong(0));
		Dataset<Row> typed = source("60000").schema("text_chars long, problems array<string>").load(archives.toString());
		assertEquals(want.size(), typed.filter("size(problems) = 0").count());
		spark.sql("create or replace temporary view more using dana options (path '" + archives + "', split_bytes '9000')");
		assertEquals(want.size(), spark.sql("select * from more").count());
	}

	@Test
	void countsAreThoseOfTheCommand() throws Exception {
		Path stats = folder.resolve("stats.json");
		command("--stats", stats.toString());
		JsonNode want = JSON.readTree(stats.toFile());
		List<Row> rows = source("60000").option("rows", "counts").load(archives.toString()).collectAsList();
		for (String name : Settings.COUNTERS)
			assertEquals(want.get(name).asLong(), rows.stream().mapToLong(row -> row.<Long>getAs(name)).sum(), name);
		long damaged = rows.stream().mapToLong(row -> row.getJavaMap(row.fieldIndex("damaged")).values().stream()
				.mapToLong(n -> (Long) n).sum()).sum();
		assertEquals(1, damaged);
		assertTrue(rows.size() > 10);
	}

	@Test
	void whatIsWrongIsNamed() {
		for (String[] wrong : new String[][] { { "metod", "danag", "'metod' is unknown" }, { "rows", "pages", "expected" },
				{ "method", "nothing", "nothing" }, { "html", "maybe", "true or false" }, { "plugins", "[1]", "JSON" } }) {
			Exception e = assertThrows(Exception.class,
					() -> spark.read().format("dana").option(wrong[0], wrong[1]).load(archives.toString()).count());
			assertTrue(e.getMessage().contains(wrong[2]), e.getMessage());
		}
		String nowhere = archives + "/nowhere.warc.gz";
		Exception e = assertThrows(Exception.class, () -> spark.read().format("dana").load(nowhere).count());
		assertTrue(e.getMessage().contains("nowhere.warc.gz"), e.getMessage());
		assertThrows(Exception.class,
				() -> spark.read().format("dana").schema("text long").load(archives.toString()).count());
	}

	@Test
	void textOfAColumn() {
		String html = "<meta charset=iso-8859-1><p>The r\u00edver and the town, the river and the town.";
		spark.udf().register("dana_text", new DanaText(), DataTypes.StringType);
		spark.sql("select '" + html + "' as html").createOrReplaceTempView("pages");
		Row found = spark.sql("select dana_text(html), dana_text(encode(html, 'iso-8859-1')), dana_text(null), "
				+ "dana_text(unhex('89504e470d0a1a0a00')) from pages").first();
		assertEquals("The r\u00edver and the town, the river and the town.", found.getString(0));
		assertEquals(found.getString(0), found.getString(1));
		assertNull(found.get(2));
		assertNull(found.get(3));
	}
}
