// SPDX-License-Identifier: GPL-3.0-or-later
// libtorch's operations against the recorded truth, and against our own, one by one.
#include "model/net/forward/torch_operations.h"

#include "model/base/random.h"
#include "model/net/forward/cpu_operations.h"
#include "tests/model/net/golden_network.h"
#include "tests/model/net/half_precision.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;

namespace
{

constexpr double kTolerance = 1e-4;
constexpr double kProbabilityTolerance = 1e-5;

MatrixF normals(std::int64_t rows, std::int64_t cols, std::uint64_t seed)
{
    const CounterRandom random(seed);
    MatrixF matrix(rows, cols);
    for (std::int64_t i = 0; i < rows * cols; ++i)
        matrix.data()[i] = static_cast<float>(random.normal(static_cast<std::uint64_t>(i)));
    return matrix;
}

/// Runs the same work on both backends and compares what it returns.
void compareBackends(const std::function<Tensor(Operations&)>& work)
{
    const auto cpu = makeCpuOperations({});
    const auto torch = makeTorchOperations("cpu", 1, {});
    HEADSCOPE_VERIFY_OK(torch);
    std::vector<std::vector<float>> results;
    for (Operations* ops : {cpu.get(), torch->get()})
        HEADSCOPE_VERIFY_OK(ops->guarded([&] {
            const Tensor result = work(*ops);
            results.emplace_back(static_cast<std::size_t>(result.rows() * result.cols()));
            ops->download(result, results.back());
        }));
    QCOMPARE(results[0].size(), results[1].size());
    QVERIFY(!results[0].empty());
    for (std::size_t i = 0; i < results[0].size(); ++i)
        QVERIFY2(std::abs(results[0][i] - results[1][i]) <= 2e-5F * (1 + std::abs(results[1][i])),
                 qPrintable(QStringLiteral("at %1: %2 and %3").arg(i).arg(results[0][i]).arg(results[1][i])));
}

} // namespace

class TestTorchOperations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenModels_data();
    void goldenModels();
    void halfPrecision_data();
    void halfPrecision();
    void lossOfHalfPrecision();
    void goldenGgufs_data();
    void goldenGgufs();
    void demoModels();
    void rowsAndColumns();
    void products();
    void norms();
    void rotation();
    void attention_data();
    void attention();
    void activations();
    void contributions();
    void sameBitsTwice();
    void exceptionsBecomeErrors();
    void devices();
};

void TestTorchOperations::goldenModels_data()
{
    QTest::addColumn<QString>("name");
    for (const std::string& name : test::goldenModels())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestTorchOperations::goldenModels()
{
    QFETCH(const QString, name);
    const auto folder = test::goldenModel(name.toStdString());
    const auto errors = test::compareModel(folder, folder / "expected.h5", "", "torch");
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors(name.toStdString(), *errors);
    for (const auto& [stage, error] : *errors)
        QVERIFY2(error <= kTolerance, qPrintable(QString::fromStdString(stage) + QStringLiteral(": %1").arg(error)));
    const auto probabilities = test::compareProbabilities(folder, "torch");
    HEADSCOPE_VERIFY_OK(probabilities);
    test::printErrors(name.toStdString(), {{"probabilities", *probabilities}});
    QVERIFY2(*probabilities <= kProbabilityTolerance, qPrintable(QString::number(*probabilities)));
}

void TestTorchOperations::halfPrecision_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("bf16");
    for (const std::string& name : test::goldenModels())
        for (const bool bf16 : {true, false})
            QTest::addRow("%s-%s", name.c_str(), bf16 ? "bf16" : "f16") << QString::fromStdString(name) << bf16;
}

