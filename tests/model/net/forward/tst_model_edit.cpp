// SPDX-License-Identifier: GPL-3.0-or-later
// Heads that are off and keys and values that are regrouped, against the recorded truth, on both backends.
#include "model/net/forward/model_edit.h"

#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <array>
#include <numeric>

using namespace headscope;

namespace
{

constexpr double kCosineTolerance = 1e-5;
constexpr double kRelativeTolerance = 1e-4;
constexpr double kRowTolerance = 1e-4;

const test::GoldenFile& truth()
{
    static const test::GoldenFile file(test::golden("circuits/ablation.h5"));
    return file;
}

double lengthOf(std::span<const float> a)
{
    return std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0));
}

/// |a - b| / |b|.
double relativeChange(std::span<const float> a, std::span<const float> b)
{
    std::vector<float> difference(a.begin(), a.end());
    std::transform(a.begin(), a.end(), b.begin(), difference.begin(), std::minus());
    return lengthOf(difference) / lengthOf(b);
}

/// What one pass over all documents gives, pooled.
struct Vectors
{
    std::map<std::int64_t, MatrixF> stage1; ///< by layer, [N, H Dh]
    std::map<std::int64_t, MatrixF> stage2; ///< [N, Dm]
    std::map<std::int64_t, MatrixF> stage3; ///< [N, Dm]
};

/// A golden model with its documents.
struct Fixture
{
    std::string name;
    test::Loaded loaded;
    StepInput input;
    TapPlan plan;

    [[nodiscard]] const ModelConfig& config() const { return loaded.files.config; }
    [[nodiscard]] std::int64_t documents() const { return std::ssize(input.offsets) - 1; }
    [[nodiscard]] std::vector<double> doubles(const std::string& dataset) const
    {
        return truth().doubles(name + "/" + dataset);
    }

    [[nodiscard]] Result<Vectors> run(const ModelEdit& edit, const PassExtras& extras = {}) const
    {
        HEADSCOPE_TRY(const Network network, editedNetwork(*loaded.ops, loaded.network, edit));
        Vectors found;
        const TapSink sink = [&](LayerIndex layer, Tap tap, const Tensor& pooled) {
            auto& group = tap == Tap::HeadOutput ? found.stage1 : tap == Tap::Projected ? found.stage2 : found.stage3;
            MatrixF values(pooled.rows(), pooled.cols());
            loaded.ops->download(pooled, values.values());
            group.emplace(layer.value(), std::move(values));
        };
        HEADSCOPE_CHECK(runStep(*loaded.ops, network, input, plan, sink, extras, {}));
        return found;
    }

    /// An edit that switches heads of one layer off.
    [[nodiscard]] ModelEdit off(std::int64_t layer, std::int64_t first, std::int64_t count,
                                std::span<const float> values = {}) const
    {
        ModelEdit edit;
        edit.off.resize(static_cast<std::size_t>(config().layers));
        HeadsOff& heads = edit.off[static_cast<std::size_t>(layer)];
        for (std::int64_t head = first; head < first + count; ++head)
            heads.heads.emplace_back(head);
        heads.values.assign(values.begin(), values.end());
        return edit;
    }
    [[nodiscard]] ModelEdit grouped(std::int64_t groups, std::int64_t onlyLayer = -1) const
    {
        ModelEdit edit;
        edit.groups.assign(static_cast<std::size_t>(config().layers), onlyLayer < 0 ? groups : 0);
        if (onlyLayer >= 0)
            edit.groups[static_cast<std::size_t>(onlyLayer)] = groups;
        return edit;
    }
    [[nodiscard]] const MatrixF& embeddings(const Vectors& vectors) const
    {
        return vectors.stage3.at(config().layers - 1);
    }
};

StepInput stepOf(const std::string& group)
{
    StepInput input;
    input.offsets = truth().integers(group + "/offsets");
    const auto ids = truth().integers(group + "/ids");
    input.ids.assign(ids.begin(), ids.end());
    return input;
}

Result<Fixture> fixture(const QString& model, const QString& backend)
{
    Fixture made;
    made.name = model.toStdString();
    HEADSCOPE_TRY(made.loaded, test::load(test::golden("models/" + made.name), backend.toStdString()));
    made.input = stepOf(made.name);
    made.plan.pooling = truth().text(made.name, "pooling") == "mean" ? Pooling::Mean : Pooling::Last;
    made.plan.layers.resize(static_cast<std::size_t>(made.config().layers),
                            {.headOutput = true, .projected = true, .output = true});
    return made;
}

