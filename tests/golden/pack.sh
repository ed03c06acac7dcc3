#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# pack.sh ARCHIVE FOLDER NAME...: packs files and folders of FOLDER, to lie in ARCHIVE (NAME.tar.xz) in tests/golden. The
# same files give the same archive. The README here says what an archive is.
set -euo pipefail
archive=$(realpath -m "$1") folder=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/files"
for name in "$@"; do
    cp -rL "$folder/$name" "$work/files/"
done
# xz packs plain numbers better than what HDF5 has packed.
find "$work/files" -name '*.h5' | while read -r file; do
    h5repack -L -c 5000 -m 64 -l CONTI -f NONE "$file" "$work/plain"
    mv "$work/plain" "$file"
done
chmod -R u=rwX,go=rX "$work/files"
mkdir -p "$(dirname "$archive")"
# lp=2, lc=1: weights are numbers of 2 or 4 bytes.
tar -C "$work/files" --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c "$@" |
    xz --lzma2=preset=9e,lc=1,lp=2,pb=2 >"$archive"
