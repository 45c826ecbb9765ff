#!/usr/bin/env bash
# Make the figures of the paper with the notebooks, in the folder paper/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=$PWD/.venv/bin/python
folder=$PWD/build/paper
mkdir -p "$folder"
for notebook in score_deepforest compare_annotators; do
    (cd "$folder" && MPLBACKEND=agg "$python" "$OLDPWD/notebooks/$notebook.py")
done
cp "$folder/scores.png" "$folder/pairwise_f1.png" paper/
