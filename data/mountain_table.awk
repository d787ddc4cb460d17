# SPDX-License-Identifier: MIT
# Prints src/extract/papers/universal.c from mountain.model.
BEGIN {
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made from data/mountain.model. */\n#include \"extract/papers/mountain.h\"\n"
	print "static const struct model_vector vectors[] = {"
}
$1 == "gamma" { gamma = $2 }
$1 == "bias" { bias = $2 }
$1 == "vector" { printf "\t{ %s, { %s, %s, %s, %s } },\n", $2, $3, $4, $5, $6 }
END {
	print "};\n\nconst struct mountain_model mountain_universal = {"
	printf "\t.gamma = %s, .bias = %s, .vectors = vectors,\n", gamma, bias
	print "\t.count = sizeof vectors / sizeof *vectors,\n};"
}
