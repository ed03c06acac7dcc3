// SPDX-License-Identifier: GPL-3.0-or-later
// Golden folders as GGUF files of llama.cpp's architectures: the same vectors and token ids.
#include "model/formats/gguf.h"
#include "model/net/config/model_card.h"
#include "model/net/forward/embedding_modules.h"
#include "model/tokenize/tokenizer.h"
#include "tests/model/net/gguf_of_folder.h"
#include "tests/model/net/golden_network.h"
#include "tests/model/tokenize/golden_cases.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <memory>

using namespace headscope;
using test::FolderTensor;
using test::GgufRecipe;

namespace
{

using Names = std::vector<std::pair<std::string, std::string>>;
using Builder = test::GgufBuilder;

constexpr double kTolerance = 1e-4;

const Names kSizes = {{"context_length", "max_position_embeddings"},
                      {"embedding_length", "hidden_size"},
                      {"feed_forward_length", "intermediate_size"},
                      {"block_count", "num_hidden_layers"},
                      {"attention.head_count", "num_attention_heads"}};
const Names kGroupedSizes = [] {
    Names sizes = kSizes;
    sizes.emplace_back("attention.head_count_kv", "num_key_value_heads");
    return sizes;
}();
const Names kBertNames = {{"embeddings.word_embeddings", "token_embd"},
                          {"embeddings.position_embeddings", "position_embd"},
                          {"embeddings.token_type_embeddings", "token_types"},
                          {"embeddings.LayerNorm", "token_embd_norm"},
                          {"encoder.layer.N.attention.self.query", "blk.N.attn_q"},
                          {"encoder.layer.N.attention.self.key", "blk.N.attn_k"},
                          {"encoder.layer.N.attention.self.value", "blk.N.attn_v"},
                          {"encoder.layer.N.attention.output.dense", "blk.N.attn_output"},
                          {"encoder.layer.N.attention.output.LayerNorm", "blk.N.attn_output_norm"},
                          {"encoder.layer.N.intermediate.dense", "blk.N.ffn_up"},
                          {"encoder.layer.N.output.dense", "blk.N.ffn_down"},
                          {"encoder.layer.N.output.LayerNorm", "blk.N.layer_output_norm"}};
const Names kDistilBertNames = {{"embeddings.word_embeddings", "token_embd"},
                                {"embeddings.position_embeddings", "position_embd"},
                                {"embeddings.LayerNorm", "token_embd_norm"},
                                {"transformer.layer.N.attention.q_lin", "blk.N.attn_q"},
                                {"transformer.layer.N.attention.k_lin", "blk.N.attn_k"},
                                {"transformer.layer.N.attention.v_lin", "blk.N.attn_v"},
                                {"transformer.layer.N.attention.out_lin", "blk.N.attn_output"},
                                {"transformer.layer.N.sa_layer_norm", "blk.N.attn_output_norm"},
                                {"transformer.layer.N.ffn.lin1", "blk.N.ffn_up"},
                                {"transformer.layer.N.ffn.lin2", "blk.N.ffn_down"},
                                {"transformer.layer.N.output_layer_norm", "blk.N.layer_output_norm"}};
const Names kNomicNames = {{"embeddings.word_embeddings", "token_embd"},
                           {"embeddings.token_type_embeddings", "token_types"},
                           {"emb_ln", "token_embd_norm"},
                           {"encoder.layers.N.attn.Wqkv", "blk.N.attn_qkv"},
                           {"encoder.layers.N.attn.out_proj", "blk.N.attn_output"},
                           {"encoder.layers.N.norm1", "blk.N.attn_output_norm"},
                           {"encoder.layers.N.mlp.fc11", "blk.N.ffn_up"},
                           {"encoder.layers.N.mlp.fc12", "blk.N.ffn_gate"},
                           {"encoder.layers.N.mlp.fc2", "blk.N.ffn_down"},
                           {"encoder.layers.N.norm2", "blk.N.layer_output_norm"}};
const Names kModernBertNames = {{"embeddings.tok_embeddings", "token_embd"},
                                {"embeddings.norm", "token_embd_norm"},
                                {"final_norm", "output_norm"},
                                {"layers.N.attn_norm", "blk.N.attn_norm"},
                                {"layers.N.attn.Wqkv", "blk.N.attn_qkv"},
                                {"layers.N.attn.Wo", "blk.N.attn_output"},
                                {"layers.N.mlp_norm", "blk.N.ffn_norm"},
                                {"layers.N.mlp.Wi", "blk.N.ffn_up"},
                                {"layers.N.mlp.Wo", "blk.N.ffn_down"}};
const Names kLlamaNames = {{"embed_tokens", "token_embd"},
                           {"norm", "output_norm"},
                           {"layers.N.input_layernorm", "blk.N.attn_norm"},
                           {"layers.N.self_attn.q_proj", "blk.N.attn_q"},
                           {"layers.N.self_attn.k_proj", "blk.N.attn_k"},
                           {"layers.N.self_attn.v_proj", "blk.N.attn_v"},
                           {"layers.N.self_attn.o_proj", "blk.N.attn_output"},
                           {"layers.N.post_attention_layernorm", "blk.N.ffn_norm"},
                           {"layers.N.mlp.gate_proj", "blk.N.ffn_gate"},
                           {"layers.N.mlp.up_proj", "blk.N.ffn_up"},
                           {"layers.N.mlp.down_proj", "blk.N.ffn_down"}};
const Names kGemmaNames = [] {
    Names names = kLlamaNames;
    for (auto& [from, to] : names)
        if (from == "layers.N.post_attention_layernorm")
            to = "blk.N.post_attention_norm";
    names.insert(names.end(), {{"layers.N.pre_feedforward_layernorm", "blk.N.ffn_norm"},
                               {"layers.N.post_feedforward_layernorm", "blk.N.post_ffw_norm"},
                               {"layers.N.self_attn.q_norm", "blk.N.attn_q_norm"},
                               {"layers.N.self_attn.k_norm", "blk.N.attn_k_norm"}});
    return names;
}();
const Names kPhi3Names = {{"embed_tokens", "token_embd"},
                          {"norm", "output_norm"},
                          {"layers.N.input_layernorm", "blk.N.attn_norm"},
                          {"layers.N.self_attn.qkv_proj", "blk.N.attn_qkv"},
                          {"layers.N.self_attn.o_proj", "blk.N.attn_output"},
                          {"layers.N.post_attention_layernorm", "blk.N.ffn_norm"},
                          {"layers.N.mlp.gate_up_proj", "blk.N.ffn_up"},
                          {"layers.N.mlp.down_proj", "blk.N.ffn_down"}};
const Names kGpt2Names = {{"wte", "token_embd"},
                          {"wpe", "position_embd"},
                          {"ln_f", "output_norm"},
                          {"h.N.ln_1", "blk.N.attn_norm"},
                          {"h.N.attn.c_attn", "blk.N.attn_qkv"},
                          {"h.N.attn.c_proj", "blk.N.attn_output"},
                          {"h.N.ln_2", "blk.N.ffn_norm"},
                          {"h.N.mlp.c_fc", "blk.N.ffn_up"},
                          {"h.N.mlp.c_proj", "blk.N.ffn_down"}};

const Names kGptNeoXNames = {{"embed_in", "token_embd"},
                             {"final_layer_norm", "output_norm"},
                             {"layers.N.input_layernorm", "blk.N.attn_norm"},
                             {"layers.N.attention.query_key_value", "blk.N.attn_qkv"},
                             {"layers.N.attention.dense", "blk.N.attn_output"},
                             {"layers.N.post_attention_layernorm", "blk.N.ffn_norm"},
                             {"layers.N.mlp.dense_h_to_4h", "blk.N.ffn_up"},
                             {"layers.N.mlp.dense_4h_to_h", "blk.N.ffn_down"}};

/// Two rows less: no token has the positions up to that of <pad>.
void cutPositions(const QJsonObject&, const std::string& name, FolderTensor& tensor)
{
    if (name != "embeddings.position_embeddings.weight")
        return;
    tensor.values.erase(tensor.values.begin(), tensor.values.begin() + 2 * tensor.shape[1]);
    tensor.shape[0] -= 2;
}

/// Norms with the one that Gemma adds. Scores are divided by the root of Dh in a GGUF file, so that queries are
/// multiplied by what the folder's query_pre_attn_scalar differs.
void changeGemma(const QJsonObject& config, const std::string& name, FolderTensor& tensor)
{
    if (name.ends_with("norm.weight"))
        for (float& value : tensor.values)
            value += 1;
    const auto number = [&config](const char* key) { return config[QLatin1String(key)].toDouble(); };
    const bool isNormed = config[QLatin1String("model_type")].toString() == QLatin1String("gemma3_text");
    if (name.ends_with(isNormed ? "self_attn.q_norm.weight" : "self_attn.q_proj.weight"))
        for (float& value : tensor.values)
            value *= static_cast<float>(std::sqrt(number("head_dim") / number("query_pre_attn_scalar")));
}

void changeGpt2(const QJsonObject&, const std::string& name, FolderTensor& tensor)
{
    if (name.ends_with("c_attn.weight") || name.ends_with("c_proj.weight") || name.ends_with("c_fc.weight"))
        test::transpose(tensor);
}

/// All queries, all keys, all values.
void changeGptNeoX(const QJsonObject& config, const std::string& name, FolderTensor& tensor)
{
    if (name.find("query_key_value") == std::string::npos)
        return;
    const auto heads = static_cast<std::size_t>(config[QLatin1String("num_attention_heads")].toInt());
    const std::size_t block = tensor.values.size() / heads / 3;
    const std::vector<float> from = tensor.values;
    for (std::size_t head = 0; head < heads; ++head)
        for (std::size_t part = 0; part < 3; ++part)
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>((head * 3 + part) * block), block,
                        tensor.values.begin() + static_cast<std::ptrdiff_t>((part * heads + head) * block));
}