/// The means of all heads of a layer, [H, Dh], as float.
std::vector<float> meansOf(const Fixture& made, std::int64_t layer)
{
    const auto means = truth().floats(made.name + "/reference/mean");
    const auto width = made.config().heads * made.config().headDim;
    return {means.begin() + layer * width, means.begin() + (layer + 1) * width};
}

/// Embeddings of an edited model against the recorded cosines with those of the model itself.
/// @param at, stride  where document 0 stands in `cosines`, and how far the next one is
void verifyCosines(const Fixture& made, const Vectors& plain, const Vectors& edited, std::span<const double> cosines,
                   std::size_t at, std::size_t stride)
{
    for (std::int64_t n = 0; n < made.documents(); ++n)
    {
        const double found = test::cosineOf(made.embeddings(edited).row(n), made.embeddings(plain).row(n));
        const double expected = cosines[at + static_cast<std::size_t>(n) * stride];
        QVERIFY2(std::abs(found - expected) <= kCosineTolerance,
                 qPrintable(QStringLiteral("document %1: %2, expected %3").arg(n).arg(found).arg(expected)));
    }
}

} // namespace

class TestModelEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void zeroHeads_data();
    void zeroHeads();
    void meanHeads_data();
    void meanHeads();
    void groupsAndLayers_data();
    void groupsAndLayers();
    void topicsOfTheSameModel_data();
    void topicsOfTheSameModel();
    void regroup_data();
    void regroup();
    void everyHeadOff_data();
    void everyHeadOff();
    void memoryGivesTheSameBits_data();
    void memoryGivesTheSameBits();
    void possibleNumbersOfGroups();
    void wrongEdits();
};

void TestModelEdit::zeroHeads_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("backend");
    for (const char* model : {"mistral_f32", "qwen3_f32", "llama_mha", "mistral_mqa", "bert_f32"})
        for (const char* backend : {"cpu", "torch"})
            QTest::addRow("%s, %s", model, backend) << QString::fromLatin1(model) << QString::fromLatin1(backend);
}

void TestModelEdit::zeroHeads()
{
    QFETCH(const QString, model);
    QFETCH(const QString, backend);
    const auto made = fixture(model, backend);
    HEADSCOPE_VERIFY_OK(made);
    const ModelConfig& config = made->config();
    const auto plain = made->run({});
    HEADSCOPE_VERIFY_OK(plain);
    const auto embedding = truth().floats(made->name + "/embedding");
    for (std::int64_t n = 0; n < made->documents(); ++n)
        QVERIFY(test::rowError(made->embeddings(*plain).row(n),
                               std::span(embedding).subspan(static_cast<std::size_t>(n * config.modelDim),
                                                            static_cast<std::size_t>(config.modelDim))) <
                kRowTolerance);
    const auto cosines = made->doubles("zero/cosine");           // [N, L, H]
    const auto relative = made->doubles("zero/relative");        // [N, L, H]
    const auto later = made->doubles("zero/stage3_relative");    // [N, L, H, L]
    const auto noticing = made->doubles("zero/stage1_relative"); // [L, H, L, H]
    const std::int64_t layers = config.layers, heads = config.heads, dims = config.headDim;
    for (std::int64_t layer = 0; layer < layers; ++layer)
        for (std::int64_t head = 0; head < heads; ++head)
        {
            const auto edited = made->run(made->off(layer, head, 1));
            HEADSCOPE_VERIFY_OK(edited);
            const auto place = static_cast<std::size_t>(layer * heads + head);
            verifyCosines(*made, *plain, *edited, cosines, place, static_cast<std::size_t>(layers * heads));
            for (std::int64_t n = 0; n < made->documents(); ++n)
            {
                const auto at = static_cast<std::size_t>(n * layers * heads) + place;
                QVERIFY(std::abs(relativeChange(made->embeddings(*edited).row(n), made->embeddings(*plain).row(n)) -
                                 relative[at]) <= kRelativeTolerance);
                for (std::int64_t l = 0; l < layers; ++l)
                    QVERIFY(std::abs(relativeChange(edited->stage3.at(l).row(n), plain->stage3.at(l).row(n)) -
                                     later[at * static_cast<std::size_t>(layers) + static_cast<std::size_t>(l)]) <=
                            kRelativeTolerance);
            }
            for (std::int64_t l = layer + 1; l < layers; ++l)
                for (std::int64_t h = 0; h < heads; ++h)
                {
                    double sum = 0;
                    for (std::int64_t n = 0; n < made->documents(); ++n)
                        sum += relativeChange(edited->stage1.at(l).row(n).subspan(static_cast<std::size_t>(h * dims),
                                                                                  static_cast<std::size_t>(dims)),
                                              plain->stage1.at(l).row(n).subspan(static_cast<std::size_t>(h * dims),
                                                                                 static_cast<std::size_t>(dims)));
                    const double expected = noticing[place * static_cast<std::size_t>(layers * heads) +
                                                     static_cast<std::size_t>(l * heads + h)];
                    QVERIFY(std::abs(sum / static_cast<double>(made->documents()) - expected) <= kRelativeTolerance);
                }
        }
}

