// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/model_files.h"

#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace headscope;

namespace
{

namespace fs = std::filesystem;

std::string readAll(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// A copy of a golden model in which texts of config.json are replaced.
class Copy
{
public:
    explicit Copy(const std::string& model)
    {
        fs::copy(test::golden("models/" + model), folder(), fs::copy_options::recursive);
    }
    [[nodiscard]] fs::path folder() const { return fs::path(m_folder.path().toStdString()) / "model"; }
    void replace(const std::string& file, const std::string& from, const std::string& to)
    {
        std::string text = readAll(folder() / file);
        const std::size_t at = text.find(from);
        QVERIFY2(at != std::string::npos, from.c_str());
        text.replace(at, from.size(), to);
        std::ofstream(folder() / file, std::ios::binary) << text;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

class TestModelFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfPath();
    void folderWithOneGguf();
    void nothingThere();
    void missingWeights();
    void shapeAgainstConfiguration();
    void everyProblemIsTold();
    void missingTensor();
    void unknownTensorInALayerIsRefused();
    void unknownTensorElsewhereIsAWarning();
    void layerBeyondTheLast();
    void biasesAgainstConfiguration();
    void truncatedShard();
    void oneFileBesideShards();
    void adapterBesideTheWeights();
    void networkInAFolderOfItsOwn();
    void namesWithAForeignPrefix();
};

void TestModelFiles::everyKindOfPath()
{
    const auto folder = test::golden("models/llama_bf16");
    for (const auto& path : {folder, folder / "model-00002-of-00002.safetensors",
                             folder / "model.safetensors.index.json", folder / "config.json"})
    {
        const auto files = openModel(path);
        HEADSCOPE_VERIFY_OK(files);
        QCOMPARE(files->folder, folder);
        QCOMPARE(files->config.layers, 3);
        QCOMPARE(files->tensors.size(), 29U);
        QVERIFY(!files->isGguf());
    }
    const auto gguf = openModel(test::golden("gguf/qwen3/qwen3-Q4_0.gguf"));
    HEADSCOPE_VERIFY_OK(gguf);
    QVERIFY(gguf->isGguf());
    HEADSCOPE_VERIFY_ERROR(openModel(test::source("tests/golden/README.md")), ErrorCode::BadFormat,
                           "this is not a model: expected a folder with config.json");
}

void TestModelFiles::folderWithOneGguf()
{
    QTemporaryDir folder;
    const fs::path path(folder.path().toStdString());
    fs::copy(test::golden("gguf/llama/llama-Q8_0.gguf"), path / "a.gguf");
    HEADSCOPE_VERIFY_OK(openModel(path));
    fs::copy(test::golden("gguf/llama/llama-Q8_0.gguf"), path / "b.gguf");
    HEADSCOPE_VERIFY_ERROR(openModel(path), ErrorCode::InvalidArgument, "found 2 .gguf files");
}

void TestModelFiles::nothingThere()
{
    HEADSCOPE_VERIFY_ERROR(openModel("/nonexistent/model.gguf"), ErrorCode::FileNotFound, "/nonexistent/model.gguf");
    QTemporaryDir folder;
    HEADSCOPE_VERIFY_ERROR(openModel(folder.path().toStdString()), ErrorCode::FileNotFound, "found 0 .gguf files");
}

void TestModelFiles::missingWeights()
{
    const Copy copy("llama_mha");
    fs::remove(copy.folder() / "model.safetensors");
    HEADSCOPE_VERIFY_ERROR(openModel(copy.folder()), ErrorCode::FileNotFound, "found neither");
    std::ofstream(copy.folder() / "pytorch_model.bin") << "x";
    HEADSCOPE_VERIFY_ERROR(openModel(copy.folder()), ErrorCode::Unsupported, "pytorch_model.bin");
}

void TestModelFiles::shapeAgainstConfiguration()
{
    Copy copy("llama_obias");
    copy.replace("config.json", "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 4");
    const auto files = openModel(copy.folder());
    HEADSCOPE_VERIFY_ERROR(files, ErrorCode::ShapeMismatch, "k_proj.weight");
    QVERIFY(files.error().sentence().find("expected shape [64, 64], found [32, 64]") != std::string::npos);
    QVERIFY(files.error().sentence().find("v_proj.bias") != std::string::npos);
}

void TestModelFiles::everyProblemIsTold()
{
    Copy copy("qwen2_f32");
    copy.replace("config.json", "\"vocab_size\": 384", "\"vocab_size\": 385");
    copy.replace("config.json", "\"intermediate_size\": 64", "\"intermediate_size\": 48");
    const auto files = openModel(copy.folder());
    QVERIFY(!files);
    const std::string sentence = files.error().sentence();
    for (const char* part : {"embed_tokens.weight", "expected shape [385, 64], found [384, 64]",
                             "layers.2.mlp.down_proj", "expected shape [64, 48], found [64, 64]"})
        QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
}

void TestModelFiles::missingTensor()
{
    Copy copy("mistral_mqa");
    copy.replace("config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 4");
    HEADSCOPE_VERIFY_ERROR(openModel(copy.folder()), ErrorCode::BadFormat,
                           "layers.2.self_attn.q_proj.weight: expected this tensor in all 4 layers, found it in 2");
    Copy renamed("mistral_mqa");
    renamed.replace("model.safetensors", "model.norm.weight", "model.nurm.weight");
    HEADSCOPE_VERIFY_ERROR(openModel(renamed.folder()), ErrorCode::BadFormat, "norm.weight: this tensor is missing");
}

void TestModelFiles::unknownTensorInALayerIsRefused()
{
    Copy copy("qwen2_f32");
    copy.replace("config.json", "\"model_type\": \"qwen2\"", "\"model_type\": \"llama\"");
    copy.replace("config.json", "Qwen2ForCausalLM", "LlamaForCausalLM");
    // Without an option that speaks of biases, the tensors decide; sinks would change the result.
    HEADSCOPE_VERIFY_OK(openModel(copy.folder()));
    copy.replace("model.safetensors", "layers.1.self_attn.k_proj.bias", "layers.1.self_attn.k_sink.bias");
    HEADSCOPE_VERIFY_ERROR(openModel(copy.folder()), ErrorCode::Unsupported,
                           "k_sink.bias: a llama model has no such tensor");
}

void TestModelFiles::unknownTensorElsewhereIsAWarning()
{
    Copy copy("llama_bf16");
    copy.replace("model-00002-of-00002.safetensors", "lm_head.weight", "xm_head.weight");
    copy.replace("model.safetensors.index.json", "lm_head.weight", "xm_head.weight");
    const auto files = openModel(copy.folder());
    HEADSCOPE_VERIFY_OK(files);
    QCOMPARE(files->warnings.size(), 1U);
    QVERIFY(files->warnings[0].find("xm_head.weight: unknown, and not used") != std::string::npos);
}

void TestModelFiles::layerBeyondTheLast()
{
    Copy copy("mistral_mqa");
    copy.replace("config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 1");
    HEADSCOPE_VERIFY_ERROR(openModel(copy.folder()), ErrorCode::BadFormat, "expected layers 0 to 0, found 1");
}

void TestModelFiles::biasesAgainstConfiguration()
{
    Copy without("llama_mha");
    without.replace("config.json", "\"attention_bias\": false", "\"attention_bias\": true");
    HEADSCOPE_VERIFY_ERROR(openModel(without.folder()), ErrorCode::BadFormat, "q_proj.bias");
    Copy with("llama_obias");
    with.replace("config.json", "\"attention_bias\": true", "\"attention_bias\": false");
    HEADSCOPE_VERIFY_ERROR(openModel(with.folder()), ErrorCode::Unsupported,
                           "self_attn.o_proj.bias: this llama model should not have this tensor");
}

void TestModelFiles::truncatedShard()
{
    const Copy copy("llama_bf16");
    const auto shard = copy.folder() / "model-00002-of-00002.safetensors";
    fs::resize_file(shard, fs::file_size(shard) - 10);
    HEADSCOPE_VERIFY_ERROR(openModel(copy.folder()), ErrorCode::BadFormat, "model-00002-of-00002.safetensors");
}

void TestModelFiles::oneFileBesideShards()
{
    const Copy copy("llama_bf16");
    const fs::path index = copy.folder() / "model.safetensors.index.json";
    // A file of all tensors, as a merge beside the old shards leaves it. Only its name differs here.
    const std::string single = readAll(test::golden("models/llama_mha/model.safetensors"));
    QVERIFY(!single.empty());
    std::ofstream(copy.folder() / "model.safetensors", std::ios::binary) << single;
    fs::copy(test::golden("models/llama_mha/config.json"), copy.folder() / "config.json",
             fs::copy_options::overwrite_existing);
    const auto whole = openModel(copy.folder());
    HEADSCOPE_VERIFY_OK(whole);
    QCOMPARE(whole->directory.files.size(), 1U);
    QCOMPARE(whole->warnings.size(), 1U);
    QVERIFY(whole->warnings[0].starts_with("model.safetensors is read"));
    fs::copy(test::golden("models/llama_bf16/config.json"), copy.folder() / "config.json",
             fs::copy_options::overwrite_existing);
    for (const fs::path& named : {index, copy.folder() / "model-00001-of-00002.safetensors"})
    {
        const auto shards = openModel(named);
        HEADSCOPE_VERIFY_OK(shards);
        QCOMPARE(shards->directory.files.size(), 2U);
        QVERIFY(shards->warnings.size() == 1 &&
                shards->warnings[0].find("because they were named") != std::string::npos);
    }
}

void TestModelFiles::adapterBesideTheWeights()
{
    const Copy copy("llama_mha");
    HEADSCOPE_VERIFY_OK(openModel(copy.folder()));
    std::ofstream(copy.folder() / "adapter_config.json") << R"({"peft_type": "LORA"})";
    HEADSCOPE_VERIFY_ERROR(openModel(copy.folder()), ErrorCode::FileNotFound, "adapter_model.safetensors");
    fs::remove(copy.folder() / "config.json"); // an adapter alone
    HEADSCOPE_VERIFY_ERROR(openModel(copy.folder()), ErrorCode::Unsupported, "adapter (LoRA)");
}

void TestModelFiles::networkInAFolderOfItsOwn()
{
    const QTemporaryDir folder;
    const fs::path root(folder.path().toStdString());
    fs::copy(test::golden("models/bert_f16"), root / "0_Transformer", fs::copy_options::recursive);
    fs::rename(root / "0_Transformer/1_Pooling", root / "1_Pooling");
    fs::remove(root / "0_Transformer/modules.json");
    const auto modules = [&](const std::string& path) {
        std::ofstream(root / "modules.json")
            << R"([{"type": "sentence_transformers.models.Transformer", "path": ")" << path
            << R"("}, {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}])";
    };
    modules("0_Transformer");
    const auto files = openModel(root);
    HEADSCOPE_VERIFY_OK(files);
    QCOMPARE(files->folder, root / "0_Transformer");
    QCOMPARE(files->root, root);
    for (const char* path : {"", "../0_Transformer", "1_Pooling/../0_Transformer", "none"})
    {
        modules(path); // nothing is read outside, and nothing guessed
        HEADSCOPE_VERIFY_ERROR(openModel(root), ErrorCode::FileNotFound, "found 0 .gguf files and no config.json");
    }
}

