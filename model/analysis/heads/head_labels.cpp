// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_labels.h"

#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/analysis/statistics/permutations.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Cosines of the labelled documents with every topic, in one head.
struct HeadCells
{
    std::vector<std::int64_t> documents; ///< that have a direction
    MatrixD cells;                       ///< [documents, T], less `shift`; NaN where the topic has no direction
    std::vector<std::int32_t> nearest;   ///< [documents] topic
    double shift = 0;                    ///< what is the same for all topics (raw)
};

/// Takes each topic's mean away, or, of raw cosines, one number that only keeps sums small.
void shiftCells(HeadCells& head, SelectivityMode mode)
{
    std::vector<double> means;
    for (std::int64_t topic = 0; topic < head.cells.cols(); ++topic)
    {
        double sum = 0;
        for (std::int64_t i = 0; i < head.cells.rows(); ++i)
            sum += head.cells(i, topic);
        means.push_back(sum / static_cast<double>(head.cells.rows()));
    }
    if (mode == SelectivityMode::Raw)
    {
        const auto finite = std::find_if(means.begin(), means.end(), [](double mean) { return std::isfinite(mean); });
        head.shift = finite != means.end() ? *finite : 0.0;
        std::fill(means.begin(), means.end(), head.shift);
    }
    for (std::int64_t i = 0; i < head.cells.rows(); ++i)
        for (std::int64_t topic = 0; topic < head.cells.cols(); ++topic)
            head.cells(i, topic) -= means[sizeOf(topic)];
}

HeadCells cellsOfHead(const TopicInput& input, HeadIndex head, SelectivityMode mode, int numThreads,
                      const JobContext& job)
{
    const std::int64_t topics = input.topics->documents();
    const std::int64_t dims = input.documents->dims();
    const auto lengthOf = [dims](std::span<const float> vector) { return std::sqrt(squaredNorm(vector.data(), dims)); };
    HeadCells result;
    std::vector<double> lengths;
    for (std::int64_t document = 0; document < input.documents->documents(); ++document)
    {
        const double length = input.labels->codes[sizeOf(document)] < 0
                                  ? 0.0
                                  : lengthOf(input.documents->vector(DocumentIndex(document), head));
        if (length > 0 && std::isfinite(length))
        {
            result.documents.push_back(document);
            lengths.push_back(length);
        }
    }
    std::vector<double> topicLengths;
    for (std::int64_t topic = 0; topic < topics; ++topic)
        topicLengths.push_back(lengthOf(input.topics->vector(DocumentIndex(topic), head)));
    result.cells = MatrixD(std::ssize(result.documents), topics);
    result.nearest.assign(result.documents.size(), -1);
    parallelFor(numThreads, result.cells.rows(), 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
        {
            const auto vector = input.documents->vector(DocumentIndex(result.documents[sizeOf(i)]), head);
            double best = -std::numeric_limits<double>::infinity();
            for (std::int64_t topic = 0; topic < topics; ++topic)
            {
                const double size = lengths[sizeOf(i)] * topicLengths[sizeOf(topic)];
                const float* other = input.topics->vector(DocumentIndex(topic), head).data();
                const double value =
                    size > 0 && std::isfinite(size) ? dotProduct(vector.data(), other, dims) / size : kNaN;
                result.cells(i, topic) = value;
                if (value > best)
                {
                    best = value;
                    result.nearest[sizeOf(i)] = static_cast<std::int32_t>(topic);
                }
            }
        }
    });
    shiftCells(result, mode);
    return result;
}

/// The share of variance that lies between topics; NaN where no topic has two documents or nothing varies.
struct VarianceShare
{
    double eta = kNaN;     ///< squared: as it is in these documents
    double epsilon = kNaN; ///< squared: of all documents like these
    double least = kNaN;   ///< epsilon squared where nothing lies between
};

/// Sums of the cells of each topic's documents under one labelling.
struct TopicSums
{
    std::vector<double> count; ///< [T]
    std::vector<double> sum;
    std::vector<double> squares;

    TopicSums(const HeadCells& head, std::span<const std::int32_t> codes)
        : count(sizeOf(head.cells.cols())), sum(count.size()), squares(count.size())
    {
        const auto cells = head.cells.view();
        std::int64_t i = 0;
        for (const std::int64_t document : head.documents)
        {
            const std::int32_t topic = codes[sizeOf(document)];
            const double cell = cells(i++, topic);
            if (!std::isfinite(cell))
                continue;
            count[sizeOf(topic)] += 1;
            sum[sizeOf(topic)] += cell;
            squares[sizeOf(topic)] += cell * cell;
        }
    }

