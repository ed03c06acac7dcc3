// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/pruning_validation.h"

#include "model/analysis/heads/best_subsets.h"
#include "model/analysis/heads/pruning.h"
#include "model/analysis/heads/removal_differences.h"
#include "model/analysis/statistics/draws.h"
#include "model/base/random.h"
#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

using namespace headscope;
using namespace headscope::test;

namespace
{

constexpr std::int64_t kTopics = 6;
constexpr std::int64_t kDims = 8;

/// Documents [n, heads, kDims] of normal noise; `own` and `wrong` are how far each head points at the document's topic
/// and at the next one. Topic t is the t-th axis.
HeadVectors documentsOf(std::int64_t n, const std::vector<double>& own, const std::vector<double>& wrong,
                        std::uint64_t seed)
{
    const CounterRandom random(seed);
    std::vector<float> values;
    for (std::int64_t document = 0; document < n; ++document)
        for (std::size_t head = 0; head < own.size(); ++head)
            for (std::int64_t d = 0; d < kDims; ++d)
            {
                const double at = d == document % kTopics ? own[head] : d == (document + 1) % kTopics ? wrong[head] : 0;
                values.push_back(static_cast<float>(random.normal(values.size()) + at));
            }
    return {Stage::HeadOutput, LayerIndex(0), n, std::ssize(own), kDims, std::move(values)};
}

HeadVectors topicsOf(std::int64_t heads)
{
    std::vector<float> values(static_cast<std::size_t>(kTopics * heads * kDims));
    for (std::int64_t topic = 0; topic < kTopics; ++topic)
        for (std::int64_t head = 0; head < heads; ++head)
            values[static_cast<std::size_t>((topic * heads + head) * kDims + topic)] = 1;
    return {Stage::HeadOutput, LayerIndex(0), kTopics, heads, kDims, std::move(values)};
}

std::vector<std::int32_t> labelsOf(std::int64_t n)
{
    std::vector<std::int32_t> labels;
    for (std::int64_t document = 0; document < n; ++document)
        labels.push_back(static_cast<std::int32_t>(document % kTopics));
    return labels;
}

ModelInfo modelOf(std::int64_t heads)
{
    ModelInfo info;
    info.heads = info.kvHeads = heads;
    info.headDim = kDims;
    info.modelDim = heads * kDims;
    return info;
}

Result<HeadMatch> matchOf(const HeadVectors& documents, const std::vector<std::int32_t>& labels)
{
    JobContext job;
    return HeadMatch::create(documents, topicsOf(documents.heads()), labels, 1, 1, job);
}

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-12;
}

