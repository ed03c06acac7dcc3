// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/cpu_attention.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

namespace
{

constexpr std::int64_t kDims = 8;

MatrixF normals(std::int64_t rows, std::int64_t cols, std::uint64_t seed)
{
    const CounterRandom random(seed);
    MatrixF matrix(rows, cols);
    for (std::int64_t i = 0; i < rows * cols; ++i)
        matrix.data()[i] = static_cast<float>(2 * random.normal(static_cast<std::uint64_t>(i)));
    return matrix;
}

/// Probabilities of one query by the definition, in double precision: [T].
std::vector<double> naive(const MatrixF& q, const MatrixF& k, std::int64_t query, std::int64_t position,
                          std::int64_t head, const AttentionShape& shape)
{
    std::vector<double> weights(static_cast<std::size_t>(k.rows()), 0.0);
    double sum = 0;
    for (std::int64_t t = 0; t < k.rows(); ++t)
    {
        if ((shape.causal && t > position) || (shape.window > 0 && t <= position - shape.window))
            continue;
        double product = 0;
        for (std::int64_t i = 0; i < shape.headDim; ++i)
            product += static_cast<double>(q(query, head * shape.headDim + i)) *
                       static_cast<double>(k(t, head / (shape.heads / shape.kvHeads) * shape.headDim + i));
        weights[static_cast<std::size_t>(t)] = std::exp(product * static_cast<double>(shape.scale));
        sum += weights[static_cast<std::size_t>(t)];
    }
    std::ranges::transform(weights, weights.begin(), [sum](double weight) { return weight / sum; });
    return weights;
}

} // namespace

class TestCpuAttention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstTheDefinition_data();
    void againstTheDefinition();
    void oneQueryIsThatRowOfAll();
    void biasByDistance();
    void stopLeavesEarly();
};

void TestCpuAttention::againstTheDefinition_data()
{
    QTest::addColumn<int>("tokens");
    QTest::addColumn<bool>("causal");
    QTest::addColumn<int>("window");
    QTest::addColumn<int>("dims");
    const auto add = [](int tokens, int dims) {
        QTest::addRow("%d tokens, %d dims, all", tokens, dims) << tokens << false << 0 << dims;
        QTest::addRow("%d tokens, %d dims, causal", tokens, dims) << tokens << true << 0 << dims;
        for (const int window : {1, 7, 64, 200})
            QTest::addRow("%d tokens, %d dims, window %d", tokens, dims, window) << tokens << true << window << dims;
    };
    for (const int tokens : {1, 2, 63, 64, 65, 130})
        add(tokens, kDims);
    for (const int tokens : {15, 16, 70, 100, 420}) // products without copies, up to some length
        add(tokens, 2 * kDims);
}

void TestCpuAttention::againstTheDefinition()
{
    QFETCH(const int, tokens);
    QFETCH(const bool, causal);
    QFETCH(const int, window);
    QFETCH(const int, dims);
    const AttentionShape shape{
        .heads = 4, .kvHeads = 2, .headDim = dims, .causal = causal, .window = window, .scale = 0.3F};
    const MatrixF q = normals(tokens, 4 * dims, 1);
    const MatrixF k = normals(tokens, 2 * dims, 2);
    const MatrixF v = normals(tokens, 2 * dims, 3);
    std::vector<float> scratch;
    MatrixF z(tokens, 4 * dims), same(tokens, 4 * dims);
    std::int64_t seen = 0; // rows of all heads
    const ProbabilitySink sink = [&](DocumentIndex document, HeadIndex of, TokenIndex first, ConstMatrixView found) {
        const std::int64_t head = of.value();
        QCOMPARE(document.value(), 5);
        QCOMPARE(head * tokens + first.value(), seen);
        QVERIFY(found.rows() <= 64);
        seen += found.rows();
        for (std::int64_t query = first.value(); query < first.value() + found.rows(); ++query)
        {
            const auto expected = naive(q, k, query, query, head, shape);
            for (std::int64_t t = 0; t < tokens; ++t)
                QVERIFY(std::abs(static_cast<double>(found(query - first.value(), t)) -
                                 expected[static_cast<std::size_t>(t)]) < 1e-6);
            for (std::int64_t i = 0; i < dims; ++i)
            {
                double value = 0;
                for (std::int64_t t = 0; t < tokens; ++t)
                    value += expected[static_cast<std::size_t>(t)] * static_cast<double>(v(t, head / 2 * dims + i));
                QVERIFY(std::abs(static_cast<double>(z(query, head * dims + i)) - value) < 1e-5);
            }
        }
    };
    attendDocument({q.view(), k.view(), v.view(), z.view(), 0}, shape, DocumentIndex(5), sink, scratch, {});
    QCOMPARE(seen, 4 * tokens);
    attendDocument({q.view(), k.view(), v.view(), same.view(), 0}, shape, DocumentIndex(5), {}, scratch, {});
    for (std::size_t i = 0; i < z.values().size(); ++i)
        QVERIFY(std::abs(z.values()[i] - same.values()[i]) < 1e-6F);
}

