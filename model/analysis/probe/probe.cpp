// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/probe.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/probe/multinomial.h"
#include "model/analysis/statistics/intervals.h"
#include "model/base/clock.h"
#include "model/base/hash.h"
#include "model/base/random.h"
#include "model/base/size_of.h"
#include "model/data/frame/method_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::uint64_t kControlStream = 0x6374;

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

/// Chosen rows, one after another: as they lie where they do so already, else copied.
class ChosenRows
{
public:
    ChosenRows(ConstMatrixView rows, std::span<const std::int64_t> chosen)
    {
        const auto count = static_cast<std::int64_t>(chosen.size());
        if (count > 0 && chosen.back() - chosen.front() + 1 == count && std::is_sorted(chosen.begin(), chosen.end()))
        {
            m_view = {rows.row(chosen.front()).data(), count, rows.cols(), rows.stride()};
            return;
        }
        m_copy = MatrixF(count, rows.cols());
        for (std::size_t i = 0; i < chosen.size(); ++i)
        {
            const auto row = rows.row(chosen[i]);
            std::copy(row.begin(), row.end(), m_copy.row(static_cast<std::int64_t>(i)).begin());
        }
        m_view = std::as_const(m_copy).view();
    }
    ChosenRows(const ChosenRows&) = delete;
    ChosenRows& operator=(const ChosenRows&) = delete;

    [[nodiscard]] ConstMatrixView view() const { return m_view; }

private:
    MatrixF m_copy;
    ConstMatrixView m_view;
};

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

/// Classes without a label.
std::vector<std::int64_t> absentClasses(std::span<const std::int32_t> labels, std::int64_t classes)
{
    std::vector<bool> present(sizeOf(classes));
    for (const std::int32_t label : labels)
        present[static_cast<std::size_t>(label)] = true;
    std::vector<std::int64_t> absent;
    for (std::int64_t k = 0; k < classes; ++k)
    {
        if (!present[sizeOf(k)])
            absent.push_back(k);
    }
    return absent;
}

std::int64_t countZeros(ConstMatrixView rows)
{
    std::int64_t zeros = 0;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const auto row = rows.row(i); // most rows are known not to be zero by their first number
        zeros += std::all_of(row.begin(), row.end(), [](float value) { return value == 0.0F; }) ? 1 : 0;
    }
    return zeros;
}

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// The interval of the accuracy: rows of one document depend on each other, plain rows do not.
void setInterval(ProbeResult& result)
{
    std::map<std::int32_t, std::int64_t> places;
    std::vector<std::int64_t> right;
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < result.truths.size(); ++i)
    {
        const std::int32_t unit = result.testDocuments.empty() ? static_cast<std::int32_t>(i) : result.testDocuments[i];
        const auto [place, isNew] = places.try_emplace(unit, std::ssize(rows));
        if (isNew)
        {
            right.push_back(0);
            rows.push_back(0);
        }
        right[sizeOf(place->second)] += result.truths[i] == result.predictions[i] ? 1 : 0;
        ++rows[sizeOf(place->second)];
    }
    if (result.testDocuments.empty())
    {
        const double hits = static_cast<double>(std::accumulate(right.begin(), right.end(), std::int64_t{0}));
        const Interval interval = wilsonInterval(hits, static_cast<double>(rows.size()));
        result.ci95Low = interval.low;
        result.ci95High = interval.high;
        result.effectiveRows = static_cast<double>(rows.size());
        result.ci95Method = kWilson;
        return;
    }
    const ClusterShare share = clusterShare(right, rows);
    result.ci95Low = share.ci95.low;
    result.ci95High = share.ci95.high;
    result.effectiveRows = share.effectiveRows;
    result.ci95Method = kClusterWilson;
}

/// Confusion, accuracy and the scores of each class.
void score(std::span<const std::int32_t> truth, ProbeResult& result)
{
    result.confusion = Matrix<std::int64_t>(result.classes, result.classes);
    for (std::size_t i = 0; i < truth.size(); ++i)
        ++result.confusion(truth[i], result.predictions[i]);
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
        // A head has one row of each document: its rows are independent.
        const HeadScore own{k, ratio(hits, predicted), ratio(hits, actual), ratio(2 * hits, predicted + actual),
                            wilsonInterval(static_cast<double>(hits), static_cast<double>(actual))};
        result.macroF1 += own.f1 / static_cast<double>(result.classes);
        result.perHead.push_back(own);
    }
    result.macroF1 = std::min(result.macroF1, 1.0); // nine times a ninth is a little more
    const auto count = static_cast<std::int64_t>(truth.size());
    result.accuracy = ratio(correct, count);
    setInterval(result);
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

Result<ProbeResult> runProbe(const ProbeInput& input, const ProbeOptions& options, int numThreads, JobContext& job)
{
    const auto clock = Clock::now();
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

    const auto trainLabels = gather(labels, split.train);
    result.untrained = absentClasses(trainLabels, result.classes);
    const ChosenRows train(input.rows, split.train);
    MultinomialOptions solver;
    solver.c = options.c;
    solver.maxIterations = options.maxIterations;
    HEADSCOPE_TRY(MultinomialFit fit,
                  fitMultinomial(train.view(), trainLabels, result.classes, solver, numThreads, job));
    const ChosenRows test(input.rows, split.test);
    result.predictions = predict(multinomialLogits(test.view(), fit.weights, fit.intercepts, numThreads));
    result.trainRows = static_cast<std::int64_t>(split.train.size());
    result.testRows = static_cast<std::int64_t>(split.test.size());
    result.zeroVectors = countZeros(input.rows);
    result.testIndices = split.test;
    result.objective = fit.objective;
    result.gradientNorm = fit.gradientNorm;
    result.iterations = fit.iterations;
    result.converged = fit.converged;
    result.steps = std::move(fit.steps);
    result.weights = std::move(fit.weights);
    result.intercepts = std::move(fit.intercepts);
    result.truths = gather(labels, split.test);
    if (!input.documents.empty())
        result.testDocuments = gather(input.documents, split.test);
    score(result.truths, result);
    result.inputHash =
        input.rows.contiguous()
            ? xxh3Hex(std::as_bytes(std::span(input.rows.data(), sizeOf(input.rows.rows() * input.rows.cols()))))
            : std::string();
    result.seconds = secondsSince(clock);
    return result;
}

Result<ProbeResult> probeHeads(const HeadPoints& points, std::span<const std::int64_t> heads,
                               std::int64_t headsPerGroup, Stage stage, LayerIndex layer, const ProbeOptions& options,
                               int numThreads, JobContext& job)
{
    std::vector<std::int32_t> labels(points.ids.head.size());
    std::int64_t expected = 0; // the place after the last one's: heads lie in their order, document by document
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        const std::int64_t head = points.ids.head[i];
        if (expected >= std::ssize(heads) || heads[sizeOf(expected)] != head)
            expected = std::lower_bound(heads.begin(), heads.end(), head) - heads.begin();
        labels[i] = static_cast<std::int32_t>(expected++);
    }
    ProbeInput input;
    input.rows = points.vectors.view();
    input.labels = labels;
    input.classes = static_cast<std::int64_t>(heads.size());
    input.documents = points.ids.document;
    HEADSCOPE_TRY(ProbeResult result, runProbe(input, options, numThreads, job));
    result.stage = stage;
    result.layer = layer.value();
    result.leftOut = points.leftOutByHead;
    for (HeadScore& own : result.perHead)
        own.head = heads[sizeOf(own.head)];
    for (std::int64_t& head : result.untrained)
        head = heads[sizeOf(head)];
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
