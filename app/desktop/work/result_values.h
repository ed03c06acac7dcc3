// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <cstdint>
#include <string>

namespace headscope
{
struct LabelColumn;
} // namespace headscope

/// Numbers of results in a work file, beside the values of state_values.h. A number that is not finite is null there.
namespace headscope::desktop::state
{

[[nodiscard]] QJsonValue numberJson(double value);
/// Of any other kind: NaN.
[[nodiscard]] double numberOf(const QJsonValue& value);

/// How many of something: a whole number from 0; what is none is 0.
[[nodiscard]] std::int64_t countOf(const QJsonObject& object, const char* key);

/// [low, high]
[[nodiscard]] QJsonArray intervalJson(const Interval& interval);
[[nodiscard]] Interval intervalOf(const QJsonValue& value);

/// XXH3 of what a column says of the documents: results that rest on labels belong to it, whatever the column is
/// called. "": no column.
[[nodiscard]] std::string labelDigest(const LabelColumn* column);

} // namespace headscope::desktop::state
