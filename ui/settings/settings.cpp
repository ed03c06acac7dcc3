// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings.h"

#include "model/base/assert.h"
#include "model/base/file.h"
#include "model/base/output/output_file.h"
#include "ui/words/wording.h"

#include <QSettings>
#include <QTemporaryDir>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr qsizetype kRecentFiles = 10;

QString nameOf(SettingKey key)
{
    return toQString(settingRow(key).name);
}

SettingKey keyOf(std::string_view group, const Field& field)
{
    return settingNamed(std::string(group) + toStdString(keptName(field)));
}

bool allowed(const SettingRow& row, const QString& value)
{
    return row.choices.empty() || toQString(row.choices).split(u'|').contains(value);
}

/// Keeps what a file holds that QSettings did not understand, unless a copy of just that is there.
/// @return  what to tell the user
QString keepBroken(const QSettings& backend)
{
    if (backend.status() != QSettings::FormatError)
        return {};
    const std::string file = toStdString(backend.fileName());
    const auto text = readTextFile(file);
    if (!text)
        return {};
    std::string copy = file + ".broken";
    for (int number = 2;; ++number)
    {
        const auto former = readTextFile(copy);
        if (former && *former == *text)
            return {}; // it was said when that was made
        if (!former)
            break;
        copy = file + ".broken-" + std::to_string(number);
    }
    const QString lost =
        Settings::tr("Some settings in %1 could not be read and were reset to their defaults.").arg(backend.fileName());
    return writeFileAtomically(copy, *text)
               ? Settings::tr("%1 A copy of the file was saved as %2.").arg(lost, toQString(copy))
               : Settings::tr("%1 No copy of the file could be saved next to it.").arg(lost);
}

} // namespace

Settings::Settings(QObject* parent)
    : QObject(parent), m_backend(std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                                             QStringLiteral("headscope"), QStringLiteral("headscope"))),
      m_problem(keepBroken(*m_backend))
{}

Settings::Settings(const QString& iniFile, QObject* parent)
    : QObject(parent), m_backend(std::make_unique<QSettings>(iniFile, QSettings::IniFormat)),
      m_problem(keepBroken(*m_backend))
{}

Settings::~Settings() = default;

std::unique_ptr<Settings> Settings::temporary()
{
    auto folder = std::make_unique<QTemporaryDir>();
    auto settings = std::make_unique<Settings>(folder->filePath(QStringLiteral("settings.ini")));
    settings->m_folder = std::move(folder);
    return settings;
}

int Settings::number(SettingKey key) const
{
    const SettingRow& row = settingRow(key);
    HEADSCOPE_ASSERT(row.type == SettingType::Integer);
    if (const auto open = m_whileOpen.find(key); open != m_whileOpen.end())
        return open->second;
    bool understood = false;
    const int value = m_backend->value(nameOf(key)).toInt(&understood);
    return understood && value >= row.least && value <= row.most ? value : row.defaultNumber;
}

bool Settings::flag(SettingKey key) const
{
    const SettingRow& row = settingRow(key);
    HEADSCOPE_ASSERT(row.type == SettingType::Flag);
    bool understood = false;
    const int value = m_backend->value(nameOf(key)).toInt(&understood);
    return understood && (value == 0 || value == 1) ? value == 1 : row.defaultNumber == 1;
}

double Settings::real(SettingKey key) const
{
    const SettingRow& row = settingRow(key);
    HEADSCOPE_ASSERT(row.type == SettingType::Real);
    bool understood = false;
    const double value = m_backend->value(nameOf(key)).toDouble(&understood);
    return understood && value >= row.leastReal && value <= row.mostReal ? value : row.defaultReal;
}

QString Settings::text(SettingKey key) const
{
    const SettingRow& row = settingRow(key);
    HEADSCOPE_ASSERT(row.type == SettingType::Text);
    const QString fallback = toQString(row.defaultText);
    const QString value = m_backend->value(nameOf(key), fallback).toString();
    return allowed(row, value) ? value : fallback;
}

QByteArray Settings::bytes(SettingKey key) const
{
    HEADSCOPE_ASSERT(settingRow(key).type == SettingType::Bytes);
    return m_backend->value(nameOf(key)).toByteArray();
}

QStringList Settings::list(SettingKey key) const
{
    HEADSCOPE_ASSERT(settingRow(key).type == SettingType::TextList);
    return m_backend->value(nameOf(key)).toStringList();
}

void Settings::setNumber(SettingKey key, int value)
{
    const SettingRow& row = settingRow(key);
    HEADSCOPE_ASSERT(row.type == SettingType::Integer);
    m_whileOpen.erase(key);
    m_backend->setValue(nameOf(key), std::clamp(value, row.least, row.most));
    Q_EMIT changed(key);
}

