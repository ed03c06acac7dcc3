// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/filter_state.h"

#include "app/desktop/work/state_values.h"
#include "ui/words/wording.h"

#include <QJsonObject>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr std::array kSources = {
    std::pair(NumberSource::Tokens, "tokens"), std::pair(NumberSource::MeanStrength, "mean_strength"),
    std::pair(NumberSource::HeadStrength, "head_strength"), std::pair(NumberSource::Column, "number")};

QJsonObject jsonOf(const LabelCondition& condition)
{
    QJsonArray values;
    for (const std::string& value : condition.values)
        values.append(ui::toQString(value));
    return {{QStringLiteral("by"), QStringLiteral("label")},
            {QStringLiteral("column"), ui::toQString(condition.column)},
            {QStringLiteral("values"), values},
            {QStringLiteral("not"), condition.negated}};
}

QJsonObject jsonOf(const NumberCondition& condition)
{
    QJsonObject object;
    for (const auto& [source, name] : kSources)
        if (source == condition.source)
            object[QStringLiteral("by")] = QLatin1StringView(name);
    if (condition.source == NumberSource::Column)
        object[QStringLiteral("column")] = ui::toQString(condition.column);
    if (condition.source == NumberSource::HeadStrength)
        object[QStringLiteral("head")] = static_cast<qint64>(condition.head);
    if (std::isfinite(condition.least))
        object[QStringLiteral("least")] = condition.least;
    if (std::isfinite(condition.most))
        object[QStringLiteral("most")] = condition.most;
    return object;
}

QJsonObject jsonOf(const StrongestCondition& condition)
{
    return {{QStringLiteral("by"), QStringLiteral("strongest")},
            {QStringLiteral("heads"), state::rangesText(condition.heads)}};
}

QJsonObject jsonOf(const GroupCondition& condition)
{
    return {{QStringLiteral("by"), QStringLiteral("set")},
            {QStringLiteral("set"), ui::toQString(condition.group)},
            {QStringLiteral("not"), condition.negated}};
}

LabelCondition labelOf(const QJsonObject& object)
{
    constexpr qsizetype kMaxValues = 10'000;
    LabelCondition condition;
    condition.column = ui::toStdString(state::text(object, QStringLiteral("column")));
    condition.negated = state::flag(object, QStringLiteral("not")).value_or(false);
    for (const QJsonValue& value : object.value(QStringLiteral("values")).toArray())
        if (value.isString() && std::ssize(condition.values) < kMaxValues)
            condition.values.push_back(ui::toStdString(value.toString()));
    return condition;
}

std::optional<FilterCondition> numberOf(const QJsonObject& object, NumberSource source, std::int64_t heads)
{
    constexpr double kAny = std::numeric_limits<double>::max();
    NumberCondition condition;
    condition.source = source;
    condition.column = ui::toStdString(state::text(object, QStringLiteral("column")));
    if (source == NumberSource::HeadStrength)
    {
        const auto head = state::whole(object, QStringLiteral("head"), 0, heads - 1);
        if (!head)
            return std::nullopt;
        condition.head = *head;
    }
    condition.least = state::number(object, QStringLiteral("least"), -kAny, kAny).value_or(condition.least);
    condition.most = state::number(object, QStringLiteral("most"), -kAny, kAny).value_or(condition.most);
    return condition;
}

std::optional<FilterCondition> conditionOf(const QJsonObject& object, std::int64_t heads)
{
    const QString by = state::text(object, QStringLiteral("by"));
    for (const auto& [source, name] : kSources)
        if (by == QLatin1StringView(name))
            return numberOf(object, source, heads);
    if (by == QLatin1StringView("label"))
        return labelOf(object);
    if (by == QLatin1StringView("set"))
        return GroupCondition{ui::toStdString(state::text(object, QStringLiteral("set"))),
                              state::flag(object, QStringLiteral("not")).value_or(false)};
    if (by == QLatin1StringView("strongest"))
        if (auto some = state::rangesOf(state::text(object, QStringLiteral("heads")), heads); some && !some->empty())
            return StrongestCondition{std::move(*some)};
    return std::nullopt;
}

} // namespace

QJsonArray conditionsJson(const std::vector<FilterCondition>& conditions)
{
    QJsonArray all;
    for (const FilterCondition& condition : conditions)
        all.append(std::visit([](const auto& each) { return jsonOf(each); }, condition));
    return all;
}

std::vector<FilterCondition> conditionsOf(const QJsonArray& conditions, std::int64_t heads)
{
    constexpr std::size_t kMost = 100;
    std::vector<FilterCondition> all;
    for (const QJsonValue& each : conditions)
        if (auto condition = conditionOf(each.toObject(), heads); condition && all.size() < kMost)
            all.push_back(std::move(*condition));
    return all;
}

} // namespace headscope::desktop
