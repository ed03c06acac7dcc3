# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034
# Sourced by the scripts of this folder: one line per step, and what to do when a step fails.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${HEADSCOPE_JOBS:-$(nproc)}
cache_dir=${XDG_CACHE_HOME:-$HOME/.cache}/headscope

say() { printf '%s\n' "$*"; }

# cpu_since FILE: seconds of processor time that this shell's commands took since `times >FILE`
cpu_since() {
    times >"$1.now" # of this shell: a subshell's would begin at 0
    awk 'FNR == 2 { for (i = 1; i <= 2; ++i) { split($i, t, /[ms]/); sum[NR > 2] += 60 * t[1] + t[2] } }
         END { printf "%d", sum[1] - sum[0] }' "$1" "$1.now"
    rm -f "$1" "$1.now"
}

# step "what" command...: prints the step and its time, and of a long one the processor time; on failure
# the end of its output and a hint.
# The hint is the value of $hint at the time.
step() {
    local what=$1 log start seconds
    shift
    log=$(mktemp)
    start=$(date +%s)
    times >"$log.cpu"
    printf '%-58s ' "$what"
    if "$@" >"$log" 2>&1; then
        seconds=$(($(date +%s) - start))
        printf 'ok, %d s' "$seconds"
        if [ "$seconds" -ge 60 ]; then
            printf ' ('
            cpu_since "$log.cpu"
            printf ' s of processor time)'
        fi
        printf '\n'
        rm -f "$log" "$log.cpu"
        return 0
    fi
    printf 'FAILED\n'
    tail -n 40 "$log" >&2
    printf '\n%s failed. %s\nThe whole output: %s\n' "$what" "${hint:-}" "$log" >&2
    exit 1
}