void changeLlama(const QJsonObject& config, const std::string& name, FolderTensor& tensor)
{
    if (name.ends_with("q_proj.weight") || name.ends_with("k_proj.weight"))
        test::interleave(tensor, config[QLatin1String("head_dim")].toInt());
}

std::vector<float> floatsOf(const QJsonArray& array)
{
    std::vector<float> values;
    for (const QJsonValue value : array)
        values.push_back(static_cast<float>(value.toDouble()));
    return values;
}

void addHeads(const QJsonObject& config, Builder& file, const std::string& architecture)
{
    for (const char* key : {"key_length", "value_length"})
        file.number<std::uint32_t>(architecture + ".attention." + key, GgufType::U32,
                                   static_cast<std::uint32_t>(config[QLatin1String("head_dim")].toInt()));
}

void addEmbeddingGemma(const QJsonObject& config, Builder& file)
{
    addHeads(config, file, "gemma-embedding");
    file.number<std::uint32_t>("gemma-embedding.attention.sliding_window_pattern", GgufType::U32, 3)
        .number<std::uint32_t>("gemma-embedding.pooling_type", GgufType::U32, 1);
    for (const std::string number : {"2", "3"})
    {
        auto tensors = test::tensorsOf(test::golden("models/gemma3_embed/" + number + "_Dense/model.safetensors"));
        const FolderTensor& dense = tensors.at("linear.weight");
        file.floats("dense_" + number + ".weight", {dense.shape.rbegin(), dense.shape.rend()}, dense.values);
    }
}

