#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that headers of the product declare and nothing but tests calls: names that stand in model,
# viz, ui and app no more often than they are declared and defined. Needs ctags. A list to be read, not
# a verdict: what a library, Qt or a template calls by another way stands here too.
#
#   tests/lint/uncalled_functions.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v ctags >/dev/null || { echo "ctags is not installed" >&2; exit 1; }

words=$(mktemp)
trap 'rm -f "$words"' EXIT
# How often each word stands in the product, comments left out.
find model viz ui app -name '*.cpp' -o -name '*.h' | xargs sed -E 's://.*$::' | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort | uniq -c |
    awk '{ print $2, $1 }' >"$words"
# Every declaration and definition of a function is one of these places; what is left over are calls.
find model viz ui app '(' -name '*.h' -o -name '*.cpp' ')' -print0 |
    xargs -0 ctags -x --language-force=C++ --c++-kinds=fp 2>/dev/null | sort -u |
    awk -v words="$words" '
        BEGIN { while ((getline line < words) > 0) { split(line, p, " "); count[p[1]] = p[2] } }
        $1 !~ /^[a-z]/ { next }
        { places[$1]++ }
        / override/ { by_others[$1] = 1 }
        $4 ~ /\.h$/ && where[$1] !~ $4 { where[$1] = where[$1] " " $4 }
        END {
            for (name in where)
                if (count[name] <= places[name] && !(name in by_others)) print name ":" where[name]
        }' | sort
