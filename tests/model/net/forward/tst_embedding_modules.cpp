// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/embedding_modules.h"

#include "tests/support/safetensors_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>

using namespace headscope;

namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kIn = 7;
constexpr std::int64_t kOut = 5;

double activated(const std::string& name, double x)
{
    if (name == "Tanh")
        return std::tanh(x);
    if (name == "ReLU")
        return x > 0 ? x : 0;
    if (name == "GELU")
        return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    if (name == "Sigmoid")
        return 1 / (1 + std::exp(-x));
    return name == "SiLU" ? x / (1 + std::exp(-x)) : x;
}

} // namespace

/// The modules behind the pooling, against sums in float64.
class TestEmbeddingModules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void dense_data();
    void dense();
    void severalInTheirOrder();
    void rowsDoNotDependOnEachOther();
    void refused_data();
    void refused();
    void filesThatDoNotFit();

private:
    [[nodiscard]] fs::path module(const std::string& name, const std::string& config,
                                  const std::vector<test::MadeTensor>& tensors) const
    {
        const fs::path folder = fs::path(m_folder->path().toStdString()) / name;
        fs::create_directories(folder);
        std::ofstream(folder / "config.json") << config;
        if (!tensors.empty())
            test::writeSafetensors(folder / "model.safetensors", tensors);
        return folder;
    }
    static Result<std::optional<EmbeddingStep>> read(const char* kind, const fs::path& folder, std::int64_t in)
    {
        std::vector<std::string> notices;
        return readEmbeddingStep(kind, folder, in, notices);
    }
    static MatrixF rows(std::int64_t count) { return {count, kIn, test::madeNumbers(count * kIn, 9)}; }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestEmbeddingModules::dense_data()
{
    QTest::addColumn<QString>("activation");
    QTest::addColumn<QString>("words");
    QTest::newRow("Identity") << "torch.nn.modules.linear.Identity"
                              << "Dense (7 to 5)";
    for (const char* name : {"Tanh", "ReLU", "GELU", "Sigmoid", "SiLU"})
        QTest::newRow(name) << QStringLiteral("torch.nn.modules.activation.%1").arg(QLatin1String(name))
                            << QStringLiteral("Dense (7 to 5, %1)").arg(QString::fromLatin1(name).toLower());
}

void TestEmbeddingModules::dense()
{
    QFETCH(const QString, activation);
    QFETCH(const QString, words);
    const auto weight = test::madeTensor("linear.weight", {kOut, kIn}, 1);
    const auto bias = test::madeTensor("linear.bias", {kOut}, 2);
    const std::string name = QTest::currentDataTag();
    for (const bool hasBias : {true, false})
    {
        const fs::path folder =
            module(hasBias ? "with" : "without",
                   R"({"in_features": 7, "out_features": 5, "bias": )" + std::string(hasBias ? "true" : "false") +
                       R"(, "activation_function": ")" + activation.toStdString() + "\"}",
                   hasBias ? std::vector{weight, bias} : std::vector{weight});
        auto step = read("Dense", folder, kIn);
        HEADSCOPE_VERIFY_OK(step);
        EmbeddingPlan plan;
        plan.steps.push_back(std::move(**step));
        QVERIFY(plan.any());
        QCOMPARE(plan.words(), words.toStdString());
        const auto modules = EmbeddingModules::load(plan, kIn);
        HEADSCOPE_VERIFY_OK(modules);
        QCOMPARE((*modules)->dims(), kOut);
        const MatrixF from = rows(3);
        const MatrixF made = (*modules)->apply(from.view());
        for (std::int64_t row = 0; row < 3; ++row)
            for (std::int64_t o = 0; o < kOut; ++o)
            {
                double sum = hasBias ? static_cast<double>(bias.values[static_cast<std::size_t>(o)]) : 0;
                for (std::int64_t i = 0; i < kIn; ++i)
                    sum += static_cast<double>(weight.values[static_cast<std::size_t>(o * kIn + i)]) *
                           static_cast<double>(from(row, i));
                QVERIFY(std::abs(static_cast<double>(made(row, o)) - activated(name, sum)) < 2e-6);
            }
    }
}