/// The factors of llama3's scaling by which frequencies are divided.
void addLlamaEmbed(const QJsonObject& config, Builder& file)
{
    const QJsonObject rope = config[QLatin1String("rope_scaling")].toObject();
    const auto number = [&rope](const char* key) { return rope[QLatin1String(key)].toDouble(); };
    std::vector<float> factors;
    const int dims = config[QLatin1String("head_dim")].toInt();
    for (int i = 0; i < dims; i += 2)
    {
        const double wave = 2 * std::numbers::pi *
                            std::pow(config[QLatin1String("rope_theta")].toDouble(), static_cast<double>(i) / dims);
        const double turns = number("original_max_position_embeddings") / wave;
        const double low = number("low_freq_factor");
        const double kept = std::clamp((turns - low) / (number("high_freq_factor") - low), 0.0, 1.0);
        factors.push_back(static_cast<float>(1 / ((1 - kept) / number("factor") + kept)));
    }
    file.floats("rope_freqs.weight", {dims / 2}, factors);
    file.number<std::uint32_t>("llama-embed.rope.dimension_count", GgufType::U32, static_cast<std::uint32_t>(dims))
        .number<std::uint32_t>("llama-embed.pooling_type", GgufType::U32, 1);
}

void addPhi3(const QJsonObject& config, Builder& file)
{
    const QJsonObject rope = config[QLatin1String("rope_scaling")].toObject();
    const std::vector<float> longs = floatsOf(rope[QLatin1String("long_factor")].toArray());
    const std::vector<float> shorts = floatsOf(rope[QLatin1String("short_factor")].toArray());
    const auto size = static_cast<std::int64_t>(longs.size());
    file.floats("rope_factors_long.weight", {size}, longs).floats("rope_factors_short.weight", {size}, shorts);
    const double original = config[QLatin1String("original_max_position_embeddings")].toDouble();
    const double scale = config[QLatin1String("max_position_embeddings")].toDouble() / original;
    file.number<float>("phi3.rope.scaling.attn_factor", GgufType::F32,
                       static_cast<float>(std::sqrt(1 + std::log(scale) / std::log(original))));
}

