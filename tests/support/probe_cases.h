// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace headscope::test
{

/// The recorded logistic regressions of tests/golden/analysis/probe.h5.
inline const GoldenFile& probeTruth()
{
    static const GoldenFile file(golden("analysis/probe.h5"));
    return file;
}

inline constexpr const char* kProbeCases[] = {"easy", "overlap", "overlap_c001", "illcond", "two", "wide"};

/// One of them: what goes in.
struct ProbeCase
{
    explicit ProbeCase(const std::string& group)
    {
        const auto shape = probeTruth().shape(group + "/X");
        rows = MatrixF(shape[0], shape[1], probeTruth().floats(group + "/X"));
        const auto y = probeTruth().integers(group + "/y");
        labels.assign(y.begin(), y.end());
        train = probeTruth().integers(group + "/train");
        test = probeTruth().integers(group + "/test");
        c = probeTruth().doubles(group + "/C")[0];
        classes = probeTruth().integers(group + "/classes")[0];
    }

    [[nodiscard]] MatrixF rowsOf(const std::vector<std::int64_t>& chosen) const
    {
        MatrixF gathered(static_cast<std::int64_t>(chosen.size()), rows.cols());
        for (std::size_t i = 0; i < chosen.size(); ++i)
            std::copy_n(rows.row(chosen[i]).begin(), rows.cols(), gathered.row(static_cast<std::int64_t>(i)).begin());
        return gathered;
    }
    [[nodiscard]] std::vector<std::int32_t> trainLabels() const
    {
        std::vector<std::int32_t> chosen;
        for (const std::int64_t row : train)
            chosen.push_back(labels[static_cast<std::size_t>(row)]);
        return chosen;
    }

    MatrixF rows;
    std::vector<std::int32_t> labels;
    std::vector<std::int64_t> train;
    std::vector<std::int64_t> test;
    double c = 1;
    std::int64_t classes = 0;
};

} // namespace headscope::test
