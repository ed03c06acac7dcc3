#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the window from outside, as a screen reader does (atspi_walk.py), on a message bus of its own.
# Ends with 77 (skipped) where the packages of `packaging/setup.sh atspi` are not installed.
#
#   run_under_xvfb.sh atspi_walk.sh HEADSCOPE CACHE
set -u
if ! command -v dbus-run-session >/dev/null; then
    echo "skipped: dbus-run-session is not installed; packaging/setup.sh atspi installs it"
    exit 77
fi
HOME=$(mktemp -d) # of settings, and of the cache, next to which analyses are saved
export HOME
trap 'rm -rf "$HOME"' EXIT
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
cp "$2" "$HOME/cache.h5"
# Debian's Python: its packages are not seen by others.
dbus-run-session -- /usr/bin/python3 "$(dirname "${BASH_SOURCE[0]}")/atspi_walk.py" "$1" "$HOME/cache.h5"
