// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/version.h>

/// Whether this libtorch is that of PyPI's wheel (packaging/cuda.sh) or newer: the norm as one operation, attention of
/// documents of different lengths, products that add into float32, handles of streams. Debian's lacks them; between
/// the two none was tried. Only for .cpp files of this folder.
#define HEADSCOPE_TORCH_IS_RECENT (TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR >= 211)
