#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Length and cognitive complexity of the functions that were changed, by clang-tidy with the limits of .clang-tidy, and
# what the preset dev refuses of the changed files, though release does not: names that shadow others, and sources that
# compile only in their group.
#
#   packaging/tidy_changed.sh [-C TREE] [-p BUILD] [COMMIT]
#
# Looks at what differs from COMMIT (the fork from origin/main, else HEAD~1) in the sources of model, viz, ui and app, files that
# are not committed included, and fails on a function with a changed line that is above a limit. Of tests it looks at the
# names alone. BUILD has the compile_commands.json; without it the preset `tidy` is configured. Exit 1: a function is too
# long or too complex, a name shadows another, or a file could not be read; 77: it cannot be tried here.
set -euo pipefail

checks='-*,readability-function-size,readability-function-cognitive-complexity,clang-diagnostic-shadow*'
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=
while getopts C:p: option; do
    case $option in
    C) tree=$OPTARG ;;
    p) build=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
cd "$tree"

for tool in clang-tidy git; do
    if ! command -v "$tool" >/dev/null; then
        echo "Changed functions are not checked: $tool is not installed."
        exit 77
    fi
done
base=${1:-}
[ -n "$base" ] || base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse -q --verify HEAD~1) || {
    echo "Changed functions are not checked: there is no commit to compare with."
    exit 77
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# FILE BEGIN END of every changed piece of text, new files whole.
sources=('model/*.cpp' 'model/*.h' 'viz/*.cpp' 'viz/*.h' 'ui/*.cpp' 'ui/*.h' 'app/*.cpp' 'app/*.h' 'tests/*.cpp')
git diff -U0 --no-color --no-ext-diff --diff-filter=d "$base" -- "${sources[@]}" | awk '
    /^\+\+\+ b\// { file = substr($0, 7) }
    /^@@ / { split(substr($3, 2), at, ","); n = at[2] == "" ? 1 : at[2]; if (n > 0) print file, at[1], at[1] + n - 1 }' \
    >"$work/changed"
git ls-files --others --exclude-standard -- "${sources[@]}" | sed 's/$/ 1 1000000/' >>"$work/changed"
cut -d ' ' -f 1 "$work/changed" | sort -u >"$work/files"
if [ ! -s "$work/files" ]; then
    echo "No source differs from $base."
    exit 0
fi

# A whole issue takes longer than the build: it is checked where it is written, commit by commit.
most=60
most_tests=30 # less than a minute on two cores
if [ -z "${1:-}" ]; then
    if [ "$(grep -c '^tests/' "$work/files")" -gt "$most_tests" ]; then
        echo "Changed tests are not checked: $(grep -c '^tests/' "$work/files") differ from $base. Name a later commit to check them."
        sed -i '/^tests\//d' "$work/files"
    fi
    if [ "$(grep -vc '^tests/' "$work/files")" -gt "$most" ]; then
        echo "Changed functions are not checked: $(wc -l <"$work/files") files differ from $base. Name a later commit to check them."
        exit 77
    fi
    [ -s "$work/files" ] || exit 77
fi

if [ -z "$build" ]; then
    build=build/tidy
    cmake --preset tidy >"$work/configure" 2>&1 || { cat "$work/configure" >&2; exit 1; }
fi

# Tests include what moc makes of them.
while read -r file; do
    if grep -q '^#include ".*\.moc"' "$file"; then
        "$build/moc.sh" -o "$work/$(basename "$file" .cpp).moc" "$file"
    fi
done < <(grep '^tests/' "$work/files")

# clang-tidy ends with 1 on what it finds: that is looked at below, whether it could read the file here.
# --use-color=0: a terminal's colours would stand before the place
# shellcheck disable=SC2016 # words of the inner shell
xargs -P "$(nproc)" -I '{}' sh -c '
    clang-tidy --quiet --use-color=0 --checks="$1" --warnings-as-errors="-*" --header-filter="^\$" -p "$2" \
        --extra-arg=-I"$4" --extra-arg=-Wshadow --extra-arg=-Wshadow-field-in-constructor \
        --extra-arg=-Wshadow-uncaptured-local "$3" \
        >"$4/$(echo "$3" | tr / _).out" 2>"$4/$(echo "$3" | tr / _).err" || {
        echo "$3: clang-tidy could not read it" >"$4/$(echo "$3" | tr / _).failed"
    }' sh "$checks" "$build" '{}' "$work" <"$work/files"
if ls "$work"/*.failed >/dev/null 2>&1; then
    cat "$work"/*.failed "$work"/*.out | grep -E 'could not read|error:' >&2 || true
    exit 1
fi

# A function begins where the warning stands and ends with the next brace that is alone in the first column, or, if
# it is defined within a class, where the indentation of its first line comes back. A name is the line of the warning.
cat "$work"/*.out | sed -nE "s/^(${PWD//\//\\/}\/)?([^\/:][^:]*):([0-9]+):[0-9]+: warning: (.*) \[(readability|clang-diagnostic)-.*\]$/\2 \3 \5 \4/p" | sort -u >"$work/found"
problems=$(while read -r file line kind text; do
    case $kind:$file in
    readability:tests/*) continue ;;
    clang-diagnostic:*) end=$line ;;
    *) end=$(awk -v begin="$line" 'FNR == begin { match($0, /^ */); indent = RLENGTH }
        FNR > begin { match($0, /^ */); if (RLENGTH == indent && substr($0, indent + 1, 1) == "}") { print FNR; exit } }' "$file") ;;
    esac
    if awk -v file="$file" -v begin="$line" -v end="${end:-$line}" \
        '$1 == file && $2 <= end && $3 >= begin { hit = 1 } END { exit !hit }' "$work/changed"; then
        echo "$file:$line: $text"
    fi
done <"$work/found")
if [ -n "$problems" ]; then
    printf '%s\n' "$problems"
    echo "Functions of at most 60 lines and a cognitive complexity of at most 25: give parts of them names. No name"
    echo "that shadows another."
    exit 1
fi
echo "Changed functions: $(wc -l <"$work/files") files read, none too long or too complex, no name shadows another."
