// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe.h"

#include "model/analysis/multinomial.h"
#include "model/analysis/neighbors.h"
#include "model/base/hash.h"
#include "model/base/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::uint64_t kSplitStream = 0x7370;
constexpr std::uint64_t kControlStream = 0x6374;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

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

/// Chosen rows, one after another.
MatrixF gather(ConstMatrixView rows, std::span<const std::int64_t> chosen)
{
    MatrixF gathered(static_cast<std::int64_t>(chosen.size()), rows.cols());
    for (std::size_t i = 0; i < chosen.size(); ++i)
    {
        const auto row = rows.row(chosen[i]);
        std::copy(row.begin(), row.end(), gathered.row(static_cast<std::int64_t>(i)).begin());
    }
    return gathered;
}

std::vector<std::int32_t> gather(std::span<const std::int32_t> labels, std::span<const std::int64_t> chosen)
{
    std::vector<std::int32_t> gathered;
    for (const std::int64_t row : chosen)
        gathered.push_back(labels[sizeOf(row)]);
    return gathered;
}

/// Class of the largest logit in each row; the lower class on ties.
std::vector<std::int32_t> predict(const MatrixD& logits)
{
    std::vector<std::int32_t> predictions;
    for (std::int64_t i = 0; i < logits.rows(); ++i)
    {
        const auto row = logits.row(i);
        predictions.push_back(static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
    }
    return predictions;
}

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// Confusion, accuracy and the scores of each class.
void score(std::span<const std::int32_t> truth, std::int64_t groupSize, ProbeResult& result)
{
    result.confusion = Matrix<std::int64_t>(result.classes, result.classes);
    std::int64_t within = 0;
    std::int64_t across = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
    {
        const std::int64_t predicted = result.predictions[i];
        ++result.confusion(truth[i], predicted);
        if (predicted != truth[i] && groupSize > 0)
            ++(predicted / groupSize == truth[i] / groupSize ? within : across);
    }
    std::int64_t correct = 0;
    for (std::int64_t k = 0; k < result.classes; ++k)
    {
        const std::int64_t hits = result.confusion(k, k);
        std::int64_t predicted = 0;
        std::int64_t actual = 0;
        for (std::int64_t l = 0; l < result.classes; ++l)
        {
            predicted += result.confusion(l, k);
            actual += result.confusion(k, l);
        }
        correct += hits;
        const HeadScore own{k, ratio(hits, predicted), ratio(hits, actual), ratio(2 * hits, predicted + actual)};
        result.macroF1 += own.f1 / static_cast<double>(result.classes);
        result.perHead.push_back(own);
    }
    const auto count = static_cast<std::int64_t>(truth.size());
    result.accuracy = ratio(correct, count);
    const Interval interval = wilsonInterval(correct, count);
    result.ci95Low = interval.low;
    result.ci95High = interval.high;
    result.withinGroupError = ratio(within, count);
    result.acrossGroupError = ratio(across, count);
}

Status checkInput(const ProbeInput& input, const ProbeOptions& options)
{
    const auto rows = sizeOf(input.rows.rows());
    if (input.labels.size() != rows)
        return Error{
            ErrorCode::ShapeMismatch, fmt::format("expected {} labels, found {}", rows, input.labels.size()), {}, {}};
    if (!input.documents.empty() && input.documents.size() != rows)
    {
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected the document of each of {} rows, found {}", rows, input.documents.size()),
                     {},
                     {}};
    }
    if (!(options.c > 0) || !std::isfinite(options.c))
        return Error{ErrorCode::WrongUse, fmt::format("expected C above 0, found {}", options.c), {}, {}};
    if (rows == 0)
        return invalid("expected rows to train and test on, found none");
    return {};
}

} // namespace

Interval wilsonInterval(std::int64_t hits, std::int64_t count)
{
    constexpr double kZ = 1.959963984540054; // 97.5 % quantile of the normal distribution
    if (count == 0)
        return {0, 1};
    const auto n = static_cast<double>(count);
    const double p = static_cast<double>(hits) / n;
    const double centre = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
    const double half = kZ / (1 + kZ * kZ / n) * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
    return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

Result<RowSplit> splitForProbe(const ProbeInput& input, const ProbeOptions& options)
{
    if (!input.testRows.empty())
        return splitAsGiven(input);
    if (!(options.testShare > 0 && options.testShare < 1))
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected a test share between 0 and 1, found {}", options.testShare),
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
            return invalid(fmt::format("expected at least {} training rows (one document), found {} asked for",
                                       rows.size(), options.trainRows));
    }
    const auto available = static_cast<std::int64_t>(input.rows.rows()) - static_cast<std::int64_t>(split.test.size());
    if (options.trainRows > available)
        return invalid(fmt::format("expected at most {} training rows beside {} test rows, found {} asked for",
                                   available, split.test.size(), options.trainRows));
    std::sort(split.train.begin(), split.train.end());
    std::sort(split.test.begin(), split.test.end());
    return split;
}

