// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/model_config.h"

#include "model/formats/gguf.h"
#include "model/formats/json.h"
#include "tests/model/formats/gguf_builder.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>

using namespace headscope;

namespace
{

/// A small Llama, with members put in place of, or beside, its own.
std::string configText(const std::vector<std::pair<std::string, std::string>>& changes)
{
    std::vector<std::pair<std::string, std::string>> members = {
        {"model_type", "\"llama\""},  {"hidden_size", "64"},
        {"intermediate_size", "96"},  {"max_position_embeddings", "4096"},
        {"num_attention_heads", "4"}, {"num_hidden_layers", "3"},
        {"vocab_size", "400"}};
    for (const auto& [name, value] : changes)
    {
        const auto found = std::ranges::find(members, name, &std::pair<std::string, std::string>::first);
        if (found == members.end())
            members.emplace_back(name, value);
        else if (value.empty())
            members.erase(found);
        else
            found->second = value;
    }
    std::string text = "{";
    for (const auto& [name, value] : members)
        text.append(text.size() > 1 ? ", " : "").append("\"" + name + "\": " + value);
    return text + "}";
}

ModelConfig read(const std::vector<std::pair<std::string, std::string>>& changes, std::vector<Error>& problems)
{
    const auto document = JsonDocument::parse(configText(changes), "config.json");
    return document ? modelConfigFromJson(document->root(), "config.json", problems) : ModelConfig();
}

ModelConfig readSound(const std::vector<std::pair<std::string, std::string>>& changes)
{
    std::vector<Error> problems;
    ModelConfig config = read(changes, problems);
    for (const Error& problem : problems)
        qWarning("%s", problem.sentence().c_str());
    if (!problems.empty())
        return {};
    return config;
}

} // namespace

class TestModelConfig : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultsOfLlama();
    void absentHeadsAndHeadDim();
    void bothRopeSchemas();
    void yarnAttentionFactor();
    void windowsOfMistral();
    void windowsOfQwen();
    void trainedLengthOfTheTopLevel();
    void causality();
    void bidirectionalDecoders_data();
    void bidirectionalDecoders();
    void gemma();
    void longRope();
    void gptNeoX();
    void otherSpellings();
    void encoders();
    void encodersOfOtherNames();
    void modernBert();
    void refusedEncoders_data();
    void refusedEncoders();
    void refused_data();
    void refused();
    void allProblemsAtOnce();
    void goldenFolders_data();
    void goldenFolders();
    void ggufFiles();
    void ggufProblems();
    void ggufOfGemma();
    void ggufOfPhi3();
};

void TestModelConfig::defaultsOfLlama()
{
    const ModelConfig config = readSound({});
    QCOMPARE(familyName(config.family), "llama");
    QCOMPARE(config.layers, 3);
    QCOMPARE(config.heads, 4);
    QCOMPARE(config.modelDim, 64);
    QCOMPARE(config.mlpDim, 96);
    QCOMPARE(config.normEps, 1e-6);
    QCOMPARE(config.rope.theta, 10000.0);
    QVERIFY(config.causal && !config.permutedHeads && !config.attentionBias);
    QCOMPARE(config.windows, std::vector<std::int64_t>(3, 0));
}

void TestModelConfig::absentHeadsAndHeadDim()
{
    QCOMPARE(readSound({}).kvHeads, 4);
    QCOMPARE(readSound({{"num_key_value_heads", "null"}}).kvHeads, 4);
    QCOMPARE(readSound({{"num_key_value_heads", "2"}}).kvHeads, 2);
    QCOMPARE(readSound({}).headDim, 16);
    QCOMPARE(readSound({{"head_dim", "null"}}).headDim, 16);
    QCOMPARE(readSound({{"head_dim", "32"}}).headDim, 32);
    // Qwen3's class has a head size of its own, which does not follow from the model's size.
    QCOMPARE(readSound({{"model_type", "\"qwen3\""}}).headDim, 128);
    // Without model_type the class decides.
    QCOMPARE(familyName(readSound({{"model_type", ""}, {"architectures", "[\"MistralModel\"]"}}).family), "mistral");
}