void TestModelEdit::meanHeads_data()
{
    zeroHeads_data();
}

void TestModelEdit::meanHeads()
{
    QFETCH(const QString, model);
    QFETCH(const QString, backend);
    const auto made = fixture(model, backend);
    HEADSCOPE_VERIFY_OK(made);
    const auto plain = made->run({});
    HEADSCOPE_VERIFY_OK(plain);
    const auto cosines = made->doubles("mean/cosine");
    const ModelConfig& config = made->config();
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
    {
        const auto means = meansOf(*made, layer);
        for (std::int64_t head = 0; head < config.heads; ++head)
        {
            const auto dims = static_cast<std::size_t>(config.headDim);
            const auto own = std::span(means).subspan(static_cast<std::size_t>(head) * dims, dims);
            const auto edited = made->run(made->off(layer, head, 1, own));
            HEADSCOPE_VERIFY_OK(edited);
            verifyCosines(*made, *plain, *edited, cosines, static_cast<std::size_t>(layer * config.heads + head),
                          static_cast<std::size_t>(config.layers * config.heads));
        }
    }
}

void TestModelEdit::groupsAndLayers_data()
{
    zeroHeads_data();
}

void TestModelEdit::groupsAndLayers()
{
    QFETCH(const QString, model);
    QFETCH(const QString, backend);
    const auto made = fixture(model, backend);
    HEADSCOPE_VERIFY_OK(made);
    const auto plain = made->run({});
    HEADSCOPE_VERIFY_OK(plain);
    const ModelConfig& config = made->config();
    const std::int64_t size = config.heads / config.kvHeads;
    const auto stride = static_cast<std::size_t>(config.layers * config.kvHeads);
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
    {
        const auto means = meansOf(*made, layer);
        for (std::int64_t group = 0; group < config.kvHeads; ++group)
        {
            const auto place = static_cast<std::size_t>(layer * config.kvHeads + group);
            const auto zeroed = made->run(made->off(layer, group * size, size));
            HEADSCOPE_VERIFY_OK(zeroed);
            verifyCosines(*made, *plain, *zeroed, made->doubles("zero_group/cosine"), place, stride);
            const auto width = static_cast<std::size_t>(size * config.headDim);
            const auto own = std::span(means).subspan(static_cast<std::size_t>(group) * width, width);
            const auto averaged = made->run(made->off(layer, group * size, size, own));
            HEADSCOPE_VERIFY_OK(averaged);
            verifyCosines(*made, *plain, *averaged, made->doubles("mean_group/cosine"), place, stride);
        }
        const auto whole = made->run(made->off(layer, 0, config.heads));
        HEADSCOPE_VERIFY_OK(whole);
        verifyCosines(*made, *plain, *whole, made->doubles("zero_layer/cosine"), static_cast<std::size_t>(layer),
                      static_cast<std::size_t>(config.layers));
    }
}

void TestModelEdit::topicsOfTheSameModel_data()
{
    zeroHeads_data();
}

