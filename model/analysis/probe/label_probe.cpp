// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/label_probe.h"

#include "model/analysis/probe/multinomial.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/base/clock.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

/// Documents that take part, with a class for each label that any of them has.
struct Labelled
{
    std::vector<std::int64_t> documents;
    std::vector<std::int32_t> classes;
    std::int64_t numClasses = 0;
    std::int64_t leftOut = 0;
    std::vector<std::int64_t> train; ///< places in documents
    std::vector<std::int64_t> test;
    std::int32_t commonest = 0; ///< class, of the training documents

    [[nodiscard]] std::vector<std::int32_t> classesOf(std::span<const std::int64_t> places) const
    {
        std::vector<std::int32_t> chosen;
        for (const std::int64_t place : places)
            chosen.push_back(classes[sizeOf(place)]);
        return chosen;
    }
};

bool isFinite(const HeadVectors& vectors, DocumentIndex document, std::span<const std::int64_t> heads)
{
    return std::ranges::all_of(heads, [&](std::int64_t head) {
        return std::ranges::all_of(vectors.vector(document, HeadIndex(head)),
                                   [](float value) { return std::isfinite(value); });
    });
}

Result<Labelled> chooseDocuments(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                 std::span<const std::int32_t> labels, const ProbeOptions& options)
{
    Labelled chosen;
    std::map<std::int32_t, std::int32_t> classOf;
    for (std::int64_t document = 0; document < vectors.documents(); ++document)
    {
        if (labels[sizeOf(document)] < 0)
            continue;
        if (!isFinite(vectors, DocumentIndex(document), heads))
        {
            ++chosen.leftOut;
            continue;
        }
        chosen.documents.push_back(document);
        classOf.try_emplace(labels[sizeOf(document)], 0);
    }
    for (auto& [label, number] : classOf)
        number = static_cast<std::int32_t>(chosen.numClasses++);
    if (chosen.numClasses < 2)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected documents of at least 2 labels to tell apart, found {}", chosen.numClasses),
                     {},
                     {}};
    for (const std::int64_t document : chosen.documents)
        chosen.classes.push_back(classOf.at(labels[sizeOf(document)]));
    const MatrixF rows(std::ssize(chosen.documents), 1);
    ProbeInput input;
    input.rows = rows.view();
    ProbeOptions split = options;
    split.split = ProbeSplit::Rows; // a row is a document here
    HEADSCOPE_TRY(RowSplit parts, splitForProbe(input, split));
    chosen.train = std::move(parts.train);
    chosen.test = std::move(parts.test);
    std::vector<std::int64_t> count(sizeOf(chosen.numClasses));
    for (const std::int32_t each : chosen.classesOf(chosen.train))
        ++count[static_cast<std::size_t>(each)];
    chosen.commonest = static_cast<std::int32_t>(std::ranges::max_element(count) - count.begin());
    return chosen;
}

MatrixF gather(const HeadVectors& vectors, std::span<const std::int64_t> heads, const Labelled& labelled,
               std::span<const std::int64_t> places)
{
    MatrixF rows(std::ssize(places), std::ssize(heads) * vectors.dims());
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        for (std::size_t h = 0; h < heads.size(); ++h)
            std::ranges::copy(
                vectors.vector(DocumentIndex(labelled.documents[sizeOf(places[sizeOf(i)])]), HeadIndex(heads[h])),
                rows.row(i).begin() + static_cast<std::ptrdiff_t>(h) * vectors.dims());
    return rows;
}

/// Mean recall of the classes that are in `truths`.
double balanced(std::span<const std::int32_t> truths, std::span<const std::int64_t> right)
{
    std::map<std::int32_t, std::pair<double, double>> counts; // right, all
    for (std::size_t i = 0; i < truths.size(); ++i)
    {
        counts[truths[i]].first += static_cast<double>(right[i]);
        ++counts[truths[i]].second;
    }
    double sum = 0;
    for (const auto& [label, count] : counts)
        sum += count.first / count.second;
    return counts.empty() ? 0 : sum / static_cast<double>(counts.size());
}

Result<LabelScore> scoreOf(const HeadVectors& vectors, std::span<const std::int64_t> heads, const Labelled& labelled,
                           const ProbeOptions& options, int numThreads, JobContext& job)
{
    MultinomialOptions solver;
    solver.c = options.c;
    solver.maxIterations = options.maxIterations;
    const MatrixF train = gather(vectors, heads, labelled, labelled.train);
    HEADSCOPE_TRY(const MultinomialFit fit, fitMultinomial(train.view(), labelled.classesOf(labelled.train),
                                                           labelled.numClasses, solver, numThreads, job));
    const MatrixF test = gather(vectors, heads, labelled, labelled.test);
    const MatrixD logits = multinomialLogits(test.view(), fit.weights, fit.intercepts, numThreads);
    const auto truths = labelled.classesOf(labelled.test);
    std::vector<std::int64_t> right;
    std::vector<std::int32_t> predicted;
    LabelScore score;
    score.converged = fit.converged;
    for (std::int64_t i = 0; i < logits.rows(); ++i)
    {
        const auto row = logits.row(i);
        predicted.push_back(static_cast<std::int32_t>(std::ranges::max_element(row) - row.begin()));
        right.push_back(predicted.back() == truths[sizeOf(i)] ? 1 : 0);
        score.hits += right.back();
    }
    score.accuracy = static_cast<double>(score.hits) / static_cast<double>(right.size());
    score.ci95 = wilsonInterval(static_cast<double>(score.hits), static_cast<double>(right.size()));
    score.balancedAccuracy = balanced(truths, right);
    score.p = shuffledHitsP(predicted, truths, options.seed);
    return score;
}

