// SPDX-License-Identifier: GPL-3.0-or-later
// What the heads tab gives a figure.
#include "model/data/key_sharing.h"
#include "ui/theme/theme.h"
#include "ui/views/heads/head_plane.h"
#include "ui/views/heads/heads_view.h"
#include "ui/views/heads/likeness_matrix.h"
#include "ui/views/heads/likeness_panel.h"
#include "ui/views/heads/pruning_curve.h"
#include "ui/views/heads/switch_panel.h"
#include "ui/widgets/widgets.h"

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

QPicture HeadsView::pictureOf(Picture which, QSize size) const
{
    const PaperColors paper;
    if (which == Picture::Curve)
    {
        const PruningCurve& shown = *m_switches->curve();
        PruningCurve curve(nullptr);
        curve.resize(size);
        curve.setSteps(shown.steps(), shown.unit(), shown.saves());
        curve.setValidation(shown.validation());
        curve.setCurrent(shown.current());
        return shown.steps().empty() ? QPicture() : painted(curve);
    }
    const auto [values, places] = m_alike->shown();
    if (values == nullptr)
        return QPicture();
    const ModelInfo grouped = groupedAt(m_info, m_stage);
    const viz::HeadPalette palette(m_info, viz::Theme::Light);
    if (which == Picture::Matrix)
    {
        LikenessMatrix matrix(nullptr);
        matrix.resize(size);
        matrix.setLikeness(*values, m_alike->measureText(), m_stage, grouped, palette, m_heads);
        return painted(matrix);
    }
    HeadPlane plane(nullptr);
    plane.resize(size);
    plane.setPlane(m_report, *places, grouped, palette, m_heads);
    plane.setKept(m_alike->plane()->kept());
    return painted(plane);
}

QString HeadsView::ofText() const
{
    return m_of->fullText();
}

QString HeadsView::legendText() const
{
    return m_legend->text();
}

} // namespace headscope::ui
