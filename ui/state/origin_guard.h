// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/maps/map_pair.h"
#include "model/data/origin.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace headscope::ui
{

/// The check that every value passes before a view shows it. Values made from another cache than the open one are
/// refused, even when the job that made them was not cancelled.
///
/// The points of maps, which index documents and heads, are checked one by one, but only once where a run shares them
/// between its maps. After that the indices may be used unchecked.
/// @threads GUI thread
class OriginGuard
{
public:
    static OriginGuard& instance();

    /// From now on admits values of this origin only.
    /// @param documents, heads  numbers of documents and heads of the cache
    void open(Origin origin, std::int64_t documents, std::int64_t heads);
    /// Nothing is open: only values without an origin are admitted.
    void close() { open({}, kAny, kAny); }
    [[nodiscard]] const Origin& origin() const { return m_origin; }

    /// Whether a value may be shown. A refusal is a programming error and is logged.
    /// @param what  names it in the log
    [[nodiscard]] bool admits(const Origin& of, std::string_view what);
    [[nodiscard]] bool admits(const HeadMap& map);
    [[nodiscard]] bool admits(const HeadMapSet& set);
    [[nodiscard]] bool admits(const MapPair& pair);

    /// Whether the open cache has this document.
    [[nodiscard]] bool hasDocument(DocumentIndex document) const
    {
        return m_documents == kAny || (document.value() >= 0 && document.value() < m_documents);
    }

    /// How many values were refused so far.
    [[nodiscard]] std::int64_t refused() const { return m_refused; }

private:
    static constexpr std::int64_t kAny = -1;

    [[nodiscard]] bool holds(const std::shared_ptr<const PointIds>& points, std::string_view map);
    bool refuse(std::string_view why);

    Origin m_origin;
    std::int64_t m_documents = kAny;
    std::int64_t m_heads = kAny;
    std::weak_ptr<const PointIds> m_known; ///< the points checked last, found valid
    std::int64_t m_refused = 0;
};

} // namespace headscope::ui
