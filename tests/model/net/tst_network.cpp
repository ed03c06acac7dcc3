// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/network.h"

#include "model/net/backend.h"
#include "tests/model/net/golden_network.h"
#include "tests/support/test_paths.h"
#include "tests/support/verify.h"

#include <QtTest>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>

using namespace headscope;

namespace
{

constexpr double kTolerance = 1e-4;
constexpr double kProbabilityTolerance = 1e-5;
const QStringList kBackends = {QStringLiteral("cpu"), QStringLiteral("torch")};

/// The demo model where this machine has it, else an empty path.
std::filesystem::path demoModel()
{
    if (const char* named = std::getenv("HEADSCOPE_DEMO_MODEL"))
        return named;
    const char* home = std::getenv("HOME");
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const auto folder = cache != nullptr ? std::filesystem::path(cache)
                                         : std::filesystem::path(home != nullptr ? home : "/nonexistent") / ".cache";
    const auto path = folder / "headscope/models/SmolLM2-135M-Instruct.Q4_1.gguf";
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? path : std::filesystem::path();
}

void printErrors(const QString& model, const test::StageErrors& errors)
{
    std::printf("%-28s", qPrintable(model));
    for (const auto& [name, error] : errors)
        std::printf("  %s %.1e", name.c_str(), error);
    std::printf("\n");
}

/// A loaded model with its backend.
struct Loaded
{
    ModelFiles files;
    std::unique_ptr<Weights> weights;
    std::unique_ptr<Operations> ops;
    Network network;
};

Result<Loaded> load(const std::filesystem::path& path, const QString& backend)
{
    JobContext job;
    Loaded loaded;
    HEADSCOPE_TRY(loaded.files, openModel(path));
    HEADSCOPE_TRY(Weights weights, Weights::load(loaded.files, {.lastLayer = -1, .threads = 2}, job));
    loaded.weights = std::make_unique<Weights>(std::move(weights));
    HEADSCOPE_TRY(const Backend chosen, chooseBackend(backend.toStdString(), "cpu"));
    HEADSCOPE_TRY(loaded.ops, makeOperations(chosen, 1, {}));
    HEADSCOPE_TRY(loaded.network, makeNetwork(*loaded.ops, *loaded.weights));
    return loaded;
}

std::vector<std::int64_t> allLayers(const ModelConfig& config)
{
    std::vector<std::int64_t> layers(static_cast<std::size_t>(config.layers));
    std::iota(layers.begin(), layers.end(), 0);
    return layers;
}

} // namespace

class TestNetwork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void safetensorsModels_data();
    void safetensorsModels();
    void ggufModels_data();
    void ggufModels();
    void demoModelGolden_data();
    void demoModelGolden();
    void attentionProbabilities_data();
    void attentionProbabilities();
};

void TestNetwork::safetensorsModels_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("backend");
    for (const QString& backend : kBackends)
        for (const auto& entry : std::filesystem::directory_iterator(test::golden("models")))
            QTest::addRow("%s %s", entry.path().filename().c_str(), qPrintable(backend))
                << QString::fromStdString(entry.path().filename().string()) << backend;
}

void TestNetwork::safetensorsModels()
{
    QFETCH(const QString, name);
    QFETCH(const QString, backend);
    const auto folder = test::golden("models/" + name.toStdString());
    auto loaded = load(folder, backend);
    HEADSCOPE_VERIFY_OK(loaded);
    const test::GoldenFile golden(folder / "expected.h5");
    const auto layers = allLayers(loaded->files.config);
    test::StageErrors errors;
    for (const std::string group : {"texts", "raw"})
    {
        const test::VectorGroup vectors(golden, group);
        const bool encoder = loaded->files.config.isEncoder();
        for (const Pooling pooling : encoder ? std::vector{Pooling::Mean, Pooling::First} : std::vector{Pooling::Last})
            HEADSCOPE_VERIFY_OK(test::compareStep(*loaded->ops, loaded->network, vectors, layers, pooling,
                                                  encoder ? std::string(poolingName(pooling)) + "/" : "", errors));
    }
    printErrors(name + QStringLiteral(" ") + backend, errors);
    for (const auto& [stage, error] : errors)
        QVERIFY2(error <= kTolerance,
                 qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(stage)).arg(error)));
}