void TestModelConfig::bothRopeSchemas()
{
    const ModelConfig old =
        readSound({{"rope_theta", "5e5"},
                   {"rope_scaling", R"({"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                                        "original_max_position_embeddings": 64})"}});
    const ModelConfig now =
        readSound({{"rope_parameters", R"({"rope_theta": 5e5, "rope_type": "llama3", "factor": 8, "low_freq_factor": 1,
                                 "high_freq_factor": 4, "original_max_position_embeddings": 64})"}});
    for (const ModelConfig& config : {old, now})
    {
        QCOMPARE(config.rope.theta, 5e5);
        QVERIFY(config.rope.scaling == RopeScaling::Llama3);
        QCOMPARE(config.rope.factor, 8.0);
        QCOMPARE(config.rope.originalPositions, 64.0);
    }
    const ModelConfig legacy = readSound({{"rope_scaling", R"({"type": "linear", "factor": 4})"}});
    QVERIFY(legacy.rope.scaling == RopeScaling::Linear);
    QVERIFY(readSound({{"rope_scaling", "null"}}).rope.scaling == RopeScaling::None);
    QVERIFY(readSound({{"rope_scaling", R"({"rope_type": "default"})"}}).rope.scaling == RopeScaling::None);
}

void TestModelConfig::yarnAttentionFactor()
{
    const auto factorOf = [](const std::string& more) {
        return readSound({{"rope_scaling", R"({"rope_type": "yarn", "factor": 4)" + more + "}"}}).rope;
    };
    QCOMPARE(factorOf("").originalPositions, 4096.0);
    QCOMPARE(factorOf("").attentionFactor, 0.1 * std::log(4.0) + 1);
    QCOMPARE(factorOf(R"(, "attention_factor": 1.5)").attentionFactor, 1.5);
    QCOMPARE(factorOf(R"(, "mscale": 2, "mscale_all_dim": 1)").attentionFactor,
             (0.2 * std::log(4.0) + 1) / (0.1 * std::log(4.0) + 1));
    QVERIFY(!factorOf(R"(, "truncate": false)").truncate);
}

void TestModelConfig::trainedLengthOfTheTopLevel()
{
    const auto trained = [](const std::string& scaling, const char* outside) {
        return readSound({{"rope_scaling", "{" + scaling + "}"}, {"original_max_position_embeddings", outside}})
            .rope.originalPositions;
    };
    const std::string yarn = R"("type": "yarn", "factor": 4)";
    const std::string llama3 = R"("rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4)";
    QCOMPARE(trained(yarn, "64"), 64.0);
    QCOMPARE(trained(yarn, "null"), 4096.0); // max_position_embeddings
    QCOMPARE(trained(llama3, "64"), 64.0);
    // As transformers 5: where both are there, the outer one is right.
    QCOMPARE(trained(yarn + R"(, "original_max_position_embeddings": 32)", "64"), 64.0);
    QCOMPARE(trained(yarn + R"(, "original_max_position_embeddings": 32)", "null"), 32.0);
}

void TestModelConfig::bidirectionalDecoders_data()
{
    using Members = std::vector<std::pair<std::string, std::string>>;
    QTest::addColumn<Members>("members");
    QTest::addColumn<QByteArray>("refused"); // "" = read as bidirectional
    const auto row = [](const char* name, const Members& members, const char* refused) {
        QTest::newRow(name) << members << QByteArray(refused);
    };
    row("is_causal", {{"is_causal", "false"}}, "");
    row("use_bidirectional_attention", {{"use_bidirectional_attention", "true"}}, "");
    row("both", {{"is_causal", "false"}, {"use_bidirectional_attention", "true"}}, "");
    row("at odds", {{"is_causal", "true"}, {"use_bidirectional_attention", "true"}},
        "is_causal: expected false where use_bidirectional_attention is true");
    for (const char* type : {"llama_bidirec", "bidirectional_pplx_qwen3"})
        row(type, {{"model_type", "\"" + std::string(type) + "\""}}, "");
    row("type at odds", {{"model_type", "\"llama_bidirec\""}, {"is_causal", "true"}},
        "is_causal: expected false in a llama_bidirec model, found true");
    row("flag at odds", {{"model_type", "\"bidirectional_pplx_qwen3\""}, {"use_bidirectional_attention", "false"}},
        "use_bidirectional_attention: expected true in a bidirectional_pplx_qwen3 model, found false");
    row("gemma", {{"model_type", "\"gemma3_text\""}, {"use_bidirectional_attention", "true"}}, "");
    for (const char* type : {"bidir_mistral", "qwen2_bidirectional", "NewDecoder"})
        row(type, {{"model_type", "\"" + std::string(type) + "\""}}, type);
    row("unknown flag", {{"bidirectional", "true"}}, "bidirectional: this option seems to request");
    row("another unknown flag", {{"causal_attention", "false"}}, "causal_attention: this option seems to request");
    row("an encoder's flag", {{"causal", "false"}}, "causal: this option seems to request");
    row("encoder's code", {{"auto_map", R"({"AutoModel": "modeling_llama_encoder.LlamaEncoderModel"})"}},
        "auto_map: expected");
    row("class", {{"architectures", "[\"LlamaBidirectionalModel\"]"}}, "found LlamaBidirectionalModel");
    row("code", {{"auto_map", R"({"AutoModel": "modeling_x.LlamaBidirectionalModel"})"}}, "auto_map: expected");
}

void TestModelConfig::bidirectionalDecoders()
{
    using Members = std::vector<std::pair<std::string, std::string>>;
    QFETCH(const Members, members);
    QFETCH(const QByteArray, refused);
    std::vector<Error> problems;
    const ModelConfig config = read(members, problems);
    QCOMPARE(problems.empty(), refused.isEmpty());
    if (problems.empty())
        QVERIFY(!config.causal);
    else
        QVERIFY2(problems.front().sentence().find(refused.toStdString()) != std::string::npos,
                 problems.front().sentence().c_str());
}

void TestModelConfig::windowsOfMistral()
{
    const auto windowOf = [](const std::vector<std::pair<std::string, std::string>>& more) {
        auto changes = more;
        changes.emplace_back("model_type", "\"mistral\"");
        return readSound(changes).windows;
    };
    QCOMPARE(windowOf({}), std::vector<std::int64_t>(3, 4096)); // the class's default when the key is missing
    QCOMPARE(windowOf({{"sliding_window", "null"}}), std::vector<std::int64_t>(3, 0));
    QCOMPARE(windowOf({{"sliding_window", "8"}}), std::vector<std::int64_t>(3, 8));
    QCOMPARE(readSound({{"sliding_window", "8"}}).windows, std::vector<std::int64_t>(3, 0)); // Llama has none
}

void TestModelConfig::windowsOfQwen()
{
    const auto windowOf = [](std::vector<std::pair<std::string, std::string>> changes) {
        changes.emplace_back("model_type", "\"qwen2\"");
        changes.emplace_back("sliding_window", "6");
        return readSound(changes).windows;
    };
    const std::vector<std::int64_t> none = {0, 0, 0};
    const std::vector<std::int64_t> later = {0, 6, 6};
    QCOMPARE(windowOf({{"use_sliding_window", "false"}, {"max_window_layers", "0"}}), none);
    QCOMPARE(windowOf({}), none);
    QCOMPARE(windowOf({{"use_sliding_window", "true"}, {"max_window_layers", "1"}}), later);
    QCOMPARE(windowOf({{"use_sliding_window", "true"}}), none); // max_window_layers is 28 when missing
    const std::vector<std::int64_t> listed = {6, 0, 6};
    QCOMPARE(windowOf({{"use_sliding_window", "true"},
                       {"layer_types", R"(["sliding_attention", "full_attention", "sliding_attention"])"}}),
             listed);
}

void TestModelConfig::causality()
{
    QVERIFY(!readSound({{"is_causal", "false"}}).causal);
    QVERIFY(
        !readSound({{"model_type", "\"qwen2\""}, {"auto_map", R"({"AutoModel": "modeling_qwen.Qwen2Model"})"}}).causal);
    const ModelConfig grit =
        readSound({{"model_type", "\"mistral\""}, {"auto_map", R"({"AutoModel": "modeling_gritlm7b.MistralModel"})"}});
    QVERIFY(!grit.causal);
    QCOMPARE(grit.windows, std::vector<std::int64_t>(3, 0));
    QCOMPARE(grit.warnings.size(), 1U);
    const ModelConfig other = readSound({{"auto_map", R"({"AutoModel": "modeling_own.OwnModel"})"}});
    QVERIFY(other.causal);
    QVERIFY(other.warnings.at(0).find("modeling_own.OwnModel") != std::string::npos);
}

void TestModelConfig::gemma()
{
    const auto readGemma = [](std::vector<std::pair<std::string, std::string>> changes) {
        changes.insert(changes.begin(), {"model_type", "\"gemma3_text\""});
        return readSound(changes);
    };
    const ModelConfig plain = readGemma({{"sliding_window", "6"}});
    QCOMPARE(plain.headDim, 256);
    QCOMPARE(plain.scoreScale(), 1.0 / 16);
    QVERIFY(plain.activation == Activation::GeluTanh && plain.causal && plain.softcap == 0);
    QCOMPARE(plain.windows, (std::vector<std::int64_t>{6, 6, 6})); // every sixth sees all
    QCOMPARE(plain.rope.theta, 1e6);
    QCOMPARE(plain.windowedRope.value().theta, 1e4);
    QCOMPARE(readGemma({{"sliding_window", "6"}, {"sliding_window_pattern", "2"}}).windows,
             (std::vector<std::int64_t>{6, 0, 6}));
    const ModelConfig listed =
        readGemma({{"sliding_window", "6"},
                   {"sliding_window_pattern", "2"},
                   {"layer_types", R"(["full_attention", "full_attention", "sliding_attention"])"},
                   {"use_bidirectional_attention", "true"},
                   {"rope_parameters", R"({"full_attention": {"rope_theta": 5e5, "rope_type": "linear", "factor": 8},
                                 "sliding_attention": {"rope_theta": 2e4, "rope_type": "default"}})"}});
    QCOMPARE(listed.windows, (std::vector<std::int64_t>{0, 0, 6})); // of which half lies to either side
    QVERIFY(!listed.causal);
    QCOMPARE(listed.rope.theta, 5e5);
    QCOMPARE(listed.rope.factor, 8.0);
    QCOMPARE(listed.windowedRope.value().theta, 2e4);
    QVERIFY(listed.windowedRope.value().scaling == RopeScaling::None);
    const ModelConfig two =
        readSound({{"model_type", "\"gemma2\""}, {"sliding_window", "7"}, {"query_pre_attn_scalar", "16"}});
    QCOMPARE(two.windows, (std::vector<std::int64_t>{7, 0, 7}));
    QCOMPARE(two.softcap, 50.0);
    QCOMPARE(two.scoreScale(), 0.25);
    QCOMPARE(readSound({{"model_type", "\"gemma2\""}, {"attn_logit_softcapping", "null"}}).softcap, 0.0);
}

void TestModelConfig::longRope()
{
    const std::string factors = R"("short_factor": [1, 1, 1, 1], "long_factor": [2, 3, 4, 5])";
    const ModelConfig phi = readSound({{"model_type", "\"phi3\""},
                                       {"original_max_position_embeddings", "64"},
                                       {"partial_rotary_factor", "0.5"},
                                       {"rope_scaling", R"({"type": "longrope", )" + factors + "}"}});
    QCOMPARE(phi.rope.originalPositions, 64.0);
    QCOMPARE(phi.rope.factor, 64.0);
    QCOMPARE(phi.rope.attentionFactor, std::sqrt(2.0)); // 1 + ln 64 / ln 64
    QCOMPARE(phi.rotaryDim(phi.rope), 8);
    QCOMPARE(phi.rope.longFactors, (std::vector<double>{2, 3, 4, 5}));
    QCOMPARE(phi.windows, std::vector<std::int64_t>(3, 0)); // its class has no window of its own
}

/// A network inside another object, under the names of its own.
void TestModelConfig::otherSpellings()
{
    const char* const kNested =
        R"({"model_type": "nvembed", "is_mask_instruction": true, "add_eos": true, "text_config": {
        "model_type": "bidir_mistral", "hidden_size": 64, "intermediate_size": 96, "max_position_embeddings": 4096,
        "num_attention_heads": 4, "num_hidden_layers": 3, "vocab_size": 400, "sliding_window": 8}})";
    const auto nested = JsonDocument::parse(kNested, "config.json");
    HEADSCOPE_VERIFY_OK(nested);
    std::vector<Error> problems;
    const ModelConfig config = modelConfigFromJson(nested->root(), "config.json", problems);
    QVERIFY(problems.empty());
    QVERIFY(!config.causal && config.embedding.endToken && !config.embedding.includePrompt);
    QCOMPARE(config.embedding.otherPooling, std::string("latent attention"));
    QCOMPARE(config.windows, std::vector<std::int64_t>(3, 0));
    QVERIFY(config.warnings.at(0).find("the sliding window is not used") != std::string::npos);

    const ModelConfig llama = readSound({{"model_type", "\"llama_bidirec\""}, {"pooling", "\"avg\""}});
    QVERIFY(llama.embedding.pooling == Pooling::Mean);
    QCOMPARE(readSound({{"model_type", "\"llama_bidirec\""}, {"pooling", "\"weighted_avg\""}}).embedding.otherPooling,
             std::string("weighted_avg"));

    const char* const kGpt2 = R"({"model_type": "gpt2", "n_embd": 64, "n_head": 4, "n_layer": 2, "n_positions": 128,
        "vocab_size": 400, "activation_function": "gelu_new", "scale_attn_by_inverse_layer_idx": true})";
    const auto gpt2 = JsonDocument::parse(kGpt2, "config.json");
    HEADSCOPE_VERIFY_OK(gpt2);
    const ModelConfig small = modelConfigFromJson(gpt2->root(), "config.json", problems);
    QCOMPARE(problems.size(), 1U);
    QCOMPARE(problems[0].sentence(),
             std::string("config.json: scale_attn_by_inverse_layer_idx: expected false, found true"));
    QCOMPARE(small.mlpDim, 256);
    QCOMPARE(small.maxPositions, 128);
    QVERIFY(small.causal && small.activation == Activation::GeluTanh);
}

