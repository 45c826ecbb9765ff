"""Published benchmarks: from the files of a benchmark to the table that its authors print."""
