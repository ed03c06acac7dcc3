// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>
#include <QTemporaryDir>

using namespace headscope;

/// What a model's files ask for: done, refused, or said, by the built program.
class TestEngineModelAsks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void promptOfTheFiles();
    void promptOfAttention();
    void promptsThatAreNotThere();
    void poolingThatIsNotOffered();
    void lastTokenWithoutAnEnd();
    void directionOfTheFiles();
    void lengthOfTheTokenizer();
    void positionsThatStretch();
    void keysThatAreNotKnown();
    void theList_data();
    void theList();
    void theListIsKept();

private:
    [[nodiscard]] std::filesystem::path copyOf(const char* model) const { return test::copyOf(model, m_base); }
    /// The state of the last layer of all documents, by an extraction that must succeed.
    [[nodiscard]] std::vector<float> extract(const std::filesystem::path& model, const QStringList& options = {});
    static QJsonObject card(const std::filesystem::path& model);
    static bool warns(const QJsonObject& card, const QString& part);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_base;
    test::ProcessOutcome m_outcome; ///< of the last extraction
};

void TestEngineModelAsks::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_base = m_folder->path().toStdString();
    test::writeFile(m_base / "docs.jsonl", "{\"text\": \"The cat sat on the mat, and the dog did not.\"}\n"
                                           "{\"text\": \"Rain fell.\"}\n");
}

std::vector<float> TestEngineModelAsks::extract(const std::filesystem::path& model, const QStringList& options)
{
    m_outcome = test::runEngine(QStringList{"extract", test::text(model), test::text(m_base / "docs.jsonl"), "-o",
                                            test::text(m_base / "c.h5"), "--overwrite", "--stages", "3"} +
                                options);
    if (m_outcome.exitCode != 0)
        return {};
    const test::GoldenFile cache(m_base / "c.h5");
    const auto layers = cache.names("/embeddings");
    return layers.size() == 1 ? cache.floats("/embeddings/" + layers.front() + "/stage3") : std::vector<float>();
}

QJsonObject TestEngineModelAsks::card(const std::filesystem::path& model)
{
    return test::jsonOf(test::runEngine({"inspect", test::text(model), "--json"}));
}

bool TestEngineModelAsks::warns(const QJsonObject& card, const QString& part)
{
    for (const QJsonValue& warning : card["warnings"].toArray())
        if (warning.toString().contains(part))
            return true;
    return false;
}

void TestEngineModelAsks::promptOfTheFiles()
{
    const auto model = copyOf("models/bert_f16");
    const auto plain = extract(model);
    const auto typed = extract(model, {"--prompt", "Read this: "});
    QVERIFY(!plain.empty() && plain != typed);
    test::writeFile(model / "config_sentence_transformers.json",
                    R"({"prompts": {"query": "Ask: ", "document": "Read this: "}, "default_prompt_name": "document"})");
    QVERIFY(extract(model) == typed);
    QVERIFY2(m_outcome.err.contains("the prompt \"Read this: \" is put before every text"), m_outcome.err.constData());
    QVERIFY(extract(model, {"--prompt-name", "none"}) == plain);
    QVERIFY(!m_outcome.err.contains("prompt"));
    QVERIFY(extract(model, {"--prompt-name", "document"}) == typed);
    QVERIFY(extract(model, {"--prompt", "Ask: "}) == extract(model, {"--prompt-name", "query"}));
    QVERIFY(!m_outcome.err.contains("prompt"));
    const auto inspected = card(model);
    QCOMPARE(inspected["default_prompt"].toString(), QStringLiteral("document"));
    QCOMPARE(inspected["prompts"].toObject()["query"].toString(), QStringLiteral("Ask: "));
    const auto shown = test::runEngine({"inspect", test::text(model)});
    QVERIFY2(shown.out.contains("document: \"Read this: \", before every text"), shown.out.constData());
    // What is added to a cache has its prompt.
    QVERIFY(!extract(model).empty());
    test::writeFile(m_base / "more.jsonl", "{\"text\": \"The cat sat on the mat, and the dog did not.\"}\n"
                                           "{\"text\": \"Rain fell.\"}\n{\"text\": \"Snow fell.\"}\n");
    const QStringList into = {"extract", test::text(model), test::text(m_base / "more.jsonl"), "--into",
                              test::text(m_base / "c.h5")};
    const auto other = test::runEngine(into + QStringList{"--prompt-name", "none"});
    HEADSCOPE_VERIFY_FAILED(other, 3, "--prompt is Read this:");
    const auto added = test::runEngine(into);
    QVERIFY2(added.exitCode == 0, added.err.constData());
}

