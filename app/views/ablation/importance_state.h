// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/importance_results.h"

#include <QJsonObject>

#include <optional>
#include <string>

namespace headscope
{
class RecordFields;
struct DocumentSet;
struct ModelInfo;

void fields(RecordFields& record, Estimate& estimate);
void fields(RecordFields& record, UnitEffect& player);
void fields(RecordFields& record, NamedValues& each);
void fields(RecordFields& record, CacheAblation& cut);
} // namespace headscope

namespace headscope::desktop
{

/// What a work file has of what is lost without heads: all numbers, and the digests of what they were measured on.
/// @param documents  whose labels they rest on
[[nodiscard]] QJsonObject importanceJson(const ImportanceComparison& comparison, const DocumentSet& documents);

/// The same again; nothing where it is of another cache, model or labels than these, or no such thing.
[[nodiscard]] std::optional<ImportanceComparison> importanceOf(const QJsonObject& object, const Origin& origin,
                                                               const ModelInfo& model, const DocumentSet& documents);

} // namespace headscope::desktop
