// SPDX-License-Identifier: MIT
// The number of documents that DuckDB finds in a file: of doc/FORMATS.md, "Readers".
const { DuckDBInstance } = require("@duckdb/node-api");
(async () => {
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	const answer = await connection.runAndReadAll(
		`SELECT count(*) FROM read_json('${process.argv[2]}') WHERE text_chars > 0`);
	console.log(String(answer.getRows()[0][0]));
})();