void TestModelConfig::encoders()
{
    const ModelConfig config = readSound({{"model_type", "\"bert\""}, {"hidden_act", "\"gelu\""}});
    QVERIFY(config.family == ModelFamily::Bert && !config.causal);
    QCOMPARE(config.kvHeads, 4);
    QCOMPARE(config.headDim, 16);
    QCOMPARE(config.normEps, 1e-12);
    QCOMPARE(config.tokenTypes, 2);
    for (const auto& [key, value, sentence] :
         {std::tuple("attn_logit_softcapping", "50.0", "attn_logit_softcapping: this option is not supported"),
          std::tuple("is_decoder", "true", "is_decoder: expected false (an encoder), found true"),
          std::tuple("position_embedding_type", "\"relative_key\"", "expected absolute, found relative_key"),
          std::tuple("num_attention_heads", "5", "expected a divisor of hidden_size 64, found 5"),
          std::tuple("layer_norm_eps", "0", "layer_norm_eps: expected a finite number above 0, found 0")})
    {
        std::vector<Error> problems;
        (void)read({{"model_type", "\"bert\""}, {key, value}}, problems);
        QCOMPARE(problems.size(), 1U);
        QVERIFY2(problems[0].sentence().find(sentence) != std::string::npos, problems[0].sentence().c_str());
    }
}