    [[nodiscard]] VarianceShare varianceShare() const
    {
        double n = 0;
        double topics = 0;
        double all = 0;
        double square = 0;
        double between = 0;
        bool shared = false;
        for (std::size_t topic = 0; topic < count.size(); ++topic)
        {
            if (count[topic] < 1)
                continue;
            n += count[topic];
            topics += 1;
            all += sum[topic];
            square += squares[topic];
            between += sum[topic] * sum[topic] / count[topic];
            shared = shared || count[topic] > 1;
        }
        const double total = square - all * all / n;
        // Cosines less their means: of equal ones nothing is left but rounding, whose squares are no variance.
        constexpr double kLeast = 1e-20;
        if (!shared || !(total > std::max(1e-14 * square, kLeast * n)))
            return {};
        const double eta = (between - all * all / n) / total;
        const double degrees = (n - 1) / (n - topics);
        return {eta, 1 - (1 - eta) * degrees, 1 - degrees};
    }
    /// The topic with the largest mean, the lower of equals, and that mean; -1 for none.
    [[nodiscard]] std::pair<std::int32_t, double> largestMean() const
    {
        std::pair<std::int32_t, double> best(-1, kNaN);
        for (std::size_t topic = 0; topic < count.size(); ++topic)
            if (count[topic] > 0 && (best.first < 0 || sum[topic] / count[topic] > best.second))
                best = {static_cast<std::int32_t>(topic), sum[topic] / count[topic]};
        return best;
    }
    /// The same without one document, whose absence also changes the topics' means that were taken away.
    [[nodiscard]] TopicSums without(const HeadCells& head, std::int64_t i, std::int32_t own, bool centred) const
    {
        TopicSums left = *this;
        if (const double cell = head.cells(i, own); std::isfinite(cell))
        {
            left.count[sizeOf(own)] -= 1;
            left.sum[sizeOf(own)] -= cell;
            left.squares[sizeOf(own)] -= cell * cell;
        }
        if (!centred || head.cells.rows() < 2)
            return left;
        for (std::size_t topic = 0; topic < count.size(); ++topic)
        {
            if (left.count[topic] < 1)
                continue;
            const double mean =
                -head.cells(i, static_cast<std::int64_t>(topic)) / static_cast<double>(head.cells.rows() - 1);
            left.squares[topic] += (left.count[topic] * mean - 2 * left.sum[topic]) * mean;
            left.sum[topic] -= left.count[topic] * mean;
        }
        return left;
    }
};

/// Adds both shares and their intervals.
void addVarianceShares(const HeadCells& head, const TopicSums& sums, std::span<const std::int32_t> codes,
                       HeadTopicStatistics& answers)
{
    const VarianceShare share = sums.varianceShare();
    std::vector<double> etas;
    std::vector<double> epsilons;
    for (std::int64_t i = 0; i < head.cells.rows(); ++i)
    {
        const VarianceShare without = sums.without(head, i, codes[sizeOf(head.documents[sizeOf(i)])],
                                                   answers.options.selectivity == SelectivityMode::Centred)
                                          .varianceShare();
        etas.push_back(without.eta);
        epsilons.push_back(without.epsilon);
    }
    const auto within = [](const Interval& interval, double least) {
        return std::isfinite(interval.low) ? Interval{std::max(least, interval.low), std::min(1.0, interval.high)}
                                           : interval;
    };
    answers.etaSquared.value.push_back(share.eta);
    answers.etaSquared.ci95.push_back(within(jackknifeInterval(share.eta, etas), 0));
    answers.selectivity.value.push_back(share.epsilon);
    answers.selectivity.ci95.push_back(within(jackknifeInterval(share.epsilon, epsilons), share.least));
}

/// Labels of each permutation, the same for all heads: kept where they are few, else made anew for each head.
class ShuffledLabels
{
public:
    ShuffledLabels(std::span<const std::int32_t> codes, const HeadAnswerOptions& options, int numThreads,
                   const JobContext& job)
        : m_codes(codes), m_draws(options.seed), m_count(std::max<std::int64_t>(0, options.permutations))
    {
        if (m_count * std::ssize(codes) > kMaxKept)
            return;
        m_kept.resize(sizeOf(m_count));
        parallelFor(numThreads, m_count, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t b = begin; b < end && !job.stopRequested(); ++b)
                m_kept[sizeOf(b)] = permutedLabels(m_codes, m_draws, b);
        });
    }

    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// @param room  holds the labels where they are not kept
    [[nodiscard]] std::span<const std::int32_t> labels(std::int64_t b, std::vector<std::int32_t>& room) const
    {
        if (!m_kept.empty())
            return m_kept[sizeOf(b)];
        room = permutedLabels(m_codes, m_draws, b);
        return room;
    }

private:
    static constexpr std::int64_t kMaxKept = 16'000'000; ///< 64 MB

    std::span<const std::int32_t> m_codes;
    Draws m_draws;
    std::int64_t m_count;
    std::vector<std::vector<std::int32_t>> m_kept;
};

