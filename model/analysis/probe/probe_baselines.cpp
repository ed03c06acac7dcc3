// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/probe_baselines.h"

#include "model/analysis/probe/baseline_inputs.h"
#include "model/analysis/probe/group_errors.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/statistics/split_scores.h"
#include "model/base/clock.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

/// What is drawn from the seed, each by a stream of its own.
enum Purpose : std::uint64_t
{
    kGaussian,
    kCut,
    kControl,
    kNull,
    kSelectivity,
    kGroupings,
    kFurtherControls = 100, ///< and those behind it
};

/// One fit; its vectors and labels are made when it begins, so that only those that run hold memory.
struct Fit
{
    std::function<Result<ProbeResult>(JobContext&)> run;
    std::optional<Result<ProbeResult>> result;
};

/// Runs fits side by side, each on one thread.
Status runAll(std::vector<Fit>& fits, int numThreads, JobContext& job)
{
    std::mutex mutex;
    std::uint64_t done = 0;
    parallelForBlocks(numThreads, std::ssize(fits), 1, [&](const Block& block, int) {
        JobContext inner(job.stopToken());
        Fit& fit = fits[sizeOf(block.begin)];
        fit.result = inner.stopRequested() ? Result<ProbeResult>(JobContext::cancelled()) : fit.run(inner);
        const std::scoped_lock lock(mutex);
        job.report("baselines of the probe", ++done, fits.size(), "fits");
    });
    for (Fit& fit : fits)
        if (!*fit.result)
            return std::move(*fit.result).error();
    return {};
}

/// The fits of one head-index probe's baselines.
class BaselineRun
{
public:
    BaselineRun(const HeadPoints& points, std::span<const std::int64_t> heads, std::int64_t headsPerGroup,
                const ProbeResult& probe)
        : m_points(&points), m_probe(&probe), m_options(probe.options)
    {
        for (const std::int32_t head : points.ids.head)
            m_classes.push_back(
                static_cast<std::int32_t>(std::ranges::lower_bound(heads, std::int64_t{head}) - heads.begin()));
        std::map<std::int64_t, std::int64_t> places;
        if (headsPerGroup > 1 && probe.stage && unitName(*probe.stage) == "head")
            for (const std::int64_t head : heads)
                m_groupOf.push_back(places.try_emplace(head / headsPerGroup, std::ssize(places)).first->second);
        if (places.size() < 2 || places.size() == heads.size()) // nothing to err inside of, or nothing outside
            m_groupOf.clear();
    }

    Status prepare()
    {
        HEADSCOPE_TRY(RowSplit split, splitForProbe(input(m_points->vectors.view(), m_classes), m_options));
        m_train = std::move(split.train);
        m_rows = {m_points->vectors.view(), m_classes, m_points->ids.document, m_train, m_probe->classes};
        return {};
    }

    void addBaselines(std::vector<Fit>& fits)
    {
        add(fits, ProbeBaselineKind::MeansRemoved, [this](JobContext& job) {
            std::vector<std::int64_t> itself(sizeOf(m_rows.numClasses));
            std::iota(itself.begin(), itself.end(), 0);
            return run(withoutMeans(m_rows, itself), m_classes, job);
        });
        add(fits, ProbeBaselineKind::Gaussian, [this](JobContext& job) {
            return run(gaussianLike(m_rows, streamOf(m_options.seed, kGaussian)), m_classes, job);
        });
        add(fits, ProbeBaselineKind::RandomCut, [this](JobContext& job) {
            const CutRows cut = randomCut(m_rows, streamOf(m_options.seed, kCut));
            ProbeInput cutInput = input(cut.vectors.view(), cut.classes);
            cutInput.documents = cut.documents;
            return runProbe(cutInput, m_options, 1, job);
        });
        add(fits, ProbeBaselineKind::ControlTask, [this](JobContext& job) {
            const auto labels = controlLabels(m_rows, streamOf(m_options.seed, kControl));
            return runProbe(input(m_points->vectors.view(), labels), m_options, 1, job);
        });
        if (!m_groupOf.empty())
            fits.push_back(
                {[this](JobContext& job) { return run(withoutMeans(m_rows, m_groupOf), m_classes, job); }, {}});
    }

