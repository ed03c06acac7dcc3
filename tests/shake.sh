#!/usr/bin/env bash
# Runs tests beside four busy loops, to find those that fail by chance on a busy machine: what waits for a time instead
# of an event, and what kills at a moment instead of a named point.
#   tests/shake.sh [TIMES]          the tests that wait for something, each of them TIMES times (20), or until it fails
#   tests/shake.sh whole [TIMES]    all tests but those labelled slow and bench, TIMES times (3)
# BUILD=FOLDER chooses the build (build/release), TESTS=REGEX other tests than those below, LOOPS=N the busy loops,
# JOBS=N how many tests at a time (4).
# Prints what failed and how often; exit code 1 where anything did.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}

# Tests that start programs, send signals, lock files, or wait for the window, a thread or another program.
waits=(
    tst_signal tst_process tst_stop_signals tst_output_lock tst_hdf5_open tst_hdf5_writer
    tst_range_parts tst_shard_merge tst_written_once
    tst_cli tst_cli_kills tst_cli_terminal tst_cli_tsne tst_window_options
    tst_engine_extract tst_engine_head_corpus tst_engine_interrupt tst_engine_into_faults tst_engine_kept_inputs
    tst_engine_merge
    tst_engine_model_faults tst_engine_outputs tst_engine_resume tst_engine_serve tst_engine_serve_attention
    tst_engine_slurm
    tst_cycles tst_desktop_attention tst_desktop_engine_server tst_desktop_extract tst_desktop_keep_faults
    tst_desktop_window tst_idle_paints tst_job_notifier tst_job_runner tst_run_panel
    tst_scatter_gestures tst_scatter_large tst_scatter_legend tst_scatter_widget tst_waiting)

whole=no
times=20
if [ "${1:-}" = whole ]; then
    whole=yes
    times=3
    shift
fi
times=${1:-$times}
[[ $times =~ ^[1-9][0-9]*$ ]] || { echo "expected a number of times, found \"$times\"" >&2; exit 2; }
[ -e "$build/CTestTestfile.cmake" ] || { echo "expected a build with tests in $build (packaging/test.sh makes it)" >&2; exit 2; }
export LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen
if [ "$whole" = no ]; then # a test that kills many times does so in portions: 20 times 4
    export HEADSCOPE_KILLS=${HEADSCOPE_KILLS:-4} HEADSCOPE_REPORT_KILLS=${HEADSCOPE_REPORT_KILLS:-2}
fi

here=$(ctest --test-dir "$build" -N)
for name in "${waits[@]}"; do
    grep -q ": $name\$" <<<"$here" || { echo "$0 names $name, which is no test of $build" >&2; exit 2; }
done

log=$(mktemp)
loops=()
end() {
    for loop in "${loops[@]}"; do
        kill "$loop" 2>/dev/null || true
    done
    rm -f "$log"
}
trap end EXIT
trap 'exit 1' INT TERM HUP
for ((i = 0; i < ${LOOPS:-4}; ++i)); do
    # A loop ends with this script, however that ends.
    (trap - EXIT; while kill -0 $$ 2>/dev/null; do for ((j = 0; j < 100000; ++j)); do :; done; done) &
    loops+=($!)
done

run() { ctest --test-dir "$build" -j "${JOBS:-4}" --output-on-failure "$@" | tee -a "$log" || true; }
began=$SECONDS
if [ "$whole" = yes ]; then
    for ((round = 1; round <= times; ++round)); do
        echo "--- round $round of $times"
        run -LE 'slow|bench'
    done
else
    run -R "${TESTS:-^($(IFS='|'; echo "${waits[*]}"))\$}" --repeat "until-fail:$times"
fi

ran=$(grep -cE '^ *([0-9]+/[0-9]+)? *Test +#[0-9]+: ' "$log" || true)
failed=$(grep -E '^[[:space:]]+[0-9]+ - [^ ]+ \(' "$log" | grep -vE '\((Skipped|Disabled)' | awk '{ print $3 }' | sort | uniq -c || true)
echo "=== $ran runs of tests beside ${#loops[@]} busy loops in $((SECONDS - began)) s"
if [ -n "$failed" ]; then
    echo "=== failed, and how often:"
    echo "$failed"
    exit 1
fi
[ "$ran" -gt 0 ] || { echo "=== no test was run"; exit 1; }
echo "=== none failed"