void TestModelConfig::encodersOfOtherNames()
{
    const ModelConfig roberta = readSound({{"model_type", "\"xlm-roberta\""}});
    QCOMPARE(roberta.paddingPosition, std::optional<std::int64_t>(1));
    QCOMPARE(roberta.maxTokens(), 4094); // two positions are of no token of a text
    QCOMPARE(readSound({{"model_type", "\"camembert\""}, {"pad_token_id", "5"}}).maxTokens(), 4090);
    QCOMPARE(readSound({{"model_type", "\"mpnet\""}, {"pad_token_id", "5"}}).maxTokens(), 4094);
    QCOMPARE(readSound({{"model_type", "\"bert\""}, {"pad_token_id", "5"}}).maxTokens(), 4096);

    const auto readText = [](const char* text) {
        const auto document = JsonDocument::parse(text, "config.json");
        std::vector<Error> problems;
        ModelConfig config = modelConfigFromJson(document.value().root(), "config.json", problems);
        for (const Error& problem : problems)
            qWarning("%s", problem.sentence().c_str());
        return problems.empty() ? config : ModelConfig();
    };
    const ModelConfig distil = readText(R"({"model_type": "distilbert", "dim": 64, "hidden_dim": 96, "n_heads": 4,
        "n_layers": 3, "max_position_embeddings": 512, "vocab_size": 400, "activation": "gelu",
        "layer_norm_eps": 0.5})");
    QVERIFY(distil.family == ModelFamily::DistilBert);
    QCOMPARE(distil.normEps, 1e-12); // whatever is beside it
    QCOMPARE(distil.tokenTypes, 0);
    QCOMPARE(distil.maxTokens(), 512);
    const ModelConfig nomic = readText(R"({"model_type": "nomic_bert", "n_embd": 64, "n_inner": 96, "n_head": 4,
        "n_layer": 3, "n_positions": 8192, "vocab_size": 400, "rotary_emb_base": 1000, "type_vocab_size": 0})");
    QVERIFY(nomic.family == ModelFamily::NomicBert && nomic.activation == Activation::Silu && !nomic.causal);
    QCOMPARE(nomic.rope.theta, 1000.0);
    QCOMPARE(nomic.tokenTypes, 0);

    const ModelConfig gte = readSound({{"model_type", "\"new\""}, {"rope_scaling", R"({"type": "ntk", "factor": 2})"}});
    QVERIFY(gte.rope.scaling == RopeScaling::Ntk && gte.activation == Activation::Gelu);
    QCOMPARE(gte.tokenTypes, 1);
    QVERIFY(readSound({{"model_type", "\"gte\""}, {"architectures", "[\"NewModel\"]"}}).family == ModelFamily::GteNew);
}

