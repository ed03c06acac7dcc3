// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/weights/weights.h"

#include "model/kernels/weight_product.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace headscope;

class TestWeights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenSums_data();
    void goldenSums();
    void permutedRowsGoBack();
    void alignedFloatsAreMapped();
    void sideBySideMatricesFollowEachOther();
    void packedMatricesInBands();
    void laterLayersAreNotLoaded();
    void sameOnAnyNumberOfThreads();
    void cancelled();
};

namespace
{

Result<Weights> load(const std::string& model, WeightOptions options = {})
{
    JobContext job;
    HEADSCOPE_TRY(const ModelFiles files, openModel(test::golden(model)));
    return Weights::load(files, options, job);
}

/// All values of a tensor, embedding tables included.
std::vector<float> valuesOf(const Weights& weights, const TensorKey& key)
{
    if (key.role != TensorRole::EmbedTokens)
    {
        const ConstMatrixView view = weights.matrix(key);
        return {view.data(), view.data() + view.rows() * view.cols()};
    }
    const auto dims = static_cast<std::size_t>(weights.config().modelDim);
    std::vector<float> values(static_cast<std::size_t>(weights.embeddingRows(key.role)) * dims);
    for (std::int64_t row = 0; row < weights.embeddingRows(key.role); ++row)
        if (!weights.embeddingRow(key.role, row, std::span(values).subspan(static_cast<std::size_t>(row) * dims, dims)))
            return {};
    return values;
}

} // namespace

void TestWeights::goldenSums_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("type");
    for (const char* folder : {"llama", "mistral", "qwen2", "qwen3", "kquant"})
        for (const std::string& type :
             test::GoldenFile(test::golden(std::string("gguf/") + folder + "/expected.h5")).names("/"))
            QTest::addRow("%s-%s", folder, type.c_str()) << QString::fromLatin1(folder) << QString::fromStdString(type);
}

void TestWeights::goldenSums()
{
    QFETCH(const QString, folder);
    QFETCH(const QString, type);
    const std::string path = "gguf/" + folder.toStdString() + "/";
    const auto weights = load(path + folder.toStdString() + "-" + type.toStdString() + ".gguf");
    HEADSCOPE_VERIFY_OK(weights);
    const test::GoldenFile golden(test::golden(path + "expected.h5"));
    const std::string group = type.toStdString() + "/weights/";
    const auto names = golden.strings(group + "name");
    const auto sums = golden.doubles(group + "sum");
    const auto absoluteSums = golden.doubles(group + "abs_sum");
    const auto heads = golden.floats(group + "head");
    const auto rows = golden.floats(group + "row1");
    int compared = 0;
    for (std::size_t n = 0; n < names.size(); ++n)
    {
        const auto key = tensorKey(names[n], weights->config().family, TensorNaming::HuggingFace);
        if (!key)
            continue; // lm_head
        const auto values = valuesOf(*weights, *key);
        QVERIFY2(values.size() >= 8, names[n].c_str());
        double sum = 0, absolute = 0;
        for (const float value : values)
        {
            sum += static_cast<double>(value);
            absolute += std::abs(static_cast<double>(value));
        }
        QVERIFY2(std::abs(sum - sums[n]) <= 1e-6 * absoluteSums[n], names[n].c_str());
        QVERIFY2(std::abs(absolute - absoluteSums[n]) <= 1e-6 * absoluteSums[n], names[n].c_str());
        const ConstMatrixView view = weights->matrix(*key);
        const bool vector = view.data() != nullptr && view.rows() == 1;
        const std::size_t second = vector ? values.size() - 8
                                   : key->role == TensorRole::EmbedTokens
                                       ? static_cast<std::size_t>(weights->config().modelDim)
                                       : static_cast<std::size_t>(view.cols());
        for (std::size_t i = 0; i < 8; ++i)
        {
            QVERIFY2(std::abs(values[i] - heads[n * 8 + i]) <= 1e-6F * std::abs(heads[n * 8 + i]), names[n].c_str());
            QVERIFY2(std::abs(values[second + i] - rows[n * 8 + i]) <= 1e-6F * std::abs(rows[n * 8 + i]),
                     names[n].c_str());
        }
        ++compared;
    }
    QVERIFY(compared >= 10);
}

