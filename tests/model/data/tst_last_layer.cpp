// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/last_layer.h"

#include "tests/support/test_program.h"

using namespace headscope;

class TestLastLayer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyStageThreeOfTheLastLayer();
    void rawAndEncoders();
    void namesOfTheFullVector();
};

namespace
{

ModelInfo modelOf(std::string family, bool raw = false)
{
    ModelInfo model;
    model.family = std::move(family);
    model.layers = 3;
    model.lastLayerRaw = raw;
    return model;
}

} // namespace

void TestLastLayer::onlyStageThreeOfTheLastLayer()
{
    const ModelInfo model = modelOf("llama");
    for (std::int64_t layer = 0; layer < 3; ++layer)
        for (const Stage stage :
             {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment, Stage::Contribution})
        {
            const bool last = layer == 2 && stage == Stage::OutputSegment;
            QCOMPARE(afterFinalNorm(model, LayerIndex(layer), stage), last);
            QCOMPARE(finalNormNote(model, LayerIndex(layer), stage),
                     last ? std::string_view("after the final norm") : std::string_view());
        }
}

void TestLastLayer::rawAndEncoders()
{
    const ModelInfo raw = modelOf("qwen3", true);
    QVERIFY(hasFinalNorm(raw));
    QVERIFY(!afterFinalNorm(raw, LayerIndex(2), Stage::OutputSegment));
    QCOMPARE(finalNormNote(raw, LayerIndex(2), Stage::OutputSegment), std::string_view("before the final norm"));
    QCOMPARE(finalNormNote(raw, LayerIndex(1), Stage::OutputSegment), std::string_view());

    for (const bool asked : {false, true}) // an encoder has none, whatever was asked for
    {
        const ModelInfo encoder = modelOf("bert", asked);
        QVERIFY(!hasFinalNorm(encoder));
        QVERIFY(!afterFinalNorm(encoder, LayerIndex(2), Stage::OutputSegment));
        QCOMPARE(finalNormNote(encoder, LayerIndex(2), Stage::OutputSegment), std::string_view());
    }
    QVERIFY(afterFinalNorm(modelOf(""), LayerIndex(2), Stage::OutputSegment)); // a cache that does not say
}

void TestLastLayer::namesOfTheFullVector()
{
    QCOMPARE(finalHiddenState(modelOf("llama"), "last"), std::string("final hidden state at the last token"));
    QCOMPARE(finalHiddenState(modelOf("llama", true), "first"),
             std::string("final hidden state at the first token, before the final norm"));
    QCOMPARE(finalHiddenState(modelOf("bert", true), "mean"), std::string("final hidden state, mean of the tokens"));
    QCOMPARE(finalHiddenState(modelOf("llama"), ""), std::string("final hidden state"));
}

HEADSCOPE_TEST_GUILESS(TestLastLayer)
#include "tst_last_layer.moc"
