// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/field_settings.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

class QSettings;
class QTemporaryDir;

namespace headscope::ui
{

/// The settings of settingRows(), kept in the user's settings file. A value that is missing, of the
/// wrong kind or out of bounds reads as its default: a damaged file never stops the window. Of a file that is not
/// understood whole a copy is kept next to it, "NAME.broken", because the next value that is set writes it again.
/// @threads GUI thread
class Settings : public QObject
{
    Q_OBJECT

public:
    /// The user's own settings.
    explicit Settings(QObject* parent = nullptr);
    /// Settings in a temporary file that is removed with the object, for tests.
    [[nodiscard]] static std::unique_ptr<Settings> temporary();
    /// Settings in a file of the caller's choice.
    explicit Settings(const QString& iniFile, QObject* parent = nullptr);
    ~Settings() override;

    /// A sentence for the user where the file was not understood and a new copy of it was made; else empty.
    [[nodiscard]] const QString& problem() const { return m_problem; }

    [[nodiscard]] int number(SettingKey key) const;
    [[nodiscard]] bool flag(SettingKey key) const;
    [[nodiscard]] double real(SettingKey key) const;
    [[nodiscard]] QString text(SettingKey key) const;
    [[nodiscard]] QByteArray bytes(SettingKey key) const;
    [[nodiscard]] QStringList list(SettingKey key) const;

    /// Values out of bounds are brought to the nearest bound; unknown choices are ignored.
    void setNumber(SettingKey key, int value);
    void setFlag(SettingKey key, bool value);
    void setReal(SettingKey key, double value);
    void setText(SettingKey key, const QString& value);
    void setBytes(SettingKey key, const QByteArray& value);
    void setList(SettingKey key, const QStringList& value);
    void reset(SettingKey key);
    /// A number that holds for the open cache alone: it is not stored, and forgetWhileOpen() ends it.
    void setNumberWhileOpen(SettingKey key, int value);
    /// Another cache opens: every number is again what is stored.
    void forgetWhileOpen();
    /// Whether the value is the default.
    [[nodiscard]] bool isDefault(SettingKey key) const;

    /// Gives the fields that forms show what is kept of them, brought within what is offered now.
    /// @param group  of their names: "map/"
    void load(std::string_view group, const Fields& fields) const;
    /// Keeps the value of a field.
    void keep(std::string_view group, const Field& field);
    /// Every field that forms show as it was at first.
    void reset(std::string_view group, const Fields& fields);
    /// Of everything that is drawn.
    [[nodiscard]] std::uint64_t seed() const;

    /// Puts a file to the front of the recent ones (at most ten, no repeats).
    void addRecentFile(const QString& path);

Q_SIGNALS:
    void changed(headscope::ui::SettingKey key);

private:
    std::unique_ptr<QTemporaryDir> m_folder; ///< of temporary settings
    std::unique_ptr<QSettings> m_backend;
    std::map<SettingKey, int> m_whileOpen; ///< in place of what is stored
    QString m_problem;
};

} // namespace headscope::ui
