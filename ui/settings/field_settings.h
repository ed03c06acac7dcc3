// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"
#include "ui/settings/setting_key.h"

#include <QJsonObject>
#include <QString>

#include <span>
#include <string>
#include <string_view>

namespace headscope::ui
{

/// Before the settings of the size of a saved picture.
inline constexpr std::string_view kFigureGroup = "files/figure";

/// Every setting: those of the fields that forms keep, from their declarations, then those of kSettings.
/// @threads GUI thread
[[nodiscard]] std::span<const SettingRow> settingRows();
/// The row of a key.
[[nodiscard]] const SettingRow& settingRow(SettingKey key);
/// The setting of a name that there is: "map/perplexity".
[[nodiscard]] SettingKey settingNamed(std::string_view name);

/// What settings and names of widgets call a field: "degreesOfFreedom" of the key "degrees_of_freedom".
[[nodiscard]] QString keptName(const Field& field);
/// The value of a field as settings keep it: of a choice its kept word.
[[nodiscard]] std::string keptText(const Field& field);
/// A kept text as the field takes it.
[[nodiscard]] std::string wordOfKept(const Field& field, const std::string& kept);

/// The values by the keys of their fields: numbers, flags and texts.
[[nodiscard]] QJsonObject valuesJson(const Fields& fields);
/// Takes those values that are there and that their fields take; the others stay as they are.
/// @return whether those that are required were taken
bool takeValues(const QJsonObject& object, const Fields& fields);

} // namespace headscope::ui