void TestModelConfig::modernBert()
{
    const auto readModern = [](std::vector<std::pair<std::string, std::string>> changes) {
        changes.insert(changes.begin(), {"model_type", "\"modernbert\""});
        return readSound(changes);
    };
    const ModelConfig plain = readModern({{"layer_norm_eps", "0.5"}});
    QCOMPARE(plain.normEps, 1e-5);                                     // by a key of its own
    QCOMPARE(plain.windows, (std::vector<std::int64_t>{0, 128, 128})); // the first of every three sees all
    QCOMPARE(plain.rope.theta, 160000.0);
    QCOMPARE(plain.windowedRope.value().theta, 10000.0);
    QVERIFY(!plain.causal && plain.activation == Activation::Gelu);
    const ModelConfig other = readModern({{"local_attention", "10"},
                                          {"global_attn_every_n_layers", "2"},
                                          {"local_rope_theta", "500"},
                                          {"norm_bias", "true"}});
    QCOMPARE(other.windows, (std::vector<std::int64_t>{0, 10, 0}));
    QCOMPARE(other.windowedRope.value().theta, 500.0);
    QCOMPARE(other.normBias, std::optional<bool>(true));
    QCOMPARE(readModern({{"layer_types", R"(["sliding_attention", "full_attention", "sliding_attention"])"}}).windows,
             (std::vector<std::int64_t>{128, 0, 128}));
}

void TestModelConfig::refusedEncoders_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("sentence");
    const auto add = [](const char* family, const char* key, const char* value, const char* sentence) {
        QTest::addRow("%s: %s = %s", family, key, value) << QString::fromLatin1(family) << QString::fromLatin1(key)
                                                         << QString::fromLatin1(value) << QString::fromLatin1(sentence);
    };
    add("xlm-roberta", "pad_token_id", "4095", "pad_token_id: expected 0 to 4094, found 4095");
    add("xlm-roberta", "pad_token_id", "-1", "pad_token_id: expected 0 to 4094, found -1");
    add("roberta", "position_embedding_type", "\"relative_key\"", "expected absolute, found relative_key");
    add("roberta", "type_vocab_size", "0", "type_vocab_size: expected 1 to 65536, found 0");
    add("mpnet", "relative_attention_num_buckets", "16", "relative_attention_num_buckets: expected 32, found 16");
    add("modernbert", "global_attn_every_n_layers", "0",
        "global_attn_every_n_layers: expected an integer of 1 or more");
    add("modernbert", "is_causal", "true", "is_causal: expected false in a modernbert model, found true");
    add("new", "pack_qkv", "false", "pack_qkv: expected true, found false");
    add("new", "logn_attention_scale", "true", "logn_attention_scale: expected false, found true");
    add("new", "layer_norm_type", "\"rms_norm\"", "layer_norm_type: expected layer_norm, found rms_norm");
    add("new", "rope_scaling", R"({"type": "ntk", "factor": 2, "mixed_b": 0.5})",
        "mixed_b: this option is not supported");
}

