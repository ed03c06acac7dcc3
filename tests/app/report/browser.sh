#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens a report's page in Chromium and asks it, by check.html, whether dots are drawn, moved, hidden and named: with
# WebGL, without it, and in the dark. Ends with 77 where no browser is installed (packaging/setup.sh browser).
#
#   browser.sh MAKE_PAGE [FOLDER]    FOLDER: keeps page and pictures there
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
make_page=$1

browser=
for name in chromium chromium-browser google-chrome; do
    browser=$(command -v "$name") && break
done
if [ -z "$browser" ]; then
    echo "skipped: no Chromium is installed; packaging/setup.sh browser does it"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=${2:-$work}
mkdir -p "$folder"
"$make_page" "$folder/report.html"
cp "$here/check.html" "$folder/check.html"

# look NAME [OPTION...]: opens the check with these options of the browser, until it has written its last line to the
# console, which comes out in the browser's log; prints what it found.
look() {
    local name=$1 log="$work/$1.log" pid tries=0
    shift
    # Pages that lie on disk may look into each other here, so that check.html can ask the other.
    "$browser" --headless=new --no-sandbox --disable-dev-shm-usage --user-data-dir="$work/$name" --no-first-run \
        --disable-extensions --disable-background-networking --allow-file-access-from-files --enable-logging=stderr \
        --remote-debugging-port=0 --window-size=1300,900 "$@" "file://$folder/check.html" >"$log" 2>&1 &
    pid=$!
    until grep -q 'CONSOLE.*"check: end' "$log" || [ $((tries += 1)) -gt 300 ] || ! kill -0 "$pid" 2>/dev/null; do
        sleep 0.2
    done
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    printf '%s:\n' "$name"
    sed -n 's/.*CONSOLE.*"check: \(.*\)", source: .*/  \1/p' "$log"
    if grep 'CONSOLE' "$log" | grep -v '"check: ' | grep -Ei 'error|refused|violat|uncaught|warning'; then
        echo "$name: the page wrote to the console"
        return 1
    fi
    if ! grep -q '"check: end' "$log" || grep -q '"check: failed' "$log"; then
        echo "$name: the check did not pass"
        grep -v -e dbus -e vaapi -e sandbox -e '"check: ' "$log" | tail -n 10 || true
        return 1
    fi
}

code=0
look webgl --use-angle=swiftshader --enable-unsafe-swiftshader || code=1
look pixels --disable-3d-apis --disable-gpu || code=1
look dark --use-angle=swiftshader --enable-unsafe-swiftshader --blink-settings=preferredColorScheme=0 || code=1
exit $code
