// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which instruction sets a SIMD kernel is compiled for: plain code, AVX2 and AVX-512. The steps
// between gain little on machines that run models, and cost compile time. Include before any
// Highway header. (Highway's portable 128-bit vectors need a newer compiler than Debian 12's.)
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
