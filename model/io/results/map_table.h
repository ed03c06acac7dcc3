// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/maps/head_map.h"

#include <filesystem>
#include <span>

namespace headscope
{

/// Further columns for the points of a map. Empty: no such column.
struct MapTableColumns
{
    std::span<const float> strengths; ///< [P] L2 norms of the head vectors
    std::span<const char> chosen;     ///< by document, not 0: chosen; documents beyond it are not
    std::span<const char> shown{};    ///< [P], not 0: the view shows the point
};

/// A map as a CSV table, one line a point: document (row of the cache, from 0), id, head or segment
/// (from 1), x, y, strength, a column for each label column of the documents, chosen and shown
/// (1 or 0).
/// The first five are those of `headscope tsne -o X.csv`. What is not finite or has no label is an
/// empty field. The file is there whole or not at all.
/// @param map  with points
/// @errors ShapeMismatch (a point of a document that is not among these), Resource, Cancelled
/// @cost   one line of text a point (time not measured)
[[nodiscard]] Status writeMapTable(const std::filesystem::path& target, const HeadMap& map,
                                   const DocumentSet& documents, const MapTableColumns& columns, JobContext& job);

} // namespace headscope