void addModernBert(const QJsonObject&, Builder& file)
{
    file.text("modern-bert.rope.scaling.type", "none")
        .text("modern-bert.hidden_activation", "gelu")
        .number<std::uint8_t>("modern-bert.attention.causal", GgufType::Bool, 0)
        .number<std::uint32_t>("modern-bert.pooling_type", GgufType::U32, 2);
}

/// What the converter says of every encoder.
std::function<void(const QJsonObject&, Builder&)> encoder(const std::string& architecture, std::uint32_t pooling)
{
    return [=](const QJsonObject& config, Builder& file) {
        file.number<std::uint8_t>(architecture + ".attention.causal", GgufType::Bool, 0)
            .number<std::uint32_t>(architecture + ".pooling_type", GgufType::U32, pooling)
            .number<std::uint32_t>("tokenizer.ggml.token_type_count", GgufType::U32,
                                   static_cast<std::uint32_t>(config[QLatin1String("type_vocab_size")].toInt(1)));
    };
}

Names with(Names names, const Names& more)
{
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

std::vector<GgufRecipe> recipes()
{
    const Names eps = {{"attention.layer_norm_epsilon", "layer_norm_eps"}};
    const Names rms = {{"attention.layer_norm_rms_epsilon", "rms_norm_eps"}};
    const Names rotary = with(rms, {{"rope.freq_base", "rope_theta"}});
    return {
        {"bert_f32", "bert", "bert.", kBertNames, kSizes, eps, "", {}, encoder("bert", 1)},
        {"bert_f16", "bert", "bert.", kBertNames, kSizes, eps, "", {}, encoder("bert", 2)},
        {"xlmr_f16", "bert", "roberta.", kBertNames, kSizes, eps, "", cutPositions, encoder("bert", 2), 2},
        {"distilbert_f16",
         "bert",
         "distilbert.",
         kDistilBertNames,
         {{"context_length", "max_position_embeddings"},
          {"embedding_length", "dim"},
          {"feed_forward_length", "hidden_dim"},
          {"block_count", "n_layers"},
          {"attention.head_count", "n_heads"}},
         {},
         "",
         {},
         [](const QJsonObject& config, Builder& file) {
             file.number<float>("bert.attention.layer_norm_epsilon", GgufType::F32, 1e-12F);
             encoder("bert", 1)(config, file);
         }},
        {"nomic_f32",
         "nomic-bert",
         "",
         kNomicNames,
         {{"context_length", "n_positions"},
          {"embedding_length", "n_embd"},
          {"feed_forward_length", "n_inner"},
          {"block_count", "n_layer"},
          {"attention.head_count", "n_head"}},
         {{"attention.layer_norm_epsilon", "layer_norm_epsilon"}, {"rope.freq_base", "rotary_emb_base"}},
         "",
         {},
         encoder("nomic-bert", 1)},
        {"modernbert_f16",
         "modern-bert",
         "model.",
         kModernBertNames,
         with(kSizes, {{"attention.sliding_window", "local_attention"},
                       {"attention.sliding_window_pattern", "global_attn_every_n_layers"}}),
         {{"attention.layer_norm_epsilon", "norm_eps"},
          {"rope.freq_base", "global_rope_theta"},
          {"rope.freq_base_swa", "local_rope_theta"}},
         "modern-bert",
         {},
         addModernBert},
        {"llama_bidirec", "llama-embed", "model.", kLlamaNames, with(kGroupedSizes, {{"vocab_size", "vocab_size"}}),
         rotary, "llama-bpe", changeLlama, addLlamaEmbed},
        {"gemma2_f16", "gemma2", "model.", kGemmaNames,
         with(kGroupedSizes, {{"attention.sliding_window", "sliding_window"}}),
         with(rms, {{"attn_logit_softcapping", "attn_logit_softcapping"},
                    {"final_logit_softcapping", "final_logit_softcapping"}}),
         "", changeGemma, [](const QJsonObject& config, Builder& file) { addHeads(config, file, "gemma2"); }},
        {"gemma3_embed", "gemma-embedding", "model.", kGemmaNames,
         with(kGroupedSizes, {{"attention.sliding_window", "sliding_window"}}), rotary, "", changeGemma,
         addEmbeddingGemma},
        {"phi3_longrope",
         "phi3",
         "model.",
         kPhi3Names,
         with(kGroupedSizes, {{"attention.sliding_window", "sliding_window"},
                              {"rope.scaling.original_context_length", "original_max_position_embeddings"}}),
         rotary,
         "",
         {},
         addPhi3},
        {"gpt2_f32",
         "gpt2",
         "transformer.",
         kGpt2Names,
         {{"context_length", "n_ctx"},
          {"embedding_length", "n_embd"},
          {"block_count", "n_layer"},
          {"attention.head_count", "n_head"}},
         {{"attention.layer_norm_epsilon", "layer_norm_epsilon"}},
         "gpt-2",
         changeGpt2,
         [](const QJsonObject& config, Builder& file) {
             file.number<std::uint32_t>("gpt2.feed_forward_length", GgufType::U32,
                                        4U * static_cast<std::uint32_t>(config[QLatin1String("n_embd")].toInt()));
         }},
        {"gptneox_f16", "gptneox", "gpt_neox.", kGptNeoXNames, kSizes, eps, "olmo", changeGptNeoX,
         [](const QJsonObject&, Builder& file) {
             file.number<std::uint32_t>("gptneox.rope.dimension_count", GgufType::U32, 6)
                 .number<std::uint8_t>("gptneox.use_parallel_residual", GgufType::Bool, 1);
         }},
    };
}

} // namespace

