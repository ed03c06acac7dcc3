#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From nothing to the map of a real model's attention heads: set-up, release build, demo model,
# head vectors of the bundled texts, maps, heatmaps and probe as pictures and tables, and the
# window on them. A second run takes seconds.
#
#   bash packaging/try.sh [FOLDER]     results go to FOLDER (default: headscope-demo here)
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

out=$(realpath -m "${1:-$PWD/headscope-demo}")
bin=$root/build/release/bin
corpus=$root/resources/demo/corpus.jsonl
mkdir -p "$out"

bash "$root/packaging/setup.sh"
cd "$root"
hint="Run packaging/setup.sh; if it says that everything is installed, please report this."
[ -f build/release/build.ninja ] || step "Configuring the release build" cmake --preset release
step "Building Headscope (about 6 minutes at first)" cmake --build --preset release -j "$jobs"

cache=$out/demo-cache.h5
if model=$(bash packaging/fetch_model.sh); then
    say "Demo model: $model"
    if [ ! -f "$cache" ] || [ "$corpus" -nt "$cache" ]; then
        hint="Delete $out and try again."
        step "Head vectors of the demo texts (192 texts, 3 layers)" "$bin/headscope" extract "$model" "$corpus" \
            --layers 9,19,29 --stages 1,2,3 --label-columns topic -o "$cache" --overwrite
    fi
else
    say "Going on with the bundled cache of the same texts and model."
    cache=$root/resources/demo/demo-cache.h5
fi

hint="Delete $out and try again."
draw() { # draw "what" FILE command...: made anew only when the cache is newer
    local what=$1 file=$2
    shift 2
    if [ ! -f "$file" ] || [ "$cache" -nt "$file" ]; then
        step "$what" "$@" -o "$file" --overwrite
    fi
}
for stage in 1 2 3; do
    draw "Map of stage $stage" "$out/map-stage$stage.png" \
        "$bin/headscope" tsne "$cache" --stage $stage --color head
    draw "Heatmap of stage $stage" "$out/heatmap-stage$stage.png" \
        "$bin/headscope" heatmap "$cache" --stage $stage --per-topic 24
done
draw "Map of stage 3, coloured by topic" "$out/map-stage3-topic.png" \
    "$bin/headscope" tsne "$cache" --stage 3 --color topic
probe() {
    "$bin/headscope" probe "$cache" --stage 1,2,3 >"$out/probe.txt" &&
        "$bin/headscope" match "$cache" --stage 3 >"$out/match.txt"
}
if [ ! -f "$out/match.txt" ] || [ "$cache" -nt "$out/match.txt" ]; then
    step "Probe and topic match" probe
fi

say ""
cat "$out/probe.txt"
say ""
say "Pictures and tables: $out"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    say "Opening the window on $cache"
    exec "$bin/headscope" "$cache"
fi
say "There is no display here, so no window was opened. With one: $bin/headscope $cache"
