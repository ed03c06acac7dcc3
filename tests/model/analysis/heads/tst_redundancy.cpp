// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/redundancy.h"

#include "model/analysis/statistics/jackknife.h"
#include "model/base/random.h"
#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace headscope;
using namespace headscope::test;

namespace
{

/// layers/X [L, N, D] with the layers as heads: the first rows, 0 for all.
HeadVectors recordedLayers(const GoldenFile& file, std::int64_t rows)
{
    const auto shape = file.shape("layers/X");
    const auto values = file.floats("layers/X");
    const std::int64_t documents = rows > 0 ? rows : shape[1];
    std::vector<float> turned;
    for (std::int64_t document = 0; document < documents; ++document)
        for (std::int64_t layer = 0; layer < shape[0]; ++layer)
        {
            const auto from = values.begin() + (layer * shape[1] + document) * shape[2];
            turned.insert(turned.end(), from, from + shape[2]);
        }
    return {Stage::HeadOutput, LayerIndex(0), documents, shape[0], shape[2], std::move(turned)};
}

/// Heads of normal numbers that share a part of their variance.
HeadVectors noise(std::int64_t documents, std::int64_t heads, std::int64_t dims, double shared, std::uint64_t seed = 1)
{
    const CounterRandom own(seed, 1);
    const CounterRandom common(seed, 2);
    std::vector<float> values;
    for (std::int64_t document = 0; document < documents; ++document)
        for (std::int64_t head = 0; head < heads; ++head)
            for (std::int64_t d = 0; d < dims; ++d)
                values.push_back(
                    static_cast<float>(own.normal(values.size()) +
                                       shared * common.normal(static_cast<std::uint64_t>(document * dims + d))));
    return {Stage::HeadOutput, LayerIndex(0), documents, heads, dims, std::move(values)};
}

} // namespace

