// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/geometry/view_transform.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::viz
{

/// The history of views, to go back and forward in, as in a web browser.
class ZoomStack
{
public:
    static constexpr std::size_t kDepth = 100;

    /// Remembers a view as the present one and forgets what lay forward of it. A view equal to the
    /// present one is not remembered twice; beyond kDepth the oldest is dropped.
    void push(const ViewTransform& view);
    /// Changes the present view without a step in the history (a drag that is still going on).
    void replace(const ViewTransform& view);
    void clear();

    [[nodiscard]] bool canGoBack() const { return m_present > 0; }
    [[nodiscard]] bool canGoForward() const { return m_present + 1 < m_views.size(); }
    /// Steps back or forward and returns the view there, or nothing at the end.
    std::optional<ViewTransform> back();
    std::optional<ViewTransform> forward();
    [[nodiscard]] std::optional<ViewTransform> present() const;

private:
    std::vector<ViewTransform> m_views;
    std::size_t m_present = 0;
};

} // namespace headscope::viz