void TestNetwork::ggufModels_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("backend");
    for (const char* folder : {"llama", "mistral", "qwen2", "qwen3", "kquant"})
    {
        const test::GoldenFile golden(test::golden(std::string("gguf/") + folder + "/expected.h5"));
        for (const std::string& type : golden.names("/"))
            for (const QString& backend : kBackends)
                QTest::addRow("%s-%s %s", folder, type.c_str(), qPrintable(backend))
                    << QString::fromLatin1(folder) << QString::fromStdString(type) << backend;
    }
}

void TestNetwork::ggufModels()
{
    QFETCH(const QString, folder);
    QFETCH(const QString, type);
    QFETCH(const QString, backend);
    const auto path = test::golden("gguf/" + folder.toStdString());
    const test::GoldenFile golden(path / "expected.h5");
    auto loaded = load(path / (folder.toStdString() + "-" + type.toStdString() + ".gguf"), backend);
    HEADSCOPE_VERIFY_OK(loaded);
    const auto layers = allLayers(loaded->files.config);
    test::StageErrors errors;
    for (const std::string group : {"/texts", "/raw"})
        HEADSCOPE_VERIFY_OK(test::compareStep(*loaded->ops, loaded->network,
                                              test::VectorGroup(golden, type.toStdString() + group), layers,
                                              Pooling::Last, "", errors));
    printErrors(folder + QStringLiteral("-") + type + QStringLiteral(" ") + backend, errors);
    for (const auto& [stage, error] : errors)
        QVERIFY2(error <= kTolerance,
                 qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(stage)).arg(error)));
}

void TestNetwork::demoModelGolden_data()
{
    QTest::addColumn<QString>("backend");
    for (const QString& backend : kBackends)
        QTest::newRow(qPrintable(backend)) << backend;
}

void TestNetwork::demoModelGolden()
{
    QFETCH(const QString, backend);
    const auto path = demoModel();
    if (path.empty())
        QSKIP("the demo model is not on this machine");
    auto loaded = load(path, backend);
    HEADSCOPE_VERIFY_OK(loaded);
    const test::GoldenFile golden(test::golden("smollm2/expected.h5"));
    const auto layers = golden.integers("layers");
    test::StageErrors errors;
    HEADSCOPE_VERIFY_OK(test::compareStep(*loaded->ops, loaded->network, test::VectorGroup(golden, "texts"), layers,
                                          Pooling::Last, "", errors));
    printErrors(QStringLiteral("SmolLM2-135M Q4_1 ") + backend, errors);
    for (const auto& [stage, error] : errors)
        QVERIFY2(error <= kTolerance,
                 qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(stage)).arg(error)));
}

void TestNetwork::attentionProbabilities_data()
{
    safetensorsModels_data();
}

void TestNetwork::attentionProbabilities()
{
    QFETCH(const QString, name);
    QFETCH(const QString, backend);
    const auto folder = test::golden("models/" + name.toStdString());
    auto loaded = load(folder, backend);
    HEADSCOPE_VERIFY_OK(loaded);
    const test::GoldenFile golden(folder / "expected.h5");
    const auto stored = golden.integers("attention/ids");
    const std::vector<std::int32_t> ids(stored.begin(), stored.end());
    const auto found = headscope::attentionProbabilities(*loaded->ops, loaded->network, ids, {});
    HEADSCOPE_VERIFY_OK(found);
    const auto expected = golden.floats("attention/probs");
    QCOMPARE(found->size(), expected.size());
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        largest = std::max(largest, std::abs(static_cast<double>((*found)[i]) - static_cast<double>(expected[i])));
        if (expected[i] == 0.0F)
            QVERIFY((*found)[i] == 0.0F);
    }
    std::printf("%-28s  probabilities %.1e\n", qPrintable(name + QStringLiteral(" ") + backend), largest);
    QVERIFY2(largest <= kProbabilityTolerance, qPrintable(QString::number(largest)));
}

QTEST_GUILESS_MAIN(TestNetwork)
#include "tst_network.moc"