/// Documents whose own topic is nearest, where documents and topics come from a model with the same head off.
void TestModelEdit::topicsOfTheSameModel()
{
    QFETCH(const QString, model);
    QFETCH(const QString, backend);
    const auto made = fixture(model, backend);
    HEADSCOPE_VERIFY_OK(made);
    Result<Fixture> topics = fixture(model, backend);
    HEADSCOPE_VERIFY_OK(topics);
    topics->input = stepOf(made->name + "/topics");
    const auto labels = truth().integers(made->name + "/topics/label");
    const auto hits = [&](const ModelEdit& edit) {
        const auto documents = made->run(edit);
        const auto names = topics->run(edit);
        std::int64_t found = 0;
        for (std::int64_t n = 0; documents && names && n < made->documents(); ++n)
        {
            std::vector<double> cosines;
            for (std::int64_t topic = 0; topic < topics->documents(); ++topic)
                cosines.push_back(
                    test::cosineOf(made->embeddings(*documents).row(n), topics->embeddings(*names).row(topic)));
            found += std::ranges::max_element(cosines) - cosines.begin() == labels[static_cast<std::size_t>(n)] ? 1 : 0;
        }
        return found;
    };
    QCOMPARE(hits({}), truth().integers(made->name + "/topics/hits")[0]);
    const auto expected = truth().integers(made->name + "/topics/zero_hits"); // [L, H]
    for (std::int64_t layer = 0; layer < made->config().layers; ++layer)
        for (std::int64_t head = 0; head < made->config().heads; ++head)
            QCOMPARE(hits(made->off(layer, head, 1)),
                     expected[static_cast<std::size_t>(layer * made->config().heads + head)]);
}

void TestModelEdit::regroup_data()
{
    zeroHeads_data();
}

void TestModelEdit::regroup()
{
    QFETCH(const QString, model);
    QFETCH(const QString, backend);
    const auto made = fixture(model, backend);
    HEADSCOPE_VERIFY_OK(made);
    const auto plain = made->run({});
    HEADSCOPE_VERIFY_OK(plain);
    const ModelConfig& config = made->config();
    const auto groups = truth().integers(made->name + "/regroup/groups");
    const auto cosines = made->doubles("regroup/cosine");                    // [n, N]
    const auto ofLayers = made->doubles("regroup/layer_cosine");             // [n, L, N]
    const auto first = truth().floats(made->name + "/regroup/stage1_first"); // [n, L, H, Dh]
    const auto documents = static_cast<std::size_t>(made->documents());
    const auto layers = static_cast<std::size_t>(config.layers);
    const auto dims = static_cast<std::size_t>(config.headDim);
    const auto heads = static_cast<std::size_t>(config.heads);
    for (std::size_t g = 0; g < groups.size(); ++g)
    {
        const auto edited = made->run(made->grouped(groups[g]));
        HEADSCOPE_VERIFY_OK(edited);
        verifyCosines(*made, *plain, *edited, cosines, g * documents, 1);
        for (std::size_t l = 0; l < layers; ++l)
        {
            for (std::size_t h = 0; h < heads; ++h)
                QVERIFY(test::rowError(edited->stage1.at(static_cast<std::int64_t>(l)).row(0).subspan(h * dims, dims),
                                       std::span(first).subspan(((g * layers + l) * heads + h) * dims, dims)) <=
                        kRowTolerance);
            const auto one = made->run(made->grouped(groups[g], static_cast<std::int64_t>(l)));
            HEADSCOPE_VERIFY_OK(one);
            verifyCosines(*made, *plain, *one, ofLayers, (g * layers + l) * documents, 1);
        }
        if (groups[g] == config.kvHeads)
            QCOMPARE(made->embeddings(*edited), made->embeddings(*plain)); // to the bit
        else if (groups[g] > config.kvHeads)
            for (std::int64_t n = 0; n < made->documents(); ++n)
                QVERIFY(std::abs(1 - test::cosineOf(made->embeddings(*edited).row(n),
                                                    made->embeddings(*plain).row(n))) <= 1e-6);
    }
}

void TestModelEdit::everyHeadOff_data()
{
    zeroHeads_data();
    for (const char* model : {"llama_obias", "gemma2_f16", "gemma3_embed", "gpt2_f32", "gptneox_f16", "phi3_longrope"})
        QTest::addRow("%s, cpu", model) << QString::fromLatin1(model) << QStringLiteral("cpu");
}

/// Of a layer without any head nothing is left but the bias of its output projection.
void TestModelEdit::everyHeadOff()
{
    QFETCH(const QString, model);
    QFETCH(const QString, backend);
    Fixture made;
    made.name = model.toStdString();
    auto loaded = test::load(test::golden("models/" + made.name), backend.toStdString());
    HEADSCOPE_VERIFY_OK(loaded);
    made.loaded = std::move(*loaded);
    made.input = {{3, 9, 4, 11, 5, 8, 12}, {0, 3, 7}, {}};
    made.plan.layers.resize(static_cast<std::size_t>(made.config().layers),
                            {.headOutput = true, .projected = true, .output = true});
    for (std::int64_t layer = 0; layer < made.config().layers; ++layer)
    {
        const auto edited = made.run(made.off(layer, 0, made.config().heads));
        HEADSCOPE_VERIFY_OK(edited);
        const ConstMatrixView bias = made.loaded.weights->matrix({TensorRole::O, layer, true});
        for (std::int64_t n = 0; n < 2; ++n)
        {
            for (const float value : edited->stage1.at(layer).row(n))
                QCOMPARE(value, 0.0F);
            for (std::int64_t i = 0; i < made.config().modelDim; ++i)
                QCOMPARE(edited->stage2.at(layer)(n, i), bias.data() == nullptr ? 0.0F : bias(0, i));
        }
    }
}

