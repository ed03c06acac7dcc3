// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/canvas_pair.h"

#include "ui/canvas/scatter/move_lines.h"
#include "ui/canvas/scatter/scatter_tools.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>

namespace headscope::ui
{
namespace
{

class Hairline : public QWidget
{
public:
    explicit Hairline(QWidget* parent) : QWidget(parent)
    {
        setFixedWidth(1);
        setAutoFillBackground(true);
        onThemeChange(this, [this] {
            QPalette colors = palette();
            colors.setColor(QPalette::Window, Theme::instance().colors().hairline);
            setPalette(colors);
        });
    }
};

} // namespace

CanvasPair::CanvasPair(QWidget* parent) : QWidget(parent)
{
    m_left = new ScatterWidget(this);
    m_left->setObjectName(QStringLiteral("compareLeft"));
    m_left->setAccessibleName(tr("Map A, or the points between map A and map B"));
    m_right = new ScatterWidget(this);
    m_right->setObjectName(QStringLiteral("compareRight"));
    m_right->setAccessibleName(tr("Map B"));
    m_right->setToolsShown(false);
    m_lines = new MoveLines(this);
    m_gap = new Hairline(this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_left, 1);
    row->addWidget(m_gap);
    row->addWidget(m_right, 1);
    connectCanvas(m_left, m_right);
    connectCanvas(m_right, m_left);
    m_lines->setPlaces([this](QPointF place, bool inB) {
        const ScatterWidget* canvas = inB && m_side ? m_right : m_left;
        return canvas->view().screenFromData(place) + QPointF(canvas->pos());
    });
}

void CanvasPair::connectCanvas(ScatterWidget* canvas, ScatterWidget* other)
{
    canvas->setFitPartner(other);
    connect(canvas, &ScatterWidget::cardsChanged, this, &CanvasPair::fitAgain);
    connect(canvas, &ScatterWidget::viewChanged, this, [this, canvas, other] { follow(*canvas, *other); });
    connect(canvas, &ScatterWidget::toolChanged, this, [this, canvas, other] {
        if (canvas == m_left && m_right->tool() != m_left->tool())
            m_right->setTool(m_left->tool());
        other->tools()->setPicked(canvas->tools()->picked());
    });
}

void CanvasPair::follow(const ScatterWidget& canvas, ScatterWidget& other)
{
    // A canvas that has only another size is fitted again (resizeEvent).
    m_fitted = m_fitted && (m_following || m_left->size() != m_fittedSize);
    m_lines->update();
    if (m_following || !m_side || !m_bounds)
        return;
    m_following = true;
    other.setView(canvas.view().resized(QSizeF(other.size())));
    m_following = false;
}

void CanvasPair::fit()
{
    m_following = true;
    for (ScatterWidget* canvas : {m_left, m_right})
        canvas->setView(canvas->viewOf(*m_bounds));
    m_following = false;
    m_fitted = true;
    m_fittedSize = m_left->size();
    m_lines->update();
}

void CanvasPair::fitAgain()
{
    if (m_fitted && m_bounds)
        fit();
}

void CanvasPair::setSideBySide(bool side)
{
    m_side = side;
    m_right->setVisible(side);
    m_gap->setVisible(side);
    m_left->setLegendShown(!side); // one legend is enough: that of B
    placeOverlay();
}

void CanvasPair::placeOverlay()
{
    m_lines->setGeometry(rect());
    m_lines->raise();
}

void CanvasPair::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeOverlay();
    fitAgain();
}

void CanvasPair::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    placeOverlay();
    fitAgain();
}

} // namespace headscope::ui