void TestCpuAttention::oneQueryIsThatRowOfAll()
{
    const AttentionShape shape{.heads = 4, .kvHeads = 1, .headDim = kDims, .causal = true, .window = 20, .scale = 0.3F};
    const MatrixF q = normals(90, 4 * kDims, 4);
    const MatrixF k = normals(90, kDims, 5);
    const MatrixF v = normals(90, kDims, 6);
    std::vector<float> scratch;
    MatrixF all(90, 4 * kDims), one(1, 4 * kDims);
    attendDocument({q.view(), k.view(), v.view(), all.view(), 0}, shape, DocumentIndex(0), {}, scratch, {});
    for (const std::int64_t position : {0, 5, 70, 89})
    {
        attendDocument({{q.row(position).data(), 1, 4 * kDims}, k.view(), v.view(), one.view(), position}, shape,
                       DocumentIndex(0), {}, scratch, {});
        for (std::int64_t i = 0; i < 4 * kDims; ++i)
            QVERIFY(std::abs(one(0, i) - all(position, i)) < 1e-6F);
    }
}

/// A number added to a score is a factor of its weight before the weights are divided by their sum.
void TestCpuAttention::biasByDistance()
{
    constexpr std::int64_t kTokens = 70;
    const AttentionShape shape{.heads = 2, .kvHeads = 2, .headDim = kDims, .causal = false, .window = 0, .scale = 0.3F};
    const MatrixF q = normals(kTokens, 2 * kDims, 8);
    const MatrixF k = normals(kTokens, 2 * kDims, 9);
    const MatrixF v = normals(kTokens, 2 * kDims, 10);
    const MatrixF bias = normals(2, 7, 11); // of distances from -3 to 3
    std::vector<float> scratch;
    MatrixF z(kTokens, 2 * kDims);
    std::int64_t rows = 0;
    const ProbabilitySink sink = [&](DocumentIndex, HeadIndex head, TokenIndex first, ConstMatrixView found) {
        for (std::int64_t i = 0; i < found.rows(); ++i, ++rows)
        {
            const std::int64_t query = first.value() + i;
            auto expected = naive(q, k, query, query, head.value(), shape);
            double sum = 0;
            for (std::int64_t t = 0; t < kTokens; ++t)
            {
                const std::int64_t distance = std::clamp<std::int64_t>(t - query, -3, 3);
                expected[static_cast<std::size_t>(t)] *=
                    std::exp(static_cast<double>(bias(head.value(), distance + 3)));
                sum += expected[static_cast<std::size_t>(t)];
            }
            for (std::int64_t t = 0; t < kTokens; ++t)
                QVERIFY(std::abs(static_cast<double>(found(i, t)) - expected[static_cast<std::size_t>(t)] / sum) <
                        1e-6);
        }
    };
    AttentionTask task{q.view(), k.view(), v.view(), z.view()};
    task.distanceBias = bias.view();
    attendDocument(task, shape, DocumentIndex(0), sink, scratch, {});
    QCOMPARE(rows, 2 * kTokens);
}

void TestCpuAttention::stopLeavesEarly()
{
    const AttentionShape shape{.heads = 1, .kvHeads = 1, .headDim = kDims, .causal = true, .window = 0, .scale = 1};
    const MatrixF x = normals(4, kDims, 7);
    MatrixF z(4, kDims);
    std::vector<float> scratch;
    std::stop_source stop;
    stop.request_stop();
    attendDocument({x.view(), x.view(), x.view(), z.view(), 0}, shape, DocumentIndex(0), {}, scratch, stop.get_token());
    QCOMPARE(z, MatrixF(4, kDims));
}

HEADSCOPE_TEST_GUILESS(TestCpuAttention)
#include "tst_cpu_attention.moc"