Result<ProbeResult> runProbe(const ProbeInput& input, const ProbeOptions& options, int numThreads, JobContext& job)
{
    const auto clock = std::chrono::steady_clock::now();
    HEADSCOPE_CHECK(checkInput(input, options));
    HEADSCOPE_CHECK(checkFinite(input.rows));
    std::vector<std::int32_t> labels(input.labels.begin(), input.labels.end());
    if (options.control)
    {
        const auto order = permutation(input.rows.rows(), CounterRandom(options.seed, kControlStream));
        for (std::size_t i = 0; i < labels.size(); ++i)
            labels[i] = input.labels[sizeOf(order[i])];
    }
    ProbeResult result;
    result.options = options;
    result.classes =
        input.classes > 0 ? input.classes : 1 + std::int64_t{*std::max_element(labels.begin(), labels.end())};
    const auto [lowest, highest] = std::minmax_element(labels.begin(), labels.end());
    if (*lowest < 0 || *highest >= result.classes)
        return invalid(fmt::format("expected labels from 0 to {}, found {}", result.classes - 1,
                                   *lowest < 0 ? *lowest : *highest));
    HEADSCOPE_TRY(const RowSplit split, splitForProbe(input, options));

    const MatrixF train = gather(input.rows, split.train);
    MultinomialOptions solver;
    solver.c = options.c;
    solver.maxIterations = options.maxIterations;
    HEADSCOPE_TRY(MultinomialFit fit,
                  fitMultinomial(train.view(), gather(labels, split.train), result.classes, solver, numThreads, job));
    const MatrixF test = gather(input.rows, split.test);
    result.predictions = predict(multinomialLogits(test.view(), fit.weights, fit.intercepts, numThreads));
    result.trainRows = static_cast<std::int64_t>(split.train.size());
    result.testRows = static_cast<std::int64_t>(split.test.size());
    result.testIndices = split.test;
    result.objective = fit.objective;
    result.gradientNorm = fit.gradientNorm;
    result.iterations = fit.iterations;
    result.converged = fit.converged;
    result.weights = std::move(fit.weights);
    result.intercepts = std::move(fit.intercepts);
    score(gather(labels, split.test), input.kvGroups > 0 ? result.classes / input.kvGroups : 0, result);
    result.inputHash =
        input.rows.contiguous()
            ? xxh3Hex(std::as_bytes(std::span(input.rows.data(), sizeOf(input.rows.rows() * input.rows.cols()))))
            : std::string();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
    return result;
}

Result<ProbeResult> probeHeads(const HeadPoints& points, std::span<const std::int64_t> heads,
                               std::int64_t headsPerGroup, Stage stage, LayerIndex layer, const ProbeOptions& options,
                               int numThreads, JobContext& job)
{
    std::vector<std::int32_t> labels;
    for (const std::int32_t head : points.ids.head)
    {
        const auto place = std::lower_bound(heads.begin(), heads.end(), std::int64_t{head});
        labels.push_back(static_cast<std::int32_t>(place - heads.begin()));
    }
    ProbeInput input;
    input.rows = points.vectors.view();
    input.labels = labels;
    input.classes = static_cast<std::int64_t>(heads.size());
    input.documents = points.ids.document;
    HEADSCOPE_TRY(ProbeResult result, runProbe(input, options, numThreads, job));
    result.stage = stage;
    result.layer = layer.value();
    for (HeadScore& own : result.perHead)
        own.head = heads[sizeOf(own.head)];
    if (headsPerGroup > 0) // classes are places among the chosen heads: groups follow from the heads
    {
        std::int64_t within = 0;
        std::int64_t across = 0;
        for (std::int64_t k = 0; k < result.classes; ++k)
        {
            for (std::int64_t l = 0; l < result.classes; ++l)
            {
                if (k != l)
                    (heads[sizeOf(k)] / headsPerGroup == heads[sizeOf(l)] / headsPerGroup ? within : across) +=
                        result.confusion(k, l);
            }
        }
        result.withinGroupError = ratio(within, result.testRows);
        result.acrossGroupError = ratio(across, result.testRows);
    }
    return result;
}

} // namespace headscope
