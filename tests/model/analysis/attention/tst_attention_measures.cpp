// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/attention_measures.h"

#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <map>
#include <string>

using namespace headscope;

namespace
{

constexpr double kTolerance = 1e-11;

/// A stack of layers, [L, H, T, T].
struct Stack
{
    std::vector<float> weights;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t tokens = 0;

    Stack(const test::GoldenFile& file, const std::string& name) : weights(file.floats(name))
    {
        const auto shape = file.shape(name);
        layers = shape[0];
        heads = shape[1];
        tokens = shape[2];
    }
    [[nodiscard]] ConstMatrixView rows(std::int64_t layer, std::int64_t head, std::int64_t first,
                                       std::int64_t count) const
    {
        return {weights.data() + ((layer * heads + head) * tokens + first) * tokens, count, tokens};
    }
};

/// Every measure as [L, H], from rows in pieces.
std::map<std::string, std::vector<double>> measured(const Stack& stack, AttentionText text, std::int64_t piece,
                                                    int threads)
{
    text.tokens = stack.tokens;
    std::map<std::string, std::vector<double>> found;
    for (std::int64_t layer = 0; layer < stack.layers; ++layer)
    {
        AttentionStatistics statistics(text, stack.heads, threads);
        for (HeadIndex head; head.value() < stack.heads; ++head)
            for (std::int64_t first = 0; first < stack.tokens; first += piece)
                statistics.add(head, TokenIndex(first),
                               stack.rows(layer, head.value(), first, std::min(piece, stack.tokens - first)));
        for (HeadIndex head; head.value() < stack.heads; ++head)
            for (const AttentionMeasure& measure : attentionMeasures(text))
                found[std::string(measure.name)].push_back(statistics.of(head).*measure.value);
    }
    return found;
}

/// A head that gives each row one weight: [T, T].
std::vector<float> pointing(std::int64_t tokens, const std::vector<std::int64_t>& to)
{
    std::vector<float> weights(static_cast<std::size_t>(tokens * tokens), 0.0F);
    for (std::int64_t t = 0; t < tokens; ++t)
        weights[static_cast<std::size_t>(t * tokens + to[static_cast<std::size_t>(t)])] = 1;
    return weights;
}

HeadAttention of(const AttentionText& text, const std::vector<float>& weights)
{
    AttentionStatistics statistics(text, 1);
    statistics.add(HeadIndex(0), TokenIndex(0), {weights.data(), text.tokens, text.tokens});
    return statistics.of(HeadIndex(0));
}

} // namespace

class TestAttentionMeasures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedMeasures_data();
    void recordedMeasures();
    void recordedSpanMass();
    void repeatedIds();
    void windowsAndEncoders();
    void oneToken();
};

void TestAttentionMeasures::recordedMeasures_data()
{
    QTest::addColumn<std::int64_t>("piece");
    QTest::addColumn<int>("threads");
    QTest::newRow("at once") << std::int64_t{20} << 1;
    QTest::newRow("in pieces") << std::int64_t{7} << 2;
    QTest::newRow("row by row") << std::int64_t{1} << 3;
}

void TestAttentionMeasures::recordedMeasures()
{
    QFETCH(std::int64_t, piece);
    QFETCH(int, threads);
    const test::GoldenFile truth(test::golden("analysis/attention.h5"));
    const Stack stack(truth, "attention");
    const auto found = measured(stack, {}, piece, threads);
    QVERIFY(found == measured(stack, {}, 20, 1)); // to the bit
    const std::map<std::string, std::string> names = {
        {"entropy", "entropy/mean"},         {"entropy_causal", "entropy/causal_normalised"},
        {"entropy_raw", "entropy/raw_mean"}, {"entropy_causal_raw", "entropy/raw_causal_normalised"},
        {"first_token", "mass/first"},       {"previous_token", "mass/previous"},
        {"self_token", "mass/self"},         {"confidence", "confidence/mean_row_max"},
        {"largest", "confidence/maximum"}};
    QCOMPARE(found.size(), names.size());
    for (const auto& [name, dataset] : names)
    {
        const double error = test::absmax(found.at(name), truth.doubles(dataset));
        QVERIFY2(error <= kTolerance, (name + ": " + std::to_string(error)).c_str());
    }
}

