// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/layers/layers_state.h"

#include "app/desktop/work/result_values.h"
#include "app/desktop/work/state_values.h"
#include "model/data/model_info.h"
#include "ui/words/wording.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr std::int64_t kMostPermutations = 1'000'000'000;
constexpr std::int64_t kMaxSeed = 1'000'000'000'000;
constexpr double kMaxRows = 1e12; ///< and seconds
constexpr qsizetype kMaxPlaces = 10'000;
constexpr std::size_t kMaxMissing = 20;

QJsonObject layerJson(const LayerMeasures& one)
{
    QJsonArray missing;
    for (const std::string& sentence : one.missing)
        missing.append(ui::toQString(sentence));
    return {{QStringLiteral("layer"), static_cast<qint64>(one.layer.value())},
            {QStringLiteral("stage"), ui::toQString(stageName(one.stage))},
            {QStringLiteral("documents"), static_cast<qint64>(one.documents)},
            {QStringLiteral("heads"), static_cast<qint64>(one.heads)},
            {QStringLiteral("after_final_norm"), one.afterFinalNorm},
            {QStringLiteral("accuracy"), state::numberJson(one.accuracy)},
            {QStringLiteral("ci95"), state::intervalJson({one.ci95Low, one.ci95High})},
            {QStringLiteral("ci95_method"), ui::toQString(one.accuracyMethod)},
            {QStringLiteral("effective_rows"), one.effectiveRows},
            {QStringLiteral("test_documents"), static_cast<qint64>(one.testDocuments)},
            {QStringLiteral("chance"), state::numberJson(one.accuracyChance)},
            {QStringLiteral("converged"), one.converged},
            {QStringLiteral("purity"), state::numberJson(one.purity)},
            {QStringLiteral("purity_ci95"), state::intervalJson(one.purityCi95)},
            {QStringLiteral("purity_null"),
             QJsonArray{state::numberJson(one.purityNull.mean), state::numberJson(one.purityNull.high),
                        state::numberJson(one.purityNull.p), static_cast<qint64>(one.purityNull.permutations)}},
            {QStringLiteral("purity_chance"), state::numberJson(one.purityChance)},
            {QStringLiteral("purity_documents"), static_cast<qint64>(one.purityDocuments)},
            {QStringLiteral("redundancy"), state::numberJson(one.redundancy)},
            {QStringLiteral("redundancy_ci95"), state::intervalJson(one.redundancyCi95)},
            {QStringLiteral("redundancy_pairs"), static_cast<qint64>(one.redundancyPairs)},
            {QStringLiteral("missing"), missing},
            {QStringLiteral("seconds"), one.seconds}};
}

PermutationNull nullIn(const QJsonArray& numbers)
{
    constexpr qsizetype kNumbers = 4;
    if (numbers.size() != kNumbers)
        return {};
    return {state::numberOf(numbers[0]), state::numberOf(numbers[1]), state::numberOf(numbers[2]),
            std::clamp<std::int64_t>(numbers[3].toInteger(), 0, kMostPermutations)};
}