/// As a GPU computes it: matrices in half precision, all else in float32.
void TestTorchOperations::halfPrecision()
{
    QFETCH(const QString, name);
    QFETCH(const bool, bf16);
    const auto folder = test::goldenModel(name.toStdString());
    const Precision precision = bf16 ? Precision::Bf16 : Precision::F16;
    const auto errors = test::compareModel(folder, folder / "expected.h5", "", "torch", precision);
#if defined(__x86_64__)
    if (!errors && errors.error().message.find("not implemented for 'Half'") != std::string::npos)
        QSKIP("libtorch 1.13 multiplies no float16 on the CPU");
#endif
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors(name.toStdString(), *errors);
    double largest = 0;
    for (const auto& [stage, error] : *errors)
    {
        const double allowed = test::allowedLoss(name.toStdString(), precision, stage);
        if (stage.ends_with(" 1-cos"))
            QVERIFY2(error <= allowed, qPrintable(QString::fromStdString(stage) + QStringLiteral(": %1").arg(error)));
        largest = std::max(largest, error);
    }
    QVERIFY(largest > 1e-5); // it was not float32
}

void TestTorchOperations::lossOfHalfPrecision()
{
    const auto allowed = [](const char* model, const char* tap, Precision precision = Precision::Bf16) {
        return test::allowedLoss(model, precision, tap);
    };
    QCOMPARE(allowed("llama_bf16", "stage2 1-cos"), 1e-3);
    QCOMPARE(allowed("phi3_longrope", "stage3 1-cos"), 1e-3); // the reference loses less here
    QCOMPARE(allowed("phi3_longrope", "stage2 1-cos"), 2.04e-3);
    QCOMPARE(allowed("phi3_longrope", "stage1 1-cos"), 5e-3); // the reference: 7.2e-3
    QCOMPARE(allowed("modernbert_f16", "stage1 row 1-cos"), 1e-3);
    QCOMPARE(allowed("phi3_longrope", "stage2 1-cos", Precision::F16), 1e-4);
    const std::array row = {1.0F, 2.0F};
    QVERIFY(test::lossOfAngle(row, row) <= 1e-12);
    QVERIFY(std::isinf(test::lossOfAngle(std::array{NAN, 2.0F}, row))); // no number never agrees
}

void TestTorchOperations::goldenGgufs_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("type");
    // Weights are the same for both backends; one type of each family shows that they arrive.
    for (const auto& [folder, type] : test::goldenGgufs())
        if (type == "Q8_0" || folder == "kquant")
            QTest::addRow("%s-%s", folder.c_str(), type.c_str())
                << QString::fromStdString(folder) << QString::fromStdString(type);
}

void TestTorchOperations::goldenGgufs()
{
    QFETCH(const QString, folder);
    QFETCH(const QString, type);
    const auto path = test::golden("gguf/" + folder.toStdString());
    const std::string name = folder.toStdString() + "-" + type.toStdString();
    const auto errors =
        test::compareModel(path / (name + ".gguf"), path / "expected.h5", type.toStdString() + "/", "torch");
    HEADSCOPE_VERIFY_OK(errors);
    test::printErrors(name, *errors);
    for (const auto& [stage, error] : *errors)
        QVERIFY2(error <= kTolerance, qPrintable(QString::fromStdString(stage) + QStringLiteral(": %1").arg(error)));
}

void TestTorchOperations::demoModels()
{
    const auto smol = test::cachedModel("HEADSCOPE_DEMO_MODEL", "SmolLM2-135M-Instruct.Q4_1.gguf");
    const auto mini = test::cachedModel("HEADSCOPE_MINILM_MODEL", "all-MiniLM-L6-v2");
    if (!qEnvironmentVariableIsSet("HEADSCOPE_PRINT_ERRORS") || (smol.empty() && mini.empty()))
        QSKIP("takes a minute: with HEADSCOPE_PRINT_ERRORS=1, where the demo models are");
    std::vector<std::pair<std::string, Result<test::StageErrors>>> found;
    if (!smol.empty())
        found.emplace_back("SmolLM2-135M-Instruct Q4_1",
                           test::compareListedLayers(smol, "smollm2/expected.h5", {{Pooling::Last, ""}}, "torch"));
    if (!mini.empty())
        found.emplace_back("all-MiniLM-L6-v2",
                           test::compareListedLayers(mini, "minilm/expected.h5",
                                                     {{Pooling::Mean, "mean/"}, {Pooling::First, "first/"}}, "torch"));
    for (const auto& [name, errors] : found)
    {
        HEADSCOPE_VERIFY_OK(errors);
        test::printErrors(name, *errors);
        for (const auto& [stage, error] : *errors)
            QVERIFY2(error <= kTolerance,
                     qPrintable(QString::fromStdString(stage) + QStringLiteral(": %1").arg(error)));
    }
}

