// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/probe.h"
#include "model/base/random.h"
#include "model/base/size_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::uint64_t kSplitStream = 0x7370;

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

/// Rows of each unit of the split: a document, or a single row.
std::vector<std::vector<std::int64_t>> unitsOf(const ProbeInput& input, ProbeSplit split)
{
    std::vector<std::vector<std::int64_t>> units;
    if (split == ProbeSplit::Rows)
    {
        for (std::int64_t i = 0; i < input.rows.rows(); ++i)
            units.push_back({i});
        return units;
    }
    std::vector<std::int64_t> order(sizeOf(input.rows.rows()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return input.documents[sizeOf(a)] < input.documents[sizeOf(b)];
    });
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        if (i == 0 || input.documents[sizeOf(order[i])] != input.documents[sizeOf(order[i - 1])])
            units.emplace_back();
        units.back().push_back(order[i]);
    }
    return units;
}

/// The rows that were named test; all others train.
Result<RowSplit> splitAsGiven(const ProbeInput& input)
{
    RowSplit split;
    std::vector<bool> tests(sizeOf(input.rows.rows()));
    for (const std::int64_t row : input.testRows)
    {
        if (row < 0 || row >= input.rows.rows())
            return invalid(fmt::format("expected test rows from 0 to {}, found {}", input.rows.rows() - 1, row));
        if (tests[sizeOf(row)])
            return invalid(fmt::format("expected each test row once, found row {} twice", row));
        tests[sizeOf(row)] = true;
    }
    split.test.assign(input.testRows.begin(), input.testRows.end());
    for (std::int64_t i = 0; i < input.rows.rows(); ++i)
    {
        if (!tests[sizeOf(i)])
            split.train.push_back(i);
    }
    if (split.train.empty())
        return invalid(
            fmt::format("expected rows to train on, found all {} rows among the test rows", input.rows.rows()));
    return split;
}

} // namespace

Result<RowSplit> splitForProbe(const ProbeInput& input, const ProbeOptions& options)
{
    if (!input.testRows.empty())
        return splitAsGiven(input);
    if (!(options.testShare > 0 && options.testShare < 1))
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected a test fraction between 0 and 1, found {}", options.testShare),
                     {},
                     {}};
    if (options.split == ProbeSplit::Documents && input.documents.empty())
        return invalid("expected the document of each row for a split by documents, found none; split by rows instead");
    const auto units = unitsOf(input, options.split);
    const char* what = options.split == ProbeSplit::Documents ? "documents" : "rows";
    if (units.size() < 2)
        return invalid(
            fmt::format("expected at least 2 {} to divide into training and test, found {}", what, units.size()));
    const auto order = permutation(static_cast<std::int64_t>(units.size()), CounterRandom(options.seed, kSplitStream));
    const auto wanted = static_cast<std::int64_t>(std::llround(options.testShare * static_cast<double>(units.size())));
    const auto numTest = std::clamp<std::int64_t>(wanted, 1, static_cast<std::int64_t>(units.size()) - 1);
    RowSplit split;
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const auto& rows = units[sizeOf(order[i])];
        auto& side = static_cast<std::int64_t>(i) < numTest ? split.test : split.train;
        const bool full = &side == &split.train && options.trainRows > 0 &&
                          static_cast<std::int64_t>(side.size() + rows.size()) > options.trainRows;
        if (!full)
            side.insert(side.end(), rows.begin(), rows.end());
        else if (static_cast<std::int64_t>(side.size()) < options.trainRows && split.train.empty())
            return invalid(fmt::format("expected at least {} training rows (one document), found {}", rows.size(),
                                       options.trainRows));
    }
    const auto available = static_cast<std::int64_t>(input.rows.rows()) - static_cast<std::int64_t>(split.test.size());
    if (options.trainRows > available)
        return invalid(fmt::format("expected at most {} training rows with {} test rows, found {}", available,
                                   split.test.size(), options.trainRows));
    std::sort(split.train.begin(), split.train.end());
    std::sort(split.test.begin(), split.test.end());
    return split;
}

} // namespace headscope
