#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program in a real window: an X server of its own on a free display, with a window manager.
# Ends with 77 (skipped) where Xvfb or openbox is not installed.
#
#   run_under_xvfb.sh PROGRAM [ARGUMENTS]
#
# HEADSCOPE_SCREEN is the size of the screen, WIDTHxHEIGHTx24.
set -u
for tool in Xvfb openbox; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is not installed"
        exit 77
    fi
done

work=$(mktemp -d)
server=
manager=
finish() {
    [ -n "$manager" ] && kill "$manager" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT

# The server takes the first free display and says which.
Xvfb -displayfd 3 -screen 0 "${HEADSCOPE_SCREEN:-1440x900x24}" -nolisten tcp 3>"$work/display" 2>"$work/xvfb.log" &
server=$!
# However long that takes on a busy machine, while it lives; the same of the window manager.
for _ in $(seq 1200); do
    [ -s "$work/display" ] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if [ ! -s "$work/display" ]; then
    echo "skipped: Xvfb did not start: $(tail -1 "$work/xvfb.log")"
    exit 77
fi
DISPLAY=:$(cat "$work/display")
export DISPLAY
export HOME=$work XDG_RUNTIME_DIR=$work QT_QPA_PLATFORM=xcb
unset WAYLAND_DISPLAY
openbox --startup "touch $work/managed" >"$work/openbox.log" 2>&1 &
manager=$!
for _ in $(seq 1200); do
    [ -e "$work/managed" ] && break
    kill -0 "$manager" 2>/dev/null || break
    sleep 0.1
done
"$@"