void TestEmbeddingModules::severalInTheirOrder()
{
    const auto weight = test::madeTensor("norm.weight", {kIn}, 1);
    const auto bias = test::madeTensor("norm.bias", {kIn}, 2);
    auto norm = read("LayerNorm", module("2_LayerNorm", R"({"dimension": 7})", {weight, bias}), kIn);
    HEADSCOPE_VERIFY_OK(norm);
    auto dropout = read("Dropout", "nowhere", kIn);
    HEADSCOPE_VERIFY_OK(dropout);
    QVERIFY(!dropout->has_value());
    auto unit = read("Normalize", "nowhere", kIn);
    HEADSCOPE_VERIFY_OK(unit);
    EmbeddingPlan plan;
    plan.steps = {**norm, **unit};
    plan.truncateDim = 4;
    QCOMPARE(plan.words(), std::string("LayerNorm, Normalize, the first 4 numbers"));
    const auto modules = EmbeddingModules::load(plan, kIn);
    HEADSCOPE_VERIFY_OK(modules);
    QCOMPARE((*modules)->dims(), 4);
    const MatrixF from = rows(2);
    const MatrixF made = (*modules)->apply(from.view());
    for (std::int64_t row = 0; row < 2; ++row)
    {
        double mean = 0;
        double variance = 0;
        for (const float value : from.row(row))
            mean += static_cast<double>(value) / kIn;
        for (const float value : from.row(row))
            variance += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean) / kIn;
        std::vector<double> wanted;
        double squares = 0;
        for (std::size_t i = 0; i < kIn; ++i)
        {
            wanted.push_back((static_cast<double>(from.row(row)[i]) - mean) / std::sqrt(variance + 1e-5) *
                                 static_cast<double>(weight.values[i]) +
                             static_cast<double>(bias.values[i]));
            squares += wanted.back() * wanted.back();
        }
        for (std::size_t i = 0; i < 4; ++i) // the length is that of all seven numbers
            QVERIFY(std::abs(static_cast<double>(made.row(row)[i]) - wanted[i] / std::sqrt(squares)) < 2e-6);
    }
    EmbeddingPlan other = plan;
    other.truncateDim = 3;
    const auto others = EmbeddingModules::load(other, kIn);
    HEADSCOPE_VERIFY_OK(others);
    QVERIFY((*others)->digest() != (*modules)->digest());
    QVERIFY(!EmbeddingPlan{.notDone = "why"}.any());
}

void TestEmbeddingModules::rowsDoNotDependOnEachOther()
{
    const auto weight = test::madeTensor("linear.weight", {kOut, kIn}, 1);
    auto step =
        read("Dense", module("2_Dense", R"({"in_features": 7, "out_features": 5, "bias": false})", {weight}), kIn);
    HEADSCOPE_VERIFY_OK(step);
    QCOMPARE((*step)->words(), std::string("Dense (7 to 5, tanh)")); // the library's own default
    EmbeddingPlan plan;
    plan.steps = {**step};
    const auto modules = EmbeddingModules::load(plan, kIn);
    HEADSCOPE_VERIFY_OK(modules);
    const MatrixF from = rows(33);
    const MatrixF together = (*modules)->apply(from.view());
    for (std::int64_t row = 0; row < from.rows(); ++row)
        QVERIFY(std::ranges::equal((*modules)->apply({from.row(row).data(), 1, kIn}).row(0), together.row(row)));
}

void TestEmbeddingModules::refused_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const char* kind, const char* config, const char* part) {
        QTest::newRow(name) << QByteArray(kind) << QByteArray(config) << QByteArray(part);
    };
    row("kind", "LSTM", "{}", "modules of this kind are not supported");
    row("activation", "Dense",
        R"({"in_features": 7, "out_features": 5, "activation_function": "torch.nn.modules.activation.PReLU"})",
        "PReLU is not supported");
    row("own code", "Dense", R"({"in_features": 7, "out_features": 5, "activation_function": "mine.Tanh"})",
        "mine.Tanh is not supported");
    row("tokens", "Dense", R"({"in_features": 7, "out_features": 5, "module_input_name": "token_embeddings"})",
        "its module_input_name is token_embeddings");
    row("no weights", "Dense", R"({"in_features": 7, "out_features": 5})", "it has no model.safetensors");
    row("no weights of a norm", "LayerNorm", R"({"dimension": 7})", "it has no model.safetensors");
    row("no JSON", "Dense", "{", "config.json");
}

void TestEmbeddingModules::refused()
{
    QFETCH(const QByteArray, kind);
    QFETCH(const QByteArray, config);
    QFETCH(const QByteArray, part);
    const auto step = read(kind.constData(), module("2_Other", config.toStdString(), {}), kIn);
    QVERIFY(!step);
    QVERIFY2(step.error().message.find(part.toStdString()) != std::string::npos, step.error().message.c_str());
}

void TestEmbeddingModules::filesThatDoNotFit()
{
    const auto weight = test::madeTensor("linear.weight", {kOut, kIn}, 1);
    const std::string config = R"({"in_features": 7, "out_features": 5})";
    HEADSCOPE_VERIFY_ERROR(read("Dense", module("a", config, {weight}), kIn), ErrorCode::BadFormat,
                           "no tensor linear.bias");
    const auto bias = test::madeTensor("linear.bias", {kOut}, 2);
    HEADSCOPE_VERIFY_ERROR(read("Dense", module("b", config, {weight, bias}), 9), ErrorCode::BadFormat,
                           "it takes vectors of 7 numbers, but the module before it outputs 9");
    HEADSCOPE_VERIFY_ERROR(read("Dense", module("c", R"({"in_features": 6, "out_features": 5})", {weight, bias}), 6),
                           ErrorCode::BadFormat, "its linear.weight is [5, 7], expected [5, 6]");
    const fs::path folder = module("d", config, {});
    std::ofstream(folder / "pytorch_model.bin") << "x";
    HEADSCOPE_VERIFY_ERROR(read("Dense", folder, kIn), ErrorCode::Unsupported, "pytorch_model.bin");
}

HEADSCOPE_TEST_GUILESS(TestEmbeddingModules)
#include "tst_embedding_modules.moc"
