// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/lora_adapter.h"

#include "model/net/weights/weights.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

using namespace headscope;

namespace
{

namespace fs = std::filesystem;

constexpr const char* kOuter = "base_model.model.";
constexpr std::int64_t kRank = 3;

/// The two halves of what is added to a weight [out, in].
std::vector<test::MadeTensor> pairOf(const std::string& module, std::int64_t out, std::int64_t in, int seed)
{
    return {test::madeTensor(kOuter + module + ".lora_A.weight", {kRank, in}, seed),
            test::madeTensor(kOuter + module + ".lora_B.weight", {out, kRank}, seed + 1)};
}

std::vector<test::MadeTensor> joined(std::vector<test::MadeTensor> all, const std::vector<test::MadeTensor>& more)
{
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

/// LoRA adapters that lie beside a model's weights.
class TestLoraAdapter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void addedToDecoder_data();
    void addedToDecoder();
    void addedToEncoder();
    void streamedAsLoaded();
    void refused_data();
    void refused();
    void halvesAndShapes();
    void adapterAlone();

private:
    [[nodiscard]] fs::path copyOf(const std::string& model) const
    {
        const fs::path target = fs::path(m_folder->path().toStdString()) / "model";
        fs::copy(test::golden("models/" + model), target, fs::copy_options::recursive);
        return target;
    }
    static void writeAdapter(const fs::path& folder, const std::string& config,
                             const std::vector<test::MadeTensor>& tensors)
    {
        std::ofstream(folder / kAdapterConfigName) << config;
        test::writeSafetensors(folder / kAdapterWeightsName, tensors);
    }
    static Result<Weights> load(const fs::path& folder, WeightOptions options = {})
    {
        JobContext job;
        HEADSCOPE_TRY(const ModelFiles files, openModel(folder));
        return Weights::load(files, options, job);
    }
    /// Compares a weight with W + scale B A in float64.
    static void compare(const Weights& before, const Weights& after, const TensorKey& key,
                        const std::vector<test::MadeTensor>& pair, double scale);

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestLoraAdapter::compare(const Weights& before, const Weights& after, const TensorKey& key,
                              const std::vector<test::MadeTensor>& pair, double scale)
{
    const ConstMatrixView base = before.matrix(key);
    const ConstMatrixView found = after.matrix(key);
    QCOMPARE(found.rows(), base.rows());
    QCOMPARE(found.cols(), base.cols());
    double largest = 0;
    for (std::int64_t row = 0; row < base.rows(); ++row)
        for (std::int64_t col = 0; col < base.cols(); ++col)
        {
            double sum = 0;
            for (std::int64_t k = 0; k < kRank; ++k)
                sum += static_cast<double>(pair[1].values[static_cast<std::size_t>(row * kRank + k)]) *
                       static_cast<double>(pair[0].values[static_cast<std::size_t>(k * base.cols() + col)]);
            const double wanted = static_cast<double>(base(row, col)) + scale * sum;
            largest = std::max(largest, std::abs(static_cast<double>(found(row, col)) - wanted));
        }
    QVERIFY2(largest <= 2e-6, std::to_string(largest).c_str());
}

void TestLoraAdapter::addedToDecoder_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<double>("scale");
    QTest::newRow("alpha over rank") << QByteArray(R"({"peft_type": "LORA", "r": 3, "lora_alpha": 6, "bias": "none"})")
                                     << 2.0;
    QTest::newRow("default alpha") << QByteArray(R"({"peft_type": "LORA", "r": 3, "use_dora": false,
                                                     "modules_to_save": null, "rank_pattern": {}})")
                                   << 8.0 / 3;
    QTest::newRow("rank-stabilised") << QByteArray(
                                            R"({"peft_type": "LORA", "r": 3, "lora_alpha": 6, "use_rslora": true,
                                                "fan_in_fan_out": false, "init_lora_weights": true})")
                                     << 6.0 / std::sqrt(3.0);
}