void TestWeights::permutedRowsGoBack()
{
    // Head size 8: the file holds 0 4 1 5 2 6 3 7 of each head.
    const std::vector<std::int64_t> expected = {0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15};
    for (std::int64_t row = 0; row < 16; ++row)
        QCOMPARE(unpermutedRow(row, 8), expected[static_cast<std::size_t>(row)]);
}

void TestWeights::alignedFloatsAreMapped()
{
    const auto weights = load("models/mistral_f32");
    HEADSCOPE_VERIFY_OK(weights);
    QCOMPARE(weights->allocatedBytes(), 0U);
    QVERIFY(weights->mappedBytes() > 0);
    const auto halves = load("models/mistral_f16");
    HEADSCOPE_VERIFY_OK(halves);
    QVERIFY(halves->allocatedBytes() > 0);
}

void TestWeights::sideBySideMatricesFollowEachOther()
{
    for (const std::string model : {"models/mistral_f16", "models/llama_obias", "gguf/qwen2/qwen2-Q8_0.gguf"})
    {
        const auto weights = load(model);
        HEADSCOPE_VERIFY_OK(weights);
        const auto end = [&](TensorRole role) {
            const ConstMatrixView view = weights->matrix({role, 1});
            return view.data() + view.rows() * view.cols();
        };
        QCOMPARE(end(TensorRole::Q), weights->matrix({TensorRole::K, 1}).data());
        QCOMPARE(end(TensorRole::K), weights->matrix({TensorRole::V, 1}).data());
        QCOMPARE(end(TensorRole::Gate), weights->matrix({TensorRole::Up, 1}).data());
    }
}

/// Packed matrices are those of unpacked weights, as large, and no others than bands can hold.
void TestWeights::packedMatricesInBands()
{
    std::set<TensorRole> packed;
    for (const std::string model :
         {"models/mistral_f16", "gguf/kquant/kquant-Q4_K_M.gguf", "gguf/llama/llama-Q8_0.gguf"})
    {
        const auto rows = load(model);
        const auto bands = load(model, {.threads = 3, .packed = true});
        HEADSCOPE_VERIFY_OK(rows);
        HEADSCOPE_VERIFY_OK(bands);
        QCOMPARE(bands->allocatedBytes(), rows->allocatedBytes());
        for (const TensorName& name : rows->config().traits().tensors)
        {
            const TensorKey key{name.role, 1};
            if (!isLayerRole(name.role) || !rows->has(key))
                continue;
            QVERIFY(!rows->isPacked(key));
            const ConstMatrixView plain = rows->matrix(key);
            QCOMPARE(bands->stored(key).rows(), plain.rows());
            QVERIFY(bands->rowsOf(key).values() == valuesOf(*rows, key));
            if (!bands->isPacked(key))
                continue;
            packed.insert(name.role);
            QCOMPARE(plain.rows() % kWeightBand, 0);
            QCOMPARE(bands->stored(key).data()[1], plain(1, 0));
        }
    }
    using enum TensorRole;
    QCOMPARE(packed, (std::set{Q, K, V, Gate, Up, Down}));
}

void TestWeights::laterLayersAreNotLoaded()
{
    const auto weights = load("models/mistral_f16", {.lastLayer = 0, .threads = 1});
    HEADSCOPE_VERIFY_OK(weights);
    QCOMPARE(weights->loadedLayers(), 1);
    QVERIFY(weights->has({TensorRole::Q, 0}));
    QVERIFY(!weights->has({TensorRole::Q, 1}));
}

void TestWeights::sameOnAnyNumberOfThreads()
{
    const auto one = load("gguf/llama/llama-Q4_0.gguf", {.lastLayer = -1, .threads = 1});
    const auto three = load("gguf/llama/llama-Q4_0.gguf", {.lastLayer = -1, .threads = 3});
    HEADSCOPE_VERIFY_OK(one);
    HEADSCOPE_VERIFY_OK(three);
    for (const TensorName& name : traitsOf(ModelFamily::Llama).tensors)
        if (isLayerRole(name.role))
            QCOMPARE(valuesOf(*one, {name.role, 1}), valuesOf(*three, {name.role, 1}));
}

void TestWeights::cancelled()
{
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const auto files = openModel(test::golden("models/mistral_f16"));
    HEADSCOPE_VERIFY_OK(files);
    const auto weights = Weights::load(*files, {}, job);
    QVERIFY(!weights && weights.error().code == ErrorCode::Cancelled);
}

HEADSCOPE_TEST_GUILESS(TestWeights)
#include "tst_weights.moc"
