#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures the numbers that come with the lessons: both demo models with fewer KV heads, over the demo texts
# (resources/lessons/numbers). Takes some minutes.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
preset=${HEADSCOPE_PRESET:-dev}
HEADSCOPE_DEMO_MODEL=$(bash "$root/packaging/fetch_model.sh" smollm2)
export HEADSCOPE_DEMO_MODEL
bash "$root/packaging/fetch_model.sh" minilm >/dev/null
export HEADSCOPE_UPDATE_GOLDEN=1 QT_QPA_PLATFORM=offscreen
mkdir -p "$root/resources/lessons/numbers"
"$root/build/$preset/tests/tests_desktop" tst_regroup_model bundledNumbersAreThoseOfTheModel -maxwarnings 0
cat "$root"/resources/lessons/numbers/*.json