    /// The control task with other clusters and names; its first draw is among the baselines.
    void addControls(std::vector<Fit>& fits, int draws) const
    {
        for (int draw = 1; draw < draws; ++draw)
            fits.push_back({[this, draw](JobContext& job) {
                                const auto labels = controlLabels(
                                    m_rows,
                                    streamOf(m_options.seed, kFurtherControls + static_cast<std::uint64_t>(draw)));
                                return runProbe(input(m_points->vectors.view(), labels), m_options, 1, job);
                            },
                            {}});
    }

    /// The first split is the probe's own: only the others are fitted.
    void addSplits(std::vector<Fit>& fits, int splits) const
    {
        for (int s = 1; s < splits; ++s)
            fits.push_back({[this, s](JobContext& job) {
                                ProbeOptions options = m_options;
                                options.seed += static_cast<std::uint64_t>(s);
                                return runProbe(input(m_points->vectors.view(), m_classes), options, 1, job);
                            },
                            {}});
    }

    [[nodiscard]] const std::vector<ProbeBaselineKind>& kinds() const { return m_kinds; }
    [[nodiscard]] const std::vector<std::int64_t>& groupOf() const { return m_groupOf; }

private:
    template <class Run>
    void add(std::vector<Fit>& fits, ProbeBaselineKind kind, Run run)
    {
        m_kinds.push_back(kind);
        fits.push_back({std::move(run), {}});
    }

    [[nodiscard]] ProbeInput input(ConstMatrixView vectors, std::span<const std::int32_t> labels) const
    {
        ProbeInput input;
        input.rows = vectors;
        input.labels = labels;
        input.classes = m_probe->classes;
        input.documents = m_points->ids.document;
        return input;
    }

    [[nodiscard]] Result<ProbeResult> run(const MatrixF& vectors, std::span<const std::int32_t> labels,
                                          JobContext& job) const
    {
        return runProbe(input(vectors.view(), labels), m_options, 1, job);
    }

    const HeadPoints* m_points;
    const ProbeResult* m_probe;
    ProbeOptions m_options;
    std::vector<std::int32_t> m_classes;
    std::vector<std::int64_t> m_groupOf; ///< [classes]; empty: no groups to err in
    std::vector<std::int64_t> m_train;
    std::vector<ProbeBaselineKind> m_kinds;
    ProbeRows m_rows;
};

/// Test rows in the order of their documents.
std::vector<std::size_t> byDocument(const ProbeResult& probe)
{
    std::vector<std::size_t> order(probe.truths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&probe](std::size_t i) { return probe.testDocuments[i]; });
    return order;
}

/// Accuracies with the true heads permuted inside each document.
PermutationNull permutedWithinDocuments(const ProbeResult& probe, int permutations, std::uint64_t seed)
{
    const auto order = byDocument(probe);
    const auto n = std::ssize(order);
    const Draws draws(seed);
    std::vector<double> permuted;
    for (std::int64_t b = 0; b < permutations && n > 0; ++b)
    {
        std::vector<std::int32_t> truths;
        for (const std::size_t i : order)
            truths.push_back(probe.truths[i]);
        std::int64_t begin = 0;
        std::int64_t hits = 0;
        for (std::int64_t i = 0; i < n; ++i)
        {
            if (probe.testDocuments[order[sizeOf(i)]] != probe.testDocuments[order[sizeOf(begin)]])
                begin = i;
            // Fisher-Yates from the front: the rows of this document so far stand in any order.
            const std::int64_t other = begin + draws.below(static_cast<std::uint64_t>(b * n + i), i - begin + 1);
            std::swap(truths[sizeOf(i)], truths[sizeOf(other)]);
        }
        for (std::int64_t i = 0; i < n; ++i)
            hits += truths[sizeOf(i)] == probe.predictions[order[sizeOf(i)]] ? 1 : 0;
        permuted.push_back(static_cast<double>(hits) / static_cast<double>(n));
    }
    return permutationNull(probe.accuracy, std::move(permuted));
}

