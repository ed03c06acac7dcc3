// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/named_sets.h"

#include "model/data/documents/id_rows.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::size_t kMaxMixtures = 24;
const QString kPlus = QStringLiteral(" + ");

/// Okabe and Ito's colours for all eyes, with a grey for their black and a darker yellow.
struct SetColor
{
    QRgb color;
    const char* name;
};
constexpr std::array<SetColor, 8> kColors{{
    {0xFF0072B2, QT_TRANSLATE_NOOP("namedSets", "blue")},
    {0xFFE69F00, QT_TRANSLATE_NOOP("namedSets", "orange")},
    {0xFF009E73, QT_TRANSLATE_NOOP("namedSets", "green")},
    {0xFFCC79A7, QT_TRANSLATE_NOOP("namedSets", "pink")},
    {0xFF56B4E9, QT_TRANSLATE_NOOP("namedSets", "sky blue")},
    {0xFFD55E00, QT_TRANSLATE_NOOP("namedSets", "vermilion")},
    {0xFFC9B800, QT_TRANSLATE_NOOP("namedSets", "yellow")},
    {0xFF7F7F7F, QT_TRANSLATE_NOOP("namedSets", "grey")},
}};

QString mixtureName(const std::vector<QString>& names)
{
    QStringList list(names.begin(), names.end());
    return list.join(kPlus);
}

} // namespace

const std::vector<QColor>& setColors()
{
    static const std::vector<QColor> colors = [] {
        std::vector<QColor> made;
        for (const SetColor& each : kColors)
            made.emplace_back(QColor::fromRgb(each.color));
        return made;
    }();
    return colors;
}

QString setColorName(const QColor& color)
{
    for (const SetColor& each : kColors)
        if (each.color == color.rgb())
            return tr(each.name);
    return color.name();
}

std::optional<std::int64_t> NamedSets::find(const QString& name) const
{
    const auto found = std::ranges::find(m_sets, name, &NamedSet::name);
    return found == m_sets.end() ? std::nullopt : std::optional<std::int64_t>(found - m_sets.begin());
}

std::int64_t NamedSets::keep(const QString& name, std::vector<std::int64_t> documents, std::optional<QColor> color)
{
    std::ranges::sort(documents);
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    const QString kept = name.trimmed().isEmpty() ? freeName() : name.trimmed();
    if (const auto there = find(kept))
    {
        NamedSet& set = m_sets[static_cast<std::size_t>(*there)];
        set.documents = std::move(documents);
        set.color = color.value_or(set.color);
        return *there;
    }
    m_sets.push_back({kept, color.value_or(freeColor()), std::move(documents), false});
    return count() - 1;
}

bool NamedSets::rename(std::int64_t index, const QString& name)
{
    const QString wanted = name.trimmed();
    const auto there = find(wanted);
    if (wanted.isEmpty() || (there && *there != index))
        return false;
    m_sets[static_cast<std::size_t>(index)].name = wanted;
    return true;
}

void NamedSets::recolor(std::int64_t index, const QColor& color)
{
    m_sets[static_cast<std::size_t>(index)].color = color;
}

void NamedSets::setOnMap(std::int64_t index, bool on)
{
    m_sets[static_cast<std::size_t>(index)].onMap = on;
}

void NamedSets::remove(std::int64_t index)
{
    m_sets.erase(m_sets.begin() + index);
}

QString NamedSets::freeName() const
{
    for (int number = 1;; ++number)
        if (const QString name = tr("Set %1").arg(number); !find(name))
            return name;
}

QColor NamedSets::freeColor() const
{
    const auto uses = [this](const QColor& color) { return std::ranges::count(m_sets, color, &NamedSet::color); };
    return *std::ranges::min_element(setColors(), {}, uses);
}

LabelColumn NamedSets::asColumn(std::int64_t documents) const
{
    // Documents by the sets they are in, as bits of the order: a mixture is named in that order.
    std::vector<std::vector<QString>> namesOf(static_cast<std::size_t>(std::max<std::int64_t>(0, documents)));
    for (const NamedSet& set : m_sets)
        for (const std::int64_t document : set.documents)
            if (document >= 0 && document < documents)
                namesOf[static_cast<std::size_t>(document)].push_back(set.name);
    LabelColumn column{toStdString(tr("set")), {}, {}};
    std::map<QString, std::int32_t> codes;
    const auto codeOf = [&column, &codes](const QString& name) {
        const auto [place, isNew] = codes.try_emplace(name, static_cast<std::int32_t>(column.categories.size()));
        if (isNew)
            column.categories.push_back(toStdString(name));
        return place->second;
    };
    for (const NamedSet& set : m_sets)
        codeOf(set.name);
    const std::size_t most = column.categories.size() + kMaxMixtures;
    column.codes.reserve(namesOf.size());
    for (const std::vector<QString>& names : namesOf)
    {
        const QString mixture = mixtureName(names);
        if (names.empty())
            column.codes.push_back(-1);
        else if (codes.contains(mixture) || column.categories.size() < most)
            column.codes.push_back(codeOf(mixture));
        else
            column.codes.push_back(codeOf(tr("several sets")));
    }
    return column;
}

QColor NamedSets::categoryColor(const QString& category) const
{
    if (const auto one = find(category))
        return at(*one).color;
    int red = 0;
    int green = 0;
    int blue = 0;
    int count = 0;
    for (const QString& name : category.split(kPlus))
    {
        if (const auto set = find(name))
        {
            const QColor& color = at(*set).color;
            red += color.red();
            green += color.green();
            blue += color.blue();
            ++count;
        }
    }
    return count == 0 ? QColor(0x7F, 0x7F, 0x7F) : QColor(red / count, green / count, blue / count);
}

QJsonObject NamedSets::toJson(const DocumentSet& documents) const
{
    QJsonArray sets;
    for (const NamedSet& set : m_sets)
    {
        QJsonArray ids;
        for (const std::int64_t document : set.documents)
            if (document < documents.count())
                ids.append(toQString(documents.ids[static_cast<std::size_t>(document)]));
        sets.append(QJsonObject{{QStringLiteral("name"), set.name},
                                {QStringLiteral("color"), set.color.name()},
                                {QStringLiteral("ids"), ids},
                                {QStringLiteral("onMap"), set.onMap}});
    }
    return {{QStringLiteral("sets"), sets}};
}

NamedSets::FromJson NamedSets::fromJson(const QJsonObject& object, const DocumentSet& documents)
{
    const IdRows rowOf(documents.ids);
    FromJson read;
    for (const QJsonValue& value : object.value(QStringLiteral("sets")).toArray())
    {
        const QJsonObject set = value.toObject();
        const QString name = set.value(QStringLiteral("name")).toString().trimmed();
        if (name.isEmpty() || read.sets.find(name))
            continue;
        std::vector<std::int64_t> found;
        for (const QJsonValue& id : set.value(QStringLiteral("ids")).toArray())
        {
            if (const std::int64_t row = rowOf.row(toStdString(id.toString())); row >= 0)
                found.push_back(row);
            else
                ++read.unknownIds;
        }
        const QColor color(set.value(QStringLiteral("color")).toString());
        const auto index =
            read.sets.keep(name, std::move(found), color.isValid() ? std::optional(color) : std::nullopt);
        read.sets.setOnMap(index, set.value(QStringLiteral("onMap")).toBool());
    }
    return read;
}

} // namespace headscope::ui
