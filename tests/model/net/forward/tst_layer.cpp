// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/layer.h"

#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>

using namespace headscope;

namespace
{

/// What is looked at of a layer of two texts: vectors, and the weights of each text and head.
struct Looked
{
    MatrixF q, k, v, z;
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<float>> weights;
};

MatrixF onHost(Operations& ops, const Tensor& x)
{
    MatrixF host(x.rows(), x.cols());
    ops.download(x, host.values());
    return host;
}

Result<Looked> look(Operations& ops, const Network& network, LayerIndex layer)
{
    Looked looked;
    StepWatch watch;
    watch.probabilityLayers = {layer.value()};
    watch.vectorLayers = {layer.value()};
    watch.probabilities = [&](LayerIndex, DocumentIndex document, HeadIndex head, TokenIndex, ConstMatrixView rows) {
        auto& weights = looked.weights[{document.value(), head.value()}];
        weights.insert(weights.end(), rows.data(), rows.data() + rows.rows() * rows.cols());
    };
    watch.vectors = [&](LayerIndex, const AttentionVectors& found) {
        looked.q = onHost(ops, found.q);
        looked.k = onHost(ops, found.k);
        looked.v = onHost(ops, found.v);
        looked.z = onHost(ops, found.z);
    };
    TapPlan plan;
    plan.layers.resize(static_cast<std::size_t>(network.config().layers));
    const StepInput input{{7, 3, 9, 4, 11, 5, 6, 8, 21, 17, 2, 30}, {0, 5, 12}, {}};
    HEADSCOPE_CHECK(runStep(ops, network, input, plan, [](LayerIndex, Tap, const Tensor&) {}, {.watch = &watch}, {}));
    return looked;
}

/// Whether `part` is head `head` of `all`.
bool isHead(const MatrixF& part, const MatrixF& all, std::int64_t head)
{
    if (part.rows() != all.rows())
        return false;
    const auto dims = static_cast<std::size_t>(part.cols());
    for (std::int64_t t = 0; t < all.rows(); ++t)
        if (test::rowError(part.row(t), all.row(t).subspan(static_cast<std::size_t>(head) * dims, dims)) > 1e-5)
            return false;
    return true;
}

} // namespace

class TestLayer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneHeadIsThatOfAll_data();
    void oneHeadIsThatOfAll();
};

void TestLayer::oneHeadIsThatOfAll_data()
{
    QTest::addColumn<QString>("name");
    // Groups, one group, norms of heads, biases, windows and biases of distances.
    for (const char* name : {"mistral_f16", "mistral_mqa", "qwen3_f32", "qwen2_f32", "mpnet_f32", "gemma2_f16"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

/// With some heads off: each head by itself is what it is among all, and only its vectors are computed.
void TestLayer::oneHeadIsThatOfAll()
{
    QFETCH(const QString, name);
    auto loaded = test::load(test::goldenModel(name.toStdString()), "cpu");
    HEADSCOPE_VERIFY_OK(loaded);
    Operations& ops = *loaded->ops;
    const ModelConfig& config = loaded->network.config();
    ModelEdit edit;
    edit.off.resize(static_cast<std::size_t>(config.layers));
    edit.off[1] = {.heads = {HeadIndex(1)}, .values = std::vector<float>(static_cast<std::size_t>(config.headDim), 3)};
    const auto network = editedNetwork(ops, loaded->network, edit);
    HEADSCOPE_VERIFY_OK(network);
    const auto all = look(ops, *network, LayerIndex(1));
    HEADSCOPE_VERIFY_OK(all);
    for (HeadIndex head; head.value() < config.heads; ++head)
    {
        Network ofHead = *network;
        ofHead.layers[1] = tensorsOfHead(ops, config, network->layers[1], head);
        const auto one = look(ops, ofHead, LayerIndex(1));
        HEADSCOPE_VERIFY_OK(one);
        QCOMPARE(one->q.cols(), config.headDim);
        QCOMPARE(one->v.cols(), config.headDim);
        const std::int64_t group = head.value() / (config.heads / config.kvHeads);
        QVERIFY(isHead(one->q, all->q, head.value()));
        QVERIFY(isHead(one->k, all->k, group));
        QVERIFY(isHead(one->v, all->v, group));
        QVERIFY(isHead(one->z, all->z, head.value()));
        QCOMPARE(one->weights.size(), std::size_t{2});
        for (const std::int64_t document : {0, 1})
        {
            const auto& found = one->weights.at({document, 0});
            const auto& expected = all->weights.at({document, head.value()});
            QVERIFY(std::ranges::equal(found, expected, [](float a, float b) { return std::abs(a - b) < 1e-5F; }));
        }
    }
}

HEADSCOPE_TEST_GUILESS(TestLayer)
#include "tst_layer.moc"