class TestGgufFamilies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameVectors_data();
    void sameVectors();
    void sameTokens_data() { sameVectors_data(); }
    void sameTokens();
    void recordedCases_data();
    void recordedCases();
    void denseModules();
    void inParts();

private:
    [[nodiscard]] std::filesystem::path written(const GgufRecipe& recipe) const
    {
        const auto path = std::filesystem::path(m_folder.path().toStdString()) / (recipe.folder + ".gguf");
        const std::string bytes = test::ggufOfFolder(recipe).front();
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path;
    }

    QTemporaryDir m_folder;
    std::vector<GgufRecipe> m_recipes = recipes();
};

void TestGgufFamilies::sameVectors_data()
{
    QTest::addColumn<int>("number");
    for (std::size_t i = 0; i < m_recipes.size(); ++i)
        QTest::addRow("%s of %s", m_recipes[i].architecture.c_str(), m_recipes[i].folder.c_str())
            << static_cast<int>(i);
}

void TestGgufFamilies::sameVectors()
{
    QFETCH(const int, number);
    const GgufRecipe& recipe = m_recipes[static_cast<std::size_t>(number)];
    const auto path = written(recipe);
    const auto files = openModel(path);
    HEADSCOPE_VERIFY_OK(files);
    QVERIFY2(files->warnings.empty(), files->warnings.empty() ? "" : files->warnings.front().c_str());
    const auto folder = test::golden("models/" + recipe.folder);
    // <pad> inside a text is a token as any other there.
    const std::vector<std::string> groups =
        recipe.folder == "xlmr_f16" ? std::vector<std::string>{"texts"} : std::vector<std::string>{"texts", "raw"};
    const auto errors = test::compareModel(path, folder / "expected.h5", "", "cpu", Precision::F32, "cpu", groups);
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors(recipe.architecture, *errors);
    QVERIFY(errors->size() >= 4);
    for (const auto& [stage, error] : *errors)
        QVERIFY2(error <= kTolerance, qPrintable(QString::fromStdString(stage) + QStringLiteral(": %1").arg(error)));
    // Pooled as the folder says.
    const auto own = openModel(folder);
    HEADSCOPE_VERIFY_OK(own);
    JobContext job;
    const auto card = makeModelCard(*files, {}, job);
    const auto expected = makeModelCard(*own, {}, job);
    HEADSCOPE_VERIFY_OK(card);
    QCOMPARE(card->defaultPooling(), expected->defaultPooling());
    QCOMPARE(card->causal, expected->causal);
    QCOMPARE(card->windows, expected->windows);
}

