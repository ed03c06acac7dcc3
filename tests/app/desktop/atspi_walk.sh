#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the window from outside, as a screen reader does (atspi_walk.py), on a message bus of its own.
# Ends with 77 (skipped) where the packages of `packaging/setup.sh atspi` are not installed.
#
#   run_under_xvfb.sh atspi_walk.sh HEADSCOPE CACHE [OTHER_CACHE]
set -u
if ! command -v dbus-run-session >/dev/null; then
    echo "skipped: dbus-run-session is not installed; packaging/setup.sh atspi installs it"
    exit 77
fi
here=$(dirname "${BASH_SOURCE[0]}")
HOME=$(mktemp -d) # of settings, and of the cache, next to which analyses are saved
export HOME
trap 'rm -rf "$HOME"' EXIT
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
cp "$2" "$HOME/cache.h5"
[ $# -lt 3 ] || cp "$3" "$HOME/other.h5"
# Two texts without labels: most analyses have too little.
printf 'One text.\nAnother text.\n' >"$HOME/small.txt"
"$(dirname "$1")/headscope-engine" extract "$(dirname "$1")/../golden/models/llama_mha" "$HOME/small.txt" --lines \
    -o "$HOME/small.h5" --progress off || exit 1
caches=("$HOME/cache.h5")
[ ! -e "$HOME/other.h5" ] || caches+=("$HOME/other.h5" "$HOME/small.h5")
# Debian's Python: its packages are not seen by others.
PYTHONDONTWRITEBYTECODE=1 dbus-run-session -- /usr/bin/python3 "$here/atspi_walk.py" "$1" "${caches[@]}"
