#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the time of the last build went: the slowest files and links, and the sum of each folder.
# The seconds are those that passed while a step ran; what ccache knew took none.
#
#   packaging/build_times.sh [PRESET] [HOW MANY]     default: release 20
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-release}
most=${2:-20}
log=$root/build/$preset/.ninja_log
if [ ! -f "$log" ]; then
    say "build_times.sh: there is no build of the preset $preset: cmake --preset $preset && cmake --build --preset $preset" >&2
    exit 1
fi
# Lines are begin, end (ms), time stamp, output, command's hash; a step that ran again stands there again.
awk -F "\t" -v most="$most" -v root="$root/build/$preset/" '
    /^#/ { next }
    { seconds[$4] = ($2 - $1) / 1000 }
    function kind(output) {
        if (output ~ /\.gch$/) return "precompiled headers"
        if (output ~ /\.o$/) return "files"
        if (output ~ /(\/|^)bin\/|(\/|^)tests\/tests_|\.so$|\.a$/) return "links"
        return "other"
    }
    function folder(output,   parts) {
        if (index(output, root) == 1) output = substr(output, length(root) + 1)
        sub(/\/?CMakeFiles\/.*/, "", output)
        split(output, parts, "/")
        return parts[1] (parts[2] == "" ? "" : "/" parts[2])
    }
    function show(what,   command) {
        printf "\nslowest %s\n", what
        command = "sort -rn | head -n " most
        for (output in seconds)
            if (kind(output) == what) {
                name = output
                sub(/CMakeFiles\/[^\/]*\.dir\//, "", name)
                printf "%8.1f s  %s\n", seconds[output], name | command
            }
        close(command)
    }
    END {
        show("files"); show("links"); show("precompiled headers")
        for (output in seconds) { sum[folder(output)] += seconds[output]; count[folder(output)]++; all += seconds[output] }
        print "\nby folder"
        command = "sort -rn | head -n " most
        for (each in sum) printf "%8.1f s  %4d  %s\n", sum[each], count[each], each | command
        close(command)
        printf "\n%8.1f s of all steps, as they ran beside each other\n", all
    }' "$log"
