#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches Arrow C++, which reads Parquet, out of PyPI's wheel pyarrow (55 MB, once, into the user's cache folder), where
# configuring finds it. Debian 12 has no Arrow. Without it everything else is built, and .parquet is refused.
#
# Ends with 77 where the wheel cannot be fetched. HEADSCOPE_ARROW_ROOT=FOLDER of cmake names a folder "pyarrow" that is
# there already, of a Python environment for example.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

version=26.0.1 # packaging/cmake/ArrowWheel.cmake names it, too
target=$cache_dir/pyarrow-$version

if [ -e "$target/pyarrow/include/arrow/api.h" ]; then
    say "Arrow $version is there: $target"
    exit 0
fi
mkdir -p "$cache_dir"
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
say "Fetching Arrow $version (55 MB)"
if ! python3 -m pip download --disable-pip-version-check -q --no-deps --only-binary :all: -d "$work" "pyarrow==$version"; then
    say "Arrow $version could not be fetched: it needs a network, and Python 3.10 to 3.14 with pip" >&2
    exit 77
fi
# What is compiled against and linked; the rest of the wheel is for Python.
python3 - "$work" <<'PYTHON'
import glob, re, sys, zipfile
wanted = re.compile(r"pyarrow/(include/(arrow|parquet)/.*|lib(arrow|parquet)\.so\.\d+|(LICENSE|NOTICE)\.txt)|pyarrow-[^/]*/(licenses/)?(LICENSE|NOTICE)\.txt")
with zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]) as wheel:
    wheel.extractall(sys.argv[1], [name for name in wheel.namelist() if wanted.fullmatch(name)])
PYTHON
rm -f "$work"/*.whl
chmod 755 "$work"
rm -rf "$target"
mv "$work" "$target"
trap - EXIT
say "Arrow $version: $target; configure again, and Parquet is read"
