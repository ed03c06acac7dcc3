#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes resources/demo/demo-cache.h5 anew: the bundled texts through the demo model, three layers,
# three stages, topic vectors, float16, and one ready map per stage of the last layer.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"
bin=$root/build/release/bin
cache=resources/demo/demo-cache.h5
model=$(bash packaging/fetch_model.sh)
"$bin/headscope" extract "$model" resources/demo/corpus.jsonl --layers 9,19,29 --stages 1,2,3 \
    --label-columns topic --store f16 -o "$cache" --overwrite
for stage in 1 2 3; do
    "$bin/headscope" tsne "$cache" --stage $stage --save "stage$stage-last"
done
ls -l "$cache"