void TestModelConfig::refusedEncoders()
{
    QFETCH(const QString, family);
    QFETCH(const QString, key);
    QFETCH(const QString, value);
    QFETCH(const QString, sentence);
    std::vector<Error> problems;
    (void)read({{"model_type", "\"" + family.toStdString() + "\""}, {key.toStdString(), value.toStdString()}},
               problems);
    QCOMPARE(problems.size(), 1U);
    QVERIFY2(problems[0].sentence().find(sentence.toStdString()) != std::string::npos, problems[0].sentence().c_str());
}

/// Fault row 6: what is missing or contradicts itself, by its field.
void TestModelConfig::refused_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("sentence");
    const auto add = [](const char* field, const char* value, const char* sentence) {
        QTest::addRow("%s = %s", field, value)
            << QString::fromLatin1(field) << QString::fromLatin1(value) << QString::fromLatin1(sentence);
    };
    std::vector<std::string_view> families;
    for (const FamilyTraits& traits : modelFamilies())
        families.push_back(traits.name);
    add("model_type", "\"t5\"", ("model_type: expected " + namesOr(families) + ", found t5").c_str());
    add("model_type", "7", "model_type: expected a string, found an integer");
    add("architectures", "[\"LlamaBidirectionalModel\"]", "architectures: expected LlamaModel or LlamaFor..., found");
    add("hidden_size", "", "hidden_size: expected an integer, found nothing");
    add("hidden_size", "\"64\"", "hidden_size: expected an integer, found a string");
    add("hidden_size", "64.5", "hidden_size: expected an integer");
    add("hidden_size", "1000000", "hidden_size: expected 1 to 65536, found 1000000");
    add("num_hidden_layers", "0", "num_hidden_layers: expected 1 to 1024, found 0");
    add("num_hidden_layers", "-3", "num_hidden_layers: expected 1 to 1024, found -3");
    add("num_attention_heads", "5", "num_attention_heads: expected a divisor of hidden_size 64");
    add("num_key_value_heads", "3", "num_key_value_heads: expected a divisor of the 4 query heads, found 3");
    add("num_key_value_heads", "0", "num_key_value_heads: expected 1 to 1024, found 0");
    add("head_dim", "15", "head_dim: expected an even number, found 15");
    add("rms_norm_eps", "0", "rms_norm_eps: expected a finite number above 0, found 0");
    add("rope_theta", "-1", "rope_theta: expected a finite number above 0, found -1");
    add("hidden_act", "\"relu\"", "hidden_act: expected silu, gelu or gelu_pytorch_tanh, found relu");
    add("rope_scaling", "7", "rope_scaling: expected an object, found an integer");
    add("rope_scaling", R"({"rope_type": "ntk", "factor": 2})",
        "rope_scaling.rope_type: expected default, linear, dynamic, llama3, yarn or longrope, found ntk");
    add("rope_scaling", R"({"rope_type": "longrope", "short_factor": [1, 2]})",
        "short_factor: expected 8 numbers, one per pair of rotated dimensions, found 2");
    add("rope_scaling", R"({"rope_type": "longrope", "short_mscale": 1.1})",
        "rope_scaling.short_mscale: this option is not supported");
    add("rope_scaling", R"({"rope_type": "linear"})", "rope_scaling.factor: expected a number, found nothing");
    add("rope_scaling",
        R"({"rope_type": "llama3", "factor": 8, "low_freq_factor": 4, "high_freq_factor": 4,
            "original_max_position_embeddings": 64})",
        "high_freq_factor: expected more than low_freq_factor 4, found 4");
    add("rope_parameters", R"({"full_attention": {"rope_theta": 1e6}})",
        "rope_parameters.full_attention: expected one rotary embedding for all layers");
    add("partial_rotary_factor", "0.5", "partial_rotary_factor: expected rotation of whole heads (1), found 0.5");
    add("quantization_config", R"({"quant_method": "awq"})", "quantization_config: expected weights stored as numbers");
    add("attn_logit_softcapping", "50.0", "attn_logit_softcapping: this option is not supported");
}

void TestModelConfig::refused()
{
    QFETCH(const QString, field);
    QFETCH(const QString, value);
    QFETCH(const QString, sentence);
    std::vector<Error> problems;
    (void)read({{field.toStdString(), value.toStdString()}}, problems);
    QVERIFY(!problems.empty());
    std::string all;
    for (const Error& problem : problems)
        all += problem.sentence() + "\n";
    QVERIFY2(all.find("config.json: " + sentence.toStdString()) != std::string::npos ||
                 all.find(sentence.toStdString()) != std::string::npos,
             all.c_str());
}

