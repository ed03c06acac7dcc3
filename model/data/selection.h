// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope
{

class PointSet;

/// What the user has chosen, shared by every view: a set of documents or of single points, one primary document, and
/// the document under the pointer. Heads are chosen separately, in the head picker.
struct Selection
{
    std::vector<std::int64_t> documents; ///< ascending, without repeats
    /// Points that were chosen individually; their documents are `documents`. Null: documents were chosen, each with
    /// all its points.
    std::shared_ptr<const PointSet> points;
    std::optional<DocumentIndex> primary; ///< the document the inspector shows
    std::optional<HeadIndex> primaryHead; ///< the head that was clicked with it
    std::optional<DocumentIndex> hovered;

    [[nodiscard]] bool contains(DocumentIndex document) const;
    bool operator==(const Selection& other) const;
};

/// Whether two choices of points are the same; null is one of whole documents.
[[nodiscard]] bool samePoints(const std::shared_ptr<const PointSet>& one, const std::shared_ptr<const PointSet>& other);

/// What newly picked documents do to the chosen ones.
enum class SetOperation
{
    Replace,
    Add,
    Remove,
    Intersect,
};

/// The set that results; both are ascending and without repeats, and so is the result.
[[nodiscard]] std::vector<std::int64_t> combineSets(const std::vector<std::int64_t>& chosen,
                                                    const std::vector<std::int64_t>& picked, SetOperation operation);

/// 1 at each document of an ascending set, 0 between them, as far as the last; empty for the empty set.
[[nodiscard]] std::vector<char> flagsOf(const std::vector<std::int64_t>& documents);

/// The documents 0 .. count-1 that are not in an ascending set.
[[nodiscard]] std::vector<std::int64_t> complementOf(const std::vector<std::int64_t>& chosen, std::int64_t count);

} // namespace headscope
