#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the bundled caches anew: the demo texts through both demo models, three layers, three
# stages, topic vectors, float16, and one ready map per stage of the last layer.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"
bin=$root/build/release/bin

# make MODEL LAYERS FILE
make() {
    local model
    model=$(bash packaging/fetch_model.sh "$1")
    "$bin/headscope" extract "$model" resources/demo/corpus.jsonl --layers "$2" --stages 1,2,3 \
        --label-columns topic --store f16 -o "$3" --overwrite
    for stage in 1 2 3; do
        "$bin/headscope" tsne "$3" --stage $stage --save "stage$stage-last"
    done
    ls -l "$3"
}
make smollm2 9,19,29 resources/demo/demo-cache.h5
make minilm 1,3,5 resources/demo/demo-minilm.h5
