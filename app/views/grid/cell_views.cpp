// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/cell_views.h"

#include "viz/grid/grid_views.h"

#include <utility>

namespace headscope::ui
{

CellViews::CellViews(QWidget* canvas) : m_glide(canvas)
{
    connect(&m_glide, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        if (m_from.size() != m_fits.size())
            return;
        for (std::size_t i = 0; i < m_views.size(); ++i)
            m_views[i] = m_from[i].towards(m_fits[i], value.toDouble());
        Q_EMIT glided();
    });
}

void CellViews::restart()
{
    m_glide.stop();
    m_follow = true;
}

void CellViews::resize(std::size_t cells, QSizeF plot)
{
    m_views.resize(cells);
    for (viz::ViewTransform& view : m_views)
        if (!view.viewSize().isEmpty() && view.viewSize() != plot)
            view = view.resized(plot);
}

void CellViews::setFits(std::vector<viz::ViewTransform> fits)
{
    m_fits = std::move(fits);
    if (m_follow && !m_glide.isRunning())
        m_views = m_fits;
}

void CellViews::glideFrom(std::vector<viz::ViewTransform> from)
{
    m_from = std::move(from);
    if (!m_glide.isWanted())
        return;
    m_views = m_from;
    m_glide.start();
}

void CellViews::change(std::size_t cell, const viz::ViewTransform& view)
{
    m_glide.stop();
    m_follow = false;
    if (m_linked)
        for (std::size_t i = 0; i < m_views.size(); ++i)
            m_views[i] = i == cell ? view : viz::alikeView(view, m_fits[cell], m_fits[i]);
    else
        m_views[cell] = view;
}

} // namespace headscope::ui
