#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether two builds say and write the same: every verb on the bundled caches, with its tables, JSON,
# pictures and files, byte for byte. For changes that must change nothing.
#
#   packaging/compare_outputs.sh OLD NEW [FOLDER]     folders that hold headscope and headscope-engine
#
# Times, paths of the programs and what HDF5 writes of the hour do not count. What each wrote stays in
# FOLDER/old and FOLDER/new (default: a temporary folder that goes away when all is equal). Ends with 1
# when anything differs, and names it.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ $# -lt 2 ] || [ ! -x "$1/headscope" ] || [ ! -x "$2/headscope" ]; then
    say "Usage: bash packaging/compare_outputs.sh OLD NEW [FOLDER]: folders that hold headscope and headscope-engine" >&2
    exit 2
fi
old=$(realpath "$1")
new=$(realpath "$2")
if [ $# -ge 3 ]; then
    work=$(realpath -m "$3")
    mkdir -p "$work"
else
    work=$(mktemp -d)
fi
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 TZ=UTC

# NAME WORDS of every command; GQA and MHA stand for the bundled caches.
commands() {
    local cache stage
    for cache in GQA MHA; do
        for stage in 1 2 3; do
            cat <<LIST
$cache-probe-$stage probe $cache --stage $stage -o probe.csv
$cache-heatmap-$stage heatmap $cache --stage $stage --topics 4 --per-topic 20 -o heatmap.pdf
$cache-heatmap-csv-$stage heatmap $cache --stage $stage --sort cluster -o heatmap.csv
$cache-match-$stage match $cache --stage $stage --pool all -o match.tex
$cache-heads-$stage heads $cache --stage $stage -o heads.csv
$cache-heads-svg-$stage heads $cache --stage $stage -o heads.svg
$cache-tsne-$stage tsne $cache --stage $stage --iterations 60 -o map.csv
$cache-prune-$stage prune $cache --stage $stage --order backward --save-mask mask.json -o prune.csv
$cache-similarity-$stage similarity $cache --stage $stage -o topics.csv
$cache-export-$stage export $cache --stage $stage --heads 1-2 -o heads.npy
LIST
        done
        cat <<LIST
$cache-inspect inspect $cache
$cache-layers layers $cache -o layers.csv
$cache-map-svg tsne $cache --iterations 60 --color strength -o map.svg
$cache-map-png tsne $cache --iterations 60 --color topic --palette colorblind -o map.png
$cache-map-h5 tsne $cache --iterations 60 --quality -o map.h5
$cache-neighbors neighbors $cache -k 5 -o neighbors.h5
$cache-retrieve retrieve $cache --query-document 0 -o found.csv
$cache-retrieve-all retrieve $cache --queries $cache --top 3
$cache-no-layer tsne $cache --layer 99
$cache-no-label match $cache --label nothing
LIST
    done
    cat <<LIST
help --help
wrong-verb nonsense
no-file inspect missing.h5
wrong-option tsne GQA --perplexity x
LIST
}

# run BIN FOLDER NAME WORDS...: output, errors and exit code beside the files it writes
run() {
    local bin=$1 to=$2/$3 words=() word code=0
    shift 3
    for word in "$@"; do
        case $word in
        GQA) word=$root/resources/demo/demo-cache.h5 ;;
        MHA) word=$root/resources/demo/demo-minilm.h5 ;;
        esac
        words+=("$word")
    done
    mkdir -p "$to"
    for form in text json; do
        local more=()
        [ "$form" = text ] || more=(--json --overwrite)
        (cd "$to" && timeout 300 "$bin/headscope" "${words[@]}" "${more[@]}" >"$form.out" 2>"$form.err") || code=$?
        echo "$code" >"$to/$form.code"
        # Everything below "seconds" is a time, and so is the first number of each step of a fit.
        sed -i -E -e 's/"seconds":(\{[^}]*\}|[0-9.e+-]+)/"seconds":0/g' -e 's/"steps":\[\[.*\]\]/"steps":[]/' \
            -e 's/^seconds .*/seconds/' -e 's/[0-9.]+ s\b/0 s/g' "$to/$form.out" "$to/$form.err"
    done
    for file in "$to"/*.h5; do
        [ -e "$file" ] || continue
        h5dump "$file" | sed -E '/^HDF5 /d; /seconds/,/\}/d' >"$file.txt"
        rm -f "$file"
    done
}

count=0
while read -r name words; do
    # shellcheck disable=SC2086 # words of a command
    run "$old" "$work/old" "$name" $words &
    # shellcheck disable=SC2086
    run "$new" "$work/new" "$name" $words &
    wait
    count=$((count + 1))
done < <(commands)
if diff -rq "$work/old" "$work/new" >"$work/differences"; then
    say "$count commands, each as text and as JSON: no difference"
    [ $# -ge 3 ] || rm -rf "$work"
    exit 0
fi
sed "s|$work/||g" "$work/differences"
say "$(wc -l <"$work/differences") files differ; they stay in $work"
exit 1
