// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/cell_numbers.h"

#include "tests/support/attention_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::viz;

namespace
{

bool near(double one, double other, double within = 1e-6)
{
    return std::abs(one - other) <= within * std::max(1.0, std::abs(other));
}

/// The same numbers by plain loops over plain doubles.
struct Direct
{
    double dot = 0;
    double weight = 0;
    double valueLength = 0;
    double share = 0;
};

Direct direct(const LayerVectors& vectors, std::int64_t heads, std::int64_t kvHeads, std::int64_t head,
              std::int64_t reading, std::int64_t read, bool causal)
{
    const std::int64_t size = vectors.q.cols() / heads;
    const std::int64_t group = head / (heads / kvHeads);
    const auto dotOf = [&](std::int64_t key) {
        double sum = 0;
        for (std::int64_t i = 0; i < size; ++i)
            sum += double(vectors.q(reading, head * size + i)) * double(vectors.k(key, group * size + i));
        return sum;
    };
    double below = 0;
    for (std::int64_t key = 0; key < (causal ? reading + 1 : vectors.q.rows()); ++key)
        below += std::exp(dotOf(key) / std::sqrt(double(size)));
    Direct made;
    made.dot = dotOf(read);
    made.weight = !causal || read <= reading ? std::exp(made.dot / std::sqrt(double(size))) / below : 0;
    double square = 0;
    double along = 0;
    for (std::int64_t i = 0; i < size; ++i)
    {
        const double value = double(vectors.v(read, group * size + i));
        const double output = double(vectors.z(reading, head * size + i));
        made.valueLength += value * value;
        square += output * output;
        along += made.weight * value * output;
    }
    made.valueLength = std::sqrt(made.valueLength);
    made.share = along / square;
    return made;
}

} // namespace

class TestCellNumbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyStepEqualsDirectComputation_data()
    {
        QTest::addColumn<bool>("causal");
        QTest::addColumn<int>("kvHeads");
        QTest::newRow("decoder, groups") << true << 3;
        QTest::newRow("decoder, own keys") << true << 9;
        QTest::newRow("encoder, one for all") << false << 1;
    }
    void everyStepEqualsDirectComputation()
    {
        QFETCH(bool, causal);
        QFETCH(int, kvHeads);
        const auto run = test::makeAttentionRun(
            {.tokens = 7, .layers = 2, .heads = 9, .kvHeads = kvHeads, .causal = causal, .vectorLayers = {1}});
        const LayerVectors& vectors = *run->vectorsOf(LayerIndex(1));
        for (std::int64_t head = 0; head < 9; ++head)
            for (std::int64_t reading = 0; reading < 7; ++reading)
                for (std::int64_t read = 0; read < 7; ++read)
                {
                    const auto row = run->weightsOf(LayerIndex(1), HeadIndex(head))->row(reading);
                    const CellNumbers cell = cellNumbers(vectors, run->model, HeadIndex(head), TokenIndex(reading),
                                                         TokenIndex(read), causal, row);
                    const Direct truth = direct(vectors, 9, kvHeads, head, reading, read, causal);
                    QVERIFY(near(cell.dot, truth.dot, 1e-12));
                    QVERIFY(near(cell.scaled, truth.dot / std::sqrt(8.0), 1e-12));
                    QVERIFY(near(cell.computed, truth.weight, 1e-12));
                    QVERIFY(near(cell.weight, truth.weight)); // as it was held, in float32
                    QVERIFY(near(cell.valueLength, truth.valueLength, 1e-12));
                    QVERIFY(near(cell.share, truth.share, 1e-5));
                    QCOMPARE(cell.mayRead, !causal || read <= reading);
                    QCOMPARE(cell.over, causal ? reading + 1 : 7);
                    if (read == 0)
                        QVERIFY(std::isnan(cell.withoutFirst));
                    else if (reading > 0)
                    {
                        const double others =
                            std::accumulate(row.begin() + 1, row.end(), 0.0); // 1 - row[0] would cancel
                        QVERIFY(near(cell.withoutFirst, double(row[static_cast<std::size_t>(read)]) / others, 1e-5));
                    }
                }
    }

    /// The shares of a row add up to the whole output; so do the weights, and what is left without the first.
    void aRowAddsUpToOne()
    {
        const auto run = test::makeAttentionRun({.tokens = 12, .vectorLayers = {0}});
        for (std::int64_t head = 0; head < run->model.heads; ++head)
        {
            double shares = 0;
            double weights = 0;
            double rest = 0;
            for (std::int64_t read = 0; read < 12; ++read)
            {
                const CellNumbers cell = cellNumbers(*run->vectorsOf(LayerIndex(0)), run->model, HeadIndex(head),
                                                     TokenIndex(9), TokenIndex(read), true);
                shares += cell.share;
                weights += cell.weight;
                rest += read > 0 ? cell.withoutFirst : 0;
            }
            QVERIFY2(near(shares, 1, 1e-5), qPrintable(QString::number(shares)));
            QVERIFY(near(weights, 1, 1e-12));
            QVERIFY(near(rest, 1, 1e-12));
        }
    }

    /// What a sink leaves is shared as the weights are: 1 less float32's 0.999996 is 0.2% off.
    void whatASinkLeaves()
    {
        const auto run = test::makeAttentionRun({.tokens = 3, .vectorLayers = {0}});
        const std::vector<float> row = {1 - 4e-6F, 1e-6F, 3e-6F};
        for (const std::int64_t read : {1, 2})
        {
            const CellNumbers cell = cellNumbers(*run->vectorsOf(LayerIndex(0)), run->model, HeadIndex(2),
                                                 TokenIndex(2), TokenIndex(read), true, row);
            QVERIFY2(near(cell.withoutFirst, read == 1 ? 0.25 : 0.75, 1e-6),
                     qPrintable(QString::number(cell.withoutFirst)));
        }
    }

    /// A layer with a window says so by weights that are 0: the softmax runs over what is left.
    void aWindowIsSeenFromTheWeights()
    {
        const auto run = test::makeAttentionRun({.tokens = 10, .vectorLayers = {0}});
        const LayerVectors& vectors = *run->vectorsOf(LayerIndex(0));
        std::vector<float> row(10, 0.0F);
        double below = 0;
        constexpr std::int64_t kReading = 8;
        constexpr std::int64_t kBegin = 5; // a window of four
        for (std::int64_t key = kBegin; key <= kReading; ++key)
            below += std::exp(
                cellNumbers(vectors, run->model, HeadIndex(2), TokenIndex(kReading), TokenIndex(key), true).scaled);
        for (std::int64_t key = kBegin; key <= kReading; ++key)
            row[static_cast<std::size_t>(key)] = static_cast<float>(
                std::exp(cellNumbers(vectors, run->model, HeadIndex(2), TokenIndex(kReading), TokenIndex(key), true)
                             .scaled) /
                below);
        const auto at = [&](std::int64_t key) {
            return cellNumbers(vectors, run->model, HeadIndex(2), TokenIndex(kReading), TokenIndex(key), true, row);
        };
        QVERIFY(!at(3).mayRead);
        QVERIFY(!at(9).mayRead);
        QVERIFY(at(6).mayRead);
        QCOMPARE(at(6).over, 4);
        QVERIFY(near(at(6).computed, at(6).weight));
        QCOMPARE(at(3).computed, 0.0);
    }

    /// Gemma divides by the root of a number of its own and caps; a window may lie to both sides.
    void scoresAsTheModelHasThem()
    {
        const auto run = test::makeAttentionRun({.tokens = 10, .causal = false, .vectorLayers = {0}});
        const LayerVectors& vectors = *run->vectorsOf(LayerIndex(0));
        const ScoreRule rule{.scalar = 24, .softcap = 0.5};
        const auto at = [&](std::int64_t key, std::span<const float> row) {
            return cellNumbers(vectors, run->model, HeadIndex(2), TokenIndex(5), TokenIndex(key), false, row, rule);
        };
        double below = 0;
        for (std::int64_t key = 3; key <= 7; ++key)
        {
            const double dot = at(key, {}).dot;
            QVERIFY(near(at(key, {}).scaled, 0.5 * std::tanh(dot / std::sqrt(24.0) / 0.5), 1e-12));
            below += std::exp(at(key, {}).scaled);
        }
        std::vector<float> row(10, 0.0F); // two tokens to either side
        for (std::int64_t key = 3; key <= 7; ++key)
            row[static_cast<std::size_t>(key)] = static_cast<float>(std::exp(at(key, {}).scaled) / below);
        QCOMPARE(at(4, row).over, 5);
        QVERIFY(near(at(4, row).computed, at(4, row).weight));
        QVERIFY(at(7, row).mayRead && !at(8, row).mayRead && !at(2, row).mayRead);
    }

    /// MPNet adds a number by the distance of key and query, which counts as D where it is more.
    void aBiasByDistanceIsAdded()
    {
        const auto run = test::makeAttentionRun({.tokens = 10, .causal = false, .vectorLayers = {0}});
        LayerVectors vectors = *run->vectorsOf(LayerIndex(0));
        const HeadIndex head(2);
        const auto at = [&](const LayerVectors& of, std::int64_t key) {
            return cellNumbers(of, run->model, head, TokenIndex(4), TokenIndex(key), false);
        };
        QCOMPARE(at(vectors, 7).bias, 0.0);
        const LayerVectors plain = vectors;
        vectors.bias = MatrixF(run->model.heads, 5); // D = 2
        for (std::int64_t column = 0; column < 5; ++column)
            vectors.bias(head.value(), column) = 0.25F * static_cast<float>(column);
        const std::vector<double> expected = {0, 0, 0, 0.25, 0.5, 0.75, 1, 1, 1, 1};
        double below = 0;
        for (std::int64_t key = 0; key < 10; ++key)
        {
            QCOMPARE(at(vectors, key).bias, expected[static_cast<std::size_t>(key)]);
            QCOMPARE(at(vectors, key).scaled, at(plain, key).scaled);
            below += std::exp(at(vectors, key).scaled + at(vectors, key).bias);
        }
        QVERIFY(near(at(vectors, 7).weight, std::exp(at(vectors, 7).scaled + 1) / below, 1e-12));
    }

    void oneTokenReadsItself()
    {
        const auto run = test::makeAttentionRun({.tokens = 1, .vectorLayers = {0}});
        const CellNumbers cell =
            cellNumbers(*run->vectorsOf(LayerIndex(0)), run->model, HeadIndex(4), TokenIndex(0), TokenIndex(0), true);
        QCOMPARE(cell.weight, 1.0);
        QVERIFY(near(cell.share, 1));
        QVERIFY(std::isnan(cell.withoutFirst));
        QCOMPARE(cell.over, 1);
    }
};

HEADSCOPE_TEST(TestCellNumbers)
#include "tst_cell_numbers.moc"
