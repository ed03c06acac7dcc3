// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/layer_similarity.h"

#include "model/analysis/heads/redundancy.h"
#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>

using namespace headscope;
using namespace headscope::test;

namespace
{

using Layers = std::vector<std::shared_ptr<const HeadVectors>>;

/// layers/X [L, N, D], each layer cut into heads; the first rows, 0 for all.
Layers recordedLayers(const GoldenFile& file, std::int64_t rows, std::int64_t heads)
{
    const auto shape = file.shape("layers/X");
    const auto values = file.floats("layers/X");
    const std::int64_t documents = rows > 0 ? rows : shape[1];
    Layers layers;
    for (std::int64_t layer = 0; layer < shape[0]; ++layer)
    {
        const auto from = values.begin() + layer * shape[1] * shape[2];
        layers.push_back(std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(layer), documents, heads,
                                                             shape[2] / heads,
                                                             std::vector<float>(from, from + documents * shape[2])));
    }
    return layers;
}

} // namespace

class TestLayerSimilarity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// One head at a time gives the rows of the matrix of all.
    void oneHeadIsARowOfAll()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        const Layers layers = recordedLayers(file, 0, 4);
        JobContext job;
        const std::vector<std::int64_t> heads = {0, 1, 2, 3};
        const auto all = layerSimilarity(layers, heads, 2, job);
        HEADSCOPE_VERIFY_OK(all);
        for (std::size_t layer = 0; layer < layers.size(); ++layer)
            for (const int threads : {1, 3})
            {
                const auto row = similarityToHead(*layers[1], HeadIndex(2), layers[layer], threads, job);
                HEADSCOPE_VERIFY_OK(row);
                for (std::size_t head = 0; head < 4; ++head)
                    QVERIFY(std::abs((*row)[head] -
                                     all->headCka(6, static_cast<std::int64_t>(4 * layer + head))) <= 1e-12);
            }
    }

    void equalsTheRecorded_data()
    {
        QTest::addColumn<int>("rows"); // 0: all
        QTest::addColumn<int>("heads");
        QTest::addColumn<QString>("dataset");
        QTest::newRow("all") << 0 << 1 << "layers/cka_debiased";
        QTest::newRow("20") << 20 << 1 << "layers/cka_debiased_20";
        QTest::newRow("all, of four heads") << 0 << 4 << "layers/cka_debiased";
        QTest::newRow("20, of three heads") << 20 << 3 << "layers/cka_debiased_20";
    }

    void equalsTheRecorded()
    {
        QFETCH(int, rows);
        QFETCH(int, heads);
        QFETCH(QString, dataset);
        const GoldenFile file(golden("circuits/geometry.h5"));
        const auto expected = file.doubles(dataset.toStdString());
        JobContext job;
        const auto found = layerSimilarity(recordedLayers(file, rows, heads), allIndices(heads), 2, job);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(absmax(found->layerCka.values(), expected) <= 1e-10);
        if (heads == 1)
            QVERIFY(absmax(found->headCka.values(), expected) <= 1e-10);
    }

    /// Within a layer, what `heads` and `layers` have; on any number of threads, of chosen heads.
    void equalsTheCkaOfALayer()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        const Layers layers = recordedLayers(file, 0, 4);
        const std::vector<std::int64_t> heads = {0, 2, 3};
        JobContext job;
        const auto found = layerSimilarity(layers, heads, 1, job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->headCka.rows(), std::int64_t{15});
        for (std::size_t layer = 0; layer < layers.size(); ++layer)
        {
            const auto within = headCka(*takeHeads(layers[layer], heads), CkaMethod::Debiased, 1, job);
            HEADSCOPE_VERIFY_OK(within);
            const auto first = static_cast<std::int64_t>(layer) * 3;
            for (std::int64_t a = 0; a < 3; ++a)
                for (std::int64_t b = 0; b < 3; ++b)
                    QVERIFY(std::abs(found->headCka(first + a, first + b) - within->cka(a, b)) < 1e-11);
        }
        for (const int threads : {2, 3})
        {
            const auto again = layerSimilarity(layers, heads, threads, job);
            HEADSCOPE_VERIFY_OK(again);
            QVERIFY(again->headCka == found->headCka && again->layerCka == found->layerCka);
        }
    }

    /// A head that does not vary has no similarity; a document that is not finite in one layer counts in none.
    void whatCannotBeComparedIsLeftOut()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        Layers layers = recordedLayers(file, 0, 4);
        std::vector<float> values(layers[1]->values().begin(), layers[1]->values().end());
        const std::int64_t dims = layers[1]->dims();
        for (std::int64_t document = 0; document < layers[1]->documents(); ++document)
            std::fill_n(values.begin() + document * 4 * dims, dims, 0.1F);
        values[static_cast<std::size_t>(7 * 4 * dims + 2 * dims)] = std::numeric_limits<float>::infinity();
        layers[1] = std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(1), layers[1]->documents(), 4,
                                                        dims, std::move(values));
        JobContext job;
        const auto found = layerSimilarity(layers, allIndices(4), 2, job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->documents, layers[1]->documents() - 1);
        for (std::int64_t unit = 0; unit < 20; ++unit)
            QCOMPARE(std::isnan(found->headCka(4, unit)) || unit == 4, true);
        QVERIFY(std::isfinite(found->headCka(5, 0)) && std::isfinite(found->layerCka(1, 0)));
    }

    void refusesTooFewAndStops()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        JobContext job;
        const auto few = layerSimilarity(recordedLayers(file, 3, 1), allIndices(1), 1, job);
        QVERIFY(few.error().code == ErrorCode::InvalidArgument);
        std::stop_source source;
        source.request_stop();
        JobContext stopped(source.get_token());
        QVERIFY(layerSimilarity(recordedLayers(file, 0, 1), allIndices(1), 1, stopped).error().code ==
                ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestLayerSimilarity)
#include "tst_layer_similarity.moc"