/// Attention, of a text, of documents and of one head over them, and contributions have it as extract has.
void TestEngineModelAsks::promptOfAttention()
{
    const auto model = copyOf("models/bert_f16");
    test::writeFile(model / "config_sentence_transformers.json",
                    R"({"prompts": {"query": "Ask: ", "document": "Read this: "}, "default_prompt_name": "document"})");
    const auto attention = [&](const QStringList& words) {
        m_outcome = test::runEngine(QStringList{"attention", test::text(model)} + words +
                                    QStringList{"--statistics", "--json"});
        return m_outcome.exitCode == 0 ? test::jsonOf(m_outcome)["statistics"].toObject() : QJsonObject();
    };
    const QString text = QStringLiteral("Rain fell.");
    const QByteArray notice = "the prompt \"Read this: \" is put before every text";
    const auto own = attention({text});
    QVERIFY2(!own.isEmpty() && m_outcome.err.contains(notice), m_outcome.err.constData());
    QCOMPARE(attention({QStringLiteral("Read this: ") + text, "--prompt-name", "none"}), own);
    QVERIFY(!m_outcome.err.contains("prompt"));
    QCOMPARE(attention({text, "--prompt", "Read this: "}), own);
    const auto query = attention({text, "--prompt-name", "query"});
    QVERIFY(!query.isEmpty() && query != own);
    QVERIFY(!attention({"--ids", "5,6,7"}).isEmpty()); // which are used unchanged
    QVERIFY(!m_outcome.err.contains("prompt"));
    QVERIFY(attention({"--ids", "5,6,7", "--prompt-name", "query"}).isEmpty());
    HEADSCOPE_VERIFY_FAILED(m_outcome, 2, "this option needs a text; --ids are used unchanged");

    test::writeFile(m_base / "one.jsonl", "{\"text\": \"Rain fell.\"}\n");
    const QString corpus = test::text(m_base / "one.jsonl");
    QCOMPARE(attention({"--corpus", corpus}), own);
    QVERIFY(m_outcome.err.contains(notice));
    QCOMPARE(attention({"--corpus", corpus, "--prompt-name", "query"}), query);

    const auto head = [&](const QStringList& options) {
        m_outcome = test::runEngine(QStringList{"attention", test::text(model), "--activations", "1:2", "-o",
                                                test::text(m_base / "head.h5"), "--overwrite"} +
                                    options);
        return m_outcome.exitCode == 0 ? test::GoldenFile(m_base / "head.h5").integers("/tokens/id")
                                       : std::vector<std::int64_t>();
    };
    const auto withPrompt = head({"--corpus", corpus});
    const auto without = head({"--corpus", corpus, "--prompt-name", "none"});
    QVERIFY(!without.empty() && withPrompt.size() > without.size());
    QVERIFY(!extract(model, {"--prompt-name", "query"}).empty()); // a cache has its own
    const QString cache = test::text(m_base / "c.h5");
    const auto ofCache = head({"--corpus", cache});
    QVERIFY(!ofCache.empty() && ofCache == head({"--corpus", cache, "--prompt-name", "query"}));
    QVERIFY(head({"--corpus", cache, "--prompt-name", "document"}).empty());
    HEADSCOPE_VERIFY_FAILED(m_outcome, 3, "expected Ask: , with which the documents of the cache were tokenized");

    const auto contributions = [&](const QStringList& options) {
        m_outcome = test::runEngine(QStringList{"contributions", test::text(model), corpus, "--json"} + options);
        return m_outcome.exitCode == 0 ? test::jsonOf(m_outcome)["parts"].toArray() : QJsonArray();
    };
    const auto parts = contributions({});
    QVERIFY2(!parts.isEmpty() && m_outcome.err.contains(notice), m_outcome.err.constData());
    QCOMPARE(contributions({"--prompt", "Read this: "}), parts);
    QVERIFY(contributions({"--prompt-name", "query"}) != parts);
}

