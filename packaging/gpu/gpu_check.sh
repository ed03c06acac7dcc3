#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gpu_check.py of this folder, by the Python environment whose torch the engine uses; --help explains it.
exec "${HEADSCOPE_PYTHON:-python3}" "$(dirname "$(readlink -f "$0")")/gpu_check.py" "$@"
