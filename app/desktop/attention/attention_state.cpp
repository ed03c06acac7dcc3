// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/attention/attention_state.h"

#include <QJsonArray>

#include <cstddef>

namespace headscope::desktop
{
namespace
{

constexpr auto kKey = QLatin1StringView("attention");
constexpr qsizetype kLongestText = 1'000'000;
constexpr double kMaxIndex = 1'000'000;

QJsonObject placeJson(const ui::AttentionHead& place)
{
    return {{QStringLiteral("layer"), static_cast<qint64>(place.layer.value())},
            {QStringLiteral("head"), static_cast<qint64>(place.head.value())}};
}

std::optional<std::int64_t> indexIn(const QJsonValue& value)
{
    const double number = value.toDouble(-1);
    if (!(number >= 0 && number <= kMaxIndex))
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::optional<ui::AttentionHead> placeIn(const QJsonValue& value)
{
    const QJsonObject object = value.toObject();
    const auto layer = indexIn(object.value(u"layer"));
    const auto head = indexIn(object.value(u"head"));
    if (!layer || !head)
        return std::nullopt;
    return ui::AttentionHead{LayerIndex(*layer), HeadIndex(*head)};
}

std::optional<TokenIndex> tokenIn(const QJsonValue& value)
{
    const auto token = indexIn(value);
    return token ? std::optional(TokenIndex(*token)) : std::nullopt;
}

} // namespace

void writeAttentionState(const AttentionState& kept, QJsonObject& state)
{
    QJsonObject object;
    const auto add = [&object](const char* name, const QString& text) {
        if (!text.isEmpty())
            object[QLatin1StringView(name)] = text;
    };
    add("text", kept.text);
    add("document", kept.document);
    add("stored", kept.stored);
    if (object.isEmpty())
        return;
    if (kept.chosen)
        object[QStringLiteral("chosen")] = placeJson(*kept.chosen);
    QJsonArray pinned;
    for (const ui::AttentionHead& place : kept.pinned)
        pinned.append(placeJson(place));
    if (!pinned.isEmpty())
        object[QStringLiteral("pinned")] = pinned;
    if (kept.reading)
        object[QStringLiteral("reading")] = static_cast<qint64>(kept.reading->value());
    if (kept.read)
        object[QStringLiteral("read")] = static_cast<qint64>(kept.read->value());
    state[kKey] = object;
}

std::optional<AttentionState> readAttentionState(const QJsonObject& state)
{
    constexpr std::size_t kMaxPinned = 2;
    const QJsonObject object = state.value(kKey).toObject();
    AttentionState kept{object.value(u"text").toString().left(kLongestText),
                        object.value(u"document").toString(),
                        object.value(u"stored").toString(),
                        placeIn(object.value(u"chosen")),
                        {},
                        tokenIn(object.value(u"reading")),
                        tokenIn(object.value(u"read"))};
    if (kept.text.isEmpty() && kept.document.isEmpty() && kept.stored.isEmpty())
        return std::nullopt;
    const QJsonArray pinned = object.value(u"pinned").toArray();
    for (const QJsonValue& each : pinned)
        if (const auto place = placeIn(each); place && kept.pinned.size() < kMaxPinned)
            kept.pinned.push_back(*place);
    return kept;
}

} // namespace headscope::desktop
