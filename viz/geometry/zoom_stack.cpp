// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/geometry/zoom_stack.h"

namespace headscope::viz
{

void ZoomStack::push(const ViewTransform& view)
{
    if (!m_views.empty())
    {
        if (m_views[m_present] == view)
            return;
        m_views.resize(m_present + 1);
    }
    m_views.push_back(view);
    if (m_views.size() > kDepth)
        m_views.erase(m_views.begin());
    m_present = m_views.size() - 1;
}

void ZoomStack::replace(const ViewTransform& view)
{
    if (m_views.empty())
        m_views.push_back(view);
    else
        m_views[m_present] = view;
}

void ZoomStack::clear()
{
    m_views.clear();
    m_present = 0;
}

std::optional<ViewTransform> ZoomStack::back()
{
    if (!canGoBack())
        return std::nullopt;
    return m_views[--m_present];
}

std::optional<ViewTransform> ZoomStack::forward()
{
    if (!canGoForward())
        return std::nullopt;
    return m_views[++m_present];
}

std::optional<ViewTransform> ZoomStack::present() const
{
    if (m_views.empty())
        return std::nullopt;
    return m_views[m_present];
}

} // namespace headscope::viz
