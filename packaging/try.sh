#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From nothing to the map of a real model's attention heads: set-up, build, demo model,
# head vectors of the bundled texts, maps, heatmaps and probe as pictures and tables, and the
# window on them. A second run takes seconds.
#
#   bash packaging/try.sh [FOLDER]     results go to FOLDER (default: headscope-demo here)
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1:-} in
-*)
    say "Usage: bash packaging/try.sh [FOLDER]: results go to FOLDER (default: headscope-demo here)"
    exit 2
    ;;
esac
out=$(realpath -m "${1:-$PWD/headscope-demo}")
bin=$root/build/release/bin
corpus=$root/resources/demo/corpus.jsonl
mkdir -p "$out"

bash "$root/packaging/setup.sh"
cd "$root"
hint="Run packaging/setup.sh; if it says that everything is installed, please report this."
step "Configuring" cmake --preset release
step "Building Headscope (about 12 minutes on two cores at first)" cmake --build --preset release -j "$jobs"

# The two demo models. SmolLM2 shares keys among its heads; MiniLM is trained to embed, so that
# its heatmaps speak of topics.
# extract NAME MODEL LAYERS BUNDLED: sets $cache to the head vectors of the demo texts
extract() {
    local name=$1 model
    cache=$out/$name.h5
    if ! model=$(bash packaging/fetch_model.sh "$2"); then
        say "Going on with the bundled cache of the same texts and model."
        cache=$root/resources/demo/$4
    elif [ ! -f "$cache" ] || [ "$corpus" -nt "$cache" ]; then
        hint="Delete $out and try again."
        step "$name: head vectors of the 192 demo texts" "$bin/headscope" extract "$model" "$corpus" \
            --layers "$3" --stages 1,2,3 --label-columns topic -o "$cache" --overwrite
    fi
}
# make "what" FILE command...: made anew only when the cache is newer
make() {
    local what=$1 file=$2
    shift 2
    if [ ! -f "$file" ] || [ "$cache" -nt "$file" ]; then
        hint="Delete $out and try again."
        step "$what" "$@"
    fi
}
into() { # into FILE command...: its output, whole or not at all
    local file=$1
    shift
    "$@" >"$file.part" && mv "$file.part" "$file"
}
# show NAME: maps, heatmaps, probe and match of $cache
show() {
    local name=$1 stage
    for stage in 1 2 3; do
        make "$name: map of stage $stage" "$out/$name-map-stage$stage.png" "$bin/headscope" tsne "$cache" \
            --stage $stage --color head -o "$out/$name-map-stage$stage.png" --overwrite
        make "$name: heatmap of stage $stage" "$out/$name-heatmap-stage$stage.png" "$bin/headscope" heatmap "$cache" \
            --stage $stage --per-topic 24 -o "$out/$name-heatmap-stage$stage.png" --overwrite
    done
    make "$name: map of stage 3, coloured by topic" "$out/$name-map-stage3-topic.png" "$bin/headscope" tsne "$cache" \
        --stage 3 --color topic -o "$out/$name-map-stage3-topic.png" --overwrite
    make "$name: probe of the three stages" "$out/$name-probe.txt" into "$out/$name-probe.txt" \
        "$bin/headscope" probe "$cache" --stage 1,2,3
    make "$name: topic match" "$out/$name-match.txt" into "$out/$name-match.txt" \
        "$bin/headscope" match "$cache" --stage 3
}
extract minilm minilm 1,3,5 demo-minilm.h5
show minilm
extract smollm2 smollm2 9,19,29 demo-cache.h5
show smollm2

say ""
for name in smollm2 minilm; do
    say "$name: how well can the head, or segment, be told from one vector?"
    tail -n +2 "$out/$name-probe.txt"
    say ""
done
say "Pictures and tables: $out"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    say "Opening the window on $cache"
    exec "$bin/headscope" "$cache"
fi
say "There is no display here, so no window was opened. With one: $bin/headscope $cache"
