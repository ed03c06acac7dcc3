// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/label_probe.h"

#include "model/analysis/probe/multinomial.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/statistics/split_scores.h"
#include "model/base/clock.h"
#include "model/base/free_memory.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

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
    return std::ranges::all_of(heads,
                               [&](std::int64_t head) { return allFinite(vectors.vector(document, HeadIndex(head))); });
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
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected at least 2 different labels among the documents, found {}", chosen.numClasses),
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

/// One probe of one split.
struct Told
{
    LabelSplitScore score;
    bool converged = false;
};

Result<Told> tell(const HeadVectors& vectors, std::span<const std::int64_t> heads, const Labelled& labelled,
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
    Told told;
    told.converged = fit.converged;
    for (std::int64_t i = 0; i < logits.rows(); ++i)
    {
        const auto row = logits.row(i);
        predicted.push_back(static_cast<std::int32_t>(std::ranges::max_element(row) - row.begin()));
        right.push_back(predicted.back() == truths[sizeOf(i)] ? 1 : 0);
        told.score.hits += right.back();
    }
    const auto rows = static_cast<double>(right.size());
    told.score.accuracy = static_cast<double>(told.score.hits) / rows;
    told.score.ci95 = wilsonInterval(static_cast<double>(told.score.hits), rows);
    told.score.balancedAccuracy = balanced(truths, right);
    told.score.p = shuffledHitsP(predicted, truths, options.seed);
    return told;
}

/// What the largest of the fits takes: some heads at once, or all of them one after another.
Status checkProbeMemory(const HeadVectors& vectors, std::int64_t heads, const Labelled& labelled, int numThreads)
{
    const auto train = std::ssize(labelled.train);
    const auto documents = static_cast<double>(std::ssize(labelled.documents));
    const auto classes = static_cast<double>(labelled.numClasses);
    const auto bytes = [&](std::int64_t dims, int threads) {
        const double tested = 8 * classes * static_cast<double>(std::ssize(labelled.test));
        return multinomialBytes(train, dims, labelled.numClasses, threads) + tested +
               4 * documents * static_cast<double>(dims);
    };
    const auto atOnce = static_cast<double>(std::min<std::int64_t>(numThreads, heads));
    return checkMemory({std::max(atOnce * bytes(vectors.dims(), 1), bytes(heads * vectors.dims(), numThreads)),
                        fmt::format("predicting {} labels of {} documents by {} {}", labelled.numClasses,
                                    labelled.documents.size(), heads, heads == 1 ? "head" : "heads"),
                        "use fewer labels (merge some), heads or documents"});
}

/// Of each head and, last, of all of them, for one split.
Result<std::vector<Told>> tellAll(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                  const Labelled& labelled, const ProbeOptions& options, int numThreads,
                                  const std::function<void()>& report, JobContext& job)
{
    HEADSCOPE_CHECK(checkProbeMemory(vectors, std::ssize(heads), labelled, numThreads));
    std::vector<Result<Told>> scores(heads.size(), Result<Told>(JobContext::cancelled()));
    parallelForBlocks(numThreads, std::ssize(heads), 1, [&](const Block& block, int) {
        JobContext inner(job.stopToken());
        const std::vector<std::int64_t> own = {heads[sizeOf(block.begin)]};
        if (!inner.stopRequested())
            scores[sizeOf(block.begin)] = tell(vectors, own, labelled, options, 1, inner);
        report();
    });
    std::vector<Told> all;
    for (Result<Told>& score : scores)
    {
        if (!score)
            return std::move(score).error();
        all.push_back(*score);
    }
    JobContext inner(job.stopToken());
    HEADSCOPE_TRY(Told full, tell(vectors, heads, labelled, options, numThreads, inner));
    report();
    all.push_back(std::move(full));
    return all;
}

/// What naming always the commonest label of the training documents reaches.
struct Majority
{
    double share = 0;
    double balanced = 0;
};

Majority majorityOf(const Labelled& labelled)
{
    const auto truths = labelled.classesOf(labelled.test);
    std::vector<std::int64_t> right;
    Majority majority;
    for (const std::int32_t truth : truths)
    {
        right.push_back(truth == labelled.commonest ? 1 : 0);
        majority.share += static_cast<double>(right.back()) / static_cast<double>(truths.size());
    }
    majority.balanced = balanced(truths, right);
    return majority;
}

