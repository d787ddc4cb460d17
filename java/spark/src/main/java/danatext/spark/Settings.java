// SPDX-License-Identifier: MIT
package danatext.spark;

import danatext.Options;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The options of the source, checked. */
final class Settings implements Serializable {
	private static final long serialVersionUID = 1;
	static final List<String> COUNTERS = List.of("bytes_in", "bytes_decoded", "records", "documents", "text_chars");
	static final List<String> MAPS = List.of("skipped", "damaged", "problems");

	final ArrayList<String> paths = new ArrayList<>();
	final long splitBytes;
	/** A row for each part with what became of its records, instead of documents. */
	final boolean counts;
	private final String columns;
	/** Those of Options. */
	private final TreeMap<String, String> open = new TreeMap<>();

	Settings(CaseInsensitiveStringMap given) {
		given.forEach((option, value) -> open.put(option.toLowerCase(java.util.Locale.ROOT), value));
		String path = open.remove("path");
		String several = open.remove("paths");
		if (path != null)
			paths.add(path);
		if (several != null)
			paths.addAll(Options.list(several));
		splitBytes = Long.parseLong(open.getOrDefault("split_bytes", "134217728"));
		open.remove("split_bytes");
		columns = open.remove("columns");
		String rows = open.getOrDefault("rows", "documents");
		open.remove("rows");
		counts = rows.equals("counts");
		if (!counts && !rows.equals("documents"))
			throw new IllegalArgumentException("option rows is '" + rows + "'; expected documents or counts");
		options();
	}

	Options options() {
		Options options = new Options();
		open.forEach(options::set);
		return options;
	}

	/** The columns that these options ask for. */
	StructType schema() {
		StructType all = counts ? countSchema() : ArrowMemory.schemaOf(options());
		if (columns == null)
			return all;
		StructType some = new StructType();
		for (String name : columns.split(","))
			some = some.add(all.apply(name.trim()));
		return some;
	}

	private static StructType countSchema() {
		StructType schema = new StructType().add("file", "string").add("begin", "long").add("end", "long");
		for (String name : COUNTERS)
			schema = schema.add(name, "long");
		for (String name : MAPS)
			schema = schema.add(name, DataTypes.createMapType(DataTypes.StringType, DataTypes.LongType));
		return schema;
	}

	/** Refuses columns that do not exist, or have another type. */
	void check(StructType wanted) {
		Map<String, StructField> known = new TreeMap<>();
		for (StructField field : counts ? countSchema().fields() : ArrowMemory.schemaOf(options()).fields())
			known.put(field.name(), field);
		for (StructField field : wanted.fields()) {
			StructField same = known.get(field.name());
			if (same == null || !same.dataType().simpleString().equals(field.dataType().simpleString()))
				throw new IllegalArgumentException("column " + field.name() + " is no " + field.dataType().simpleString()
						+ "; expected " + (same == null ? String.join(", ", known.keySet()) : same.dataType().simpleString()));
		}
	}
}