void TestEngineModelAsks::promptsThatAreNotThere()
{
    const auto model = copyOf("models/bert_f16");
    QVERIFY(extract(model, {"--prompt-name", "query"}).empty());
    HEADSCOPE_VERIFY_FAILED(m_outcome, 2, "--prompt-name: expected none or auto, found \"query\"");
    test::writeFile(model / "config_sentence_transformers.json", R"({"prompts": {"query": "Ask: "}})");
    QVERIFY(extract(model, {"--prompt-name", "passage"}).empty());
    HEADSCOPE_VERIFY_FAILED(m_outcome, 2, "expected query, none or auto, found \"passage\"");
    QVERIFY(extract(model, {"--prompt-name", "query", "--prompt", "x"}).empty());
    HEADSCOPE_VERIFY_FAILED(m_outcome, 2, "found both");
    QVERIFY(!extract(model).empty()); // none of them is the default
}

void TestEngineModelAsks::poolingThatIsNotOffered()
{
    const auto model = copyOf("models/bert_f16");
    test::writeFile(model / "1_Pooling/config.json", R"({"pooling_mode_max_tokens": true})");
    QVERIFY(extract(model).empty());
    HEADSCOPE_VERIFY_FAILED(m_outcome, 3, "set pooling by max, which is not supported");
    QVERIFY(!extract(model, {"--pooling", "mean"}).empty());
    QCOMPARE(card(model)["pooling"].toString(), QStringLiteral("max"));
    QVERIFY(test::runEngine({"inspect", test::text(model)}).out.contains("max (not supported"));
}

void TestEngineModelAsks::lastTokenWithoutAnEnd()
{
    const QString notice = QStringLiteral("append no end token");
    const auto model = copyOf("models/mistral_f32");
    QVERIFY(!warns(card(model), notice));
    std::string config = test::contents(model / "tokenizer_config.json");
    const std::string flag = "\"add_eos_token\": true";
    QVERIFY(config.find(flag) != std::string::npos);
    config.replace(config.find(flag), flag.size(), "\"add_eos_token\": false");
    test::writeFile(model / "tokenizer_config.json", config);
    QVERIFY(warns(card(model), notice));
    QVERIFY(!extract(model).empty());
    QVERIFY(m_outcome.err.contains(notice.toUtf8()));
    QVERIFY(!warns(card(test::golden("models/bert_f32")), notice)); // pools otherwise
}

void TestEngineModelAsks::directionOfTheFiles()
{
    const auto model = copyOf("models/llama_mha");
    const auto causal = extract(model, {"--pooling", "first"});
    std::string config = test::contents(model / "config.json");
    config.insert(config.find('{') + 1, "\"is_causal\": false, ");
    test::writeFile(model / "config.json", config);
    const auto known = extract(model, {"--pooling", "first"});
    config.replace(config.find("\"is_causal\": false"), 18, "\"use_bidirectional_attention\": true");
    test::writeFile(model / "config.json", config);
    const auto both = extract(model, {"--pooling", "first"});
    QVERIFY(!causal.empty() && causal != known);
    QVERIFY(both == known);
}

void TestEngineModelAsks::lengthOfTheTokenizer()
{
    const auto model = copyOf("models/bert_f16");
    std::filesystem::remove(model / "sentence_bert_config.json");
    const auto cut = extract(model, {"--max-tokens", "8"});
    std::string config = test::contents(model / "tokenizer_config.json");
    const std::string length = "\"model_max_length\": 128";
    QVERIFY(config.find(length) != std::string::npos);
    config.replace(config.find(length), length.size(), "\"model_max_length\": 8");
    test::writeFile(model / "tokenizer_config.json", config);
    QVERIFY(!cut.empty());
    QVERIFY(extract(model) == cut);
    QCOMPARE(card(model)["max_tokens"].toInt(), 8);
}

