// SPDX-License-Identifier: MIT
// SparkRows start|documents|copy OUT PATH...: Spark writes Parquet, for what the whole process takes (doc/CRAWL.md,
// "Cost"): a table of one row; the documents of archives; a copy of Parquet.
import java.util.Arrays;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

public final class SparkRows {
	public static void main(String[] args) {
		String[] paths = Arrays.copyOfRange(args, 2, args.length);
		SparkSession spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false").getOrCreate();
		Dataset<Row> rows = switch (args[0]) {
		case "start" -> spark.range(1).toDF();
		case "documents" -> spark.read().format("danatext.spark.DanaSource").load(paths);
		case "copy" -> spark.read().parquet(paths);
		default -> throw new IllegalArgumentException(args[0]);
		};
		rows.write().mode("overwrite").parquet(args[1]);
		spark.stop();
	}
}