void TestModelFiles::namesWithAForeignPrefix()
{
    for (const char* prefix : {"0.auto_model.", "encoder_q."})
    {
        const Copy copy("bert_f16");
        const fs::path file = copy.folder() / "model.safetensors";
        std::string bytes = readAll(file);
        std::uint64_t oldSize = 0;
        std::memcpy(&oldSize, bytes.data(), sizeof(oldSize));
        std::string header = bytes.substr(8, oldSize);
        for (const char* part : {"\"bert.", "\"embeddings.", "\"encoder.", "\"pooler.", "\"cls."})
            for (std::size_t at = header.find(part); at != std::string::npos; at = header.find(part, at + 1))
                header.insert(at + 1, prefix);
        const std::uint64_t size = header.size();
        std::string whole(reinterpret_cast<const char*>(&size), sizeof(size));
        whole += header + bytes.substr(8 + oldSize);
        std::ofstream(file, std::ios::binary) << whole;
        const auto plain = openModel(test::golden("models/bert_f16"));
        const auto files = openModel(copy.folder());
        HEADSCOPE_VERIFY_OK(plain);
        HEADSCOPE_VERIFY_OK(files);
        QCOMPARE(files->tensors.size(), plain->tensors.size());
        QCOMPARE(files->warnings.size(), 1U);
        QVERIFY(files->warnings[0].find(prefix) != std::string::npos);
    }
}

HEADSCOPE_TEST_GUILESS(TestModelFiles)
#include "tst_model_files.moc"
