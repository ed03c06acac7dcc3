// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sweep_chart.h"

#include "ui/canvas/hover_card.h"
#include "ui/charts/plain_chart.h"
#include "ui/charts/sweep_curves.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/stage_colors.h"

#include <QChart>
#include <QChartView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineSeries>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr double kReach = 28; ///< pixels from the pointer to a point that it means

QString percent(double share)
{
    return QLocale().toString(100 * share, 'f', 1) % QStringLiteral(" %");
}

std::optional<SweepChart::Place> placeOf(const ProbeRow& row)
{
    if (!row.result->layer || !row.result->stage)
        return std::nullopt;
    return SweepChart::Place(LayerIndex(*row.result->layer), *row.result->stage);
}

} // namespace

/// The points, and rings around those that are shown, pointed at, and chosen in the data panel: scatter
/// series of Qt Charts are too slow.
class SweepChart::Overlay : public QWidget
{
public:
    explicit Overlay(SweepChart& chart) : QWidget(&chart), m_chart(chart)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        Q_UNUSED(event)
        const Colors& colors = Theme::instance().colors();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        paintPoints(painter);
        painter.setBrush(Qt::NoBrush);
        const auto ring = [&](std::optional<Place> place, double radius, double width, const QColor& color) {
            const auto at = place ? m_chart.pixelOf(*place) : std::nullopt;
            if (!at)
                return;
            painter.setPen(QPen(color, width));
            painter.drawEllipse(*at, radius, radius);
        };
        ring(m_chart.m_chosen, 9, 1, colors.muted);
        ring(m_chart.m_shown, 6.5, 2, colors.accent);
        ring(m_chart.m_pointed, 6.5, 2, colors.text);
        if (m_chart.hasFocus())
        {
            painter.setPen(QPen(colors.accent, 1));
            painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }

private:
    void paintPoints(QPainter& painter) const
    {
        const Colors& colors = Theme::instance().colors();
        for (const ProbeRow& row : m_chart.m_rows)
        {
            for (const ProbeResult* result : {row.control.get(), row.result.get()})
            {
                const auto at = result != nullptr ? m_chart.pixelOf(*result) : std::nullopt;
                if (!at)
                    continue;
                const bool control = result == row.control.get();
                const QColor color = viz::stageColor(*result->stage, Theme::instance().vizTheme());
                painter.save();
                painter.translate(*at);
                const bool open = control || isAfterFinalNorm(*result, m_chart.m_finalNorm);
                painter.setPen(QPen(open ? color : colors.canvas, control || !open ? 0.8 : 1.2));
                painter.setBrush(open ? colors.canvas : color);
                painter.drawPath(viz::markerPath(viz::stageMarker(*result->stage), control ? 2 : 3.2));
                painter.restore();
            }
        }
    }

    SweepChart& m_chart;
};

SweepChart::SweepChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("sweepChart"));
    setAccessibleName(tr("Probe accuracy over layers"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    m_key = new QLabel(this);
    m_key->setObjectName(QStringLiteral("sweepKey"));
    m_key->setTextFormat(Qt::RichText);
    m_key->setWordWrap(true);
    m_key->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_view = makePlainView(this);
    m_view->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_key);
    layout->addWidget(m_view, 1);
    m_overlay = new Overlay(*this);
    m_card = new HoverCard(this);
    onThemeChange(this, [this] { rebuild(); });
}

SweepChart::~SweepChart() = default;

void SweepChart::setRows(const std::vector<ProbeRow>& rows, std::int64_t layers, const std::set<std::int64_t>& held)
{
    m_held = held;
    m_rows = rows;
    m_layers = layers;
    if (m_pointed && rowAt(*m_pointed) == nullptr)
        pointAt({});
    rebuild();
}

void SweepChart::setFinalNorm(std::optional<std::int64_t> layer)
{
    if (layer == m_finalNorm)
        return;
    m_finalNorm = layer;
    rebuild();
}

void SweepChart::setFromZero(bool fromZero)
{
    m_fromZero = fromZero;
    rebuild();
}

void SweepChart::setShown(std::optional<Place> shown)
{
    m_shown = shown;
    m_overlay->update();
}

void SweepChart::setChosen(std::optional<Place> chosen)
{
    m_chosen = chosen;
    m_overlay->update();
}

const ProbeRow* SweepChart::rowAt(Place place) const
{
    const auto at =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const ProbeRow& row) { return placeOf(row) == place; });
    return at == m_rows.end() ? nullptr : &*at;
}

std::optional<QPointF> SweepChart::pixelOf(Place place) const
{
    const ProbeRow* row = rowAt(place);
    return row == nullptr ? std::nullopt : pixelOf(*row->result);
}

