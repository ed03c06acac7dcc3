// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope
{

/// What the user has chosen, shared by every view: a set of documents, one primary document, and
/// the document under the pointer. Heads are chosen separately, in the head picker.
struct Selection
{
    std::vector<std::int64_t> documents;     ///< ascending, without repeats
    std::optional<std::int64_t> primary;     ///< the document the inspector shows
    std::optional<std::int64_t> primaryHead; ///< the head that was clicked with it
    std::optional<std::int64_t> hovered;

    [[nodiscard]] bool contains(std::int64_t document) const;
    bool operator==(const Selection&) const = default;
};

} // namespace headscope
