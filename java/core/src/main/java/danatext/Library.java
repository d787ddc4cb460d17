// SPDX-License-Identifier: MIT
package danatext;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The functions of libdana-archive, and where it comes from. */
final class Library {
	/** A folder with the library. */
	static final String FOLDER = "danatext.library.path";
	static final Cleaner CLEANER = Cleaner.create();
	private static final String NAME = System.mapLibraryName("dana-archive");

	static {
		if (Native.POINTER_SIZE != 8)
			throw new UnsatisfiedLinkError("danatext needs a JVM of 64 bits");
		Native.register(Library.class, load());
	}

	private Library() {
	}

	static native String dana_version();

	static native String dana_status_text(int status);

	static native String dana_problem_word(int bit);

	static native String dana_field_name(int i);

	static native int dana_document_values(Pointer document, Pointer values, int n);

	static native String dana_page_option_list();

	static native int dana_site_table_open(PointerByReference out, String path, Pointer error, long size);

	static native void dana_site_table_free(Pointer table);

	static native int dana_archive_new(PointerByReference out, Pointer options);

	static native int dana_archive_push(Pointer archive, Pointer bytes, long len);

	static native int dana_archive_end(Pointer archive);

	static native int dana_archive_damaged(Pointer archive, String why);

	static native int dana_zip_read(Pointer zip);

	static native int dana_archive_next(Pointer archive, Pointer document);

	static native long dana_archive_seek_to(Pointer archive);

	static native int dana_archive_line(Pointer archive, Pointer view);

	static native int dana_archive_rejects(Pointer archive, Pointer view);

	static native int dana_archive_counts(Pointer archive, Pointer view);

	static native int dana_archive_place(Pointer archive, Pointer place, long size);

	static native Pointer dana_archive_error(Pointer archive);

	static native void dana_archive_free(Pointer archive);

	static native int dana_archive_schema(Pointer archive, Pointer schema);

	static native int dana_archive_batch(Pointer archive, Pointer batch);

	static native int dana_page_reader_new(PointerByReference out, Pointer options);

	static native int dana_page_read(Pointer reader, Pointer source, Pointer html, long len, Pointer document);

	static native Pointer dana_page_error(Pointer reader);

	static native void dana_page_reader_free(Pointer reader);

	/** From the folder of the property, from the jar, or from the system. */
	private static NativeLibrary load() {
		String folder = System.getProperty(FOLDER);
		if (folder != null)
			return NativeLibrary.getInstance(Path.of(folder, NAME).toAbsolutePath().toString());
		try {
			String resource = "/natives/" + platform() + "/" + NAME;
			try (InputStream in = Library.class.getResourceAsStream(resource)) {
				return in == null ? NativeLibrary.getInstance("dana-archive") : unpack(in, resource);
			}
		} catch (IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	/** As "linux-x86_64-gnu", "linux-aarch64-musl", "macos-aarch64". */
	static String platform() throws IOException {
		String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
		String arch = System.getProperty("os.arch").replace("amd64", "x86_64").replace("arm64", "aarch64");
		if (!os.equals("linux"))
			return (os.startsWith("mac") ? "macos" : os) + "-" + arch;
		// The C library of this process: a system may have both.
		try (BufferedReader loaded = Files.newBufferedReader(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
			boolean isMusl = false;
			for (String line; !isMusl && (line = loaded.readLine()) != null;)
				isMusl = line.contains("/ld-musl-");
			return "linux-" + arch + (isMusl ? "-musl" : "-gnu");
		}
	}

	/**
	 * Loads a library of the jar: written to a new folder that only this user can enter, loaded if it has the checksum
	 * beside it in the jar, and removed, which a loaded library outlives.
	 */
	private static NativeLibrary unpack(InputStream in, String resource) throws IOException {
		Path folder = Files.createTempDirectory("danatext"); // rwx------
		Path file = folder.resolve(NAME);
		try (InputStream wanted = Library.class.getResourceAsStream(resource + ".sha256")) {
			DigestInputStream read = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"));
			Files.copy(read, file);
			String sum = HexFormat.of().formatHex(read.getMessageDigest().digest());
			if (wanted == null || !new String(wanted.readAllBytes(), StandardCharsets.US_ASCII).startsWith(sum))
				throw new IOException(resource + " in the jar does not have the checksum beside it");
			return NativeLibrary.getInstance(file.toString());
		} catch (NoSuchAlgorithmException e) {
			throw new IOException(e);
		} finally {
			Files.deleteIfExists(file);
			Files.deleteIfExists(folder);
		}
	}
}
