// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/attention_thumbnails.h"

#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace
{

AttentionText textOf(std::int64_t tokens, bool causal, std::int64_t window = 0)
{
    AttentionText text;
    text.tokens = tokens;
    text.causal = causal;
    text.window = window;
    return text;
}

/// Weights of a token spread evenly over what it may see.
MatrixF evenWeights(const AttentionText& text)
{
    MatrixF weights(text.tokens, text.tokens);
    for (std::int64_t t = 0; t < text.tokens; ++t)
    {
        const TokenRange seen = text.visible(t);
        for (std::int64_t s = seen.begin; s < seen.end; ++s)
            weights(t, s) = 1.0F / static_cast<float>(seen.size());
    }
    return weights;
}

} // namespace

class TestAttentionThumbnails : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shortTextsAreTheirWeights();
    void maskedEntriesDoNotCount();
    void piecesAddUp();
};

void TestAttentionThumbnails::shortTextsAreTheirWeights()
{
    const AttentionText text = textOf(6, true);
    const MatrixF weights = evenWeights(text);
    AttentionThumbnails pictures(text, 1, 64);
    pictures.add(HeadIndex(0), TokenIndex(0), weights.view());
    QCOMPARE(pictures.side(), std::int64_t(6));
    QCOMPARE(pictures.take().values(), weights.values());
    const AttentionText one = textOf(1, true);
    AttentionThumbnails single(one, 1, 8);
    single.add(HeadIndex(0), TokenIndex(0), evenWeights(one).view());
    QCOMPARE(single.take().values(), std::vector<float>{1.0F});
}

/// Four tokens in two pixels a side: what lies behind a query is not part of any mean.
void TestAttentionThumbnails::maskedEntriesDoNotCount()
{
    const AttentionText text = textOf(4, true);
    MatrixF weights(4, 4);
    const float values[] = {1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0.25F, 0.25F, 0.5F, 0, 0.125F, 0.125F, 0.25F, 0.5F};
    std::ranges::copy(values, weights.values().begin());
    AttentionThumbnails pictures(text, 2, 2);
    pictures.add(HeadIndex(1), TokenIndex(0), weights.view());
    const MatrixF found = pictures.take();
    const std::vector<float> expected = {static_cast<float>(2.0 / 3), 0, 0.1875F, static_cast<float>(1.25 / 3)};
    QCOMPARE(std::vector<float>(found.row(1).begin(), found.row(1).end()), expected);
    QCOMPARE(std::vector<float>(found.row(0).begin(), found.row(0).end()), (std::vector<float>{0, 0, 0, 0}));
    const AttentionText window = textOf(4, true, 1); // each sees itself alone
    AttentionThumbnails narrow(window, 1, 2);
    narrow.add(HeadIndex(0), TokenIndex(0), evenWeights(window).view());
    QCOMPARE(narrow.take().values(), (std::vector<float>{1, 0, 0, 1}));
}

void TestAttentionThumbnails::piecesAddUp()
{
    const AttentionText text = textOf(11, false);
    const MatrixF weights = evenWeights(text);
    AttentionThumbnails whole(text, 1, 4);
    whole.add(HeadIndex(0), TokenIndex(0), weights.view());
    AttentionThumbnails pieces(text, 1, 4);
    for (std::int64_t row = 0; row < 11; row += 3)
        pieces.add(HeadIndex(0), TokenIndex(row),
                   {weights.row(row).data(), std::min<std::int64_t>(3, 11 - row), text.tokens});
    QCOMPARE(pieces.take().values(), whole.take().values());
    const MatrixF means = whole.take();
    for (const float mean : means.values())
        QCOMPARE(mean, 1.0F / 11);
}

HEADSCOPE_TEST_GUILESS(TestAttentionThumbnails)
#include "tst_attention_thumbnails.moc"
