#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds headscope-engine, without window and Qt, against libtorch with CUDA out of PyPI's wheel: for a machine with an
# NVIDIA GPU. No CUDA toolkit is needed, only the driver.
#
#   bash packaging/cuda.sh              libtorch (4.5 GB, once, into the user's cache folder) and the engine in build/cuda/bin
#   bash packaging/cuda.sh bundle DIR   one folder for a machine that has Python and torch 2.11 and nothing else: the engine,
#                                       Debian's libraries, the golden models, and gpu_check.sh, which checks and measures;
#                                       and DIR.tar.xz without the golden models, for a machine that has this repository:
#                                       gpu_check.sh --golden REPOSITORY. "python3 -m tarfile -e DIR.tar.xz" unpacks it
#   bash packaging/cuda.sh try TESTS    the golden models on the same libtorch on the CPU, which needs no GPU: builds the
#                                       part that uses it, and runs the tests of the build folder TESTS with it;
#                                       ends with 77 where libtorch cannot be fetched
#
# HEADSCOPE_TORCH_WHEEL=FOLDER names a folder "torch" that is there already, of a Python environment for example.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

version=2.11.0
mode=${1:-build}
tests=$(realpath "${2:-$root/build/release}")

# install FOLDER PACKAGE...: PyPI's packages, whole or not at all
install() {
    local target=$1 work
    shift
    mkdir -p "$(dirname "$target")"
    work=$(mktemp -d "$target.XXXXXX")
    if ! python3 -m pip install --disable-pip-version-check --root-user-action ignore -q --no-compile --target "$work" "$@"; then
        rm -rf "$work"
        return 1
    fi
    rm -rf "$target"
    mv "$work" "$target"
}

# find_wheel NAME PIP-ARGUMENT...: sets $wheel
find_wheel() {
    local target=$cache_dir/$1
    shift
    if [ -n "${HEADSCOPE_TORCH_WHEEL:-}" ]; then
        wheel=$HEADSCOPE_TORCH_WHEEL
        return 0
    fi
    wheel=$target/torch
    if [ ! -e "$wheel/version.py" ]; then
        hint="It needs a network, Python 3.10 to 3.14 and room for 5 GB in $cache_dir."
        if [ "$mode" = try ]; then
            say "Fetching libtorch $version"
            install "$target" "$@" || {
                say "libtorch $version could not be fetched"
                exit 77
            }
        else
            step "Fetching libtorch $version" install "$target" "$@"
        fi
    fi
}

# configure BUILD CUDA: the engine's build against $wheel
configure() {
    step "Configuring $(basename "$1")" cmake --preset release -S "$root" -B "$1" -DHEADSCOPE_DESKTOP=OFF -DBUILD_TESTING=OFF \
        "-DHEADSCOPE_TORCH_ROOT=$wheel" "-DHEADSCOPE_TORCH_CUDA=$2"
}

# bundle FOLDER: programs, libraries beyond libc, and what gpu_check.sh needs
bundle() {
    local folder=$1 program library
    mkdir -p "$folder/bin" "$folder/lib/stdc++" "$folder/tests/golden"
    for program in headscope-engine headscope-hdf5-check headscope-gpu-parity headscope_torch.so; do
        strip -o "$folder/bin/$program" "$root/build/cuda/bin/$program"
    done
    for library in $(LD_LIBRARY_PATH=$folder/lib ldd "$folder"/bin/headscope-* | awk '$3 ~ "^/" { print $3 }' | sort -u); do
        case $(basename "$library") in
        libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.*) ;; # part of every system
        libstdc++.so.* | libgcc_s.so.*) cp -L "$library" "$folder/lib/stdc++/" ;;
        *) cp -L "$library" "$folder/lib/" ;;
        esac
    done
    cp -r "$root/tests/golden/models" "$folder/tests/golden/" # packed
    cp "$root/packaging/gpu/gpu_check.py" "$root/packaging/gpu/gpu_check.sh" "$folder/"
    cp "$root/packaging/gpu/headscope-engine.sh" "$folder/headscope-engine"
    ln -s headscope-engine "$folder/headscope-gpu-parity"
    chmod +x "$folder/headscope-engine" "$folder/gpu_check.sh"
    printf '%s\n' "$version" >"$folder/torch-version"
    cp "$root/LICENSE" "$folder/"
    tar -C "$(dirname "$folder")" --exclude "$(basename "$folder")/tests" -c "$(basename "$folder")" |
        xz --x86 --lzma2=preset=9e >"$folder.tar.xz"
}

case $mode in
build)
    find_wheel "torch-$version-cuda" "torch==$version"
    hint="packaging/setup.sh installs what is needed."
    configure "$root/build/cuda" ON
    step "Building the engine" cmake --build "$root/build/cuda" -j "$jobs" --target headscope-engine
    "$root/build/cuda/bin/headscope-engine" --devices
    say "The engine: $root/build/cuda/bin/headscope-engine"
    ;;
bundle)
    folder=${2:?cuda.sh bundle: expected the folder to make}
    folder=$(realpath -m "$folder")
    if [ -e "$folder" ] || [ -e "$folder.tar.xz" ]; then
        say "cuda.sh: $folder or $folder.tar.xz is there already; expected a new folder" >&2
        exit 2
    fi
    # Only what is linked to: CUDA's own libraries come with the torch of the machine that runs it.
    find_wheel "torch-$version-cpu" --no-deps "torch==$version" nvidia-cuda-cupti==13.0.85 nvidia-cuda-runtime==13.0.96
    hint="packaging/setup.sh installs what is needed."
    configure "$root/build/cuda" ON
    step "Building the engine" cmake --build "$root/build/cuda" -j "$jobs" \
        --target headscope-engine headscope_torch headscope-hdf5-check headscope-gpu-parity
    step "Gathering what a machine without Debian's packages lacks" bundle "$folder"
    say "The bundle: $folder. On the machine with the GPU, in an environment with torch $version: $folder/gpu_check.sh"
    ;;
try)
    find_wheel "torch-$version-cpu" --no-deps "torch==$version" nvidia-cuda-cupti==13.0.85 nvidia-cuda-runtime==13.0.96
    hint="packaging/setup.sh installs what is needed."
    configure "$tests/torch-wheel" OFF
    step "Building the part that uses libtorch" cmake --build "$tests/torch-wheel" -j "$jobs" --target headscope_torch
    # The tests look for the part beside the programs of their build; this folder comes first.
    export LD_LIBRARY_PATH=$tests/torch-wheel/bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} QT_QPA_PLATFORM=offscreen
    found=$("$tests/bin/headscope-engine" --devices)
    say "$found"
    case $found in
    *"\"libtorch\":\"$version\""*) ;;
    *)
        say "Another libtorch than $version was loaded." >&2
        exit 1
        ;;
    esac
    for class in tst_torch_operations tst_backend; do
        "$tests/tests/tests_net" "$class"
    done
    ;;
*)
    say "cuda.sh: expected nothing, bundle or try, found $mode" >&2
    exit 2
    ;;
esac
