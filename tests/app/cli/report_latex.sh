#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a report's LaTeX becomes: it compiles where it lies, with every figure and table on its pages.
#
#   report_latex.sh HEADSCOPE CACHE    77: no LaTeX here (packaging/setup.sh latex)
set -euo pipefail
headscope=$(realpath "$1")
cache=$(realpath "$2")
for program in pdflatex pdffonts pdfinfo pdftotext; do
    command -v "$program" >/dev/null || { echo "no $program: packaging/setup.sh latex installs it"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

export QT_QPA_PLATFORM=offscreen
"$headscope" report "$cache" -o "$folder/report" --progress off
cd "$folder/report"
for run in 1 2; do # the second knows the numbers of the figures
    pdflatex -interaction=nonstopmode -halt-on-error -output-directory "$folder" report.tex >"$folder/run.log" 2>&1 ||
        { tail -30 "$folder/run.log"; fail "run $run of pdflatex"; }
done
grep -E "Float too large|Overfull .hbox \([0-9]{3,}|undefined" "$folder/run.log" && fail "the pages do not hold what is on them"
pages=$(pdfinfo "$folder/report.pdf" | awk '$1 == "Pages:" {print $2}')
[ "$pages" -ge 10 ] || fail "expected at least 10 pages, found $pages"
pdffonts "$folder/report.pdf" | grep -q "Type 3" && fail "a font of Type 3"
pdftotext -layout "$folder/report.pdf" "$folder/report.txt"
for figure in figures/*.pdf; do
    grep -q "input{${figure%.pdf}.tex}" report.tex || fail "$figure is not in the report"
done
figures=$(find figures -name '*.pdf' | wc -l)
grep -q "Figure $figures:" "$folder/report.txt" || fail "expected $figures figures"
# A number of a table is that of the verb.
accuracy=$("$headscope" probe "$cache" --stage 1 --baselines off --json | grep -o '"accuracy":[0-9.]*' | head -1 | cut -c12-16)
grep -q "accuracy $accuracy" "$folder/report.txt" || fail "the probe's accuracy $accuracy is not in the text"
echo "$pages pages, $figures figures"