void TestEngineModelAsks::positionsThatStretch()
{
    const auto model = copyOf("models/llama_mha");
    std::string config = test::contents(model / "config.json");
    const auto replace = [&config](const std::string& from, const std::string& to) {
        QVERIFY(config.find(from) != std::string::npos);
        config.replace(config.find(from), from.size(), to);
    };
    replace("\"max_position_embeddings\": 4096", "\"max_position_embeddings\": 8");
    test::writeFile(model / "config.json", config);
    QVERIFY(extract(model, {"--max-tokens", "64"}).empty());
    HEADSCOPE_VERIFY_FAILED(m_outcome, 3, "expected at most 8 (the model's number of positions)");
    replace("\"rope_type\": \"default\"", "\"rope_type\": \"dynamic\", \"factor\": 4.0");
    test::writeFile(model / "config.json", config);
    const auto whole = extract(model, {"--max-tokens", "64"});
    QVERIFY(!whole.empty());
    // sentence-transformers takes max_seq_length as it is, and without one the positions.
    QVERIFY(extract(model) == whole);
    QCOMPARE(card(model)["max_tokens"].toInt(), 4096);
    std::filesystem::remove(model / "sentence_bert_config.json");
    const auto cut = extract(model);
    QVERIFY(!cut.empty() && cut != whole);
    QCOMPARE(card(model)["max_tokens"].toInt(), 8);
}

void TestEngineModelAsks::keysThatAreNotKnown()
{
    const auto model = copyOf("models/bert_f16");
    QVERIFY(card(model)["warnings"].toArray().isEmpty());
    std::string config = test::contents(model / "config.json");
    config.insert(config.find('{') + 1, "\"clip_qkv\": 8, ");
    test::writeFile(model / "config.json", config);
    QVERIFY(warns(card(model), QStringLiteral("config.json: clip_qkv: unknown, and not used")));
    test::writeFile(model / "adapter_config.json", R"({"peft_type": "IA3"})");
    const auto adapted = test::runEngine({"inspect", test::text(model)});
    HEADSCOPE_VERIFY_FAILED(adapted, 3, "expected a LoRA adapter");
}

void TestEngineModelAsks::theList_data()
{
    QTest::addColumn<QStringList>("lines");
    const auto row = [](const char* model, const QStringList& lines) { QTest::newRow(model) << lines; };
    row("bert_f16",
        {"attention  bidirectional", "scores  q.k / sqrt(16)", "positions  128, learned", "MLP  112 wide, gelu",
         "norms  LayerNorm, epsilon 1e-05, after attention and MLP", "tokenizer  WordPiece, cased, 416 tokens",
         "start token  [CLS] is added before every text", "end token  [SEP] is appended (post_processor)",
         "max tokens  128 per text", "pooling  first token", "modules  Transformer, Pooling"});
    row("gemma2_f16",
        {"attention  causal, window of 7 tokens in 2 of 3 layers",
         "scores  q.k / sqrt(16), softcapped: 3 tanh(score / 3)", "positions  8,192, rotary, base 10,000",
         "MLP  64 wide, gelu_pytorch_tanh, gated", "norms  RMSNorm, epsilon 1e-06, before and after attention and MLP",
         "embedding  64 dimensions: the pooled final hidden state, then Normalize; head vectors are "
         "unchanged"});
    row("gemma3_embed",
        {"attention  bidirectional, window of 4 tokens to either side in 2 of 3 layers", "scores  q.k / sqrt(24)",
         "positions  2,048, rotary, base 1,000,000; layers with a window: rotary, base 10,000",
         "norms  RMSNorm, epsilon 1e-06, before and after attention and MLP, also of queries and keys"});
    row("modernbert_f16", {"attention  bidirectional, window of 5 tokens to either side in 1 of 3 layers",
                           "positions  8,192, rotary, base 160,000; layers with a window: rotary, base 10,000"});
    row("mpnet_f32", {"scores  q.k / sqrt(16), plus a bias for the distance between query and key"});
    row("phi3_longrope", {"attention  causal, window of 262,144 tokens"});
    row("qwen3_yarn", {"positions  512, rotary, base 1,000,000, yarn scaling by 4 from 48 original positions"});
    row("gpt2_f32", {"start token  nothing is added before a text", "end token  nothing is appended",
                     "pooling  last token (the model sets none)"});
    row("mistral_nvembed", {"pooling  latent attention (not supported; last, mean and first give other vectors)",
                            "embedding  not computed: pooling by latent attention is not supported",
                            "notice  config.json: latent_attention_config is not applied"});
}

