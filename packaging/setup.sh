#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what Headscope needs to build, run and test on Debian 12. Does nothing when all is there.
#
#   bash packaging/setup.sh          that
#   bash packaging/setup.sh slurm    what a Slurm of one machine needs beside it, for the test of packaging/slurm;
#                                    ends with 77 where it cannot be installed
#   bash packaging/setup.sh browser  Chromium, in which tests/app/report opens a page; ends with 77 likewise
#   bash packaging/setup.sh latex    what compiles the LaTeX of a report, for its test; likewise
#   bash packaging/setup.sh atspi    what reads the window over the accessibility bus, for its test; likewise
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(
    # to build
    g++ cmake ninja-build ccache mold pkg-config git
    qt6-base-dev qt6-svg-dev libqt6opengl6-dev libgl-dev
    libtorch-dev libopenblas0-pthread libeigen3-dev libdnnl-dev libfftw3-dev libhwy-dev
    libhdf5-dev zlib1g-dev libzstd-dev libxxhash-dev libssl-dev
    nlohmann-json3-dev libsimdjson-dev libcli11-dev libfmt-dev libonig-dev libutf8proc-dev
    # to look right
    fonts-inter fonts-dejavu-core libqt6svg6
    # to test the window, and to fetch the demo model
    xvfb openbox xauth x11-utils dbus-daemon imagemagick hdf5-tools python3 python3-pip
    # to look at figures as others do
    poppler-utils librsvg2-bin
    # to try a bare machine (bare.sh)
    debootstrap
)
case ${1:-} in
"") ;;
slurm) packages=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge) ;;
browser) packages=(chromium) ;;
latex) packages=(texlive-latex-recommended lmodern poppler-utils) ;;
atspi) packages=(at-spi2-core dbus-daemon python3-gi gir1.2-atspi-2.0) ;;
*)
    say "setup.sh: expected nothing, slurm, browser, latex or atspi, found $1" >&2
    exit 2
    ;;
esac

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
# What is built without it reads no Parquet.
fetch_parquet() {
    bash "$root/packaging/parquet.sh" || say "Headscope is built without Parquet; packaging/parquet.sh tries again."
}
if [ ${#missing[@]} -eq 0 ]; then
    [ -z "${1:-}" ] || exit 0
    say "Everything Headscope needs is installed."
    fetch_parquet
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
if [ -n "${1:-}" ]; then
    # Nothing is started by the packages: the test starts daemons of its own, in a folder of its own.
    policy=/usr/sbin/policy-rc.d
    if [ "$(id -u)" -eq 0 ] && [ ! -e "$policy" ]; then
        trap 'rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
    fi
    { "${as_root[@]}" apt-get update -q && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
        --no-install-recommends -o Acquire::Retries=3 "${missing[@]}"; } >/dev/null 2>&1 || {
        say "These packages cannot be installed here (no network, or no Debian?): ${missing[*]}"
        exit 77
    }
    exit 0
fi
hint="Check the network and the package sources, then run this script again."
step "Reading package lists" "${as_root[@]}" apt-get update
step "Installing ${#missing[@]} packages" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends -o Acquire::Retries=3 "${missing[@]}"
fetch_parquet
