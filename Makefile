PYTHON := .venv/bin/python

.PHONY: test
test:
	QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest
