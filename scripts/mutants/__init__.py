"""Put faults into modules, one at a time, and list those that the tests do not find.

    make mutants MODULES="core layers/crs.py" SAMPLE=30 SEED=1

So many faults are drawn out of each folder or module that is named. Those listed in ``scripts/mutants/harmless.txt``
are not tried: their reasons are printed. Which tests are run for a fault:

1. those of the module's floor (core, layers, algorithms) that run its line: the tests of its own folder first, the
   quickest first, then others of the floor that take two minutes together;
2. for what these do not find, the tests of each floor above, up to ui, that run its line: two minutes of each.

A fault that meets a test that fails is found, and no more tests are run for it. To see which test runs which line, the
tests of a floor run once without a fault, for all folders that are named. A fault outside functions (a constant, a
default) is met with the tests that run anything of its module, or with any where none does, and in algorithms with the
frozen definitions too.

Survivors are printed as the list of harmless faults takes them: read each, and write a test or a reason.
"""
