// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/head_collector.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace headscope;

namespace
{

constexpr std::int64_t kDims = 4;

/// A document with numbers of its own.
struct Made
{
    std::string id;
    std::vector<std::int32_t> ids;
    MatrixF q, k, z, weights;

    Made(int number, std::int64_t tokens)
        : id("d" + std::to_string(number)), q(tokens, kDims), k(tokens, kDims), z(tokens, kDims),
          weights(tokens, tokens)
    {
        const CounterRandom random(77, static_cast<std::uint64_t>(number));
        std::uint64_t at = 0;
        for (std::int64_t t = 0; t < tokens; ++t)
        {
            ids.push_back(static_cast<std::int32_t>(random.below(at++, 50)));
            for (std::int64_t i = 0; i < kDims; ++i)
            {
                q(t, i) = static_cast<float>(random.normal(at++));
                k(t, i) = static_cast<float>(random.normal(at++));
                z(t, i) = static_cast<float>(random.normal(at++));
            }
            double sum = 0;
            for (std::int64_t s = 0; s <= t; ++s)
                sum += static_cast<double>(weights(t, s) = static_cast<float>(random.uniform(at++)));
            for (std::int64_t s = 0; s <= t; ++s)
                weights(t, s) /= static_cast<float>(sum);
        }
    }
    [[nodiscard]] HeadDocument document() const { return {id, ids, q.view(), k.view(), z.view(), weights.view()}; }
};

HeadCorpus begin(std::int64_t sample)
{
    HeadCorpus corpus;
    corpus.source.model.headDim = kDims;
    corpus.source.sampleTokens = sample;
    corpus.source.seed = 5;
    return corpus;
}

std::vector<Made> documents(int count)
{
    std::vector<Made> made;
    for (int i = 0; i < count; ++i)
        made.emplace_back(i, i % 7 == 3 ? 0 : 1 + i * 31 % 23);
    return made;
}

bool equal(const HeadCorpus& a, const HeadCorpus& b)
{
    return a.documents == b.documents && a.offsets == b.offsets && a.ids == b.ids && a.activations == b.activations &&
           a.strongest == b.strongest && a.strongestWeights == b.strongestWeights && a.firstWeights == b.firstWeights &&
           a.sampled == b.sampled && a.q == b.q && a.k == b.k && a.z == b.z && a.top == b.top && a.deciles == b.deciles;
}

} // namespace

class TestHeadCollector : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyToken();
    void theSample();
    void samplesAreUniform();
    void strongestTokens();
    void examplesOfDeciles();
    void goesOnToTheBit();
    void fewTokens();
    void notFinite();
};

void TestHeadCollector::everyToken()
{
    const auto made = documents(12);
    HeadCollector collector(begin(10), {});
    for (const Made& each : made)
        HEADSCOPE_VERIFY_OK(collector.add(each.document()));
    const HeadCorpus found = collector.finish();
    QCOMPARE(found.documentCount(), 12);
    std::size_t token = 0;
    for (std::size_t d = 0; d < made.size(); ++d)
    {
        QCOMPARE(found.documents[d], made[d].id);
        QCOMPARE(found.offsets[d], static_cast<std::int64_t>(token));
        for (std::int64_t t = 0; t < made[d].z.rows(); ++t, ++token)
        {
            double sum = 0;
            for (const float x : made[d].z.row(t))
                sum += static_cast<double>(x) * static_cast<double>(x);
            QCOMPARE(found.activations[token], static_cast<float>(std::sqrt(sum)));
            QCOMPARE(found.ids[token], made[d].ids[static_cast<std::size_t>(t)]);
            const auto row = made[d].weights.row(t);
            QCOMPARE(found.strongestWeights[token], *std::ranges::max_element(row));
            QCOMPARE(row[static_cast<std::size_t>(found.strongest[token])], found.strongestWeights[token]);
            QCOMPARE(found.firstWeights[token], row.front());
        }
    }
    QCOMPARE(found.tokenCount(), static_cast<std::int64_t>(token));
}

/// The vectors are those of the sampled tokens.
void TestHeadCollector::theSample()
{
    const auto made = documents(20);
    HeadCollector collector(begin(40), {});
    for (const Made& each : made)
        HEADSCOPE_VERIFY_OK(collector.add(each.document()));
    const HeadCorpus found = collector.finish();
    QCOMPARE(found.sampled.size(), std::size_t{40});
    QVERIFY(std::ranges::adjacent_find(found.sampled, std::greater_equal<>()) == found.sampled.end());
    for (std::size_t i = 0; i < found.sampled.size(); ++i)
    {
        const TokenPlace place = found.placeOf(found.sampled[i]);
        const Made& document = made[place.document.index()];
        const auto row = static_cast<std::int64_t>(i);
        QVERIFY(std::ranges::equal(found.q.row(row), document.q.row(place.token.value())));
        QVERIFY(std::ranges::equal(found.k.row(row), document.k.row(place.token.value())));
        QVERIFY(std::ranges::equal(found.z.row(row), document.z.row(place.token.value())));
    }
}