void TestModelEdit::memoryGivesTheSameBits_data()
{
    zeroHeads_data();
}

void TestModelEdit::memoryGivesTheSameBits()
{
    QFETCH(const QString, model);
    QFETCH(const QString, backend);
    const auto made = fixture(model, backend);
    HEADSCOPE_VERIFY_OK(made);
    PassMemory memory;
    const PassExtras extras{.watch = nullptr, .memory = &memory};
    const auto last = made->config().layers - 1;
    const std::vector<ModelEdit> edits = {
        {}, made->off(last, 0, 1), made->off(0, 1, 1), made->off(1, 1, 2), made->grouped(1), made->grouped(1, last),
        {}};
    for (const ModelEdit& edit : edits)
    {
        const auto alone = made->run(edit);
        HEADSCOPE_VERIFY_OK(alone);
        const auto again = made->run(edit, extras);
        HEADSCOPE_VERIFY_OK(again);
        QCOMPARE(again->stage1, alone->stage1);
        QCOMPARE(again->stage2, alone->stage2);
        QCOMPARE(again->stage3, alone->stage3);
    }
    // What was kept is used: all layers but the last one are not computed again.
    QCOMPARE(memory.start(last, made->plan), last);
    StepInput other = made->input;
    ++other.ids.front();
    TapPlan pooledOtherwise = made->plan;
    pooledOtherwise.pooling = Pooling::First;
    TapPlan noTaps;
    noTaps.layers.resize(made->plan.layers.size());
    memory.begin(made->input, noTaps, made->config().modelDim); // streams and taps stay
    QCOMPARE(memory.start(last, made->plan), last);
    memory.begin(made->input, pooledOtherwise, made->config().modelDim); // the streams stay, the taps do not
    QCOMPARE(memory.start(last, made->plan), 0);
    QCOMPARE(memory.start(last, noTaps), last);
    memory.begin(other, made->plan, made->config().modelDim);
    QCOMPARE(memory.start(last, noTaps), 0);
}

void TestModelEdit::possibleNumbersOfGroups()
{
    using Numbers = std::vector<std::int64_t>;
    QCOMPARE(possibleGroups(8, 2), (Numbers{1, 2, 4, 8}));
    QCOMPARE(possibleGroups(9, 3), (Numbers{1, 3, 9}));
    QCOMPARE(possibleGroups(12, 12), (Numbers{1, 2, 3, 4, 6, 12}));
    QCOMPARE(possibleGroups(12, 4), (Numbers{1, 2, 4, 12}));
    QCOMPARE(possibleGroups(4, 1), (Numbers{1, 2, 4}));
}

void TestModelEdit::wrongEdits()
{
    const auto made = fixture(QStringLiteral("mistral_f32"), QStringLiteral("cpu"));
    HEADSCOPE_VERIFY_OK(made);
    HEADSCOPE_VERIFY_ERROR(made->run(made->off(1, 7, 2)), ErrorCode::InvalidArgument,
                           "layer 1: expected heads 1 to 8, found 9");
    HEADSCOPE_VERIFY_ERROR(made->run(made->off(1, 0, 2, std::array<float, 16>{})), ErrorCode::InvalidArgument,
                           "expected 32 numbers for 2 heads, found 16");
    HEADSCOPE_VERIFY_ERROR(made->run(made->grouped(3)), ErrorCode::InvalidArgument,
                           "the model's 2 KV groups (8 heads) can be averaged or repeated (1, 2, 4, 8), found 3");
    ModelEdit shorter;
    shorter.off.resize(2);
    HEADSCOPE_VERIFY_ERROR(made->run(shorter), ErrorCode::InvalidArgument, "each of the 3 layers, found 2");
}

HEADSCOPE_TEST_GUILESS(TestModelEdit)
#include "tst_model_edit.moc"
