// SPDX-License-Identifier: MIT
package danatext.spark;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code dana}: web archives in, documents as rows out.
 *
 * <pre>spark.read().format("dana").option("split_bytes", "134217728").load("/crawl/*.warc.gz")
 * CREATE TEMPORARY VIEW docs USING dana OPTIONS (path '/crawl', method 'learned')</pre>
 *
 * <p>It has the options of the source in Python: {@code path}, {@code split_bytes}, {@code columns}, {@code rows}, and
 * what {@link danatext.Options#set} takes.
 */
public final class DanaSource implements TableProvider, DataSourceRegister {
	/** For Spark. */
	public DanaSource() {
		// nothing to set
	}

	@Override
	public String shortName() {
		return "dana";
	}

	@Override
	public StructType inferSchema(CaseInsensitiveStringMap options) {
		return new Settings(options).schema();
	}

	@Override
	public boolean supportsExternalMetadata() {
		return true;
	}

	@Override
	public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
		return new Documents(schema);
	}

	private record Documents(StructType schema) implements Table, SupportsRead {
		@Override
		public String name() {
			return "dana";
		}

		@Override
		@SuppressWarnings("deprecation") // columns() is not in Spark 3.3
		public StructType schema() {
			return schema;
		}

		@Override
		public Set<TableCapability> capabilities() {
			return EnumSet.of(TableCapability.BATCH_READ);
		}

		@Override
		public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
			return new DanaScan(new Settings(options), schema);
		}
	}
}