void TestGgufFamilies::sameTokens()
{
    QFETCH(const int, number);
    const GgufRecipe& recipe = m_recipes[static_cast<std::size_t>(number)];
    const auto tokenizer = Tokenizer::open(written(recipe));
    HEADSCOPE_VERIFY_OK(tokenizer);
    const auto own = Tokenizer::fromFolder(test::golden("models/" + recipe.folder));
    HEADSCOPE_VERIFY_OK(own);
    const test::GoldenFile expected(test::golden("models/" + recipe.folder) / "expected.h5");
    std::vector<std::string> texts = expected.strings("texts/text");
    texts.insert(texts.end(), {"Na\u00efve CAF\u00c9, e\u0301tude: 1234!", "a<mask>b[MASK]</s>[SEP]",
                               "\uff26\uff55\uff4c\uff4c\u3000width \ufb01 \u00bd", "tabs\tand\nlines", ""});
    for (std::string& text : texts)
    {
        if (recipe.folder == "xlmr_f16") // whose newer tokenizer.json keeps white space at the end
            text = QString::fromStdString(text).simplified().toStdString();
        const auto ids = tokenizer->encode(text);
        const auto wanted = own->encode(text);
        HEADSCOPE_VERIFY_OK(ids);
        HEADSCOPE_VERIFY_OK(wanted);
        QVERIFY2(ids->ids == wanted->ids, text.c_str());
    }
}

void TestGgufFamilies::recordedCases_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("pre");
    QTest::addColumn<int>("unlike"); // cases of what the file cannot say
    const auto row = [](const char* name, const char* pre, int unlike = 0) {
        QTest::newRow(name) << QByteArray(name) << QByteArray(pre) << unlike;
    };
    row("bert", "");
    row("bert_cased", "", 2); // its longest words have 24 characters
    row("xlmr_split", "");
    row("llama2", "");
    row("embeddinggemma", "");
    row("gpt2", "gpt-2");
    row("roberta", "roberta-bpe", 2);    // white space before <mask> is part of it
    row("modernbert", "modern-bert", 2); // likewise
    row("llama3", "llama-bpe");
    row("qwen2", "qwen2");
    row("smollm2", "smollm");
}

