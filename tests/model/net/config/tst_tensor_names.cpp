// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/tensor_names.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace headscope;

class TestTensorNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesAndKeys_data();
    void namesAndKeys();
    void everyRoleGoesThereAndBack();
    void unknownNamesHaveNoKey_data();
    void unknownNamesHaveNoKey();
    void ignoredNames();
    void oneTensorOfSeveralParts();
    void whatStandsInALayer();
    void oldLayerNormNames();
};

void TestTensorNames::namesAndKeys_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("gguf");
    QTest::addColumn<int>("role");
    QTest::addColumn<int>("layer");
    QTest::addColumn<bool>("bias");
    const auto add = [](const char* name, bool gguf, TensorRole role, int layer, bool bias) {
        QTest::newRow(name) << QString::fromLatin1(name) << gguf << static_cast<int>(role) << layer << bias;
    };
    add("embed_tokens.weight", false, TensorRole::EmbedTokens, 0, false);
    add("model.embed_tokens.weight", false, TensorRole::EmbedTokens, 0, false);
    add("model.layers.31.self_attn.q_proj.bias", false, TensorRole::Q, 31, true);
    add("layers.0.mlp.down_proj.weight", false, TensorRole::Down, 0, false);
    add("norm.weight", false, TensorRole::FinalNorm, 0, false);
    add("blk.7.attn_q_norm.weight", true, TensorRole::QNorm, 7, false);
    add("output_norm.weight", true, TensorRole::FinalNorm, 0, false);
    add("rope_freqs.weight", true, TensorRole::RopeFactors, 0, false);
}

void TestTensorNames::namesAndKeys()
{
    QFETCH(const QString, name);
    QFETCH(const bool, gguf);
    QFETCH(const int, role);
    QFETCH(const int, layer);
    QFETCH(const bool, bias);
    const auto key =
        tensorKey(name.toStdString(), ModelFamily::Llama, gguf ? TensorNaming::Gguf : TensorNaming::HuggingFace);
    QVERIFY(key.has_value());
    QCOMPARE(static_cast<int>(key->role), role);
    QCOMPARE(key->layer, layer);
    QCOMPARE(key->bias, bias);
}

void TestTensorNames::everyRoleGoesThereAndBack()
{
    for (const FamilyTraits& traits : modelFamilies())
        for (const bool bias : {false, true})
            for (const auto& [role, huggingFace, gguf] : traits.tensors)
            {
                const TensorKey key{role, isLayerRole(role) ? 12 : 0, bias};
                for (const auto naming : {TensorNaming::HuggingFace, TensorNaming::Gguf})
                {
                    if ((naming == TensorNaming::Gguf ? gguf : huggingFace).empty())
                        continue;
                    const auto parts = tensorParts(key, traits.family, naming);
                    QVERIFY(std::ranges::find(parts, key) != parts.end());
                    QVERIFY(tensorKey(tensorName(key, traits.family, naming), traits.family, naming) == parts.front());
                }
            }
}

void TestTensorNames::unknownNamesHaveNoKey_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"layers.x.mlp.up_proj.weight", "layers.01.mlp.up_proj.weight", "layers.-1.mlp.up_proj.weight",
          "layers.0.mlp.up_proj", "layers.0.mlp.up_proj.scale", "blk.0.attn_q.weight", "", ".",
          "layers.99999999999999999999.mlp.up_proj.weight", "model.model.norm.weight",
          "layers.N.mlp.up_proj.weight.extra", "layers.0.post_feedforward_layernorm.weight"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestTensorNames::unknownNamesHaveNoKey()
{
    QFETCH(const QString, name);
    QVERIFY(!tensorKey(name.toStdString(), ModelFamily::Mistral, TensorNaming::HuggingFace));
}

void TestTensorNames::ignoredNames()
{
    const auto hf = TensorNaming::HuggingFace;
    QVERIFY(isIgnoredTensor("lm_head.weight", ModelFamily::Qwen2, hf));
    QVERIFY(isIgnoredTensor("model.layers.3.self_attn.rotary_emb.inv_freq", ModelFamily::Llama, hf));
    QVERIFY(isIgnoredTensor("output.weight", ModelFamily::Llama, TensorNaming::Gguf));
    QVERIFY(isIgnoredTensor("bert.pooler.dense.weight", ModelFamily::Bert, hf));
    QVERIFY(isIgnoredTensor("cls.predictions.bias", ModelFamily::Bert, hf));
    QVERIFY(isIgnoredTensor("embeddings.position_ids", ModelFamily::Bert, hf));
    QVERIFY(!isIgnoredTensor("layers.0.mlp.up_proj.weight", ModelFamily::Llama, hf));
    QVERIFY(!isIgnoredTensor("pooler.dense.weight", ModelFamily::Llama, hf));
}

void TestTensorNames::oneTensorOfSeveralParts()
{
    const auto hf = TensorNaming::HuggingFace;
    const auto fused = tensorKey("model.layers.3.self_attn.qkv_proj.weight", ModelFamily::Phi3, hf);
    QVERIFY(fused && fused->role == TensorRole::Q);
    const std::vector<TensorKey> expected = {{TensorRole::Q, 3}, {TensorRole::K, 3}, {TensorRole::V, 3}};
    QVERIFY(tensorParts(*fused, ModelFamily::Phi3, hf) == expected);
    QCOMPARE(tensorParts({TensorRole::O, 3}, ModelFamily::Phi3, hf).size(), 1U);
}

void TestTensorNames::whatStandsInALayer()
{
    const auto hf = TensorNaming::HuggingFace;
    QVERIFY(isInLayer("transformer.h.2.attn.rotary.weight", ModelFamily::Gpt2, hf));
    QVERIFY(isInLayer("h.2.adapter.weight", ModelFamily::Gpt2, hf));
    QVERIFY(!isInLayer("score.weight", ModelFamily::Gpt2, hf));
    QVERIFY(isInLayer("encoder.layer.0.crossattention.self.query.weight", ModelFamily::Bert, hf));
    QVERIFY(isInLayer("blk.0.ssm.weight", ModelFamily::Llama, TensorNaming::Gguf));
    QVERIFY(isIgnoredTensor("h.11.attn.bias", ModelFamily::Gpt2, hf));
    QVERIFY(!isIgnoredTensor("h.11.attn.c_attn.bias", ModelFamily::Gpt2, hf));
}

void TestTensorNames::oldLayerNormNames()
{
    const auto gamma =
        tensorKey("bert.encoder.layer.2.output.LayerNorm.gamma", ModelFamily::Bert, TensorNaming::HuggingFace);
    const auto beta = tensorKey("embeddings.LayerNorm.beta", ModelFamily::Bert, TensorNaming::HuggingFace);
    QVERIFY(gamma && gamma->role == TensorRole::MlpNorm && gamma->layer == 2 && !gamma->bias);
    QVERIFY(beta && beta->role == TensorRole::EmbedNorm && beta->bias);
    QVERIFY(!tensorKey("encoder.layer.2.output.dense.gamma", ModelFamily::Bert, TensorNaming::HuggingFace));
}

HEADSCOPE_TEST_GUILESS(TestTensorNames)
#include "tst_tensor_names.moc"