void TestAttentionMeasures::recordedSpanMass()
{
    const test::GoldenFile truth(test::golden("circuits/needle.h5"));
    const Stack stack(truth, "attention/weights");
    const auto query = truth.integers("attention/query");
    const auto gold = truth.integers("attention/gold"); // which of the contexts are
    const auto spans = truth.integers("attention/spans");
    std::vector<double> ofGold(static_cast<std::size_t>(stack.layers * stack.heads), 0.0);
    double even = 0;
    const auto contexts = truth.doubles("attention/score_contexts"); // [L, H, n]
    const auto numSpans = static_cast<std::size_t>(truth.shape("attention/spans")[0]);
    for (std::size_t span = 0; span < numSpans; ++span)
    {
        AttentionText text;
        text.query = TokenRange{query[0], query[1]};
        text.span = TokenRange{spans[2 * span], spans[2 * span + 1]};
        const auto found = measured(stack, text, 8, 1).at("span_mass");
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(std::abs(found[i] - contexts[i * numSpans + span]) <= 1e-12);
        if (std::ranges::find(gold, static_cast<std::int64_t>(span)) == gold.end())
            continue;
        text.tokens = stack.tokens;
        even += text.evenSpanMass();
        std::ranges::transform(ofGold, found, ofGold.begin(), std::plus());
    }
    QVERIFY(test::absmax(ofGold, truth.doubles("attention/score")) <= 1e-12);
    QVERIFY(std::abs(even - truth.doubles("attention/uniform")[0]) <= 1e-12);
}

/// Six random ids twice: what an induction head and a head that looks for the same token do.
void TestAttentionMeasures::repeatedIds()
{
    AttentionText text{.tokens = 12, .ids = {5, 9, 2, 7, 4, 8, 5, 9, 2, 7, 4, 8}, .query = {}, .span = {}};
    const auto induction = of(text, pointing(12, {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6}));
    QCOMPARE(induction.induction, 1.0);
    QCOMPARE(induction.duplicateToken, 0.0);
    const auto duplicate = of(text, pointing(12, {0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5}));
    QCOMPARE(duplicate.duplicateToken, 1.0);
    QCOMPARE(duplicate.induction, 0.0);
    // Several earlier places count together, and a token directly before is none that another one follows.
    text = {.tokens = 4, .ids = {3, 3, 1, 3}, .query = {}, .span = {}};
    const std::vector<float> weights = {1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0, 0, 1, 0, 0.25F, 0.125F, 0.5F, 0.125F};
    QCOMPARE(of(text, weights).duplicateToken, (0.5 + 0.375) / 2);
    QCOMPARE(of(text, weights).induction, 0.625);
    text = {.tokens = 3, .ids = {1, 2, 3}, .query = {}, .span = {}};
    QVERIFY(std::isnan(of(text, pointing(3, {0, 0, 0})).induction));
}

void TestAttentionMeasures::windowsAndEncoders()
{
    // Every token spreads its attention over all that it may see: the normalised entropy is 1.
    for (const bool causal : {true, false})
        for (const std::int64_t window : {0, 3})
        {
            const AttentionText text{
                .tokens = 6, .causal = causal, .window = window, .ids = {}, .query = {}, .span = {}};
            std::vector<float> weights(36, 0.0F);
            for (std::int64_t t = 0; t < 6; ++t)
                for (std::int64_t s = text.visible(t).begin; s < text.visible(t).end; ++s)
                    weights[static_cast<std::size_t>(6 * t + s)] = 1 / static_cast<float>(text.visible(t).size());
            QVERIFY(std::abs(of(text, weights).entropyCausalRaw - 1) < 1e-6);
        }
    AttentionText text{.tokens = 10, .causal = false, .ids = {}, .query = TokenRange{8, 10}, .span = TokenRange{2, 5}};
    QCOMPARE(text.evenSpanMass(), 0.3);
    text.causal = true;
    QCOMPARE(text.evenSpanMass(), (3.0 / 9 + 3.0 / 10) / 2);
    text.window = 5; // 8 sees 4 to 8, 9 sees 5 to 9
    QCOMPARE(text.evenSpanMass(), (1.0 / 5 + 0) / 2);
    text = {.tokens = 10, .causal = false, .window = 5, .ids = {}, .query = TokenRange{3, 4}, .span = TokenRange{5, 7}};
    QVERIFY(text.visible(3) == (TokenRange{1, 6})); // half of it, 2, to either side
    QVERIFY(text.visible(9) == (TokenRange{7, 10}));
    QCOMPARE(text.evenSpanMass(), 1.0 / 5);
}

void TestAttentionMeasures::oneToken()
{
    const AttentionText text{.tokens = 1, .ids = {4}, .query = {}, .span = {}};
    const auto found = of(text, {1.0F});
    QCOMPARE(found.confidence, 1.0);
    QCOMPARE(found.entropyRaw, 0.0);
    for (const double none : {found.entropyCausal, found.firstToken, found.previousToken, found.largest,
                              found.induction, found.duplicateToken, found.spanMass})
        QVERIFY(std::isnan(none));
}

HEADSCOPE_TEST_GUILESS(TestAttentionMeasures)
#include "tst_attention_measures.moc"