void TestModelConfig::allProblemsAtOnce()
{
    std::vector<Error> problems;
    (void)read({{"num_key_value_heads", "3"},
                {"rms_norm_eps", "-1"},
                {"hidden_act", "\"relu\""},
                {"rope_scaling", R"({"rope_type": "ntk", "factor": 2})"}},
               problems);
    QCOMPARE(problems.size(), 4U);
    for (const Error& problem : problems)
    {
        QCOMPARE(problem.file, std::string("config.json"));
        QVERIFY(!problem.place.empty());
    }
    problems.clear();
    // Zeros of missing fields are not told again as values out of range.
    (void)read({{"hidden_size", ""}, {"vocab_size", ""}}, problems);
    QCOMPARE(problems.size(), std::size_t{2});
    problems.clear();
    const auto list = JsonDocument::parse("[1]", "config.json");
    HEADSCOPE_VERIFY_OK(list);
    (void)modelConfigFromJson(list->root(), "config.json", problems);
    QCOMPARE(problems.size(), 1U);
}

void TestModelConfig::goldenFolders_data()
{
    QTest::addColumn<QString>("name");
    for (const auto& entry : std::filesystem::directory_iterator(test::golden("models")))
        QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().filename().string());
}

void TestModelConfig::goldenFolders()
{
    QFETCH(const QString, name);
    const auto document = JsonDocument::parseFile(test::golden("models/" + name.toStdString() + "/config.json"));
    HEADSCOPE_VERIFY_OK(document);
    std::vector<Error> problems;
    const ModelConfig config = modelConfigFromJson(document->root(), "config.json", problems);
    for (const Error& problem : problems)
        QFAIL(problem.sentence().c_str());
    const auto type = document->root().find("model_type");
    QCOMPARE(familyName(config.family), type->asString().value());
    QCOMPARE(config.windows.size(), static_cast<std::size_t>(config.layers));
}

void TestModelConfig::ggufFiles()
{
    const auto gguf = openGguf(test::golden("gguf/qwen3/qwen3-Q8_0.gguf"));
    HEADSCOPE_VERIFY_OK(gguf);
    std::vector<Error> problems;
    const ModelConfig config = modelConfigFromGguf(*gguf, problems);
    QVERIFY(problems.empty());
    QVERIFY(config.family == ModelFamily::Qwen3 && !config.permutedHeads && config.causal);
    QVERIFY(config.heads * config.headDim != config.modelDim);
    const auto llama = openGguf(test::golden("gguf/llama/llama-F16.gguf"));
    HEADSCOPE_VERIFY_OK(llama);
    QVERIFY(modelConfigFromGguf(*llama, problems).permutedHeads);
    QVERIFY(problems.empty());
}

void TestModelConfig::ggufProblems()
{
    auto gguf = openGguf(test::golden("gguf/qwen2/qwen2-F16.gguf"));
    HEADSCOPE_VERIFY_OK(gguf);
    const auto add = [&](const char* key, GgufType type, auto value) {
        QVERIFY(gguf->metadata.insert(key, {type, value}));
    };
    add("qwen2.attention.sliding_window", GgufType::U32, std::uint64_t{64});
    add("qwen2.attention.value_length", GgufType::U32, std::uint64_t{8});
    add("qwen2.rope.scaling.type", GgufType::String, std::string("longrope"));
    add("qwen2.expert_count", GgufType::U32, std::uint64_t{8});
    std::vector<Error> problems;
    (void)modelConfigFromGguf(*gguf, problems);
    std::string all;
    for (const Error& problem : problems)
        all += problem.sentence() + "\n";
    QVERIFY2(problems.size() == 4, all.c_str());
    for (const char* part :
         {"qwen2.attention.sliding_window: expected no sliding window", "value_length: expected 16, found 8",
          "expected none, linear or yarn, found longrope", "expert_count: expected 0, found 8"})
        QVERIFY2(all.find(part) != std::string::npos, all.c_str());
}

void TestModelConfig::gptNeoX()
{
    const auto neox = [](std::vector<std::pair<std::string, std::string>> changes) {
        changes.emplace_back("model_type", "\"gpt_neox\"");
        return readSound(changes);
    };
    const ModelConfig usual = neox({});
    QVERIFY(usual.parallelResidual && usual.causal && usual.activation == Activation::Gelu);
    QCOMPARE(usual.rotaryDim(usual.rope), 4); // a quarter of 16
    QCOMPARE(usual.rope.theta, 10000.0);
    QCOMPARE(usual.normEps, 1e-5);
    const ModelConfig other = neox({{"rotary_pct", "0.5"},
                                    {"rotary_emb_base", "25000"},
                                    {"use_parallel_residual", "false"},
                                    {"layer_norm_eps", "1e-6"}});
    QVERIFY(!other.parallelResidual);
    QCOMPARE(other.rotaryDim(other.rope), 8);
    QCOMPARE(other.rope.theta, 25000.0);
    const ModelConfig now =
        neox({{"rope_parameters", R"({"rope_type": "default", "rope_theta": 500, "partial_rotary_factor": 0.75})"}});
    QCOMPARE(now.rotaryDim(now.rope), 12);
    QCOMPARE(now.rope.theta, 500.0);
    QVERIFY(!readSound({}).parallelResidual);
}

