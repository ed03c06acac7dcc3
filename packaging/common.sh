# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034
# Sourced by the scripts of this folder: one line per step, and what to do when a step fails.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${HEADSCOPE_JOBS:-$(nproc)}
cache_dir=${XDG_CACHE_HOME:-$HOME/.cache}/headscope

say() { printf '%s\n' "$*"; }

# step "what" command...: prints the step and its time; on failure the end of its output and a hint.
# The hint is the value of $hint at the time.
step() {
    local what=$1 log start
    shift
    log=$(mktemp)
    start=$(date +%s)
    printf '%-58s ' "$what"
    if "$@" >"$log" 2>&1; then
        printf 'ok, %d s\n' "$(($(date +%s) - start))"
        rm -f "$log"
        return 0
    fi
    printf 'FAILED\n'
    tail -n 40 "$log" >&2
    printf '\n%s failed. %s\nThe whole output: %s\n' "$what" "${hint:-}" "$log" >&2
    exit 1
}
