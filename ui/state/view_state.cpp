// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/view_state.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace headscope::ui
{

QString plainName(QString words)
{
    words.remove(QLatin1Char('&')).remove(QChar(0x2026));
    return words.section(QLatin1Char('\n'), 0, 0).trimmed();
}

void ViewState::add(StateValue value)
{
    m_values.push_back(std::move(value));
}

QJsonObject ViewState::values(StatePart part) const
{
    QJsonObject values;
    for (const StateValue& each : m_values)
        if (each.part == part)
            if (const QJsonValue value = each.read(); !value.isUndefined())
                values[each.key] = value;
    return values;
}

QJsonValue ViewState::value(StatePart part, const QString& key) const
{
    QJsonValue value(QJsonValue::Undefined);
    for (const StateValue& each : m_values) // of two of one key the last that is defined, as in values()
        if (each.part == part && each.key == key)
            if (QJsonValue own = each.read(); !own.isUndefined())
                value = std::move(own);
    return value;
}

QJsonObject ViewState::today(StatePart part, QJsonObject values) const
{
    for (const StateValue& each : m_values)
        if (each.part == part && each.today && values.contains(each.key))
            values[each.key] = each.today(values.value(each.key));
    return values;
}

void ViewState::set(StatePart part, const QJsonObject& values, QJsonObject* later)
{
    const QScopedValueRollback<bool> setting(m_setting, true);
    const bool isWhole = part == StatePart::Legends || part == StatePart::Scales;
    for (std::size_t i = 0; i < m_values.size(); ++i) // one may bring others
    {
        const StateValue each = m_values[i];
        if (each.part != part || (!isWhole && !values.contains(each.key)))
            continue;
        if (!each.write(values.value(each.key)) && later != nullptr)
            (*later)[each.key] = values.value(each.key);
    }
}

void ViewState::reset(StatePart part)
{
    const QScopedValueRollback<bool> setting(m_setting, true);
    for (const StateValue& each : m_values)
        if (each.part == part)
            each.write(QJsonValue::Undefined);
}

bool ViewState::isStep(const QString& key) const
{
    return std::ranges::none_of(m_values, [&key](const StateValue& each) {
        return each.part == StatePart::Controls && each.key == key && !each.isStep;
    });
}

QString ViewState::nameOf(const QString& key) const
{
    const auto found = std::ranges::find_if(
        m_values, [&key](const StateValue& each) { return each.part == StatePart::Controls && each.key == key; });
    return found == m_values.end() || !found->name ? QString() : found->name();
}

void ViewState::tellActs()
{
    if (!m_setting)
        Q_EMIT acts();
}

void ViewState::tellEdited(StatePart part, const QString& key)
{
    Q_EMIT changed(part, key);
    tellActs();
}

} // namespace headscope::ui
