// SPDX-License-Identifier: GPL-3.0-or-later
// Configuration, weights, layers and our own operations together, against the recorded truth.
#include "model/net/forward/network.h"

#include "model/kernels/gemm_bf16.h"
#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;

namespace
{

constexpr double kTolerance = 1e-4;
constexpr double kProbabilityTolerance = 1e-5;

void verifyAll(const test::StageErrors& errors)
{
    QVERIFY(errors.size() >= 4);
    for (const auto& [stage, error] : errors)
        QVERIFY2(error <= kTolerance, qPrintable(QString::fromStdString(stage) + QStringLiteral(": %1").arg(error)));
}

} // namespace

class TestNetwork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void safetensorsModels_data();
    void safetensorsModels();
    void bfloat16_data();
    void bfloat16();
    void ggufModels_data();
    void ggufModels();
    void demoModel();
    void miniLm();
    void attentionProbabilities_data();
    void attentionProbabilities();
    void tooLongForAnEncoder();
    void attentionOfNothing();
};

void TestNetwork::safetensorsModels_data()
{
    QTest::addColumn<QString>("name");
    for (const std::string& name : test::goldenModels())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestNetwork::safetensorsModels()
{
    QFETCH(const QString, name);
    const auto folder = test::goldenModel(name.toStdString());
    const auto errors = test::compareModel(folder, folder / "expected.h5", "", "cpu");
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors(name.toStdString(), *errors);
    verifyAll(*errors);
}

void TestNetwork::bfloat16_data()
{
    safetensorsModels_data();
}

/// Factors of products in bfloat16, all else in float32. Rounded weights and inputs turn a row less than rounded values
/// between all operations do, so that every model holds the bound that a run is checked by.
void TestNetwork::bfloat16()
{
    if (!hasBfloat16Products())
        QSKIP("this CPU multiplies no bfloat16");
    QFETCH(const QString, name);
    const auto folder = test::goldenModel(name.toStdString());
    const auto errors = test::compareModel(folder, folder / "expected.h5", "", "cpu", Precision::Bf16);
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors(name.toStdString(), *errors);
    double largest = 0;
    for (const auto& [stage, error] : *errors)
    {
        if (stage.ends_with(" 1-cos"))
            QVERIFY2(error <= 1e-3, qPrintable(QString::fromStdString(stage) + QStringLiteral(": %1").arg(error)));
        largest = std::max(largest, error);
    }
    QVERIFY(largest > 1e-5); // it was not float32
}

void TestNetwork::ggufModels_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("type");
    for (const auto& [folder, type] : test::goldenGgufs())
        QTest::addRow("%s-%s", folder.c_str(), type.c_str())
            << QString::fromStdString(folder) << QString::fromStdString(type);
}

void TestNetwork::ggufModels()
{
    QFETCH(const QString, folder);
    QFETCH(const QString, type);
    const auto path = test::golden("gguf/" + folder.toStdString());
    const std::string name = folder.toStdString() + "-" + type.toStdString();
    const auto errors =
        test::compareModel(path / (name + ".gguf"), path / "expected.h5", type.toStdString() + "/", "cpu");
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors(name, *errors);
    verifyAll(*errors);
}

void TestNetwork::demoModel()
{
    const auto path = test::cachedModel("HEADSCOPE_DEMO_MODEL", "SmolLM2-135M-Instruct.Q4_1.gguf");
    if (path.empty())
        QSKIP("the demo model is not on this machine");
    const auto errors = test::compareListedLayers(path, "smollm2/expected.h5", {{Pooling::Last, ""}}, "cpu");
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors("SmolLM2-135M-Instruct Q4_1", *errors);
    verifyAll(*errors);
}

void TestNetwork::miniLm()
{
    const auto path = test::cachedModel("HEADSCOPE_MINILM_MODEL", "all-MiniLM-L6-v2");
    if (path.empty())
        QSKIP("all-MiniLM-L6-v2 is not on this machine");
    const auto errors = test::compareListedLayers(path, "minilm/expected.h5",
                                                  {{Pooling::Mean, "mean/"}, {Pooling::First, "first/"}}, "cpu");
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors("all-MiniLM-L6-v2", *errors);
    verifyAll(*errors);
}

void TestNetwork::attentionProbabilities_data()
{
    safetensorsModels_data();
}

void TestNetwork::attentionProbabilities()
{
    QFETCH(const QString, name);
    const auto error = test::compareProbabilities(test::goldenModel(name.toStdString()), "cpu");
    HEADSCOPE_VERIFY_OK(error);
    test::printErrors(name.toStdString(), {{"probabilities", *error}});
    QVERIFY2(*error <= kProbabilityTolerance, qPrintable(QString::number(*error)));
}

void TestNetwork::tooLongForAnEncoder()
{
    const auto loaded = test::load(test::golden("models/bert_f32"), "cpu");
    HEADSCOPE_VERIFY_OK(loaded);
    const std::vector<std::int32_t> ids(129, 5);
    HEADSCOPE_VERIFY_ERROR(headscope::attentionProbabilities(*loaded->ops, loaded->network, ids, {}),
                           ErrorCode::InvalidArgument,
                           "at most 128 tokens (the model's number of positions), found 129");
}

void TestNetwork::attentionOfNothing()
{
    const auto loaded = test::load(test::golden("models/bert_f32"), "cpu");
    HEADSCOPE_VERIFY_OK(loaded);
    HEADSCOPE_VERIFY_ERROR(headscope::attentionProbabilities(*loaded->ops, loaded->network, {}, {}),
                           ErrorCode::InvalidArgument, "at least one token");
}

HEADSCOPE_TEST_GUILESS(TestNetwork)
#include "tst_network.moc"