void TestTorchOperations::rowsAndColumns()
{
    const MatrixF x = normals(9, 20, 1);
    const std::vector<std::int64_t> rows = {8, 0, 3, 3};
    compareBackends([&](Operations& ops) { return ops.selectRows(ops.columns(ops.upload(x.view()), 5, 7), rows); });
    const std::vector<std::int64_t> begins = {0, 4, 8};
    const std::vector<std::int64_t> ends = {4, 8, 9};
    compareBackends([&](Operations& ops) { return ops.meanRows(ops.view(x.view()), begins, ends); });
}

void TestTorchOperations::products()
{
    const MatrixF x = normals(70, 48, 2);
    const MatrixF weights = normals(200, 48, 3); // two matrices that follow each other, and one apart
    const MatrixF third = normals(33, 48, 4);
    const MatrixF bias = normals(1, 200, 5);
    const auto part = [](const MatrixF& m, std::int64_t first, std::int64_t count) -> ConstMatrixView {
        return {m.data() + first * m.cols(), count, m.cols()};
    };
    compareBackends([&](Operations& ops) {
        const Tensor b = ops.view({bias.data(), 1, 120});
        return ops.linear(ops.view(x.view()), {{ops.view(part(weights, 0, 120)), b},
                                               {ops.view(part(weights, 120, 80)), {}},
                                               {ops.view(third.view()), {}}});
    });
    const MatrixF sum = normals(70, 200, 6);
    compareBackends([&](Operations& ops) {
        Tensor into = ops.upload(sum.view());
        ops.linearAdd(ops.view(x.view()), {ops.view(weights.view()), ops.view(bias.view())}, into);
        ops.add(into, ops.view(sum.view()));
        return into;
    });
}

void TestTorchOperations::norms()
{
    const MatrixF x = normals(5, 96, 7);
    const MatrixF weight = normals(1, 96, 8);
    const MatrixF bias = normals(1, 96, 9);
    const MatrixF head = normals(1, 16, 10);
    compareBackends([&](Operations& ops) { return ops.rmsNorm(ops.view(x.view()), ops.view(weight.view()), 1e-5F); });
    compareBackends([&](Operations& ops) {
        return ops.layerNorm(ops.view(x.view()), ops.view(weight.view()), ops.view(bias.view()), 1e-12F);
    });
    compareBackends([&](Operations& ops) {
        Tensor heads = ops.columns(ops.upload(x.view()), 32, 48);
        ops.headNorm(heads, ops.view(head.view()), 1e-6F);
        return heads;
    });
}

void TestTorchOperations::rotation()
{
    const MatrixF x = normals(6, 4 * 16, 11);
    const MatrixF cosines = normals(6, 8, 12);
    const MatrixF sines = normals(6, 8, 13);
    for (const std::int64_t headDim : {16, 32}) // whole heads, or the first half of their numbers
        compareBackends([&](Operations& ops) {
            Tensor heads = ops.columns(ops.upload(x.view()), 16, 32);
            ops.rotate(heads, ops.view(cosines.view()), ops.view(sines.view()), headDim);
            return heads;
        });
}

void TestTorchOperations::attention_data()
{
    QTest::addColumn<int>("kvHeads");
    QTest::addColumn<bool>("causal");
    QTest::addColumn<int>("window");
    QTest::addColumn<double>("softcap");
    QTest::addColumn<bool>("picked");
    for (const int kvHeads : {1, 2, 6})
        for (const bool picked : {false, true})
        {
            QTest::addRow("%d kv heads, all keys, picked %d", kvHeads, picked)
                << kvHeads << false << 0 << 0.0 << picked;
            QTest::addRow("%d kv heads, causal, picked %d", kvHeads, picked) << kvHeads << true << 0 << 0.0 << picked;
            QTest::addRow("%d kv heads, window, picked %d", kvHeads, picked) << kvHeads << true << 50 << 0.0 << picked;
            QTest::addRow("%d kv heads, window of both sides, picked %d", kvHeads, picked)
                << kvHeads << false << 51 << 0.0 << picked;
            QTest::addRow("%d kv heads, capped, picked %d", kvHeads, picked) << kvHeads << true << 0 << 1.5 << picked;
        }
}

