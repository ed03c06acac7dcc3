// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/evaluation.h"

#include "model/analysis/evaluation/clustering.h"
#include "model/analysis/evaluation/rank_correlation.h"
#include "model/analysis/evaluation/resampled.h"
#include "model/analysis/probe/multinomial.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/permutations.h"
#include "model/data/matrix_rows.h"
#include "model/data/results/probe_baseline_results.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kTestShare = 5; ///< one of so many documents is held out

template <class T>
std::vector<T> at(const std::vector<T>& values, std::span<const std::int64_t> places)
{
    std::vector<T> taken;
    for (const std::int64_t place : places)
        taken.push_back(values[static_cast<std::size_t>(place)]);
    return taken;
}

/// Writes the values of a unit's measures.
void setValues(EvaluatedUnit& unit, std::span<const double> values)
{
    std::ranges::copy(values, unit.values.begin() + static_cast<std::ptrdiff_t>(measuresOf(unit.task).first));
}

void setChance(EvaluatedUnit& unit, EvaluationMeasure measure, double chance)
{
    unit.chance[static_cast<std::size_t>(measure)] = chance;
}

/// Means over the queries of what documents in random order get.
/// @param count  documents
std::array<double, 4> chanceOf(const RetrievalTask& task, std::int64_t count)
{
    const auto canBeFound = [&task](std::int64_t document) {
        return document >= 0 && (task.findable.empty() || task.findable[static_cast<std::size_t>(document)]);
    };
    const std::int64_t all = task.findable.empty() ? count : std::ranges::count(task.findable, true);
    std::array<double, 4> sums{};
    for (std::size_t query = 0; query < task.judged.size(); ++query)
    {
        const std::int64_t own = query < task.own.size() ? task.own[query] : -1;
        std::vector<bool> findable;
        for (const Judgement& each : task.judged[query])
            findable.push_back(canBeFound(each.document) && each.document != own);
        const RankingScores one = scoreByChance(task.judged[query], findable, all - (canBeFound(own) ? 1 : 0), task.k);
        sums[0] += one.ndcg;
        sums[1] += one.recall;
        sums[2] += one.mrr;
        sums[3] += one.map;
    }
    for (double& sum : sums)
        sum /= static_cast<double>(task.judged.size());
    return sums;
}

/// Repeated documents raise the agreement of clusters and labels: resamples are shifted so that their mean is the
/// measure itself, which the interval then has inside.
void removeBias(const EvaluatedUnit& unit, MatrixD& resamples)
{
    const auto first = static_cast<std::size_t>(measuresOf(unit.task).first);
    for (std::int64_t measure = 0; measure < resamples.cols(); ++measure)
    {
        double sum = 0;
        for (std::int64_t b = 0; b < resamples.rows(); ++b)
            sum += resamples(b, measure);
        const double shift =
            unit.values[first + static_cast<std::size_t>(measure)] - sum / static_cast<double>(resamples.rows());
        for (std::int64_t b = 0; b < resamples.rows(); ++b)
            resamples(b, measure) += shift;
    }
}

/// Intervals, and differences of the main measure to the reference.
/// @param resamples  of each unit [B, measures]
void compare(std::vector<EvaluatedUnit>& units, std::vector<MatrixD> resamples)
{
    for (std::size_t i = 0; i < units.size(); ++i)
        if (units[i].task == EvaluationTask::Clustering)
            removeBias(units[i], resamples[i]);
    const auto reference = std::ranges::find(units, true, &EvaluatedUnit::isReference);
    const auto full = static_cast<std::size_t>(reference - units.begin());
    std::vector<double> p;
    for (std::size_t i = 0; i < units.size(); ++i)
    {
        EvaluatedUnit& unit = units[i];
        const auto first = static_cast<std::size_t>(measuresOf(unit.task).first);
        Resampled one{{unit.values[first], 0}, MatrixD(resamples[i].rows(), 2)};
        for (std::int64_t measure = 0; measure < resamples[i].cols(); ++measure)
        {
            for (std::int64_t b = 0; b < resamples[i].rows(); ++b)
                one.resamples(b, 0) = resamples[i](b, measure);
            if (unit.n >= kMinResampled)
                unit.ci95[first + static_cast<std::size_t>(measure)] = intervalOf(one, 0);
        }
        if (reference == units.end() || i == full)
        {
            p.push_back(EvaluatedUnit::kNone);
            continue;
        }
        one.values[1] = units[full].values[first];
        for (std::int64_t b = 0; b < one.resamples.rows(); ++b)
        {
            one.resamples(b, 0) = resamples[i](b, 0);
            one.resamples(b, 1) = resamples[full](b, 0);
        }
        const ResampledDifference difference = differenceOf(one, 0, 1);
        unit.difference = difference.value;
        if (unit.n >= kMinResampled)
        {
            unit.differenceCi95 = difference.ci95;
            unit.p = difference.p;
        }
        p.push_back(unit.p);
    }
    const std::vector<double> q = benjaminiHochberg(p);
    for (std::size_t i = 0; i < units.size(); ++i)
        units[i].q = q[i];
}

} // namespace

