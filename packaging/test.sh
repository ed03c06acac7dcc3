#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Set-up, build and all tests. The programs are those of try.sh, in the same folder; the tests are added to them.
# Without a network the tests of the downloaded model are reported as skipped, all others run.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

bash packaging/setup.sh

if model=$(bash packaging/fetch_model.sh 2>/dev/null); then
    export HEADSCOPE_DEMO_MODEL=$model
    say "Demo model: $model"
else
    say "Demo model: not available, its tests are skipped"
fi

# What reads the window as a screen reader does; without it the test atspi_walk is reported as skipped.
reader=$(bash packaging/setup.sh atspi) || say "The window over the accessibility bus: not read. $reader"

hint="The sources do not compile here; packaging/setup.sh installs what is needed."
step "Configuring, with tests" cmake --preset release -D BUILD_TESTING=ON
step "Building programs and tests (about 10 minutes on two cores at first)" cmake --build --preset release -j "$jobs"
step "Compiling every header alone" cmake --build --preset release -j "$jobs" --target header_checks

hint="packaging/tidy_changed.sh says which functions; they become shorter by parts with names."
check_changed() { bash packaging/tidy_changed.sh || [ $? -eq 77 ]; } # 77: it cannot be tried here
step "Length and complexity of changed functions" check_changed

hint=""
log=build/release/ctest.log
set +e
ctest --preset release --output-on-failure | tee "$log"
code=${PIPESTATUS[0]}
set -e
if [ "$code" -eq 0 ]; then
    # The code path of the GPU, by the libtorch of PyPI on the CPU.
    hint="packaging/cuda.sh try build/release shows it."
    on_wheel() { bash packaging/cuda.sh try build/release || [ $? -eq 77 ]; } # 77: it cannot be fetched here
    step "The golden models on PyPI's libtorch" on_wheel
    # The templates of packaging/slurm, on a Slurm of this machine alone.
    hint="ctest --test-dir build/release -R slurm_array --output-on-failure shows it."
    if [ "$(id -u)" -ne 0 ]; then
        say "An array job on Slurm: not tried, that needs to be root"
    elif slurm=$(bash packaging/setup.sh slurm); then
        step "An array job on Slurm" ctest --test-dir build/release -R '^slurm_array$' --output-on-failure
    else
        say "An array job on Slurm: not tried. $slurm"
    fi
fi
skipped=$(grep -c 'Skipped' "$log" || true)
[ "$skipped" -eq 0 ] || say "Skipped test programs: $skipped"
exit "$code"
