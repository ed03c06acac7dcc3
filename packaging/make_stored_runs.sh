#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the bundled runs of attention anew: three sentences through both demo models, all weights, statistics, and the
# queries, keys, values and outputs of one layer. They are what the attention tab and the lessons show without a model.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
bin=${HEADSCOPE_BIN:-$root/build/release/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$root/resources/attention"

groups='The queries of one group read the same keys, but they look for different things.'
split='The tokenizer splits unbelievable words, and kangaroos misread photosynthesis.'
knife='The chef handed the knife to her brother because he had asked for it.'

# make MODEL LAYER NAME: beside links to the model, so that the files record no path of this machine
make() {
    local model
    model=$(bash "$root/packaging/fetch_model.sh" "$1")
    ln -sf "$model" "$work"
    cd "$work"
    "$bin/headscope-engine" attention "$(basename "$model")" "$groups" --statistics --qkv "$2" -o "$3-groups.h5"
    "$bin/headscope-engine" attention "$(basename "$model")" "$knife" --statistics --qkv "$2" -o "$3-knife.h5"
    "$bin/headscope-engine" attention "$(basename "$model")" "$split" --statistics --qkv "$2" -o "$3-split.h5"
    mv "$3-groups.h5" "$3-knife.h5" "$3-split.h5" "$root/resources/attention"
}
make smollm2 12 smollm2
make minilm 3 minilm
ls -l "$root/resources/attention"
