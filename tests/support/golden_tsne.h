// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"

#include <string>

namespace headscope::test
{

/// What the reference implementations say of t-SNE and its parts.
inline const GoldenFile& tsneTruth()
{
    static const GoldenFile file(golden("analysis/tsne.h5"));
    return file;
}

inline MatrixF tsneMatrix(const std::string& name)
{
    const auto shape = tsneTruth().shape(name);
    return {shape[0], shape[1], tsneTruth().floats(name)};
}

} // namespace headscope::test
