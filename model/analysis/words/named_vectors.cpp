// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/words/named_vectors.h"

#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/base/parallel.h"
#include "model/data/matrix_rows.h"
#include "model/data/results/measures/few_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::int64_t kHeldOutShare = 5; ///< one of so many documents is held out

/// Rows of length 1; zeros stay.
void scaleToUnit(MatrixF& rows)
{
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const auto row = rows.row(i);
        const double length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
        for (float& value : row)
            value = length > 0 ? static_cast<float>(static_cast<double>(value) / length) : 0.0F;
    }
}

/// Minus their mean.
MatrixF centred(MatrixF rows)
{
    for (std::int64_t d = 0; d < rows.cols(); ++d)
    {
        double mean = 0;
        for (std::int64_t i = 0; i < rows.rows(); ++i)
            mean += static_cast<double>(rows(i, d));
        mean /= static_cast<double>(rows.rows());
        for (std::int64_t i = 0; i < rows.rows(); ++i)
            rows(i, d) = static_cast<float>(static_cast<double>(rows(i, d)) - mean);
    }
    return rows;
}

/// The share of the held-out vectors that the last of the chosen texts, and those before it, explain.
double reached(const TextPursuit& pursuit)
{
    return pursuit.heldOut.empty() ? 0.0 : pursuit.heldOut.back();
}

Interval intervalOfShare(const TextPursuit& pursuit, std::uint64_t seed)
{
    const auto share = [&pursuit](std::span<const std::int64_t> drawn) {
        double left = 0;
        double all = 0;
        for (const std::int64_t row : drawn)
        {
            left += pursuit.heldOutLeft[static_cast<std::size_t>(row)];
            all += pursuit.heldOutAll[static_cast<std::size_t>(row)];
        }
        return 1 - left / all;
    };
    return bootstrapInterval(std::ssize(pursuit.heldOutAll), share, {.seed = seed}).ci95;
}

} // namespace

Result<NamedVectors> nameVectors(ConstMatrixView rows, ConstMatrixView texts, const NamingOptions& options,
                                 int numThreads, JobContext& job)
{
    std::vector<std::int64_t> documents = finiteRows(rows);
    const std::vector<std::int64_t> usable = finiteRows(texts);
    NamedVectors named;
    named.leftOut = rows.rows() - std::ssize(documents);
    named.leftOutTexts = texts.rows() - std::ssize(usable);
    if (std::ssize(documents) < kFewestDocuments || usable.size() < 2)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format(
                "expected at least {} documents and 2 texts with finite vectors, found {} documents and {} texts",
                kFewestDocuments, documents.size(), usable.size()),
            {},
            {}};
    shuffle(Draws(options.seed), 0, std::ssize(documents), [&documents](std::int64_t a, std::int64_t b) {
        std::swap(documents[static_cast<std::size_t>(a)], documents[static_cast<std::size_t>(b)]);
    });
    const auto held = static_cast<std::ptrdiff_t>((std::ssize(documents) + kHeldOutShare - 1) / kHeldOutShare);
    std::sort(documents.begin(), documents.begin() + held);
    std::sort(documents.begin() + held, documents.end());
    const MatrixF others = takeRows(rows, std::span(documents).first(static_cast<std::size_t>(held)));
    const MatrixF own = takeRows(rows, std::span(documents).subspan(static_cast<std::size_t>(held)));
    named.documents = own.rows();
    named.heldOut = others.rows();
    const MatrixF candidates = centred(takeRows(texts, usable));
    MatrixF unit = candidates;
    scaleToUnit(unit);
    HEADSCOPE_TRY(named.pursuit, pursueTexts(own.view(), others.view(), unit.view(), options.pursuit, numThreads, job));
    named.heldOutCi95 = intervalOfShare(named.pursuit, options.seed);
    for (std::int64_t& chosen : named.pursuit.chosen)
        chosen = usable[static_cast<std::size_t>(chosen)];
    std::vector<double> permuted(static_cast<std::size_t>(options.permutations));
    std::vector<Status> outcomes(permuted.size());
    parallelFor(numThreads, options.permutations, 1, [&](std::int64_t b, std::int64_t) {
        MatrixF mixed = candidates;
        for (std::int64_t d = 0; d < mixed.cols(); ++d)
            shuffle(Draws(options.seed + 1), static_cast<std::uint64_t>((b * mixed.cols() + d) * mixed.rows()),
                    mixed.rows(), [&mixed, d](std::int64_t i, std::int64_t j) { std::swap(mixed(i, d), mixed(j, d)); });
        scaleToUnit(mixed);
        JobContext inner(job.stopToken());
        const auto found = pursueTexts(own.view(), others.view(), mixed.view(), options.pursuit, 1, inner);
        if (found)
            permuted[static_cast<std::size_t>(b)] = reached(*found);
        else
            outcomes[static_cast<std::size_t>(b)] = found.error();
    });
    for (Status& outcome : outcomes)
        HEADSCOPE_CHECK(std::move(outcome));
    named.null = permutationNull(reached(named.pursuit), std::move(permuted));
    return named;
}

} // namespace headscope