/// Over many seeds every token is drawn as often as any other: 10 of 40, 4,000 times. The standard deviation of a count
/// is 27.4, and 5 of them are never exceeded by 40 fair counts but once in 40,000.
void TestHeadCollector::samplesAreUniform()
{
    const Made made(1, 40);
    std::map<std::int64_t, int> counts;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed)
    {
        HeadCorpus corpus = begin(10);
        corpus.source.seed = seed;
        HeadCollector collector(std::move(corpus), {}, {.drawn = 0});
        HEADSCOPE_VERIFY_OK(collector.add(made.document()));
        for (const std::int64_t token : collector.finish().sampled)
            ++counts[token];
    }
    QCOMPARE(counts.size(), std::size_t{40});
    for (const auto& [token, count] : counts)
        QVERIFY2(std::abs(count - 1000) < 5 * 27.4, std::to_string(count).c_str());
}

void TestHeadCollector::strongestTokens()
{
    const auto made = documents(60);
    HeadCollector collector(begin(10), {}, {.top = 9, .topPerDocument = 2});
    for (const Made& each : made)
        HEADSCOPE_VERIFY_OK(collector.add(each.document()));
    const HeadCorpus found = collector.finish();
    // The same from all activations.
    std::vector<std::int64_t> order;
    for (std::int64_t token = 0; token < found.tokenCount(); ++token)
        order.push_back(token);
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::int64_t token) { return found.activations[static_cast<std::size_t>(token)]; });
    std::map<std::int64_t, int> ofDocument;
    std::vector<std::int64_t> expected;
    for (const std::int64_t token : order)
        if (expected.size() < 9 && ++ofDocument[found.placeOf(token).document.value()] <= 2)
            expected.push_back(token);
    QCOMPARE(found.top.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        QCOMPARE(found.top[i].token, expected[i]);
        const TokenPlace place = found.placeOf(expected[i]);
        QVERIFY(
            std::ranges::equal(found.top[i].weights, made[place.document.index()].weights.row(place.token.value())));
    }
}

void TestHeadCollector::examplesOfDeciles()
{
    const auto made = documents(80);
    HeadCollector collector(begin(10), {}, {.perDecile = 4, .drawn = 400});
    for (const Made& each : made)
        HEADSCOPE_VERIFY_OK(collector.add(each.document()));
    const HeadCorpus found = collector.finish();
    const auto deciles = decilesOf(found.activations);
    std::set<std::int64_t> seen;
    for (std::size_t decile = 0; decile < kDeciles; ++decile)
    {
        QCOMPARE(found.deciles[decile].size(), std::size_t{4});
        for (const HeadExample& each : found.deciles[decile])
        {
            QCOMPARE(std::size_t{deciles[static_cast<std::size_t>(each.token)]}, decile);
            QVERIFY(seen.insert(each.token).second);
            const TokenPlace place = found.placeOf(each.token);
            QVERIFY(std::ranges::equal(each.weights, made[place.document.index()].weights.row(place.token.value())));
        }
    }
}

/// Kept and taken up again anywhere, any number of times.
void TestHeadCollector::goesOnToTheBit()
{
    const auto made = documents(50);
    HeadCollector straight(begin(60), {}, {.drawn = 90});
    for (const Made& each : made)
        HEADSCOPE_VERIFY_OK(straight.add(each.document()));
    for (const std::size_t every : {1, 7, 30})
    {
        HeadCollector collector(begin(60), {}, {.drawn = 90});
        for (std::size_t i = 0; i < made.size(); ++i)
        {
            if (i % every == 0)
                collector = HeadCollector(collector.gathered(), collector.drawn(), {.drawn = 90});
            HEADSCOPE_VERIFY_OK(collector.add(made[i].document()));
        }
        QVERIFY(equal(collector.finish(), straight.finish()));
        QVERIFY(collector.drawn() == straight.drawn());
    }
}

void TestHeadCollector::fewTokens()
{
    const Made made(1, 3);
    HeadCollector collector(begin(100), {});
    HEADSCOPE_VERIFY_OK(collector.add(made.document()));
    const HeadCorpus found = collector.finish();
    QCOMPARE(found.sampled, (std::vector<std::int64_t>{0, 1, 2}));
    QCOMPARE(found.q.rows(), 3);
    QCOMPARE(found.top.size(), std::size_t{3});
    std::size_t examples = 0;
    for (const auto& decile : found.deciles)
        examples += decile.size();
    QCOMPARE(examples, std::size_t{3});
}

void TestHeadCollector::notFinite()
{
    Made made(3, 0);
    made = Made(4, 5);
    made.z(2, 1) = std::numeric_limits<float>::quiet_NaN();
    HeadCollector collector(begin(10), {});
    const Status added = collector.add(made.document());
    QVERIFY(!added);
    QVERIFY(added.error().sentence().find("NaN or infinity at token 2") != std::string::npos);
    QVERIFY(added.error().sentence().find("document d4") != std::string::npos);
}

HEADSCOPE_TEST_GUILESS(TestHeadCollector)
#include "tst_head_collector.moc"
