// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/card/card_model_parts.h"
#include "model/data/results/card/card_text.h"
#include "tests/support/test_program.h"

#include <cmath>

using namespace headscope;

namespace
{

HeadCard cardOf(const CardModelParts& parts)
{
    HeadCard card;
    card.model.layers = 2;
    card.model.heads = 2;
    card.layer = LayerIndex(1);
    card.head = HeadIndex(0);
    parts.addTo(card, "");
    return card;
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

/// What runs of the model give to a card.
class TestCardParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lensWithIntervals()
    {
        CardModelParts parts;
        QVERIFY(parts.takeLens(R"({"documents":32,"top":8,"unembedding":"output head","heads":[{"layer":1,"head":1,)"
                               R"("up":[{"token":" a","logit":2,"documents":2}],)"
                               R"("down":[{"token":"b","logit":-1,"documents":3}]}]})",
                               "lens"));
        const HeadCard card = cardOf(parts);
        QVERIFY(card.lens && card.lens->top == 8);
        // Wilson's of 2 of 32.
        QVERIFY(std::abs(card.lens->up.front().ci95.low - 0.0173) < 5e-4);
        QVERIFY(std::abs(card.lens->up.front().ci95.high - 0.2015) < 5e-4);
        const std::string text = cardText(card);
        QVERIFY2(has(text, "\u00b7a") && has(text, "6.2%") && has(text, "Most documents list other"), text.c_str());
    }

    void attentionWithIntervals()
    {
        CardModelParts parts;
        QVERIFY(parts.takeAttention(R"({"statistics":{"layers":[1],"first_token":[[0.5,0.25]],"entropy":[[1,null]]},)"
                                    R"("ci95":{"first_token":[[[0.4,0.6],null]]}})",
                                    12, "attention"));
        const HeadCard card = cardOf(parts);
        QVERIFY(card.attention);
        QCOMPARE(card.attention->find("first_token")->ci95.high, 0.6);
        QVERIFY(std::isnan(card.attention->find("entropy")->ci95.low));
        QVERIFY(has(cardText(card), "50.0% (40.0% to 60.0%)"));
    }

    /// Of two matrices of rank 1 the square of the score is that of a cosine of random directions: Beta(1/2, (D-1)/2).
    void spreadOfRandomScores()
    {
        constexpr double kDims = 50;
        CompositionScores scores;
        scores.layers = 2;
        scores.heads = 1;
        scores.headDim = 2;
        scores.baseline = 1 / std::sqrt(kDims);
        scores.ovSingular = {3, 0, 2, 0};
        scores.qkSingular = {1, 0, 5, 0};
        const double variance = 2 * (kDims - 1) / (kDims * kDims * (kDims + 2));
        const double spread = std::sqrt(variance) / (2 * scores.baseline);
        for (const CompositionKind kind : kCompositionKinds)
            QVERIFY(std::abs(randomScoreSpread(scores, kind, 0, 1) - spread) < 1e-12);
        // Rotations do nothing to what is equal in all directions; here it is in two of 50.
        scores.qkSingular = {1, 1, 1, 1};
        const double less = randomScoreSpread(scores, CompositionKind::K, 0, 1) / spread;
        QVERIFY(std::abs(less - std::sqrt((0.5 - 1 / kDims) / (1 - 1 / kDims))) < 1e-12);
        scores.qkSingular.clear();
        QVERIFY(std::isnan(randomScoreSpread(scores, CompositionKind::K, 0, 1)));
    }
};

HEADSCOPE_TEST_GUILESS(TestCardParts)
#include "tst_card_parts.moc"