/// The cases of a tokenizer.json with the vocabulary that the converter makes of it.
void TestGgufFamilies::recordedCases()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, pre);
    QFETCH(const int, unlike);
    Builder builder;
    builder.text("general.architecture", "bert");
    test::GgufVocabulary(test::golden("tokenizers/" + name.toStdString()), pre.toStdString()).add(builder);
    const std::string bytes = builder.bytes();
    const auto file = parseGguf(SpanSource(test::bytesOf(bytes)), "m.gguf");
    HEADSCOPE_VERIFY_OK(file);
    const auto tokenizer = Tokenizer::fromGguf(file->metadata, "m.gguf");
    HEADSCOPE_VERIFY_OK(tokenizer);
    int count = 0;
    int wrong = 0;
    for (const test::TokenCase& each : test::readTokenCases(test::golden("tokenizers/cases.jsonl.gz")))
    {
        if (each.tokenizer != name.toStdString())
            continue;
        ++count;
        const auto found = tokenizer->encode(each.text);
        HEADSCOPE_VERIFY_OK(found);
        wrong += found->ids == each.ids ? 0 : 1;
    }
    QVERIFY(count > 0);
    QCOMPARE(wrong, unlike);
}

/// EmbeddingGemma's two Dense modules, which the converter puts beside the network.
void TestGgufFamilies::denseModules()
{
    const auto recipe = std::ranges::find(m_recipes, "gemma3_embed", &GgufRecipe::folder);
    const auto files = openModel(written(*recipe));
    const auto own = openModel(test::golden("models/gemma3_embed"));
    HEADSCOPE_VERIFY_OK(files);
    HEADSCOPE_VERIFY_OK(own);
    auto settings = readSentenceSettings(*files);
    auto expected = readSentenceSettings(*own);
    HEADSCOPE_VERIFY_OK(settings);
    HEADSCOPE_VERIFY_OK(expected);
    std::erase_if(expected->embedding.steps,
                  [](const EmbeddingStep& step) { return step.kind == EmbeddingStepKind::Normalize; });
    const std::int64_t dims = files->config.modelDim;
    const auto modules = EmbeddingModules::load(settings->embedding, dims);
    const auto wanted = EmbeddingModules::load(expected->embedding, dims);
    HEADSCOPE_VERIFY_OK(modules);
    HEADSCOPE_VERIFY_OK(wanted);
    std::vector<float> numbers(static_cast<std::size_t>(dims));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = std::sin(static_cast<float>(i));
    const MatrixF from(1, dims, std::move(numbers));
    const MatrixF found = (*modules)->apply(from.view());
    const MatrixF truth = (*wanted)->apply(from.view());
    QCOMPARE(found.cols(), truth.cols());
    QVERIFY(std::ranges::equal(found.row(0), truth.row(0)));
}

void TestGgufFamilies::inParts()
{
    const auto recipe = std::ranges::find(m_recipes, "bert_f32", &GgufRecipe::folder);
    const auto folder = std::filesystem::path(m_folder.path().toStdString()) / "parts";
    std::filesystem::create_directory(folder);
    const std::vector<std::string> parts = test::ggufOfFolder(*recipe, 3);
    for (std::size_t i = 0; i < parts.size(); ++i)
        std::ofstream(folder / ("m-0000" + std::to_string(i + 1) + "-of-00003.gguf"), std::ios::binary) << parts[i];
    // The folder, or any part, is the model.
    for (const auto& path : {folder, folder / "m-00001-of-00003.gguf", folder / "m-00003-of-00003.gguf"})
    {
        const auto errors = test::compareModel(path, test::golden("models/bert_f32") / "expected.h5", "", "cpu");
        HEADSCOPE_VERIFY_OK(errors);
        for (const auto& [stage, error] : *errors)
            QVERIFY2(error <= kTolerance, stage.c_str());
        HEADSCOPE_VERIFY_OK(Tokenizer::open(path == folder ? folder / "m-00001-of-00003.gguf" : path));
    }
}

HEADSCOPE_TEST_GUILESS(TestGgufFamilies)
#include "tst_gguf_families.moc"