std::optional<QPointF> SweepChart::pixelOf(const ProbeResult& result) const
{
    if (m_anchor == nullptr || !result.layer || !result.stage)
        return std::nullopt;
    const QPointF inChart =
        m_view->chart()->mapToPosition({static_cast<double>(*result.layer), result.accuracy}, m_anchor);
    const QPointF inView = m_view->mapFromScene(m_view->chart()->mapToScene(inChart));
    return QPointF(m_view->pos()) + inView;
}

void SweepChart::rebuild()
{
    QChart* chart = makePlainChart();
    SweepCurves curves(m_rows, m_layers, m_held, m_fromZero, m_finalNorm);
    if (!m_rows.empty())
    {
        curves.fill(*chart);
        m_floor = curves.floor();
    }
    m_anchor = curves.anchor();
    m_curves = curves.count();
    showChart(*m_view, chart);
    connect(chart, &QChart::plotAreaChanged, m_overlay, [this] { m_overlay->update(); });
    m_key->setFont(Theme::smallFont());
    m_key->setText(curves.key());
    m_overlay->update();
    m_overlay->raise();
    m_card->raise();
}

std::optional<SweepChart::Place> SweepChart::nearest(QPointF at) const
{
    std::optional<Place> best;
    double least = kReach;
    for (const ProbeRow& row : m_rows)
    {
        const auto place = placeOf(row);
        const auto pixel = place ? pixelOf(*place) : std::nullopt;
        if (!pixel)
            continue;
        const double distance = std::hypot(pixel->x() - at.x(), pixel->y() - at.y());
        if (distance < least)
        {
            least = distance;
            best = place;
        }
    }
    return best;
}

void SweepChart::pointAt(std::optional<Place> place)
{
    if (place != m_pointed)
    {
        m_pointed = place;
        setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
        m_overlay->update();
    }
    const ProbeRow* row = place ? rowAt(*place) : nullptr;
    const auto pixel = place ? pixelOf(*place) : std::nullopt;
    if (row == nullptr || !pixel)
        return m_card->hide();
    HoverContent content;
    content.color = viz::stageColor(place->second, Theme::instance().vizTheme());
    content.title = tr("Layer %1, stage %2").arg(place->first.value()).arg(toQString(stageName(place->second)));
    content.value = percent(row->result->accuracy);
    content.detail = tr("%1 – %2").arg(percent(row->result->ci95Low), percent(row->result->ci95High));
    if (row->control != nullptr)
        content.subtitle = tr("permuted labels: %1").arg(percent(row->control->accuracy));
    if (isAfterFinalNorm(*row->result, m_finalNorm))
        content.title += tr(", after the final norm");
    setAccessibleDescription(content.title % QStringLiteral(", ") % content.value);
    m_card->showAt(content, pixel->toPoint());
}

void SweepChart::step(int layers, int stages)
{
    const std::optional<Place> from = m_pointed ? m_pointed : m_shown;
    std::optional<Place> best;
    double least = 1e9;
    for (const ProbeRow& row : m_rows)
    {
        const auto place = placeOf(row);
        if (!place || !from)
        {
            best = best ? best : place;
            continue;
        }
        const auto along = static_cast<double>(place->first.value() - from->first.value());
        const auto across = static_cast<double>(place->second) - static_cast<double>(from->second);
        // The nearest point ahead: on the same curve, or on another one at the same layer.
        const bool ahead = layers != 0 ? along * layers > 0 && across == 0 : across * stages > 0 && along == 0;
        if (ahead && std::abs(along) + std::abs(across) < least)
        {
            least = std::abs(along) + std::abs(across);
            best = place;
        }
    }
    if (best)
        pointAt(best);
}

void SweepChart::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, 1);
    case Qt::Key_Down:
        return step(0, -1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_pointed)
            Q_EMIT pointChosen(m_pointed->first, m_pointed->second);
        return;
    default:
        return QWidget::keyPressEvent(event);
    }
}

void SweepChart::mouseMoveEvent(QMouseEvent* event)
{
    pointAt(nearest(event->position()));
}

void SweepChart::mousePressEvent(QMouseEvent* event)
{
    const auto place = nearest(event->position());
    if (!place || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    Q_EMIT pointChosen(place->first, place->second);
}

void SweepChart::leaveEvent(QEvent* event)
{
    pointAt({});
    QWidget::leaveEvent(event);
}

void SweepChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    m_overlay->update();
}

void SweepChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    pointAt({});
    m_overlay->update();
}

void SweepChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_overlay->setGeometry(rect());
    m_overlay->raise();
    m_card->raise();
}

} // namespace headscope::ui