void TestTorchOperations::attention()
{
    QFETCH(const int, kvHeads);
    QFETCH(const bool, causal);
    QFETCH(const int, window);
    QFETCH(const double, softcap);
    QFETCH(const bool, picked);
    // Lengths around the tiles of 64 and 256 queries.
    Packing packing{.offsets = {0, 1, 64, 129, 430}, .picked = {}};
    if (picked)
        packing.picked = {0, 20, 128, 300};
    const std::int64_t tokens = packing.tokens();
    const MatrixF q = normals(picked ? 4 : tokens, 6 * 8, 14);
    const MatrixF kv = normals(tokens, 2 * kvHeads * 8, 15);
    const AttentionShape shape{.heads = 6,
                               .kvHeads = kvHeads,
                               .headDim = 8,
                               .causal = causal,
                               .window = window,
                               .scale = 0.35F,
                               .softcap = static_cast<float>(softcap)};
    compareBackends([&](Operations& ops) {
        const Tensor both = ops.view(kv.view());
        return ops.attention(ops.view(q.view()), ops.columns(both, 0, kvHeads * 8),
                             ops.columns(both, kvHeads * 8, kvHeads * 8), packing,
                             picked ? Queries::Picked : Queries::All, shape, {});
    });
}

void TestTorchOperations::activations()
{
    const MatrixF x = normals(7, 2 * 33, 16);
    for (const Activation activation : {Activation::Silu, Activation::Gelu, Activation::GeluTanh})
    {
        compareBackends([&](Operations& ops) { return ops.gated(ops.view(x.view()), activation); });
        compareBackends([&](Operations& ops) {
            Tensor y = ops.upload(x.view());
            ops.activate(y, activation);
            return y;
        });
    }
}

void TestTorchOperations::contributions()
{
    const MatrixF z = normals(3, 4 * 8, 17);
    const MatrixF weight = normals(20, 4 * 8, 18);
    compareBackends([&](Operations& ops) { return ops.contributions(ops.view(z.view()), ops.view(weight.view()), 4); });
}

void TestTorchOperations::sameBitsTwice()
{
    const auto folder = test::golden("models/mistral_window");
    const auto first = test::compareModel(folder, folder / "expected.h5", "", "torch");
    const auto second = test::compareModel(folder, folder / "expected.h5", "", "torch");
    HEADSCOPE_VERIFY_OK(first);
    HEADSCOPE_VERIFY_OK(second);
    QVERIFY(*first == *second);
}

void TestTorchOperations::exceptionsBecomeErrors()
{
    const auto ops = makeTorchOperations("cpu", 1, {});
    HEADSCOPE_VERIFY_OK(ops);
    const MatrixF x = normals(3, 5, 19);
    const MatrixF weight = normals(4, 6, 20);
    const Status status = (*ops)->guarded([&] {
        (void)(*ops)->linear((*ops)->view(x.view()), {{(*ops)->view(weight.view()), {}}});
    });
    QVERIFY(!status);
    QVERIFY(status.error().code == ErrorCode::Internal);
    // libtorch's own message carries a backtrace of thousands of characters.
    QVERIFY2(status.error().message.size() < 300, status.error().message.c_str());
}

void TestTorchOperations::devices()
{
    HEADSCOPE_VERIFY_OK(checkTorchDevice("cpu"));
    for (const char* name : {"gpu", "cuda:", "cuda:x", "cuda:1234", "CPU", ""})
        HEADSCOPE_VERIFY_ERROR(checkTorchDevice(name), ErrorCode::WrongUse, "expected auto, cpu, cuda or cuda:N");
    if (!torchHasGpu())
        HEADSCOPE_VERIFY_ERROR(checkTorchDevice("cuda:0"), ErrorCode::Unsupported, "found none");
}

HEADSCOPE_TEST_GUILESS(TestTorchOperations)
#include "tst_torch_operations.moc"
