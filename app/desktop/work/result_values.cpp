// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/result_values.h"

#include "app/desktop/work/state_values.h"
#include "model/base/hash.h"
#include "model/data/documents/document_set.h"

#include <cmath>
#include <limits>
#include <span>

namespace headscope::desktop::state
{

QJsonValue numberJson(double value)
{
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue();
}

double numberOf(const QJsonValue& value)
{
    return value.isDouble() ? value.toDouble() : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t countOf(const QJsonObject& object, const char* key)
{
    constexpr std::int64_t kMost = 1'000'000'000'000;
    return whole(object, QLatin1StringView(key), 0, kMost).value_or(0);
}

QJsonArray intervalJson(const Interval& interval)
{
    return {numberJson(interval.low), numberJson(interval.high)};
}

Interval intervalOf(const QJsonValue& value)
{
    const QJsonArray ends = value.toArray();
    return ends.size() == 2 ? Interval{numberOf(ends[0]), numberOf(ends[1])} : Interval();
}

std::string labelDigest(const LabelColumn* column)
{
    if (column == nullptr)
        return {};
    Xxh3 hash;
    hash.update(std::as_bytes(std::span(column->codes)));
    for (const std::string& category : column->categories)
        hash.update(std::as_bytes(std::span(category.c_str(), category.size() + 1)));
    return hash.hex();
}

} // namespace headscope::desktop::state
