// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/point_set.h"
#include "ui/state/json_values.h"
#include "viz/export/panels/annotation.h"

#include <QJsonArray>
#include <QJsonObject>

#include <cstdint>
#include <memory>
#include <vector>

/// Values of a work file besides those of any state (ui/state/json_values.h), read with the same care.
namespace headscope::desktop::state
{

using ui::state::flag;
using ui::state::number;
using ui::state::rangesOf;
using ui::state::rangesText;
using ui::state::text;
using ui::state::whole;

/// Points as the documents of each head: {"0": "1-3,7"}.
[[nodiscard]] QJsonObject pointsJson(const PointSet& points);
/// The inverse; what lies outside is left out. Null: none is left.
[[nodiscard]] std::shared_ptr<const PointSet> pointsOf(const QJsonObject& object, std::int64_t documents,
                                                       std::int64_t heads);

/// What is written onto figures, each as --annotate takes it.
[[nodiscard]] QJsonArray annotationsJson(const std::vector<viz::Annotation>& annotations);
/// The inverse; what is none is left out.
[[nodiscard]] std::vector<viz::Annotation> annotationsOf(const QJsonArray& array);

} // namespace headscope::desktop::state