LabelTask labelTask(std::span<const std::int32_t> codes, const std::vector<bool>& usable, std::uint64_t seed)
{
    LabelTask task;
    task.seed = seed;
    std::map<std::int32_t, std::int32_t> numbers;
    for (std::size_t row = 0; row < codes.size(); ++row)
        if (codes[row] >= 0 && usable[row])
            numbers.emplace(codes[row], 0);
    for (auto& [code, number] : numbers)
        number = static_cast<std::int32_t>(task.numLabels++);
    for (std::size_t row = 0; row < codes.size(); ++row)
        if (codes[row] >= 0 && usable[row])
        {
            task.documents.push_back(static_cast<std::int64_t>(row));
            task.labels.push_back(numbers.at(codes[row]));
        }
    const std::vector<std::int64_t> order = shuffledIndices(Draws(seed), std::ssize(task.documents));
    const auto held = order.begin() + (std::ssize(order) + kTestShare - 1) / kTestShare;
    task.test.assign(order.begin(), held);
    task.train.assign(held, order.end());
    std::ranges::sort(task.test);
    std::ranges::sort(task.train);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(task.numLabels));
    const auto labelOf = [&task](std::int64_t row) {
        return static_cast<std::size_t>(task.labels[static_cast<std::size_t>(row)]);
    };
    for (const std::int64_t row : task.train)
        ++counts[labelOf(row)];
    const auto commonest = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    const auto right = std::ranges::count(task.test, commonest, labelOf);
    task.majority = task.test.empty() ? 0 : static_cast<double>(right) / static_cast<double>(task.test.size());
    return task;
}

Status Evaluation::addRetrieval(EvaluatedUnit unit, ConstMatrixView documents, ConstMatrixView queries,
                                const RetrievalTask& task, JobContext& job)
{
    HEADSCOPE_TRY(const Matrix<std::int32_t> ranking,
                  rankByCosine(documents, queries, task.own, task.k, m_numThreads, job));
    addRankings(std::move(unit), ranking, task, documents.rows());
    return {};
}

void Evaluation::addRankings(EvaluatedUnit unit, const Matrix<std::int32_t>& ranking, const RetrievalTask& task,
                             std::int64_t documents)
{
    if (m_retrievalChance.empty())
    {
        const auto chance = chanceOf(task, documents);
        m_retrievalChance.assign(chance.begin(), chance.end());
    }
    std::ranges::copy(m_retrievalChance, unit.chance.begin());
    MatrixD scores(ranking.rows(), measuresOf(EvaluationTask::Retrieval).second);
    const bool ranksAny = std::ranges::any_of(ranking.values(), [](std::int32_t document) { return document >= 0; });
    if (!ranksAny) // without a direction in any document, or for any query
        std::ranges::fill(scores.values(), EvaluatedUnit::kNone);
    for (std::int64_t query = 0; ranksAny && query < ranking.rows(); ++query)
    {
        const RankingScores one =
            scoreRanking(ranking.row(query), task.judged[static_cast<std::size_t>(query)], task.k);
        std::ranges::copy(std::array{one.ndcg, one.recall, one.mrr, one.map}, scores.row(query).begin());
    }
    unit.task = EvaluationTask::Retrieval;
    unit.n = ranking.rows();
    m_retrieval.units.push_back(std::move(unit));
    m_retrieval.scores.push_back(std::move(scores));
}

Status Evaluation::addSimilarity(EvaluatedUnit unit, ConstMatrixView documents, const SimilarityTask& task,
                                 JobContext& job)
{
    const std::vector<double> cosines = pairCosines(documents, task.first, task.second);
    unit.task = EvaluationTask::Similarity;
    setChance(unit, EvaluationMeasure::Spearman, 0);
    setChance(unit, EvaluationMeasure::Pearson, 0);
    unit.n = std::ssize(cosines);
    MatrixD values(m_options.resamples, 2);
    std::ranges::fill(values.values(), EvaluatedUnit::kNone);
    if (std::ranges::all_of(cosines, [](double value) { return std::isfinite(value); }))
    {
        const RankCorrelation ranks(cosines, task.gold);
        const auto of = [&](std::int64_t measure, std::span<const std::int64_t> drawn) {
            if (measure == 1)
                return drawn.empty() ? pearson(cosines, task.gold) : pearson(at(cosines, drawn), at(task.gold, drawn));
            std::vector<std::int32_t> times(cosines.size(), drawn.empty() ? 1 : 0);
            for (const std::int64_t pair : drawn)
                ++times[static_cast<std::size_t>(pair)];
            return ranks.value(times);
        };
        HEADSCOPE_TRY(Resampled found, resampledMeasures(unit.n, 2, of, m_options, m_numThreads, job));
        setValues(unit, found.values);
        values = std::move(found.resamples);
    }
    m_similarity.units.push_back(std::move(unit));
    m_similarity.values.push_back(std::move(values));
    return {};
}

