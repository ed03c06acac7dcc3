// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/records/record_fields.h"
#include "model/data/results/interval.h"

#include <QJsonObject>

#include <string>

namespace headscope
{

struct LabelColumn;

/// [low, high]
void fields(RecordFields& record, Interval& interval);
/// [mean, high, p, permutations]
void fields(RecordFields& record, PermutationNull& null);

} // namespace headscope

/// Results in a work file, besides the values of state_values.h.
namespace headscope::desktop::state
{

/// A record as an object of a work file.
[[nodiscard]] QJsonObject recordObject(const RecordFields& record);
/// Reads it again.
/// @errors BadFormat
[[nodiscard]] Status takeRecord(const QJsonObject& object, const RecordFields& record);

/// XXH3 of what a column says of the documents: results that rest on labels belong to it, whatever the column is
/// called. "": no column.
[[nodiscard]] std::string labelDigest(const LabelColumn* column);

} // namespace headscope::desktop::state