void TestLoraAdapter::addedToDecoder()
{
    QFETCH(const QByteArray, config);
    QFETCH(const double, scale);
    const fs::path folder = copyOf("mistral_f32"); // its weights are mapped where no adapter changes them
    const auto before = load(folder);
    HEADSCOPE_VERIFY_OK(before);
    const ModelConfig& sizes = before->config();
    const std::int64_t wide = sizes.heads * sizes.headDim;
    const std::int64_t narrow = sizes.kvHeads * sizes.headDim;
    const auto q = pairOf("model.layers.1.self_attn.q_proj", wide, sizes.modelDim, 1);
    const auto k = pairOf("layers.0.self_attn.k_proj", narrow, sizes.modelDim, 3); // of a model without its head
    const auto o = pairOf("model.layers.0.self_attn.o_proj", sizes.modelDim, wide, 5);
    const auto up = pairOf("model.layers.0.mlp.up_proj", sizes.mlpDim, sizes.modelDim, 7);
    const auto down = pairOf("model.layers.1.mlp.down_proj", sizes.modelDim, sizes.mlpDim, 9);
    writeAdapter(folder, config.toStdString(), joined(joined(joined(q, k), joined(o, up)), down));
    const auto files = openModel(folder);
    HEADSCOPE_VERIFY_OK(files);
    QVERIFY(files->warnings.empty());
    QVERIFY(files->adapter.words().find("LoRA adapter of rank 3, added to 5 weight matrices") == 0);
    const auto after = load(folder);
    HEADSCOPE_VERIFY_OK(after);
    compare(*before, *after, {TensorRole::Q, 1}, q, scale);
    compare(*before, *after, {TensorRole::K, 0}, k, scale);
    compare(*before, *after, {TensorRole::O, 0}, o, scale);
    compare(*before, *after, {TensorRole::Up, 0}, up, scale);
    compare(*before, *after, {TensorRole::Down, 1}, down, scale);
    const ConstMatrixView untouched = after->matrix({TensorRole::Q, 0});
    QVERIFY(std::ranges::equal(untouched.row(0), before->matrix({TensorRole::Q, 0}).row(0)));
}

void TestLoraAdapter::addedToEncoder()
{
    const fs::path folder = copyOf("bert_f16");
    const auto before = load(folder);
    HEADSCOPE_VERIFY_OK(before);
    const std::int64_t dims = before->config().modelDim;
    const auto v = pairOf("encoder.layer.1.attention.self.value", dims, dims, 1);
    const auto down = pairOf("bert.encoder.layer.0.output.dense", dims, before->config().mlpDim, 3);
    writeAdapter(folder, R"({"peft_type": "LORA", "r": 3, "lora_alpha": 3})", joined(v, down));
    const auto after = load(folder);
    HEADSCOPE_VERIFY_OK(after);
    compare(*before, *after, {TensorRole::V, 1}, v, 1);
    compare(*before, *after, {TensorRole::Down, 0}, down, 1);
}

void TestLoraAdapter::streamedAsLoaded()
{
    const fs::path folder = copyOf("mistral_f32");
    const auto sizes = openModel(folder);
    HEADSCOPE_VERIFY_OK(sizes);
    const auto o =
        pairOf("layers.1.self_attn.o_proj", sizes->config.modelDim, sizes->config.heads * sizes->config.headDim, 5);
    writeAdapter(folder, R"({"peft_type": "LORA", "r": 3})", o);
    const auto files = openModel(folder);
    HEADSCOPE_VERIFY_OK(files);
    const auto opened = WeightFiles::open(*files);
    HEADSCOPE_VERIFY_OK(opened);
    const auto whole = load(folder, {.threads = 3});
    const auto part = load(folder, {.lastLayer = 1, .firstLayer = 1, .outsideLayers = false, .opened = *opened});
    HEADSCOPE_VERIFY_OK(whole);
    HEADSCOPE_VERIFY_OK(part);
    const ConstMatrixView a = whole->matrix({TensorRole::O, 1});
    const ConstMatrixView b = part->matrix({TensorRole::O, 1});
    for (std::int64_t row = 0; row < a.rows(); ++row)
        QVERIFY(std::ranges::equal(a.row(row), b.row(row)));
}

