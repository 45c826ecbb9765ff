"""Put faults into modules, one at a time, and list those that no test detects.

    make mutants MODULES="core layers/crs.py" SAMPLE=30 SEED=1

SAMPLE faults are drawn at random from each folder or module that MODULES names. Faults listed in
``scripts/mutants/harmless.txt`` are not tried; their reasons are printed. These tests
run for a fault:

1. Tests of the module's floor (core, layers, algorithms) that execute its line. The tests of the
   module's own folder come first, the quickest first, then others of the floor, up to two minutes
   in total.
2. If none of these fails, the tests of each floor above, up to ui, that execute its line, up to
   two minutes for each floor.

A fault is detected when a test fails; no further tests run for it. To see which tests execute
which lines, the tests of a floor run once without a fault, for all named folders together.

A fault outside of functions (a constant, a default) is tried with the tests that execute any line
of its module, or with all tests of the floor if there are none, and in algorithms with the frozen
definitions, too.

Undetected faults are printed in the format of ``harmless.txt``. Read each of them and
write a test or a reason.
"""
