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

/// Where values enter the views. Each view asks here before it shows a value, so that what was made from another cache
/// than the one that is open is refused, whoever hands it over and whoever forgot to end the job that made it.
///
/// Maps, whose points index documents and heads, are looked at point by point: once for the points that a run shares
/// between all its maps. What passed may be used as an index.
/// @threads GUI thread
class Border
{
public:
    static Border& instance();

    /// Lets in what was made from this from now on, and nothing else.
    /// @param documents, heads  that its maps may speak of
    void open(Origin origin, std::int64_t documents, std::int64_t heads);
    /// Nothing is open: values of no origin alone are let in.
    void close() { open({}, kAny, kAny); }
    [[nodiscard]] const Origin& origin() const { return m_origin; }

    /// Whether a value may be shown. A value that may not is a mistake of ours: it is logged.
    /// @param what  names it in the log
    [[nodiscard]] bool admits(const Origin& of, std::string_view what);
    [[nodiscard]] bool admits(const HeadMap& map);
    [[nodiscard]] bool admits(const HeadMapSet& set);
    [[nodiscard]] bool admits(const MapPair& pair);

    /// Whether the open cache has this document: the choice of documents asks for each.
    [[nodiscard]] bool hasDocument(std::int64_t document) const
    {
        return m_documents == kAny || (document >= 0 && document < m_documents);
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
    std::weak_ptr<const PointIds> m_known; ///< looked at last, and found right
    std::int64_t m_refused = 0;
};

} // namespace headscope::ui