/// Test documents whose label no training document has.
std::int64_t untrainedOf(const Labelled& labelled)
{
    const auto trained = labelled.classesOf(labelled.train);
    const auto truths = labelled.classesOf(labelled.test);
    return std::ranges::count_if(
        truths, [&trained](std::int32_t truth) { return std::ranges::find(trained, truth) == trained.end(); });
}

/// What is gathered over the splits.
class LabelSplits
{
public:
    explicit LabelSplits(std::size_t probes) : m_told(probes) {}

    void add(const Labelled& labelled, const std::vector<Told>& told)
    {
        for (std::size_t h = 0; h < told.size(); ++h)
            m_told[h].push_back(told[h]);
        m_majorities.push_back(majorityOf(labelled));
        for (const std::int64_t place : labelled.test)
            m_tested.insert(place);
        if (m_majorities.size() > 1)
            return;
        m_result.classes = labelled.numClasses;
        m_result.trainDocuments = std::ssize(labelled.train);
        m_result.testDocuments = std::ssize(labelled.test);
        m_result.leftOut = labelled.leftOut;
        m_result.untrained = untrainedOf(labelled);
    }

    /// @param heads  of the probes, the last of which is of all of them
    [[nodiscard]] LabelProbeResult result(std::span<const std::int64_t> heads)
    {
        m_result.splits = std::ssize(m_majorities);
        m_result.testedDocuments = std::ssize(m_tested);
        m_result.firstMajority = m_majorities.front().share;
        for (const Majority& each : m_majorities)
        {
            m_result.majority += each.share / static_cast<double>(m_result.splits);
            m_result.balancedMajority += each.balanced / static_cast<double>(m_result.splits);
        }
        std::vector<double> p;
        for (std::size_t h = 0; h < heads.size(); ++h)
        {
            m_result.heads.push_back(scoreOf(m_told[h]));
            m_result.heads.back().head = heads[h];
            p.push_back(m_result.heads.back().p);
        }
        m_result.full = scoreOf(m_told.back());
        const auto q = benjaminiHochberg(p);
        for (std::size_t h = 0; h < heads.size(); ++h)
            m_result.heads[h].q = q[h];
        return std::move(m_result);
    }

private:
    [[nodiscard]] LabelScore scoreOf(const std::vector<Told>& told) const
    {
        LabelScore score;
        score.first = told.front().score;
        score.converged = std::ranges::all_of(told, &Told::converged);
        std::vector<double> p;
        const auto n = static_cast<double>(told.size());
        for (const Told& each : told)
        {
            score.splits.push_back(each.score.accuracy);
            score.accuracy += each.score.accuracy / n;
            score.balancedAccuracy += each.score.balancedAccuracy / n;
            p.push_back(each.score.p);
        }
        double squares = 0;
        for (const double accuracy : score.splits)
            squares += (accuracy - score.accuracy) * (accuracy - score.accuracy);
        if (told.size() > 1)
            score.splitSd = std::sqrt(squares / (n - 1));
        score.p = mergedSplitP(p);
        score.ci95 =
            splitInterval(score.splits, m_result.trainDocuments, m_result.testDocuments, m_result.testedDocuments);
        return score;
    }

    std::vector<std::vector<Told>> m_told; ///< [probes][splits]
    std::vector<Majority> m_majorities;
    std::set<std::int64_t> m_tested;
    LabelProbeResult m_result;
};

} // namespace

Result<LabelProbeResult> probeLabels(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                     std::span<const std::int32_t> labels, const ProbeOptions& options, int numThreads,
                                     JobContext& job, int splits)
{
    const auto clock = Clock::now();
    const int count = std::max(1, splits);
    std::mutex mutex;
    std::uint64_t done = 0;
    const auto report = [&] {
        const std::scoped_lock lock(mutex);
        job.report("predicting the label", ++done, (heads.size() + 1) * static_cast<std::size_t>(count), "fits");
    };
    LabelSplits all(heads.size() + 1);
    for (int split = 0; split < count; ++split)
    {
        ProbeOptions next = options;
        next.seed += static_cast<std::uint64_t>(split);
        HEADSCOPE_TRY(const Labelled parted, chooseDocuments(vectors, heads, labels, next));
        HEADSCOPE_TRY(const auto told, tellAll(vectors, heads, parted, next, numThreads, report, job));
        all.add(parted, told);
    }
    LabelProbeResult result = all.result(heads);
    result.stage = vectors.stage();
    result.layer = vectors.layer().value();
    result.options = options;
    result.seconds = secondsSince(clock);
    return result;
}

} // namespace headscope