void Settings::setNumberWhileOpen(SettingKey key, int value)
{
    const SettingRow& row = settingRow(key);
    HEADSCOPE_ASSERT(row.type == SettingType::Integer);
    m_whileOpen[key] = std::clamp(value, row.least, row.most);
    Q_EMIT changed(key);
}

void Settings::forgetWhileOpen()
{
    for (const auto& [key, number] : std::exchange(m_whileOpen, {}))
        Q_EMIT changed(key);
}

void Settings::setFlag(SettingKey key, bool value)
{
    HEADSCOPE_ASSERT(settingRow(key).type == SettingType::Flag);
    m_backend->setValue(nameOf(key), value ? 1 : 0);
    Q_EMIT changed(key);
}

void Settings::setReal(SettingKey key, double value)
{
    const SettingRow& row = settingRow(key);
    HEADSCOPE_ASSERT(row.type == SettingType::Real);
    if (!std::isfinite(value))
        return;
    m_backend->setValue(nameOf(key), std::clamp(value, row.leastReal, row.mostReal));
    Q_EMIT changed(key);
}

void Settings::setText(SettingKey key, const QString& value)
{
    const SettingRow& row = settingRow(key);
    HEADSCOPE_ASSERT(row.type == SettingType::Text);
    if (!allowed(row, value))
        return;
    m_backend->setValue(nameOf(key), value);
    Q_EMIT changed(key);
}

void Settings::setBytes(SettingKey key, const QByteArray& value)
{
    HEADSCOPE_ASSERT(settingRow(key).type == SettingType::Bytes);
    m_backend->setValue(nameOf(key), value);
    Q_EMIT changed(key);
}

void Settings::setList(SettingKey key, const QStringList& value)
{
    HEADSCOPE_ASSERT(settingRow(key).type == SettingType::TextList);
    m_backend->setValue(nameOf(key), value);
    Q_EMIT changed(key);
}

void Settings::reset(SettingKey key)
{
    m_whileOpen.erase(key);
    m_backend->remove(nameOf(key));
    Q_EMIT changed(key);
}

bool Settings::isDefault(SettingKey key) const
{
    const SettingRow& row = settingRow(key);
    switch (row.type)
    {
    case SettingType::Integer:
        return number(key) == row.defaultNumber;
    case SettingType::Flag:
        return flag(key) == (row.defaultNumber == 1);
    case SettingType::Real:
        return real(key) == row.defaultReal;
    case SettingType::Text:
        return text(key) == toQString(row.defaultText);
    case SettingType::Bytes:
        return bytes(key).isEmpty();
    case SettingType::TextList:
        return list(key).isEmpty();
    }
    return true;
}

void Settings::load(std::string_view group, const Fields& fields) const
{
    for (const Field& field : fields.used(kFormUse))
    {
        const SettingKey key = keyOf(group, field);
        const auto offered = [&field](double value) {
            const auto range = field.offered ? field.offered : field.limits;
            return range ? std::clamp(value, range->least, range->most) : value;
        };
        switch (settingRow(key).type)
        {
        case SettingType::Integer:
            field.set(std::to_string(std::llround(offered(number(key)))));
            break;
        case SettingType::Flag:
            field.set(flag(key) ? "1" : "0");
            break;
        case SettingType::Real:
            field.set(fmt::format("{}", offered(real(key))));
            break;
        default:
            field.set(wordOfKept(field, toStdString(text(key))));
        }
    }
}

void Settings::keep(std::string_view group, const Field& field)
{
    const SettingKey key = keyOf(group, field);
    const QString value = toQString(field.valueText());
    switch (settingRow(key).type)
    {
    case SettingType::Integer:
        return setNumber(key, value.toInt());
    case SettingType::Flag:
        return setFlag(key, value == QLatin1StringView("1"));
    case SettingType::Real:
        return setReal(key, value.toDouble());
    default:
        return setText(key, toQString(keptText(field)));
    }
}

void Settings::reset(std::string_view group, const Fields& fields)
{
    for (const Field& field : fields.used(kFormUse))
        reset(keyOf(group, field));
}

std::uint64_t Settings::seed() const
{
    return static_cast<std::uint64_t>(number(settingNamed("map/seed")));
}

void Settings::addRecentFile(const QString& path)
{
    QStringList files = list(SettingKey::RecentFiles);
    files.removeAll(path);
    files.prepend(path);
    setList(SettingKey::RecentFiles, files.mid(0, kRecentFiles));
}

} // namespace headscope::ui