/// Right and wrong rows by test document: the mean over the draws of the control task, and the probe's less that.
struct ControlShares
{
    std::vector<double> control;    ///< [documents] rows that are right
    std::vector<double> difference; ///< [documents]
    std::vector<double> rows;       ///< [documents]
};

ControlShares sharesOf(const ProbeResult& probe, std::span<const ProbeResult* const> draws)
{
    const auto order = byDocument(probe);
    const auto count = static_cast<double>(draws.size());
    ControlShares shares;
    for (std::size_t k = 0; k < order.size(); ++k)
    {
        const std::size_t i = order[k];
        if (k == 0 || probe.testDocuments[i] != probe.testDocuments[order[k - 1]])
        {
            shares.control.push_back(0);
            shares.difference.push_back(0);
            shares.rows.push_back(0);
        }
        double right = 0;
        for (const ProbeResult* draw : draws)
            right += (draw->predictions[i] == draw->truths[i] ? 1 : 0) / count;
        shares.control.back() += right;
        shares.difference.back() += (probe.predictions[i] == probe.truths[i] ? 1 : 0) - right;
        ++shares.rows.back();
    }
    return shares;
}

/// Interval of a share of rows, by resampling documents; wider by `draws`, the standard error that the draws of the
/// task bring, at both ends. NaN: there are too few documents.
Interval intervalOf(double value, const std::vector<double>& sums, const std::vector<double>& rows, double draws,
                    int resamples, std::uint64_t seed)
{
    const auto measure = [&](std::span<const std::int64_t> drawn) {
        double sum = 0;
        double count = 0;
        for (const std::int64_t unit : drawn)
        {
            sum += sums[sizeOf(unit)];
            count += rows[sizeOf(unit)];
        }
        return sum / count;
    };
    if (std::ssize(rows) < kMinResampled)
        return {}; // of two or three documents the same few values come again and again
    const Interval found = bootstrapInterval(std::ssize(rows), measure, {.resamples = resamples, .seed = seed}).ci95;
    return {value - std::hypot(value - found.low, draws), value + std::hypot(found.high - value, draws)};
}

/// The control task's row and the gap, means over the draws.
void addControlTask(ProbeBaselines& result, const ProbeResult& probe, std::span<const ProbeResult* const> draws,
                    int resamples, std::uint64_t seed)
{
    const auto count = static_cast<double>(draws.size());
    double mean = 0;
    for (const ProbeResult* draw : draws)
        mean += draw->accuracy / count;
    double squares = 0;
    for (const ProbeResult* draw : draws)
        squares += (draw->accuracy - mean) * (draw->accuracy - mean);
    result.controlDraws = std::ssize(draws);
    result.controlSd = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
    const double draw = count > 1 ? studentQuantile(std::ssize(draws) - 1) * result.controlSd / std::sqrt(count) : 0;
    const ControlShares shares = sharesOf(probe, draws);
    ProbeBaseline& task = result.baselines.back();
    task.accuracy = mean;
    task.converged = std::ranges::all_of(draws, [](const ProbeResult* each) { return each->converged; });
    task.ci95 =
        withWidthAtEnds(intervalOf(mean, shares.control, shares.rows, draw, resamples, seed), std::ssize(shares.rows));
    result.selectivity = probe.accuracy - mean;
    result.selectivityCi95 = intervalOf(result.selectivity, shares.difference, shares.rows, draw, resamples, seed);
}

