// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_family.h"

#include "tests/support/test_program.h"

#include <set>

using namespace headscope;

class TestModelFamily : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFamilyIsFoundByItsNames();
    void unknownNames();
    void listsOfNames();
};

void TestModelFamily::everyFamilyIsFoundByItsNames()
{
    std::set<std::string_view> names;
    std::set<std::string_view> gguf;
    for (const FamilyTraits& traits : modelFamilies())
    {
        QVERIFY(names.insert(traits.name).second);
        for (const std::string_view name : {traits.gguf, traits.ggufBidirectional})
            QVERIFY(name.empty() || gguf.insert(name).second);
        QVERIFY(!traits.classPrefix.empty());
        QCOMPARE(familyNamed(traits.name), &traits);
        QCOMPARE(&traitsOf(traits.family), &traits);
        QCOMPARE(familyName(traits.family), traits.name);
        std::set<TensorRole> roles;
        for (const TensorName& tensor : traits.tensors)
            QVERIFY(roles.insert(tensor.role).second);
        QCOMPARE(roles.contains(TensorRole::Gate), traits.hasGate());
        QCOMPARE(roles.contains(TensorRole::FinalNorm), traits.hasFinalNorm());
        QCOMPARE(roles.contains(TensorRole::EmbedNorm), traits.embeddingNorm);
        QCOMPARE(roles.contains(TensorRole::EmbedTypes), traits.tokenTypes);
        QCOMPARE(roles.contains(TensorRole::EmbedPositions), traits.positions == PositionScheme::Learned);
        QCOMPARE(roles.contains(TensorRole::AttentionOutNorm), traits.hasOutNorms());
        QCOMPARE(roles.contains(TensorRole::MlpOutNorm), traits.hasOutNorms());
        QCOMPARE(roles.contains(TensorRole::RelativeBias), traits.relativeBias);
        QVERIFY(!traits.firstNormLacking || traits.hasNormsBefore());
        QVERIFY(!traits.paddingPosition || traits.positions == PositionScheme::Learned);
        QVERIFY((traits.window == WindowRule::EveryNth) == (traits.windowPattern > 0));
    }
    for (const std::string_view name :
         {"mistral", "llama", "qwen2", "qwen3", "llama_bidirec", "nvembed", "gemma2", "gemma3_text", "phi3", "gpt2",
          "gpt_neox", "bert", "xlm-roberta", "roberta", "distilbert", "mpnet", "modernbert", "nomic_bert", "new"})
        QVERIFY(names.contains(name));
    QVERIFY(!traitsOf(ModelFamily::Bert).hasFinalNorm() && traitsOf(ModelFamily::Qwen3).hasFinalNorm());
    QCOMPARE(poolingName(traitsOf(ModelFamily::Bert).pooling), "mean");
    QCOMPARE(positionsName(traitsOf(ModelFamily::Bert).positions), "learned");
}

void TestModelFamily::unknownNames()
{
    QVERIFY(familyNamed("gpt5") == nullptr);
    QVERIFY(familyNamed("") == nullptr);
}

void TestModelFamily::listsOfNames()
{
    const std::vector<std::string_view> names = {"a", "b", "c"};
    QCOMPARE(namesOr({}), std::string());
    QCOMPARE(namesOr(std::span(names).first(1)), std::string("a"));
    QCOMPARE(namesOr(names), std::string("a, b or c"));
}

HEADSCOPE_TEST_GUILESS(TestModelFamily)
#include "tst_model_family.moc"
