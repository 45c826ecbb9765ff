"""Processing algorithms: one file per job, each reads layers, computes in the core, writes layers."""