/// Scores of each head and, last, of all of them, for one split.
Result<std::vector<LabelScore>> scoresOf(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                         const Labelled& labelled, const ProbeOptions& options, int numThreads,
                                         const std::function<void()>& report, JobContext& job)
{
    std::vector<Result<LabelScore>> scores(heads.size(), Result<LabelScore>(JobContext::cancelled()));
    parallelForBlocks(numThreads, std::ssize(heads), 1, [&](const Block& block, int) {
        JobContext inner(job.stopToken());
        const std::vector<std::int64_t> own = {heads[sizeOf(block.begin)]};
        if (!inner.stopRequested())
            scores[sizeOf(block.begin)] = scoreOf(vectors, own, labelled, options, 1, inner);
        report();
    });
    std::vector<LabelScore> all;
    for (std::size_t h = 0; h < heads.size(); ++h)
    {
        if (!scores[h])
            return std::move(scores[h]).error();
        all.push_back(*scores[h]);
        all.back().head = heads[h];
    }
    JobContext inner(job.stopToken());
    HEADSCOPE_TRY(LabelScore full, scoreOf(vectors, heads, labelled, options, numThreads, inner));
    report();
    all.push_back(std::move(full));
    return all;
}

/// Mean and standard deviation of the accuracies.
void summarise(LabelScore& score)
{
    const auto n = static_cast<double>(score.splits.size());
    double sum = 0;
    for (const double accuracy : score.splits)
        sum += accuracy;
    double squares = 0;
    for (const double accuracy : score.splits)
        squares += (accuracy - sum / n) * (accuracy - sum / n);
    score.splitMean = sum / n;
    score.splitSd = std::sqrt(squares / (n - 1));
}

} // namespace

Result<LabelProbeResult> probeLabels(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                     std::span<const std::int32_t> labels, const ProbeOptions& options, int numThreads,
                                     JobContext& job, int splits)
{
    const auto clock = Clock::now();
    HEADSCOPE_TRY(const Labelled labelled, chooseDocuments(vectors, heads, labels, options));
    std::mutex mutex;
    std::uint64_t done = 0;
    const auto report = [&] {
        const std::scoped_lock lock(mutex);
        job.report("telling the label", ++done, (heads.size() + 1) * static_cast<std::size_t>(std::max(1, splits)),
                   "fits");
    };
    HEADSCOPE_TRY(std::vector<LabelScore> scores, scoresOf(vectors, heads, labelled, options, numThreads, report, job));
    for (int split = 0; split < splits && splits > 1; ++split)
    {
        ProbeOptions next = options;
        next.seed += static_cast<std::uint64_t>(split);
        std::vector<LabelScore> of = scores;
        if (split > 0)
        {
            HEADSCOPE_TRY(const Labelled parted, chooseDocuments(vectors, heads, labels, next));
            HEADSCOPE_TRY(of, scoresOf(vectors, heads, parted, next, numThreads, report, job));
        }
        for (std::size_t h = 0; h < scores.size(); ++h)
            scores[h].splits.push_back(of[h].accuracy);
    }
    if (splits > 1)
        std::ranges::for_each(scores, summarise);
    LabelProbeResult result;
    result.stage = vectors.stage();
    result.layer = vectors.layer().value();
    result.options = options;
    result.classes = labelled.numClasses;
    result.trainDocuments = std::ssize(labelled.train);
    result.testDocuments = std::ssize(labelled.test);
    result.leftOut = labelled.leftOut;
    result.full = scores.back();
    scores.pop_back();
    result.heads = std::move(scores);
    std::vector<double> p;
    for (const LabelScore& score : result.heads)
        p.push_back(score.p);
    const auto q = benjaminiHochberg(p);
    for (std::size_t h = 0; h < heads.size(); ++h)
        result.heads[h].q = q[h];
    const auto truths = labelled.classesOf(labelled.test);
    const auto trained = labelled.classesOf(labelled.train);
    std::vector<std::int64_t> byMajority;
    for (const std::int32_t truth : truths)
    {
        byMajority.push_back(truth == labelled.commonest ? 1 : 0);
        result.majority += static_cast<double>(byMajority.back()) / static_cast<double>(truths.size());
        result.untrained += std::ranges::find(trained, truth) == trained.end() ? 1 : 0;
    }
    result.balancedMajority = balanced(truths, byMajority);
    result.seconds = secondsSince(clock);
    return result;
}

} // namespace headscope
