// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/attention_paths.h"

#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <numeric>

using namespace headscope;

namespace
{

constexpr double kTolerance = 1e-11;

const test::GoldenFile& truth()
{
    static const test::GoldenFile file(test::golden("analysis/attention.h5"));
    return file;
}

/// The mixing of all four layers of the recorded attention.
std::vector<MatrixD> recordedMixing(FirstToken first)
{
    const auto weights = truth().floats("attention"); // [L, H, T, T]
    const auto shape = truth().shape("attention");
    std::vector<MatrixD> mixed;
    const auto size = static_cast<std::size_t>(shape[1] * shape[2] * shape[3]);
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(shape[0]); ++layer)
        mixed.push_back(mixedTokens(std::span(weights).subspan(layer * size, size), shape[1], shape[2], first));
    return mixed;
}

} // namespace

class TestAttentionPaths : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedDistances();
    void recordedRollout();
    void rolloutWithoutTheFirstToken();
    void flowOfASmallNetwork();
    void flowIsBounded();
};

void TestAttentionPaths::recordedDistances()
{
    const auto weights = truth().floats("attention");
    const auto found = attentionDistances(weights, 24, 20, 1);
    QVERIFY(test::absmax(found.values(), truth().doubles("js")) <= kTolerance);
    for (const int threads : {2, 3})
        QCOMPARE(attentionDistances(weights, 24, 20, threads), found);
    const auto blocks = truth().doubles("js_layer"); // [L, H, H]
    for (std::size_t layer = 0; layer < 4; ++layer)
    {
        const auto one = attentionDistances(std::span<const float>(weights).subspan(layer * 2400, 2400), 6, 20, 1);
        QVERIFY(test::absmax(one.values(), {blocks.begin() + static_cast<std::ptrdiff_t>(layer) * 36,
                                            blocks.begin() + static_cast<std::ptrdiff_t>(layer + 1) * 36}) <=
                kTolerance);
    }
}

void TestAttentionPaths::recordedRollout()
{
    const auto mixed = recordedMixing(FirstToken::Kept);
    const auto expected = truth().doubles("rollout"); // [L, T, T]
    for (std::size_t layer = 0; layer < mixed.size(); ++layer)
    {
        const auto found = attentionRollout(std::span(mixed).first(layer + 1));
        const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(layer) * 400;
        QVERIFY(test::absmax(found.values(), {begin, begin + 400}) <= kTolerance);
    }
}

void TestAttentionPaths::rolloutWithoutTheFirstToken()
{
    const auto mixed = recordedMixing(FirstToken::LeftOut);
    const auto found = attentionRollout(mixed);
    for (std::int64_t t = 0; t < 20; ++t)
    {
        const auto row = found.row(t);
        QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) < 1e-12);
        QCOMPARE(row[0], t == 0 ? 1.0 : 0.0);
    }
    // A head that is on the first token alone: every token keeps to itself.
    const std::vector<float> sink = {1, 0, 0, 1, 0, 0, 1, 0, 0};
    const auto alone = mixedTokens(sink, 1, 3, FirstToken::LeftOut);
    for (std::int64_t t = 0; t < 3; ++t)
        for (std::int64_t s = 0; s < 3; ++s)
            QCOMPARE(alone(t, s), t == s ? 1.0 : 0.0);
    // What a sink leaves is shared as the other weights are, however little it is: 1 - 0.99999994 is rounding.
    for (const float little : {1e-4F, 1e-8F, 1e-20F})
    {
        const std::vector<float> row = {1, 0, 0, 1 - little, little, 0, 1 - 4 * little, little, 3 * little};
        const auto mixed = mixedTokens(row, 1, 3, FirstToken::LeftOut);
        QVERIFY(std::abs(mixed(2, 1) - 0.125) < 1e-7); // 1 / 4, half of it the token itself
        QVERIFY(std::abs(mixed(2, 2) - 0.875) < 1e-7);
    }
}

/// Two tokens, two layers: token 1 reaches token 0 by 1 -> 1 -> 0 and 1 -> 0 -> 0.
void TestAttentionPaths::flowOfASmallNetwork()
{
    const std::vector<MatrixD> mixed = {MatrixD(2, 2, {1, 0, 0.25, 0.75}), MatrixD(2, 2, {1, 0, 0.4, 0.6})};
    const auto flow = attentionFlow(mixed, 1);
    QVERIFY(std::abs(flow[0] - (0.4 + 0.25)) < 1e-12);
    QVERIFY(std::abs(flow[1] - 0.6) < 1e-12);
    QCOMPARE(attentionFlow(mixed, 0), (std::vector<double>{1, 0}));
    QCOMPARE(attentionFlow(std::span(mixed).first(1), 1), (std::vector<double>{0.25, 0.75}));
}

void TestAttentionPaths::flowIsBounded()
{
    const auto mixed = recordedMixing(FirstToken::Kept);
    const auto rollout = attentionRollout(mixed);
    const auto flow = attentionFlow(mixed, 19);
    double largest = 0;
    for (std::int64_t s = 0; s < 20; ++s)
    {
        double into = 0; // all that the first layer lets into a token of the input
        for (std::int64_t t = 0; t < 20; ++t)
            into += mixed.front()(t, s);
        const double found = flow[static_cast<std::size_t>(s)];
        QVERIFY(found <= std::min(1.0, into) + 1e-9);
        QVERIFY(found >= rollout(19, s) - 1e-9); // what is mixed along all paths is a flow
        largest = std::max(largest, found);
    }
    QVERIFY(largest > 0.1);
}

HEADSCOPE_TEST_GUILESS(TestAttentionPaths)
#include "tst_attention_paths.moc"