void TestModelConfig::ggufOfGemma()
{
    const auto gemma = [](const std::string& architecture, std::uint32_t layers, const auto& more) {
        test::GgufBuilder file;
        file.text("general.architecture", architecture);
        const auto put = [&](const char* key, std::uint32_t value) {
            file.number(architecture + "." + key, GgufType::U32, value);
        };
        put("block_count", layers);
        put("attention.head_count", 32);
        put("attention.head_count_kv", 16);
        put("attention.key_length", 128);
        put("embedding_length", 5376);
        put("feed_forward_length", 64);
        put("context_length", 128);
        put("attention.sliding_window", 8);
        file.number(architecture + ".attention.layer_norm_rms_epsilon", GgufType::F32, 1e-6F);
        more(file);
        return file.bytes();
    };
    const auto read = [](const std::string& bytes, std::vector<Error>& problems) {
        const auto file = parseGguf(SpanSource(test::bytesOf(bytes)), "m.gguf");
        return file ? modelConfigFromGguf(*file, problems) : ModelConfig();
    };
    std::vector<Error> problems;
    // Models of one size divide scores by another number than the root of Dh, which no key says.
    ModelConfig config = read(gemma("gemma3", 62, [](auto&) {}), problems);
    QVERIFY(problems.empty() && config.warnings.empty());
    QCOMPARE(config.queryScalar, 168.0);
    QVERIFY(config.causal && config.windows[4] == 8 && config.windows[5] == 0 && config.softcap == 0);
    QCOMPARE(config.windowedRope->theta, 10000.0);
    QVERIFY(!config.normWeightsFromOne);
    config = read(gemma("gemma2", 4, [](auto&) {}), problems);
    QVERIFY(config.windows == (std::vector<std::int64_t>{8, 0, 8, 0}) && config.softcap == 50);
    QCOMPARE(config.queryScalar, 128.0);
    // Windows layer by layer, and keys that nobody knows.
    config = read(gemma("gemma-embedding", 3,
                        [](test::GgufBuilder& file) {
                            file.array<std::uint8_t>("gemma-embedding.attention.sliding_window_pattern", GgufType::Bool,
                                                     {0, 1, 0})
                                .number<float>("gemma-embedding.residual_scale", GgufType::F32, 2.0F)
                                .number<std::uint32_t>("gemma-embedding.pooling_type", GgufType::U32, 1);
                        }),
                  problems);
    QVERIFY(problems.empty() && !config.causal);
    QCOMPARE(config.windows, (std::vector<std::int64_t>{0, 8, 0}));
    QCOMPARE(config.warnings, std::vector<std::string>{"gemma-embedding.residual_scale: unknown, and not applied"});
    (void)read(gemma("gemma2", 3,
                     [](test::GgufBuilder& file) {
                         file.array<std::uint8_t>("gemma2.attention.sliding_window_pattern", GgufType::Bool, {0, 1})
                             .text("gemma2.hidden_activation", "relu");
                     }),
               problems);
    QCOMPARE(problems.size(), std::size_t{2});
    QCOMPARE(problems[0].message, std::string("expected silu, gelu or gelu_pytorch_tanh, found relu"));
    QCOMPARE(problems[1].message, std::string("expected 3 truth values, one per layer, found 2"));
}

void TestModelConfig::ggufOfPhi3()
{
    const auto read = [](std::uint32_t dims, const std::string& scaling, std::vector<Error>& problems) {
        test::GgufBuilder file;
        file.text("general.architecture", "phi3").text("phi3.rope.scaling.type", scaling);
        for (const auto& [key, value] :
             std::vector<std::pair<std::string, std::uint32_t>>{{"block_count", 2},
                                                                {"attention.head_count", 2},
                                                                {"embedding_length", 98},
                                                                {"feed_forward_length", 8},
                                                                {"context_length", 64},
                                                                {"rope.dimension_count", dims},
                                                                {"rope.scaling.original_context_length", 16}})
            file.number("phi3." + key, GgufType::U32, value);
        file.number("phi3.attention.layer_norm_rms_epsilon", GgufType::F32, 1e-6F)
            .floats("rope_factors_long.weight", {1}, std::vector<float>{2});
        const std::string bytes = file.bytes();
        const auto gguf = parseGguf(SpanSource(test::bytesOf(bytes)), "m.gguf");
        return gguf ? modelConfigFromGguf(*gguf, problems) : ModelConfig();
    };
    std::vector<Error> problems;
    for (const std::uint32_t dims : {2U, 22U, 48U})
    {
        const ModelConfig config = read(dims, "longrope", problems);
        QCOMPARE(config.rotaryDim(config.rope), static_cast<std::int64_t>(dims)); // 22 / 49 x 49 is less than 22
        QVERIFY(config.rope.scaling == RopeScaling::LongRope && config.rope.factorsInTensors);
        QCOMPARE(config.rope.factor, 4.0);
    }
    problems.clear();
    (void)read(60, "yarn", problems);
    QCOMPARE(problems.front().message, std::string("expected 49, found 60"));
    QVERIFY(std::ranges::any_of(problems, [](const Error& problem) {
        return problem.message == "expected none or longrope together with the factors, found yarn";
    }));
}

HEADSCOPE_TEST_GUILESS(TestModelConfig)
#include "tst_model_config.moc"
