// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

/// Values of a state that was kept in a file, read with care: of another kind or out of range is as if they were not
/// there.
namespace headscope::ui::state
{

/// A finite number within bounds.
[[nodiscard]] std::optional<double> number(const QJsonObject& object, const QString& key, double least, double most);
/// A whole number within bounds.
[[nodiscard]] std::optional<std::int64_t> whole(const QJsonObject& object, const QString& key, std::int64_t least,
                                                std::int64_t most);
[[nodiscard]] std::optional<bool> flag(const QJsonObject& object, const QString& key);
/// A text of at most `longest` characters, else "".
[[nodiscard]] QString text(const QJsonObject& object, const QString& key, qsizetype longest = 4096);

/// An ascending set of indices as ranges: "0-99,120".
[[nodiscard]] QString rangesText(const std::vector<std::int64_t>& indices);
/// The inverse, for indices below `count`: ascending, without repeats. Nothing where any part is no such range.
[[nodiscard]] std::optional<std::vector<std::int64_t>> rangesOf(const QString& text, std::int64_t count);

} // namespace headscope::ui::state