ProbeSplits splitsOf(double own, std::span<const Fit> others)
{
    ProbeSplits splits;
    splits.accuracies = {own};
    for (const Fit& fit : others)
        splits.accuracies.push_back((*fit.result)->accuracy);
    const auto n = static_cast<double>(splits.accuracies.size());
    splits.mean = std::accumulate(splits.accuracies.begin(), splits.accuracies.end(), 0.0) / n;
    double squares = 0;
    for (const double each : splits.accuracies)
        squares += (each - splits.mean) * (each - splits.mean);
    if (n > 1)
        splits.sd = std::sqrt(squares / (n - 1));
    return splits;
}

} // namespace

Result<ProbeBaselines> probeBaselines(const HeadPoints& points, std::span<const std::int64_t> heads,
                                      std::int64_t headsPerGroup, const ProbeResult& probe,
                                      const ProbeBaselineOptions& options, int numThreads, JobContext& job)
{
    const auto clock = Clock::now();
    if (probe.options.control || probe.testDocuments.empty())
        return Error{
            ErrorCode::WrongUse, "expected a probe of documents without permuted labels for its baselines", {}, {}};
    BaselineRun run(points, heads, headsPerGroup, probe);
    HEADSCOPE_CHECK(run.prepare());
    std::vector<Fit> fits;
    run.addBaselines(fits);
    const std::size_t baselines = fits.size();
    run.addControls(fits, options.controlDraws);
    const std::size_t splits = fits.size();
    run.addSplits(fits, options.splits);
    HEADSCOPE_CHECK(runAll(fits, numThreads, job));

    const std::uint64_t seed = probe.options.seed;
    ProbeBaselines result;
    result.chance = 1 / static_cast<double>(std::max<std::int64_t>(1, probe.classes));
    for (std::size_t i = 0; i < run.kinds().size(); ++i)
    {
        const ProbeResult& fit = **fits[i].result;
        result.baselines.push_back({run.kinds()[i],
                                    fit.accuracy,
                                    {fit.ci95Low, fit.ci95High},
                                    fit.effectiveRows,
                                    fit.testRows,
                                    fit.converged});
        if (run.kinds()[i] != ProbeBaselineKind::ControlTask)
            continue;
        std::vector<const ProbeResult*> draws = {&fit};
        for (std::size_t draw = baselines; draw < splits; ++draw)
            draws.push_back(&**fits[draw].result);
        addControlTask(result, probe, draws, options.resamples, streamOf(seed, kSelectivity));
    }
    if (!run.groupOf().empty())
    {
        result.groups = groupErrors(probe, run.groupOf(), streamOf(seed, kGroupings));
        result.groupsCentred = groupErrors(**fits[baselines - 1].result, run.groupOf(), streamOf(seed, kGroupings));
    }
    if (options.splits > 0)
        result.splits = splitsOf(probe.accuracy, std::span(fits).subspan(splits));
    result.null = permutedWithinDocuments(probe, options.permutations, streamOf(seed, kNull));
    result.seconds = secondsSince(clock);
    return result;
}

Status addBaselines(ProbeResult& result, const HeadPoints& points, std::span<const std::int64_t> heads,
                    std::int64_t headsPerGroup, const ProbeBaselineOptions& options, int numThreads, JobContext& job)
{
    auto baselines = probeBaselines(points, heads, headsPerGroup, result, options, numThreads, job);
    if (baselines)
        result.baselines = std::move(*baselines);
    else if (baselines.error().code == ErrorCode::InvalidArgument)
        result.noBaselines = std::move(baselines).error().message;
    else
        return std::move(baselines).error();
    return {};
}

Result<ProbeResult> probeHeadsWithBaselines(const HeadPoints& points, std::span<const std::int64_t> heads,
                                            std::int64_t headsPerGroup, Stage stage, LayerIndex layer,
                                            const ProbeOptions& options, const ProbeBaselineOptions& baselines,
                                            int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(ProbeResult result, probeHeads(points, heads, headsPerGroup, stage, layer, options, numThreads, job));
    if (options.control)
        return result;
    HEADSCOPE_CHECK(addBaselines(result, points, heads, headsPerGroup, baselines, numThreads, job));
    return result;
}

} // namespace headscope
