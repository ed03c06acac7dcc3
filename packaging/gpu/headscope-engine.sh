#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The engine of this folder, on the libtorch of the Python environment that `python3` is (HEADSCOPE_PYTHON names
# another). A program of bin/ is run by the name of a link to this file.
here=$(dirname "$(readlink -f "$0")")
program=$(basename "$0")
python=${HEADSCOPE_PYTHON:-python3}
wanted=$(cat "$here/torch-version")
torch=$("$python" -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])' 2>/dev/null)
if [ -z "$torch" ]; then
    echo "$program: expected torch $wanted in the environment of $python, found none" >&2
    exit 3
fi
found=$(sed -n "s/^__version__ = '\([0-9.]*\).*/\1/p" "$torch/version.py")
if [ "$found" != "$wanted" ]; then
    echo "$program: expected torch $wanted in the environment of $python, found $found in $torch" >&2
    exit 3
fi
# Debian's libraries, and after them those of torch. The system's libstdc++ where it is as new as ours: what torch
# brings may need more of it.
libraries=$here/lib
if ! "$python" -c 'import ctypes; ctypes.CDLL("libstdc++.so.6")["_ZSt15__glibcxx_assert_failPKciS0_S0_"]' 2>/dev/null; then
    libraries=$libraries:$here/lib/stdc++
fi
LD_LIBRARY_PATH=$libraries:$torch/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
exec "$here/bin/$program" "$@"