void TestLoraAdapter::refused_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const char* config, const char* part) {
        QTest::newRow(name) << QByteArray(config) << QByteArray(part);
    };
    row("another kind", R"({"peft_type": "IA3"})", "found an adapter of kind IA3");
    row("no kind", "{}", "found an adapter of kind (not named)");
    row("DoRA", R"({"peft_type": "LORA", "r": 3, "use_dora": true})", "found DoRA");
    row("whole modules", R"({"peft_type": "LORA", "r": 3, "modules_to_save": ["embed_tokens"]})", "whole modules");
    row("biases", R"({"peft_type": "LORA", "r": 3, "bias": "all"})", "trained biases");
    row("transposed", R"({"peft_type": "LORA", "r": 3, "fan_in_fan_out": true})", "stored [in, out]");
    row("ranks", R"({"peft_type": "LORA", "r": 3, "rank_pattern": {"q_proj": 8}})", "ranks that differ");
    row("PiSSA", R"({"peft_type": "LORA", "r": 3, "init_lora_weights": "pissa"})", "an initialisation (pissa)");
    row("no rank", R"({"peft_type": "LORA", "r": 0})", "expected a number above 0");
    row("no object", "[]", "expected an object");
}

void TestLoraAdapter::refused()
{
    QFETCH(const QByteArray, config);
    QFETCH(const QByteArray, part);
    const fs::path folder = copyOf("llama_mha");
    const auto sizes = openModel(folder);
    HEADSCOPE_VERIFY_OK(sizes);
    writeAdapter(folder, config.toStdString(),
                 pairOf("layers.0.self_attn.q_proj", sizes->config.modelDim, sizes->config.modelDim, 1));
    const auto files = openModel(folder);
    QVERIFY(!files);
    QVERIFY2(files.error().sentence().find(part.toStdString()) != std::string::npos, files.error().sentence().c_str());
}

void TestLoraAdapter::halvesAndShapes()
{
    const fs::path folder = copyOf("llama_mha");
    const std::string config = R"({"peft_type": "LORA", "r": 3})";
    const auto sizes = openModel(folder);
    HEADSCOPE_VERIFY_OK(sizes);
    const std::int64_t dims = sizes->config.modelDim;
    const auto q = pairOf("layers.0.self_attn.q_proj", dims, dims, 1);
    writeAdapter(folder, config, {q[0]});
    HEADSCOPE_VERIFY_ERROR(openModel(folder), ErrorCode::BadFormat, "found only lora_A");
    writeAdapter(folder, config, pairOf("layers.0.self_attn.q_proj", dims, dims + 1, 1));
    HEADSCOPE_VERIFY_ERROR(openModel(folder), ErrorCode::ShapeMismatch, "expected shape [3, ");
    writeAdapter(folder, config, pairOf("layers.9.self_attn.q_proj", dims, dims, 1));
    HEADSCOPE_VERIFY_ERROR(openModel(folder), ErrorCode::Unsupported, "found an adapter of another module");
    writeAdapter(folder, config, joined(q, pairOf("embed_tokens", dims, dims, 3)));
    HEADSCOPE_VERIFY_ERROR(openModel(folder), ErrorCode::Unsupported, "found an adapter of another module");
    writeAdapter(folder, config, {test::madeTensor("base_model.model.layers.0.x.lora_magnitude_vector", {4}, 1)});
    HEADSCOPE_VERIFY_ERROR(openModel(folder), ErrorCode::Unsupported, "found another tensor");
    fs::remove(folder / kAdapterWeightsName);
    HEADSCOPE_VERIFY_ERROR(openModel(folder), ErrorCode::FileNotFound, "adapter_model.safetensors");
}

void TestLoraAdapter::adapterAlone()
{
    const fs::path folder = copyOf("llama_mha");
    writeAdapter(folder, R"({"peft_type": "LORA", "r": 3, "base_model_name_or_path": "org/base"})", {});
    fs::remove(folder / "model.safetensors");
    HEADSCOPE_VERIFY_ERROR(openModel(folder), ErrorCode::Unsupported, "the folder of its base model, org/base");
    fs::remove(folder / "config.json");
    HEADSCOPE_VERIFY_ERROR(openModel(folder), ErrorCode::Unsupported, "the folder of its base model, org/base");
}

HEADSCOPE_TEST_GUILESS(TestLoraAdapter)
#include "tst_lora_adapter.moc"
