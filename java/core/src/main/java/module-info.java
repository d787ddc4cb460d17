// SPDX-License-Identifier: MIT
/** The main text of pages and web archives, by libdana-archive. */
module danatext {
	requires com.sun.jna;

	exports danatext;
}
