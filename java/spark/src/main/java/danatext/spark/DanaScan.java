// SPDX-License-Identifier: MIT
package danatext.spark;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;

/** Which parts of which archives are read, and which columns. */
final class DanaScan implements ScanBuilder, SupportsPushDownRequiredColumns, Scan, Batch {
	private static final Pattern ARCHIVE = Pattern.compile(".*\\.w?arc(\\.gz|\\.zst)?");
	private final Settings settings;
	private StructType schema;

	/** A part of a file, called `name` in rows: the records whose member begins from `begin` to `end`; 0: to its end. */
	record Part(String path, String name, long begin, long end, long size) implements InputPartition {
	}

	DanaScan(Settings settings, StructType schema) {
		this.settings = settings;
		this.schema = schema;
		settings.check(schema);
	}

	@Override
	public void pruneColumns(StructType required) {
		schema = required;
	}

	@Override
	public Scan build() {
		return this;
	}

	@Override
	public StructType readSchema() {
		return schema;
	}

	@Override
	public Batch toBatch() {
		return this;
	}

	@Override
	public InputPartition[] planInputPartitions() {
		if (settings.paths.isEmpty())
			throw new IllegalArgumentException("which archives? expected load(PATH), or the option path");
		List<InputPartition> parts = new ArrayList<>();
		Configuration conf = SparkContext.getOrCreate().hadoopConfiguration();
		try {
			for (String path : settings.paths) {
				String given = path.replaceFirst("^file:/+", "/");
				for (FileStatus file : archives(path, conf))
					cut(file, nameOf(file.getPath(), given), parts);
			}
		} catch (IOException e) {
			throw new UncheckedIOException(e);
		}
		return parts.toArray(new InputPartition[0]);
	}

	/** The archives that a path, a pattern or a folder names, in order. A folder's are those called like archives. */
	private static List<FileStatus> archives(String name, Configuration conf) throws IOException {
		Path path = new Path(name);
		FileSystem files = path.getFileSystem(conf);
		List<FileStatus> found = new ArrayList<>();
		FileStatus[] matches = files.exists(path) ? new FileStatus[] { files.getFileStatus(path) } : files.globStatus(path);
		for (FileStatus match : matches == null ? new FileStatus[0] : matches) {
			if (match.isFile()) {
				found.add(match);
				continue;
			}
			List<FileStatus> inside = new ArrayList<>();
			for (RemoteIterator<LocatedFileStatus> all = files.listFiles(match.getPath(), true); all.hasNext();) {
				FileStatus file = all.next();
				if (ARCHIVE.matcher(file.getPath().getName()).matches())
					inside.add(file);
			}
			inside.sort(Comparator.comparing(FileStatus::getPath));
			found.addAll(inside);
		}
		if (found.isEmpty())
			throw new FileNotFoundException(
					name + ": no archives there; expected names that end in .warc, .arc, with .gz or .zst");
		return found;
	}

	/**
	 * The name of a file as the program has it: an address, or of local files what was given, up to the first folder with a
	 * pattern, and what was found below it.
	 */
	private static String nameOf(Path file, String given) {
		String path = file.toUri().getPath();
		if (!"file".equals(file.toUri().getScheme()))
			return file.toString();
		for (String above = given;; above = above.substring(0, above.lastIndexOf('/', above.length() - 2) + 1)) {
			File folder = new File(above).getAbsoluteFile();
			String base = new Path(folder.toString()).toUri().getPath();
			if (path.equals(base))
				return above;
			base = base.endsWith("/") ? base : base + "/";
			if (path.startsWith(base) && folder.exists())
				return above + (above.isEmpty() || above.endsWith("/") ? "" : "/") + path.substring(base.length());
			if (above.isEmpty() || above.equals("/"))
				return path;
		}
	}

	/** Cuts a file into parts of equal size, of at most splitBytes. */
	private void cut(FileStatus file, String name, List<InputPartition> parts) {
		long size = file.getLen();
		long n = settings.splitBytes <= 0 ? 1 : Math.max(1, (size + settings.splitBytes - 1) / settings.splitBytes);
		for (long i = 0; i < n; i++)
			parts.add(new Part(file.getPath().toString(), name, at(size, i, n), i == n - 1 ? 0 : at(size, i + 1, n), size));
	}

	/** size * i / n, without overflow. */
	private static long at(long size, long i, long n) {
		return size / n * i + size % n * i / n;
	}

	@Override
	public PartitionReaderFactory createReaderFactory() {
		ByteArrayOutputStream conf = new ByteArrayOutputStream();
		try {
			SparkContext.getOrCreate().hadoopConfiguration().write(new DataOutputStream(conf));
		} catch (IOException e) {
			throw new UncheckedIOException(e);
		}
		return new PartReaders(settings, schema, conf.toByteArray());
	}

	@Override
	public String description() {
		return "dana " + settings.paths + " " + Arrays.toString(schema.fieldNames());
	}
}
