#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Opens what the programs write as others do: in a virtual environment with packages of PyPI, which is made once and
# kept. Ends with 77 where it cannot be made.
#
#   exports_in_python.sh HEADSCOPE HEADSCOPE-ENGINE MODEL [FOLDER]
#
#   MODEL   a folder with a small model
#   FOLDER  of the environment; default ${XDG_CACHE_HOME:-~/.cache}/headscope/exports
set -eu

packages='numpy==2.4.6 pandas==2.3.3 h5py==3.16.0 safetensors==0.8.0 anndata==0.12.19 scanpy==1.11.5'

folder=${4:-${XDG_CACHE_HOME:-$HOME/.cache}/headscope/exports}
python=${PYTHON:-python3}

skip() {
    echo "exports_in_python.sh: skipped: $1"
    exit 77
}

# fetch COMMAND...: a command of pip that soon gives up
fetch() {
    command=$1
    shift
    timeout 500 "$interpreter" -m pip "$command" --quiet --disable-pip-version-check --retries 0 --timeout 10 "$@" \
        >"$folder/pip.log" 2>&1 || skip "the packages cannot be fetched ($folder/pip.log)"
}

# What is in the environment is told by a file that is written last.
if [ "$(cat "$folder/packages" 2>/dev/null)" != "$packages" ]; then
    mkdir -p "$folder" 2>/dev/null || skip "$folder cannot be made"
    interpreter=$python # where there is no network, that is known before an environment is made
    if "$python" -m pip --version >/dev/null 2>&1; then
        fetch download --no-deps --dest "$folder/first" natsort==8.4.0
        rm -r "$folder/first"
    fi
    "$python" -m venv "$folder" >/dev/null 2>&1 || skip "$python makes no environment here"
    interpreter=$folder/bin/python
    # shellcheck disable=SC2086 # a word each
    fetch install $packages
    echo "$packages" >"$folder/packages"
fi
exec "$folder/bin/python" "$(dirname "$0")/exports_in_python.py" "$1" "$2" "$3"