/// What the files of a model ask for, line by line.
void TestEngineModelAsks::theList()
{
    QFETCH(QStringList, lines);
    const auto path = test::golden("models") / QTest::currentDataTag();
    QStringList found;
    for (const QJsonValue& ask : card(path)["asks"].toArray())
        found << ask["name"].toString() + QStringLiteral("  ") + ask["text"].toString();
    for (const QString& line : lines)
        QVERIFY2(found.contains(line), qPrintable(line + '\n' + found.join(QLatin1Char('\n'))));
    const auto shown = test::runEngine({"inspect", test::text(path)});
    for (const QString& line : lines)
        QVERIFY2(shown.out.contains(line.section("  ", 1).toUtf8()), shown.out.constData());
}

/// A cache has the list of its model, also after documents and stages were added, and when it was merged.
void TestEngineModelAsks::theListIsKept()
{
    const auto model = copyOf("models/bert_f16");
    test::writeFile(model / "config_sentence_transformers.json", R"({"prompts": {"query": "Ask:\nnow "}})");
    const QJsonArray asks = card(model)["asks"].toArray();
    QVERIFY(asks.contains(QJsonObject{{"name", "prompt"}, {"text", "query: \"Ask:\\nnow \""}}));
    const auto kept = [this](const char* cache) {
        return test::jsonOf(test::runEngine({"inspect", test::text(m_base / cache), "--json"}))["asks"].toArray();
    };
    QVERIFY(!extract(model).empty());
    QCOMPARE(kept("c.h5"), asks);
    const auto text = test::runEngine({"inspect", test::text(m_base / "c.h5")});
    QVERIFY2(text.out.contains("Settings in the model's files") && text.out.contains("[CLS] is added"),
             text.out.constData());
    const auto more = [this, &model](const QStringList& options) {
        return test::runEngine(QStringList{"extract", test::text(model), test::text(m_base / "docs.jsonl")} + options);
    };
    QCOMPARE(more({"--into", test::text(m_base / "c.h5"), "--stages", "1"}).exitCode, 0);
    QCOMPARE(kept("c.h5"), asks);
    QCOMPARE(more({"--range", "0:1", "-o", test::text(m_base / "a.h5")}).exitCode, 0);
    QCOMPARE(more({"--range", "1:2", "-o", test::text(m_base / "b.h5")}).exitCode, 0);
    QCOMPARE(test::runEngine({"merge", test::text(m_base / "a.h5"), test::text(m_base / "b.h5"), "-o",
                              test::text(m_base / "ranges.h5")})
                 .exitCode,
             0);
    QCOMPARE(kept("ranges.h5"), asks);
    QCOMPARE(more({"--stages", "1", "-o", test::text(m_base / "one.h5")}).exitCode, 0);
    QCOMPARE(more({"--stages", "2", "-o", test::text(m_base / "two.h5")}).exitCode, 0);
    QCOMPARE(test::runEngine({"merge", test::text(m_base / "one.h5"), test::text(m_base / "two.h5"), "-o",
                              test::text(m_base / "joined.h5")})
                 .exitCode,
             0);
    QCOMPARE(kept("joined.h5"), asks);
}

HEADSCOPE_TEST_GUILESS(TestEngineModelAsks)
#include "tst_engine_model_asks.moc"
