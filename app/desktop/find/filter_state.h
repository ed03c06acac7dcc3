// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_filter.h"

#include <QJsonArray>

#include <cstdint>
#include <vector>

namespace headscope::desktop
{

/// The conditions of a filter as a work file holds them; heads are counted from 0.
[[nodiscard]] QJsonArray conditionsJson(const std::vector<FilterCondition>& conditions);

/// The inverse. Conditions that are none, and heads that the model does not have, are left out.
[[nodiscard]] std::vector<FilterCondition> conditionsOf(const QJsonArray& conditions, std::int64_t heads);

} // namespace headscope::desktop