/// The same number, or no number in both.
bool same(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace

class TestPruningValidation : public QObject
{
    Q_OBJECT

    JobContext m_job;

    /// What halving b gains by the order that backwardElimination() finds on its half alone: [kept - 1].
    void naive(const HeadVectors& documents, std::int64_t b, std::uint64_t seed, std::vector<double>& chosen,
               std::vector<double>& elsewhere)
    {
        const std::int64_t n = documents.documents();
        std::vector<std::int32_t> chooses(static_cast<std::size_t>(n));
        std::fill_n(chooses.begin(), n / 2, 1);
        chooses = permutedLabels(chooses, Draws(seed), b);
        auto left = labelsOf(n);
        auto right = left;
        for (std::size_t i = 0; i < chooses.size(); ++i)
            (chooses[i] == 1 ? right : left)[i] = -1;
        const auto choosing = matchOf(documents, left);
        const auto judging = matchOf(documents, right);
        HEADSCOPE_VERIFY_OK(choosing);
        HEADSCOPE_VERIFY_OK(judging);
        const ModelInfo model = modelOf(documents.heads());
        const auto steps = backwardElimination(*choosing, model, PruningUnit::Heads, 1, m_job);
        HEADSCOPE_VERIFY_OK(steps);
        auto heads = allIndices(documents.heads());
        const auto all = static_cast<double>(judging->hits(heads, 1));
        for (std::size_t step = 1; step < steps->size(); ++step)
        {
            std::erase(heads, (*steps)[step].unit);
            const std::size_t at = heads.size() - 1;
            chosen[at] += (*steps)[step].value - steps->front().value;
            elsewhere[at] +=
                (static_cast<double>(judging->hits(heads, 1)) - all) / static_cast<double>(judging->labelled());
        }
    }

private Q_SLOTS:
    void equalsOrdersFoundOnHalvesAlone()
    {
        const HeadVectors documents = documentsOf(61, {1, 0.5, 0.2, 0, 0.7}, {0, 0, 0.5, 0.2, 0}, 5);
        const auto match = matchOf(documents, labelsOf(61));
        HEADSCOPE_VERIFY_OK(match);
        const HalvingOptions options{.halvings = 20, .seed = 9};
        std::vector<double> chosen(5);
        std::vector<double> elsewhere(5);
        for (std::int64_t b = 0; b < options.halvings; ++b)
            naive(documents, b, options.seed, chosen, elsewhere);
        for (const int threads : {1, 3})
        {
            const auto found = validateByHalves(*match, modelOf(5), PruningUnit::Heads, PruningOrder::Backward, options,
                                                threads, m_job);
            HEADSCOPE_VERIFY_OK(found);
            QCOMPARE(found->halvings, 20);
            QCOMPARE(found->documents, 61);
            QCOMPARE(found->byKept.size(), std::size_t{5});
            for (std::size_t at = 0; at < 5; ++at)
            {
                QVERIFY(isNear(found->byKept[at].chosen, chosen[at] / 20));
                QVERIFY(isNear(found->byKept[at].elsewhere, elsewhere[at] / 20));
                QVERIFY(isNear(found->byKept[at].kept, static_cast<double>(at + 1)));
            }
            QCOMPARE(found->byKept.back().chosenCi95.high, 0.0); // all heads gain nothing
        }
    }

    void whatChanceChoosesGainsNothingElsewhere()
    {
        // Six heads that know nothing: whatever a half prefers, it prefers by chance.
        double elsewhere = 0;
        for (std::uint64_t seed = 0; seed < 8; ++seed)
        {
            const HeadVectors documents =
                documentsOf(120, std::vector<double>(6, 0.0), std::vector<double>(6, 0.0), 100 + seed);
            const auto match = matchOf(documents, labelsOf(120));
            HEADSCOPE_VERIFY_OK(match);
            for (const PruningOrder order : {PruningOrder::Single, PruningOrder::Backward, PruningOrder::Forward})
            {
                const auto found =
                    validateByHalves(*match, modelOf(6), PruningUnit::Heads, order, {.seed = seed + 1}, 2, m_job);
                HEADSCOPE_VERIFY_OK(found);
                QVERIFY(found->best.chosen > 0.01); // what the table of steps shows
                QVERIFY(found->best.chosen > found->best.elsewhere + 0.02);
                elsewhere += found->best.elsewhere / 24;
            }
        }
        QVERIFY2(std::abs(elsewhere) < 0.04, std::to_string(elsewhere).c_str());
    }

    void whatIsThereIsGainedElsewhereToo()
    {
        // Head 3 points at the next topic, strongly: without it more is found, on every half.
        const HeadVectors documents = documentsOf(120, {1, 1, 1, 0}, {0, 0, 0, 6}, 3);
        const auto match = matchOf(documents, labelsOf(120));
        HEADSCOPE_VERIFY_OK(match);
        const auto found =
            validateByHalves(*match, modelOf(4), PruningUnit::Heads, PruningOrder::Backward, {}, 2, m_job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->halvings, 100);
        QVERIFY(found->byKept[2].elsewhereCi95.low > 0.2);
        QVERIFY(std::abs(found->byKept[2].elsewhere - found->byKept[2].chosen) < 0.02);
        const auto differences = removalDifferences(*match, modelOf(4), PruningUnit::Heads, 1, 2, m_job);
        HEADSCOPE_VERIFY_OK(differences);
        QVERIFY((*differences)[3].ci95.low > 0.2);
        QVERIFY((*differences)[3].p <= 0.0001);
        QVERIFY((*differences)[3].q <= 0.0004);
    }

    void tooLittleToHalve()
    {
        const HeadVectors documents = documentsOf(1, {1, 1}, {0, 0}, 3);
        const auto match = matchOf(documents, labelsOf(1));
        HEADSCOPE_VERIFY_OK(match);
        const auto found =
            validateByHalves(*match, modelOf(2), PruningUnit::Heads, PruningOrder::Backward, {}, 1, m_job);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(found->isEmpty());
    }

    void differencesAreThoseOfTheSteps()
    {
        const GoldenFile file(golden("analysis/pruning.h5"));
        const HeadVectors documents = goldenHeads(file, "b/cache/heads");
        const ModelInfo model = goldenModel(file, "b", documents);
        const auto match = HeadMatch::create(documents, goldenHeads(file, "b/cache/topics"),
                                             goldenLabels(file, "b/cache/label"), 5, 2, m_job);
        HEADSCOPE_VERIFY_OK(match);
        const double all =
            static_cast<double>(match->hits(allIndices(match->heads()), 5)) / static_cast<double>(match->labelled());
        for (const PruningUnit unit : {PruningUnit::Heads, PruningUnit::Groups})
        {
            const auto steps = withoutEach(*match, model, unit, 1, m_job);
            const auto one = removalDifferences(*match, model, unit, 4, 1, m_job);
            const auto three = removalDifferences(*match, model, unit, 4, 3, m_job);
            HEADSCOPE_VERIFY_OK(steps);
            HEADSCOPE_VERIFY_OK(one);
            QCOMPARE(one->size(), steps->size());
            for (std::size_t i = 0; i < steps->size(); ++i)
            {
                QVERIFY(isNear((*one)[i].difference, (*steps)[i].value - all));
                if ((*one)[i].changed >= kMinChanged)
                    QVERIFY((*one)[i].ci95.low <= (*one)[i].difference && (*one)[i].difference <= (*one)[i].ci95.high);
                else
                    QVERIFY(std::isnan((*one)[i].ci95.low) && std::isnan((*one)[i].ci95.high));
                QVERIFY(same((*three)[i].ci95.low, (*one)[i].ci95.low));
                QCOMPARE((*three)[i].changed, (*one)[i].changed);
                QVERIFY(same((*three)[i].p, (*one)[i].p));
                QCOMPARE(std::isnan((*one)[i].p), (*one)[i].changed < kMinTested);
                QVERIFY((*one)[i].q >= (*one)[i].p || (std::isnan((*one)[i].q) && (*one)[i].hasNoTest()));
            }
        }
    }

    void aHeadOfZerosChangesNothing()
    {
        HeadVectors documents = documentsOf(30, {1, 0}, {0, 0}, 8);
        std::vector<float> values(documents.values().begin(), documents.values().end());
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i / kDims % 2 == 1)
                values[i] = 0;
        documents = HeadVectors(Stage::HeadOutput, LayerIndex(0), 30, 2, kDims, std::move(values));
        const auto match = matchOf(documents, labelsOf(30));
        HEADSCOPE_VERIFY_OK(match);
        const auto differences = removalDifferences(*match, modelOf(2), PruningUnit::Heads, 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(differences);
        QCOMPARE((*differences)[1].changed, 0);
        QCOMPARE((*differences)[1].difference, 0.0);
        QVERIFY(std::isnan((*differences)[1].ci95.low)); // what never changed says nothing of what may
        QVERIFY((*differences)[1].hasNoTest() && std::isnan((*differences)[1].q));
        QVERIFY((*differences)[0].ci95.high < 0);           // nothing is left without the other
        QCOMPARE((*differences)[0].q, (*differences)[0].p); // what has no test is none of many
    }

    /// Of n documents that change all for the worse p is 2 / 2^n: with five no test can tell, with six one can.
    void fewChangesHaveNoTest()
    {
        const std::vector<std::int32_t> with(50, 1);
        std::vector<std::vector<std::int32_t>> without(3, with);
        for (const auto& [set, changed] : {std::pair(0, 0), std::pair(1, 5), std::pair(2, 6)})
            std::fill_n(without[static_cast<std::size_t>(set)].begin(), changed, 0);
        const auto differences = pairedDifferences(without, with, 1, 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(differences);
        QVERIFY((*differences)[0].hasNoTest() && (*differences)[1].hasNoTest() && !(*differences)[2].hasNoTest());
        QCOMPARE((*differences)[1].changed, 5);
        QCOMPARE((*differences)[1].difference, -0.1);
        QVERIFY(std::isnan((*differences)[0].q) && std::isnan((*differences)[1].q));
        QVERIFY2(std::abs((*differences)[2].p - 2.0 / 64) < 0.006, std::to_string((*differences)[2].p).c_str());
        QCOMPARE((*differences)[2].q, (*differences)[2].p);
    }

    void noiseIsRarelySignificant()
    {
        // Heads that know nothing: p is spread out, and the intervals hold 0.
        int small = 0;
        int low = 0;
        int held = 0;
        constexpr int kRuns = 60;
        for (int run = 0; run < kRuns; ++run)
        {
            const HeadVectors documents = documentsOf(180, {0, 0, 0}, {0, 0, 0}, 1000 + static_cast<unsigned>(run));
            const auto match = matchOf(documents, labelsOf(180));
            HEADSCOPE_VERIFY_OK(match);
            const auto differences = removalDifferences(*match, modelOf(3), PruningUnit::Heads, 1, 2, m_job);
            HEADSCOPE_VERIFY_OK(differences);
            const PairedDifference& first = differences->front();
            small += first.p <= 0.1 ? 1 : 0;
            low += first.p <= 0.5 ? 1 : 0;
            held += first.ci95.low <= 0 && first.ci95.high >= 0 ? 1 : 0;
        }
        QVERIFY2(small <= 14, std::to_string(small).c_str());
        QVERIFY2(low >= 15 && low <= 45, std::to_string(low).c_str());
        QVERIFY2(held >= 50, std::to_string(held).c_str());
    }

    void theBestOfAllSubsets()
    {
        const HeadVectors documents = documentsOf(70, {1, 0.6, 0.6, 0.3, 0, 0.4}, {0, 0.3, 0, 0.3, 0.5, 0.2}, 12);
        const auto match = matchOf(documents, labelsOf(70));
        HEADSCOPE_VERIFY_OK(match);
        std::vector<std::int64_t> most(6, -1);
        for (unsigned mask = 1; mask < 64; ++mask)
        {
            std::vector<std::int64_t> heads;
            for (std::int64_t head = 0; head < 6; ++head)
                if ((mask >> static_cast<unsigned>(head) & 1U) != 0)
                    heads.push_back(head);
            auto& best = most[heads.size() - 1];
            best = std::max(best, match->hits(heads, 1));
        }
        const auto found = bestSubsets(*match, modelOf(6), PruningUnit::Heads, {.halvings = 30}, 3, m_job);
        const auto greedy = backwardElimination(*match, modelOf(6), PruningUnit::Heads, 1, m_job);
        HEADSCOPE_VERIFY_OK(found);
        HEADSCOPE_VERIFY_OK(greedy);
        for (std::size_t at = 0; at < 6; ++at)
        {
            const BestSubset& best = found->bySize[at];
            QCOMPARE(best.units.size(), at + 1);
            QCOMPARE(best.hits, most[at]);
            QCOMPARE(match->hits(best.units, 1), most[at]);
            QVERIFY(best.hits >= (*greedy)[5 - at].hits);
            QVERIFY(best.held.has_value());
            QVERIFY(best.held->chosen >= best.held->elsewhere);
        }
        QCOMPARE(found->bySize.back().units, allIndices(6));
        QVERIFY(isNear(found->bySize.back().held->elsewhere, 0));
        const HeadVectors many = documentsOf(4, std::vector<double>(13, 1), std::vector<double>(13, 0), 1);
        const auto refused = matchOf(many, labelsOf(4));
        HEADSCOPE_VERIFY_OK(refused);
        HEADSCOPE_VERIFY_ERROR(bestSubsets(*refused, modelOf(13), PruningUnit::Heads, {}, 1, m_job),
                               ErrorCode::InvalidArgument, "expected at most 12 units");
    }

    /// Six heads of noise: the best size of a half is best for that half alone.
    void sizesOfSubsetsAreChosenOnHalves()
    {
        const HeadVectors documents = documentsOf(60, std::vector<double>(6, 0), std::vector<double>(6, 0), 31);
        const auto match = matchOf(documents, labelsOf(60));
        HEADSCOPE_VERIFY_OK(match);
        constexpr std::int64_t kHalvings = 25;
        const auto found =
            bestSubsets(*match, modelOf(6), PruningUnit::Heads, {.halvings = kHalvings, .seed = 4}, 2, m_job);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(found->best.has_value() && found->fewest.has_value());
        double most = 0;
        for (const BestSubset& size : found->bySize)
            most = std::max(most, size.held->chosen);
        QVERIFY(found->best->chosen >= most); // each half has its own best size
        QVERIFY(found->fewest->chosen >= 0 && found->fewest->kept <= found->best->kept);
        // By hand: every set on both halves of each halving.
        double chosen = 0;
        double elsewhere = 0;
        for (std::int64_t b = 0; b < kHalvings; ++b)
        {
            std::vector<std::int32_t> half(60);
            std::fill_n(half.begin(), 30, 1);
            half = permutedLabels(half, Draws(4), b);
            const auto sums = [&](unsigned mask) {
                std::vector<std::int64_t> heads;
                for (std::int64_t head = 0; head < 6; ++head)
                    if ((mask >> static_cast<unsigned>(5 - head) & 1U) != 0)
                        heads.push_back(head);
                const auto matched = match->matched(heads, 1);
                std::pair<double, double> sum;
                for (std::size_t i = 0; i < matched.size(); ++i)
                    (half[i] == 1 ? sum.first : sum.second) += matched[i] / 30.0;
                return sum;
            };
            std::pair<double, double> best{-1, 0};
            for (int size = 1; size <= 6; ++size) // ties: the fewest, then the set whose heads come first
                for (unsigned mask = 63; mask > 0; --mask)
                    if (std::popcount(mask) == size && sums(mask).first > best.first + 1e-9)
                        best = sums(mask);
            chosen += (best.first - sums(63).first) / kHalvings;
            elsewhere += (best.second - sums(63).second) / kHalvings;
        }
        QVERIFY(isNear(found->best->chosen, chosen) && isNear(found->best->elsewhere, elsewhere));
        const auto without = bestSubsets(*match, modelOf(6), PruningUnit::Heads, {.halvings = 0}, 1, m_job);
        HEADSCOPE_VERIFY_OK(without);
        QVERIFY(!without->best && !without->fewest);
    }

    /// Rankings in every order find this share of the relevant ones.
    void chanceOfRetrieval()
    {
        const HeadVectors documents = documentsOf(40, {1, 0.5, 0}, {0, 0, 0.5}, 21);
        const std::vector<RelevantQuery> relevant = {{0, 0, {1, 2, -1}}, {1, -1, {1, 5}}, {2, 2, {2, 3}}};
        const auto retrieval = HeadRetrieval::create(documents, documents, relevant, 5, 1, m_job);
        HEADSCOPE_VERIFY_OK(retrieval);
        // Of 39, 40 and 39 documents five are found; a third one is not there, one query is its own answer.
        QVERIFY(isNear(retrieval->chance(), (5.0 / 39 * 2 / 3 + 5.0 / 40 + 5.0 / 39 / 2) / 3));
        const auto all = HeadRetrieval::create(documents, documents, relevant, 100, 1, m_job);
        HEADSCOPE_VERIFY_OK(all);
        QVERIFY(isNear(all->chance(), (2.0 / 3 + 1 + 0.5) / 3));
    }

    /// Labels that are alike in number: always naming one is right less often than guessing where it is rare in the
    /// test, and chance is the larger.
    void chanceOfProbe()
    {
        const HeadVectors documents = documentsOf(48, {1, 0.5}, {0, 0}, 3);
        const auto labels = labelsOf(48);
        bool below = false;
        for (std::uint64_t seed = 1; seed <= 12; ++seed)
        {
            const auto probe = HeadTopicProbe::create(documents, labels, 0.25, seed);
            HEADSCOPE_VERIFY_OK(probe);
            QVERIFY(isNear(probe->guessing(), 1.0 / kTopics));
            QCOMPARE(probe->chance(), std::max(probe->majority(), probe->guessing()));
            below = below || probe->majority() < probe->guessing();
        }
        QVERIFY(below);
    }

    void scoresAddUpToValues()
    {
        const HeadVectors documents = documentsOf(40, {1, 0.5, 0}, {0, 0, 0.5}, 21);
        std::vector<RelevantQuery> relevant;
        for (std::int64_t query = 0; query < 34; ++query)
            relevant.push_back({query, query, {(query + 6) % 40, (query + 12) % 40, (query + 7) % 40}});
        const auto retrieval = HeadRetrieval::create(documents, documents, relevant, 5, 2, m_job);
        const auto labels = labelsOf(40);
        const auto probe = HeadTopicProbe::create(documents, labels, 0.3, 1);
        HEADSCOPE_VERIFY_OK(retrieval);
        HEADSCOPE_VERIFY_OK(probe);
        const std::vector<std::vector<std::int64_t>> flips = {{}, {0}, {1, 2}, {0, 1, 2}};
        for (const HeadSetMeasure* measure :
             {static_cast<const HeadSetMeasure*>(&*retrieval), static_cast<const HeadSetMeasure*>(&*probe)})
        {
            const auto values = measure->flipped({true, true, true}, flips, 1, m_job);
            const auto scores = measure->scores({true, true, true}, flips, 2, m_job);
            HEADSCOPE_VERIFY_OK(values);
            HEADSCOPE_VERIFY_OK(scores);
            for (std::size_t i = 0; i < flips.size(); ++i)
            {
                const auto& one = (*scores)[i];
                QCOMPARE(std::ssize(one), measure->scored());
                const auto sum = static_cast<double>(std::accumulate(one.begin(), one.end(), std::int64_t{0}));
                QVERIFY(
                    isNear(sum / static_cast<double>(measure->scored()) / measure->fullScore(), (*values)[i].value));
            }
            QCOMPARE((*values)[3].value, 0.0);
            const auto interval = intervalOfMask(*measure, {true, true, true}, 1, 1, m_job);
            HEADSCOPE_VERIFY_OK(interval);
            QVERIFY(interval->low <= values->front().value && values->front().value <= interval->high);
            QVERIFY(interval->low < interval->high);
            const auto found = validateByHalves(*measure, modelOf(3), PruningUnit::Heads, PruningOrder::Backward,
                                                {.halvings = 10}, 1, m_job);
            HEADSCOPE_VERIFY_OK(found);
            QVERIFY(found->best.chosen >= 0);
        }
        QVERIFY(probe->majority() > 0.02 && probe->majority() < 0.5);
    }

    void stopsWhenAsked()
    {
        const HeadVectors documents = documentsOf(40, {1, 0.5, 0}, {0, 0, 0.5}, 21);
        const auto match = matchOf(documents, labelsOf(40));
        HEADSCOPE_VERIFY_OK(match);
        std::stop_source source;
        JobContext job(source.get_token());
        source.request_stop();
        const ModelInfo model = modelOf(3);
        QCOMPARE(validateByHalves(*match, model, PruningUnit::Heads, PruningOrder::Single, {}, 1, job).error().code,
                 ErrorCode::Cancelled);
        QCOMPARE(removalDifferences(*match, model, PruningUnit::Heads, 1, 1, job).error().code, ErrorCode::Cancelled);
        QCOMPARE(bestSubsets(*match, model, PruningUnit::Heads, {}, 1, job).error().code, ErrorCode::Cancelled);
    }

    void savingsKnowBiasesEncodersAndSegments()
    {
        ModelInfo model = modelOf(4);
        model.kvHeads = 2;
        const std::vector<bool> kept = {false, false, true, false}; // one group is gone, and one head of the other
        const std::int64_t matrices = 2 * kDims * model.modelDim;
        model.family = "mistral"; // no biases
        HeadSavings saved = savingsWithout(kept, model, Stage::HeadOutput);
        QCOMPARE(*saved.parameters, 3 * matrices + matrices);
        QCOMPARE(*saved.kvBytes, 2 * kDims * 2);
        QVERIFY(savingsNote(model, Stage::HeadOutput).empty());
        model.family = "qwen2"; // q, k and v have some
        saved = savingsWithout(kept, model, Stage::HeadOutput);
        QCOMPARE(*saved.parameters, 3 * (matrices + kDims) + matrices + 2 * kDims);
        model.family = "llama"; // who knows
        QCOMPARE(*savingsWithout(kept, model, Stage::HeadOutput).parameters, 4 * matrices);
        QVERIFY(savingsNote(model, Stage::HeadOutput).find("does not describe whether") != std::string::npos);
        model.family = "bert";
        model.kvHeads = 4;
        saved = savingsWithout(kept, model, Stage::HeadOutput);
        QCOMPARE(*saved.parameters, 3 * (2 * matrices + 3 * kDims));
        QVERIFY(!saved.kvBytes.has_value());
        QVERIFY(savingsNote(model, Stage::HeadOutput).find("no KV cache") != std::string::npos);
        saved = savingsWithout(kept, model, Stage::OutputSegment);
        QVERIFY(!saved.parameters && !saved.kvBytes);
        QVERIFY(savingsNote(model, Stage::OutputSegment).find("removing it saves nothing") != std::string::npos);
        model.headDim = 0;
        QVERIFY(!savingsWithout(kept, model, Stage::HeadOutput).parameters);
        QVERIFY(savingsNote(model, Stage::HeadOutput).find("does not describe the size of the model's heads") !=
                std::string::npos);
    }
};

HEADSCOPE_TEST_GUILESS(TestPruningValidation)
#include "tst_pruning_validation.moc"