class TestRedundancy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecordedMatrices_data()
    {
        QTest::addColumn<QString>("cache");
        QTest::newRow("a") << "a";
        QTest::newRow("b") << "b";
    }

    void equalsTheRecordedMatrices()
    {
        QFETCH(QString, cache);
        const std::string name = cache.toStdString();
        const GoldenFile file(golden("analysis/heads.h5"));
        JobContext job;
        const auto result = headRedundancy(goldenHeads(file, name + "/cache/heads"), {CkaMethod::Biased, 10}, 2, job);
        HEADSCOPE_VERIFY_OK(result);
        QVERIFY(absmax(result->cka.values(), file.doubles(name + "/redundancy/cka")) <= 1e-11);
        QVERIFY(absmax(result->meanCosine.values(), file.doubles(name + "/redundancy/mean_vector_cosine")) <= 1e-11);
        QVERIFY(absmax(result->neighborOverlap.values(), file.doubles(name + "/redundancy/overlap10_cosine")) <= 1e-11);
    }

    void equalsTheRecordedCka_data()
    {
        QTest::addColumn<int>("method");
        QTest::addColumn<int>("rows"); // 0: all
        QTest::addColumn<QString>("dataset");
        QTest::newRow("debiased") << static_cast<int>(CkaMethod::Debiased) << 0 << "layers/cka_debiased";
        QTest::newRow("debiased, 20") << static_cast<int>(CkaMethod::Debiased) << 20 << "layers/cka_debiased_20";
        QTest::newRow("biased") << static_cast<int>(CkaMethod::Biased) << 0 << "layers/cka";
        QTest::newRow("biased, 20") << static_cast<int>(CkaMethod::Biased) << 20 << "layers/cka_20";
    }

    void equalsTheRecordedCka()
    {
        QFETCH(int, method);
        QFETCH(int, rows);
        QFETCH(QString, dataset);
        const GoldenFile file(golden("circuits/geometry.h5"));
        JobContext job;
        const auto result = headCka(recordedLayers(file, rows), static_cast<CkaMethod>(method), 2, job);
        HEADSCOPE_VERIFY_OK(result);
        QVERIFY(absmax(result->cka.values(), file.doubles(dataset.toStdString())) <= 1e-10);
    }

    /// What one document's absence changes has a closed form: the same as leaving it out.
    void intervalLeavesEachDocumentOut()
    {
        const HeadVectors all = noise(12, 3, 4, 0.5);
        JobContext job;
        const auto result = headCka(all, CkaMethod::Debiased, 1, job);
        HEADSCOPE_VERIFY_OK(result);
        std::vector<double> pair;
        std::vector<double> mean;
        for (std::int64_t out = 0; out < all.documents(); ++out)
        {
            std::vector<std::int64_t> rows;
            for (std::int64_t row = 0; row < all.documents(); ++row)
                if (row != out)
                    rows.push_back(row);
            const auto left =
                headCka(*takeRows(std::make_shared<const HeadVectors>(all), rows), CkaMethod::Debiased, 1, job);
            HEADSCOPE_VERIFY_OK(left);
            pair.push_back(left->cka(0, 2));
            mean.push_back(left->meanCka);
        }
        const Interval ofPair = jackknifeInterval(result->cka(0, 2), pair);
        QVERIFY(std::abs(result->ckaLow(0, 2) - ofPair.low) < 1e-10);
        QVERIFY(std::abs(result->ckaHigh(2, 0) - ofPair.high) < 1e-10);
        const auto ofFirst = ckaIntervals(all, 1, job);
        HEADSCOPE_VERIFY_OK(ofFirst);
        QCOMPARE(ofFirst->size(), std::size_t{2});
        QCOMPARE((*ofFirst)[1].low, result->ckaLow(0, 2));
        QCOMPARE((*ofFirst)[1].high, result->ckaHigh(0, 2));
        const Interval ofMean = jackknifeInterval(result->meanCka, mean);
        QVERIFY(std::abs(result->meanCkaCi95.low - ofMean.low) < 1e-10);
        QVERIFY(std::abs(result->meanCkaCi95.high - ofMean.high) < 1e-10);
        QCOMPARE(result->pairs, 3);
    }

    /// Unrelated heads: the biased estimate grows as documents become fewer, the debiased one stays at 0.
    void unrelatedHeadsAreUnlike()
    {
        JobContext job;
        double debiased = 0;
        double biased = 0;
        bool below = false;
        for (std::uint64_t seed = 1; seed <= 20; ++seed)
        {
            const HeadVectors few = noise(24, 4, 16, 0, seed);
            const auto fair = headCka(few, CkaMethod::Debiased, 1, job);
            const auto usual = headCka(few, CkaMethod::Biased, 1, job);
            HEADSCOPE_VERIFY_OK(fair);
            HEADSCOPE_VERIFY_OK(usual);
            debiased += fair->meanCka / 20;
            biased += usual->meanCka / 20;
            below = below || fair->meanCka < 0;
        }
        QVERIFY2(std::abs(debiased) < 0.01, qPrintable(QString::number(debiased)));
        QVERIFY2(biased > 0.35, qPrintable(QString::number(biased)));
        QVERIFY(below);
    }

    void isTheSameForAnyNumberOfThreads()
    {
        const HeadVectors vectors = noise(40, 5, 6, 0.3);
        JobContext job;
        const auto one = headRedundancy(vectors, {}, 1, job);
        HEADSCOPE_VERIFY_OK(one);
        for (const int threads : {2, 3})
        {
            const auto more = headRedundancy(vectors, {}, threads, job);
            HEADSCOPE_VERIFY_OK(more);
            QVERIFY(std::ranges::equal(one->cka.values(), more->cka.values()));
            QVERIFY(std::ranges::equal(one->ckaLow.values(), more->ckaLow.values()));
            QCOMPARE(one->meanCkaCi95.high, more->meanCkaCi95.high);
        }
        QVERIFY(one->method == CkaMethod::Debiased);
        QCOMPARE(one->documents, 40);
    }

    void headsWithoutVarianceHaveNone()
    {
        // A third cannot be written exactly: the mean of equal numbers may differ from them.
        std::vector<float> values;
        for (int document = 0; document < 9; ++document)
            for (const float value : {1.0F / 3, 0.1F * static_cast<float>(document * document)})
                values.push_back(value);
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 9, 2, 1, std::move(values));
        JobContext job;
        for (const CkaMethod method : {CkaMethod::Debiased, CkaMethod::Biased})
        {
            const auto result = headCka(vectors, method, 1, job);
            HEADSCOPE_VERIFY_OK(result);
            QVERIFY(std::isnan(result->cka(0, 1)) && std::isnan(result->cka(0, 0)) && std::isnan(result->meanCka));
            QCOMPARE(result->pairs, 0);
        }
    }

    void tooFewDocumentsAreRefused()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 2, 1, 1, {1.0F, nan});
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(headRedundancy(vectors, {CkaMethod::Biased, 10}, 1, job), ErrorCode::InvalidArgument,
                               "found 1");
        HEADSCOPE_VERIFY_ERROR(headCka(noise(3, 2, 2, 0), CkaMethod::Debiased, 1, job), ErrorCode::InvalidArgument,
                               "at least 4 documents with finite vectors for the debiased CKA, found 3");
        HEADSCOPE_VERIFY_OK(headCka(noise(3, 2, 2, 0), CkaMethod::Biased, 1, job));
    }
};

HEADSCOPE_TEST_GUILESS(TestRedundancy)
#include "tst_redundancy.moc"
