#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries this checkout on a bare Debian 12: a root made for it alone, with nothing in it but what
# debootstrap's smallest variant brings, in a temporary folder that goes away at the end.
#
#   packaging/bare.sh quick             set-up, and configuring, with tests
#   packaging/bare.sh whole [FOLDER]    both commands of the README as root, then as an ordinary
#                                       user with sudo; last the window under Xvfb, its picture in FOLDER
#
# What is committed is tried. The package sources, certificates and pip settings of this machine are
# handed in. The second run of `whole` finds the compiler cache of the first, so that it takes minutes;
# HEADSCOPE_BARE_CCACHE names a cache that the first begins with (what it holds is not compiled anew).
# Needs to be root, and debootstrap; ends with 77 and one line where it cannot run.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mode=${1:-}
case $mode in
quick | whole) ;;
*)
    say "Usage: bash packaging/bare.sh quick | whole [FOLDER]"
    exit 2
    ;;
esac
pictures=$(realpath -m "${2:-$PWD}")

cannot() {
    say "bare.sh: not tried on a bare Debian here: $*"
    exit 77
}
[ "$(id -u)" -eq 0 ] || cannot "it needs to be root"
command -v debootstrap >/dev/null || cannot "debootstrap is not installed"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$keyring" ] || cannot "the package debian-archive-keyring is not installed"
# The first Debian archive of this machine, in either way of writing sources.
mirror=$(sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] *\)\?\([^ ]*\).*/\2/p' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1 || true)
[ -n "$mirror" ] || cannot "no package source of Debian was found"

# A root needs device nodes and programs that run: not every temporary folder may have them.
work=$(mktemp -d "${TMPDIR:-/var/tmp}/headscope-bare.XXXXXX")
bare=$work/root
mounted=()
# shellcheck disable=SC2317 # called by the trap
finish() {
    local at
    for ((at = ${#mounted[@]} - 1; at >= 0; --at)); do
        umount -R "${mounted[at]}" || umount -R -l "${mounted[at]}" || true
    done
    # Never through a mount that is still there.
    if ! grep -q " $work/" /proc/mounts; then
        rm -rf --one-file-system "$work"
    else
        say "bare.sh: $work is still mounted and was left" >&2
    fi
}
trap finish EXIT

hand_in() { # hand_in PATH: the same file or folder inside
    [ -e "$1" ] || return 0
    mkdir -p "$bare$(dirname "$1")"
    cp -aLT "$1" "$bare$1"
}

# inside USER COMMAND: a login-like shell in the checkout of that user
inside() {
    local user=$1 home=/root
    shift
    [ "$user" = root ] || home=/home/$user
    local settings=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "HOME=$home" "USER=$user"
        LANG=C.UTF-8 "HEADSCOPE_JOBS=$jobs" CCACHE_DIR=/var/cache/ccache CCACHE_UMASK=000)
    local name
    while IFS='=' read -r name _; do
        case $name in
        PIP_FIND_LINKS) ;; # a folder of this machine
        PIP_* | *_proxy | *_PROXY | SSL_CERT_* | REQUESTS_CA_BUNDLE) settings+=("$name=${!name}") ;;
        esac
    done < <(env)
    local switch=()
    [ "$user" = root ] || switch=(setpriv --reuid "$user" --regid "$user" --init-groups)
    chroot "$bare" env -i "${settings[@]}" "${switch[@]}" bash -c "cd $home/headscope && $*"
}

bootstrap() {
    debootstrap --variant=minbase --keyring="$keyring" bookworm "$bare" "$mirror"
}
dress() {
    rm -f "$bare/etc/apt/sources.list"
    local path
    for path in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/apt.conf.d /etc/resolv.conf \
        /etc/ssl/certs /usr/share/ca-certificates /usr/local/share/ca-certificates /etc/pip.conf; do
        hand_in "$path"
    done
    [ ! -f "$HOME/.config/pip/pip.conf" ] || cp "$HOME/.config/pip/pip.conf" "$bare/etc/pip.conf"
    local place
    for place in proc dev sys; do # all of it, as a machine has it: Slurm wants /sys/fs/cgroup
        mount --rbind --make-rslave "/$place" "$bare/$place"
        mounted+=("$bare/$place")
    done
    mkdir -p "$bare/var/cache/ccache"
    [ -z "${HEADSCOPE_BARE_CCACHE:-}" ] || cp -a --no-preserve=ownership "$HEADSCOPE_BARE_CCACHE/." "$bare/var/cache/ccache/"
    chmod -R a+rwX "$bare/var/cache/ccache"
    chmod 1777 "$bare/var/cache/ccache" "$bare/tmp"
    git clone -q --no-hardlinks "$root" "$bare/root/headscope"
}
add_user() {
    chroot "$bare" apt-get install -y --no-install-recommends sudo
    chroot "$bare" useradd -m -s /bin/bash student
    echo 'student ALL=(ALL) NOPASSWD: ALL' >"$bare/etc/sudoers.d/student"
    cp -aT "$bare/root/headscope" "$bare/home/student/headscope"
    rm -rf "$bare/home/student/headscope/build"
    chroot "$bare" chown -R student:student /home/student
}
look() { # the window on the demo, in a real screen; the picture must hold more than a plain ground
    inside root 'xvfb-run -a -s "-screen 0 1366x768x24" build/release/bin/headscope --screenshot /tmp/window.png \
        --size 1366x740 --after 60 resources/demo/demo-cache.h5' || return 1
    cp "$bare/tmp/window.png" "$pictures/bare-window.png"
    local colors
    colors=$(inside root 'convert /tmp/window.png -format %k info:')
    printf 'colours in the picture: %s\n' "$colors"
    [ "$colors" -gt 200 ]
}

hint="The archive of this machine's package sources was asked: $mirror"
printf '%-58s ' "Making a bare Debian 12"
began=$(date +%s)
if ! bootstrap >"$work/log" 2>&1; then
    say "not made"
    tail -n 5 "$work/log" >&2
    cannot "debootstrap did not make a root from $mirror"
fi
say "ok, $(($(date +%s) - began)) s"
step "Handing in sources, certificates and the checkout" dress
git -C "$root" diff --quiet HEAD || say "bare.sh: changes that are not committed are not tried"
hint="A package that setup.sh does not name was installed by hand on the machines where this works."
step "Bare: set-up" inside root "bash packaging/setup.sh"
if [ "$mode" = quick ]; then
    step "Bare: configuring" inside root "cmake --preset release -D BUILD_TESTING=ON"
    say "A bare Debian 12 configures."
    exit 0
fi
step "Bare, root: packaging/try.sh" inside root "bash packaging/try.sh"
step "Bare, root: packaging/test.sh" inside root "bash packaging/test.sh"
step "Bare: a user with sudo" add_user
step "Bare, user: packaging/try.sh" inside student "bash packaging/try.sh"
step "Bare, user: packaging/test.sh" inside student "bash packaging/test.sh"
mkdir -p "$pictures"
step "Bare: the window" look
say "A bare Debian 12 builds, tests and shows Headscope. Look at $pictures/bare-window.png"