Status Evaluation::addLabels(EvaluatedUnit unit, ConstMatrixView documents, const LabelTask& task, JobContext& job)
{
    const MatrixF rows = takeRows(documents, task.documents);
    HEADSCOPE_CHECK(addClusters(unit, rows.view(), task, job));
    return addClassifier(std::move(unit), rows.view(), task, job);
}

Status Evaluation::addClusters(EvaluatedUnit unit, ConstMatrixView rows, const LabelTask& task, JobContext& job)
{
    HEADSCOPE_TRY(const Clusters clusters, clusterRows(rows, task.numLabels, task.seed, m_numThreads, job));
    const auto of = [&](std::int64_t measure, std::span<const std::int64_t> drawn) {
        const ClusterAgreement agreement = clusterAgreement(task.labels, clusters.of, drawn);
        return measure == 0 ? agreement.vMeasure : agreement.adjustedRand;
    };
    unit.task = EvaluationTask::Clustering;
    setChance(unit, EvaluationMeasure::AdjustedRand, 0);
    unit.n = rows.rows();
    HEADSCOPE_TRY(Resampled found, resampledMeasures(unit.n, 2, of, m_options, m_numThreads, job));
    setValues(unit, found.values);
    m_clustering.units.push_back(std::move(unit));
    m_clustering.values.push_back(std::move(found.resamples));
    return {};
}

Status Evaluation::addClassifier(EvaluatedUnit unit, ConstMatrixView rows, const LabelTask& task, JobContext& job)
{
    const MatrixF train = takeRows(rows, task.train);
    const MatrixF test = takeRows(rows, task.test);
    HEADSCOPE_TRY(const MultinomialFit fit,
                  fitMultinomial(train.view(), at(task.labels, task.train), task.numLabels, {}, m_numThreads, job));
    const MatrixD logits = multinomialLogits(test.view(), fit.weights, fit.intercepts, m_numThreads);
    MatrixD right(test.rows(), 1);
    for (std::int64_t row = 0; row < test.rows(); ++row)
    {
        const auto best = std::ranges::max_element(logits.row(row)) - logits.row(row).begin();
        const std::int64_t document = task.test[static_cast<std::size_t>(row)];
        right(row, 0) = best == task.labels[static_cast<std::size_t>(document)] ? 1.0 : 0.0;
    }
    unit.task = EvaluationTask::Classification;
    setChance(unit, EvaluationMeasure::Accuracy, std::max(task.majority, 1 / static_cast<double>(task.numLabels)));
    unit.n = test.rows();
    m_classification.units.push_back(std::move(unit));
    m_classification.scores.push_back(std::move(right));
    return {};
}

Result<Evaluation::Resamples> Evaluation::resamplesOf(const Means& means, JobContext& job) const
{
    Resamples found;
    found.units = means.units;
    if (means.units.empty())
        return found;
    // All units side by side: a drawn row is read once.
    const std::int64_t measures = means.scores.front().cols();
    MatrixD scores(means.scores.front().rows(), measures * std::ssize(means.units));
    for (std::size_t unit = 0; unit < means.units.size(); ++unit)
        for (std::int64_t row = 0; row < scores.rows(); ++row)
            std::ranges::copy(means.scores[unit].row(row),
                              scores.row(row).begin() + static_cast<std::ptrdiff_t>(unit) * measures);
    HEADSCOPE_TRY(const Resampled resampled, resampledMeans(scores, m_options, m_numThreads, job));
    for (std::size_t unit = 0; unit < means.units.size(); ++unit)
    {
        const std::size_t first = unit * static_cast<std::size_t>(measures);
        setValues(found.units[unit], std::span(resampled.values).subspan(first, static_cast<std::size_t>(measures)));
        MatrixD values(m_options.resamples, measures);
        for (std::int64_t b = 0; b < values.rows(); ++b)
            std::ranges::copy(resampled.resamples.row(b).subspan(first, static_cast<std::size_t>(measures)),
                              values.row(b).begin());
        found.values.push_back(std::move(values));
    }
    return found;
}

Result<std::vector<EvaluatedUnit>> Evaluation::finish(JobContext& job)
{
    HEADSCOPE_TRY(Resamples retrieval, resamplesOf(m_retrieval, job));
    HEADSCOPE_TRY(Resamples classification, resamplesOf(m_classification, job));
    std::vector<EvaluatedUnit> all;
    for (Resamples* task : {&retrieval, &m_similarity, &m_clustering, &classification})
    {
        compare(task->units, task->values);
        all.insert(all.end(), task->units.begin(), task->units.end());
    }
    return all;
}

} // namespace headscope