/// Everything that shuffled labels say of one head.
void testHead(const HeadCells& head, std::span<const std::int32_t> codes, std::int64_t measured,
              const ShuffledLabels& shuffled, int numThreads, const JobContext& job, HeadTopicStatistics& answers)
{
    const TopicSums sums(head, codes);
    const auto [topic, excess] = sums.largestMean();
    addVarianceShares(head, sums, codes, answers);
    answers.topTopic.push_back(topic);
    answers.topExcess.value.push_back(excess + head.shift);

    std::vector<double> etas(sizeOf(shuffled.count()), kNaN);
    std::vector<double> epsilons(etas.size(), kNaN);
    std::vector<double> tops(etas.size(), kNaN);
    std::vector<double> matches(etas.size(), kNaN);
    parallelFor(numThreads, shuffled.count(), 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::int32_t> room;
        for (std::int64_t b = begin; b < end && !job.stopRequested(); ++b)
        {
            const auto labels = shuffled.labels(b, room);
            const TopicSums other(head, labels);
            const VarianceShare share = other.varianceShare();
            etas[sizeOf(b)] = share.eta;
            epsilons[sizeOf(b)] = share.epsilon;
            tops[sizeOf(b)] = other.largestMean().second + head.shift;
            std::int64_t hits = 0;
            for (std::size_t i = 0; i < head.documents.size(); ++i)
                hits += head.nearest[i] == labels[sizeOf(head.documents[i])] ? 1 : 0;
            if (measured > 0)
                matches[sizeOf(b)] = static_cast<double>(hits) / static_cast<double>(measured);
        }
    });
    answers.etaSquared.null.push_back(permutationNull(answers.etaSquared.value.back(), std::move(etas)));
    answers.selectivity.null.push_back(permutationNull(answers.selectivity.value.back(), std::move(epsilons)));
    answers.topExcess.null.push_back(permutationNull(answers.topExcess.value.back(), std::move(tops)));
    const double match = answers.match.value[answers.match.null.size()];
    answers.match.null.push_back(permutationNull(match, std::move(matches)));
}

void correct(TestedNumbers& numbers)
{
    std::vector<double> p;
    for (const PermutationNull& null : numbers.null)
        p.push_back(null.p);
    numbers.q = benjaminiHochberg(p);
}

} // namespace

Status testHeadLabels(const TopicInput& input, const std::vector<std::int64_t>& hits,
                      const std::vector<std::int64_t>& measured, int numThreads, JobContext& job,
                      HeadTopicStatistics& answers)
{
    const std::span<const std::int32_t> codes = input.labels->codes;
    const auto counts = input.labels->counts();
    if (std::none_of(counts.begin(), counts.end(), [](std::int64_t count) { return count > 1; }))
        answers.selectivityMissing = fmt::format(
            "each label of \"{}\" has only one document, so there is no variance within topics for selectivity",
            input.labels->name);
    const bool isOneTopic = std::ranges::count_if(counts, [](std::int64_t count) { return count > 0; }) == 1;
    if (isOneTopic)
        answers.selectivityMissing = fmt::format(
            "all documents have the same label of \"{}\", so there is no variance between topics for selectivity",
            input.labels->name);
    const ShuffledLabels shuffled(codes, answers.options, numThreads, job);
    const std::int64_t heads = input.documents->heads();
    for (std::int64_t head = 0; head < heads; ++head)
    {
        job.report("permuting labels", static_cast<std::uint64_t>(head), static_cast<std::uint64_t>(heads), "heads");
        const HeadCells cells = cellsOfHead(input, HeadIndex(head), answers.options.selectivity, numThreads, job);
        HEADSCOPE_CHECK(job.checkStop());
        answers.match.ci95.push_back(
            measured[sizeOf(head)] > 0
                ? wilsonInterval(static_cast<double>(hits[sizeOf(head)]), static_cast<double>(measured[sizeOf(head)]))
                : Interval());
        testHead(cells, codes, measured[sizeOf(head)], shuffled, numThreads, job, answers);
        HEADSCOPE_CHECK(job.checkStop());
    }
    answers.topExcess.ci95.resize(sizeOf(heads));
    for (TestedNumbers* numbers : {&answers.selectivity, &answers.etaSquared, &answers.topExcess})
        for (std::size_t h = 0; isOneTopic && h < sizeOf(heads); ++h)
        {
            numbers->value[h] = kNaN;
            numbers->null[h] = {};
            numbers->ci95[h] = {};
        }
    for (std::size_t h = 0; isOneTopic && h < sizeOf(heads); ++h)
    {
        answers.match.null[h] = {}; // shuffled labels are the same labels
        answers.topTopic[h] = -1;   // it has no other to exceed
        if (answers.topics < 2)
            answers.match.ci95[h] = {};
    }
    for (TestedNumbers* numbers : {&answers.selectivity, &answers.etaSquared, &answers.match, &answers.topExcess})
        correct(*numbers);
    return {};
}

} // namespace headscope