std::shared_ptr<const LayerMeasures> layerIn(const QJsonObject& object, const LayerOptions& options,
                                             const Origin& origin)
{
    constexpr std::int64_t kMaxLayers = 100'000;
    const auto layer = state::whole(object, QStringLiteral("layer"), 0, kMaxLayers);
    const auto stage = stageFromName(ui::toStdString(state::text(object, QStringLiteral("stage"))));
    if (!layer || !stage)
        return nullptr;
    LayerMeasures one;
    one.layer = LayerIndex(*layer);
    one.stage = *stage;
    one.options = options;
    one.documents = state::countOf(object, "documents");
    one.heads = state::countOf(object, "heads");
    one.afterFinalNorm = state::flag(object, QStringLiteral("after_final_norm")).value_or(false);
    one.accuracy = state::numberOf(object.value(u"accuracy"));
    const Interval accuracy = state::intervalOf(object.value(u"ci95"));
    one.ci95Low = accuracy.low;
    one.ci95High = accuracy.high;
    one.accuracyMethod = ui::toStdString(state::text(object, QStringLiteral("ci95_method")));
    one.effectiveRows = state::number(object, QStringLiteral("effective_rows"), 0, kMaxRows).value_or(0);
    one.testDocuments = state::countOf(object, "test_documents");
    one.accuracyChance = state::numberOf(object.value(u"chance"));
    one.converged = state::flag(object, QStringLiteral("converged")).value_or(true);
    one.purity = state::numberOf(object.value(u"purity"));
    one.purityCi95 = state::intervalOf(object.value(u"purity_ci95"));
    one.purityNull = nullIn(object.value(u"purity_null").toArray());
    one.purityChance = state::numberOf(object.value(u"purity_chance"));
    one.purityDocuments = state::countOf(object, "purity_documents");
    one.redundancy = state::numberOf(object.value(u"redundancy"));
    one.redundancyCi95 = state::intervalOf(object.value(u"redundancy_ci95"));
    one.redundancyPairs = state::countOf(object, "redundancy_pairs");
    const QJsonArray missing = object.value(u"missing").toArray();
    for (const QJsonValue& sentence : missing)
        if (one.missing.size() < kMaxMissing)
            one.missing.push_back(ui::toStdString(sentence.toString()));
    one.seconds = state::number(object, QStringLiteral("seconds"), 0, kMaxRows).value_or(0);
    one.origin = origin;
    return std::make_shared<const LayerMeasures>(std::move(one));
}

} // namespace

QJsonObject layersJson(const MeasuredLayers& measured, const Origin& origin)
{
    QJsonArray measures;
    for (const auto& each : measured.measures)
        measures.append(layerJson(*each));
    const LayerOptions& options = measured.measures.front()->options;
    return {{QStringLiteral("origin"), ui::toQString(origin.hash)},
            {QStringLiteral("labels"), ui::toQString(measured.labels)},
            {QStringLiteral("heads"), state::rangesText(measured.heads)},
            {QStringLiteral("documents"), state::rangesText(measured.documents)},
            {QStringLiteral("neighbors"), options.neighbors},
            {QStringLiteral("permutations"), static_cast<qint64>(options.permutations)},
            {QStringLiteral("seed"), static_cast<qint64>(options.probe.seed)},
            {QStringLiteral("measures"), measures}};
}

std::optional<MeasuredLayers> layersOf(const QJsonObject& object, const Origin& origin, const ModelInfo& model,
                                       std::int64_t documents)
{
    constexpr std::int64_t kMaxNeighbors = 1'000'000;
    MeasuredLayers measured;
    const auto heads = state::rangesOf(state::text(object, QStringLiteral("heads")), model.heads);
    const QString rows = object.value(u"documents").toString();
    const auto some = rows.isEmpty() ? std::vector<std::int64_t>() : state::rangesOf(rows, documents);
    LayerOptions options;
    const auto neighbors = state::whole(object, QStringLiteral("neighbors"), 1, kMaxNeighbors);
    const auto permutations = state::whole(object, QStringLiteral("permutations"), 0, kMostPermutations);
    const auto seed = state::whole(object, QStringLiteral("seed"), 0, kMaxSeed);
    const QJsonArray measures = object.value(u"measures").toArray();
    if (origin.hash.empty() || ui::toStdString(state::text(object, QStringLiteral("origin"))) != origin.hash ||
        !heads || heads->empty() || !some || !neighbors || !permutations || !seed || measures.size() > kMaxPlaces)
        return std::nullopt;
    options.neighbors = static_cast<int>(*neighbors);
    options.permutations = *permutations;
    options.probe.seed = static_cast<std::uint64_t>(*seed);
    measured.heads = *heads;
    measured.documents = *some;
    measured.labels = ui::toStdString(state::text(object, QStringLiteral("labels")));
    for (const QJsonValue& each : measures)
        if (auto one = layerIn(each.toObject(), options, origin))
            measured.measures.push_back(std::move(one));
    return measured.measures.empty() ? std::nullopt : std::optional(std::move(measured));
}

} // namespace headscope::desktop
