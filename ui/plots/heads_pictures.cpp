// SPDX-License-Identifier: GPL-3.0-or-later
// What the heads tab gives a figure.
#include "ui/plots/head_plane.h"
#include "ui/plots/heads_view.h"
#include "ui/plots/likeness_matrix.h"
#include "ui/plots/pruning_curve.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QPainter>

namespace headscope::ui
{
namespace
{

QPicture painted(QWidget& widget)
{
    QPicture picture;
    QPainter painter(&picture);
    widget.render(&painter, QPoint(), QRegion(), QWidget::RenderFlags());
    painter.end();
    return picture;
}

} // namespace

std::pair<const MatrixD*, const MatrixD*> HeadsView::shownLikeness() const
{
    const HeadRedundancy& alike = *m_report->redundancy;
    const HeadPlanes& planes = m_report->planes;
    const MatrixD* values[] = {&alike.cka, &alike.meanCosine, &alike.neighborOverlap};
    const MatrixD* places[] = {&planes.cka, &planes.meanCosine, &planes.neighborOverlap};
    const int chosen = m_likeness->currentIndex();
    return {values[chosen], places[chosen]};
}

QPicture HeadsView::pictureOf(Picture which, QSize size) const
{
    const PaperColors paper;
    const viz::HeadPalette palette(m_info, viz::Theme::Light);
    const bool alike = m_report != nullptr && m_report->redundancy.has_value();
    if (which == Picture::Curve)
    {
        PruningCurve curve(nullptr);
        curve.resize(size);
        curve.setSteps(m_curve->steps(), m_curve->unit());
        curve.setCurrent(m_curve->current());
        return m_curve->steps().empty() ? QPicture() : painted(curve);
    }
    if (!alike)
        return QPicture();
    const auto [values, places] = shownLikeness();
    if (which == Picture::Matrix)
    {
        LikenessMatrix matrix(nullptr);
        matrix.resize(size);
        matrix.setLikeness(*values, m_likeness->currentText(), m_info, palette, m_heads);
        return painted(matrix);
    }
    HeadPlane plane(nullptr);
    plane.resize(size);
    plane.setPlane(m_report, *places, m_info, palette, m_heads);
    plane.setKept(m_plane->kept());
    return painted(plane);
}

QString HeadsView::valueText(int row, bool on) const
{
    return on ? m_on[row]->text() : m_all[row]->text();
}

QString HeadsView::valueName(int row) const
{
    return m_names[row]->text();
}

QString HeadsView::maskText() const
{
    return m_saved->text();
}

QString HeadsView::likenessText() const
{
    return m_likeness->currentText();
}

QString HeadsView::ofText() const
{
    return m_of->text();
}

} // namespace headscope::ui
