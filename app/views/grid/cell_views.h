// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/pan_zoom.h"
#include "viz/geometry/view_transform.h"

#include <QObject>
#include <QSizeF>

#include <cstddef>
#include <vector>

namespace headscope::ui
{

/// The views of a grid's cells: they move alike while they are linked, follow what they show until a hand moves them,
/// and glide back to it. It paints nothing and takes no events by itself.
/// @threads GUI thread
class CellViews : public QObject
{
    Q_OBJECT

public:
    explicit CellViews(QWidget* canvas);

    /// Something else is shown: the views follow again.
    void restart();
    /// They do not move.
    void stop() { m_glide.stop(); }
    /// So many cells with plots of this size; each keeps what it shows.
    void resize(std::size_t cells, QSizeF plot);
    /// The views that show each map whole, one a cell; those that follow are there at once.
    void setFits(std::vector<viz::ViewTransform> fits);
    /// Nothing is known of what so many cells show.
    void dropFits(std::size_t cells) { m_fits.assign(cells, {}); }
    /// From these views to the fitted ones, at once where nothing may move by itself.
    void glideFrom(std::vector<viz::ViewTransform> from);
    void setLinked(bool linked) { m_linked = linked; }
    [[nodiscard]] bool linked() const { return m_linked; }
    /// A hand moves a cell's view, and all others alike where they are linked.
    void change(std::size_t cell, const viz::ViewTransform& view);

    [[nodiscard]] bool follow() const { return m_follow; }
    [[nodiscard]] const std::vector<viz::ViewTransform>& all() const { return m_views; }
    [[nodiscard]] const viz::ViewTransform& view(std::size_t cell) const { return m_views[cell]; }
    [[nodiscard]] const viz::ViewTransform& fit(std::size_t cell) const { return m_fits[cell]; }

Q_SIGNALS:
    /// The views have glided on by a step.
    void glided();

private:
    bool m_linked = true;
    bool m_follow = true;
    std::vector<viz::ViewTransform> m_views; ///< of each cell
    std::vector<viz::ViewTransform> m_fits;  ///< the fitted ones
    ViewGlide m_glide;                       ///< from m_from to m_fits
    std::vector<viz::ViewTransform> m_from;
};

} // namespace headscope::ui
