#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A tour of the program in a real window (Xvfb and openbox), picture by picture: light and dark, and
# at twice the resolution. Ends with 1 when something of the tour was not there.
#
#   bash packaging/screenshots.sh [OUT_DIR] [CACHE...]
#
# Pictures go to OUT_DIR (default: headscope-screens here), named by the cache and by what they show;
# overview-CACHE.png holds all of a cache, small. Without a CACHE the bundled demo is shown. HEADSCOPE_PRESET
# names the build (default: release), HEADSCOPE_SCENES the scenes (default: all; screen_tour --list).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1:-} in
-*)
    say "Usage: bash packaging/screenshots.sh [OUT_DIR] [CACHE...]"
    exit 2
    ;;
esac
out=$(realpath -m "${1:-$PWD/headscope-screens}")
shift || true
caches=("$@")
[ ${#caches[@]} -gt 0 ] || caches=("$root/resources/demo/demo-cache.h5")
preset=${HEADSCOPE_PRESET:-release}
build=$root/build/$preset
tour=$build/tests/screen_tour

for tool in Xvfb openbox montage; do
    if ! command -v "$tool" >/dev/null; then
        say "$tool is not installed. Run packaging/setup.sh." >&2
        exit 1
    fi
done
cd "$root"
hint="Run packaging/setup.sh; if it says that everything is installed, please report this."
step "Configuring the $preset build" cmake --preset "$preset" -D BUILD_TESTING=ON
step "Building the tour" cmake --build "$build" -j "$jobs" --target screen_tour headscope-engine
mkdir -p "$out"

missing=0
# tour LOOK SCALE SCENES PREFIX CACHE
tour() {
    local screen=$((1600 * $2))x$((1000 * $2))x24
    say "$4"
    QT_SCALE_FACTOR=$2 HEADSCOPE_SCREEN=$screen "$root/tests/app/desktop/run_under_xvfb.sh" \
        "$tour" "$out" "$5" --look "$1" --prefix "$4-" --only "$3" | sed 's/^/    /' || missing=1
}
for cache in "${caches[@]}"; do
    cache=$(realpath "$cache")
    name=$(basename "$cache" .h5)
    tour light 1 "${HEADSCOPE_SCENES:-}" "$name" "$cache"
    tour dark 1 "${HEADSCOPE_SCENES:-map,grid,compare,heatmap,probe,heads,retrieval,layers,attention,atlas,head,circuits,hover-inspector,job-panel,dialogs,welcome}" \
        "$name-dark" "$cache"
    tour light 2 "${HEADSCOPE_SCENES:-map,heatmap,data-panel}" "$name-2x" "$cache"
done
# Small ones first: the tools for pictures may use little memory.
overview() {
    local small
    small=$(mktemp -d)
    for picture in "$out/$1"-*.png; do
        convert "$picture" -thumbnail 400x250 "$small/$(basename "$picture")"
    done
    montage -label '%t' "$small"/*.png -geometry 400x250+8+8 -tile 5x "$out/overview-$1.part.png"
    rm -r "$small"
    mv "$out/overview-$1.part.png" "$out/overview-$1.png"
}
for cache in "${caches[@]}"; do
    name=$(basename "$cache" .h5)
    step "Making overview-$name.png" overview "$name"
done
say "Pictures: $out"
if [ "$missing" -ne 0 ]; then
    say "Something was not there; see the lines above that say NOT THERE." >&2
    exit 1
fi
