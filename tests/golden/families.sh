#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# families.sh FOLDER [BUILD]: compares every model below FOLDER/models with its expected.h5, on the CPU and with
# libtorch, as the tests do with those of tests/golden/models. BUILD is a build with tests (default build/release).
set -euo pipefail
folder=$(realpath "${1:?expected a folder with models/NAME/expected.h5}")
build=${2:-$(dirname "$0")/../../build/release}
export HEADSCOPE_FAMILIES=$folder QT_QPA_PLATFORM=offscreen
for test in tst_network tst_torch_operations tst_backend_check; do
    timeout 1800 "$build/tests/tests_net" "$test"
done
