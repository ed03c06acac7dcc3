#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what Headscope needs to build, run and test on Debian 12. Does nothing when all is there.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(
    # to build
    g++ cmake ninja-build ccache mold pkg-config git
    qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev libgl-dev
    libtorch-dev libopenblas0-pthread libeigen3-dev libdnnl-dev libfftw3-dev libhwy-dev
    libhdf5-dev zlib1g-dev libzstd-dev libxxhash-dev libssl-dev
    nlohmann-json3-dev libsimdjson-dev libcli11-dev libfmt-dev libonig-dev libutf8proc-dev
    # to look right
    fonts-inter fonts-dejavu-core libqt6svg6
    # to test the window, and to fetch the demo model
    xvfb openbox xauth x11-utils dbus-daemon imagemagick hdf5-tools python3 python3-pip
    # to try a bare machine (bare.sh)
    debootstrap
)

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    say "Everything Headscope needs is installed."
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        say "These packages are missing: ${missing[*]}" >&2
        say "Install them as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
hint="Check the network and the package sources, then run this script again."
step "Reading package lists" "${as_root[@]}" apt-get update
step "Installing ${#missing[@]} packages" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends -o Acquire::Retries=3 "${missing[@]}"
