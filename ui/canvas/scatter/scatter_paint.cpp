// SPDX-License-Identifier: GPL-3.0-or-later
// What the map looks like: its picture, marks, names, legend and overview.
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/minimap.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/scatter/density_layer.h"

#include <QFrame>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = 12;
constexpr QRgb kNoColor = 0xff7f858d;
constexpr int kRestMs = 120; ///< without movement; then the view is at rest

} // namespace

void ScatterWidget::dropPicture()
{
    dropWhole();
    m_picture.drop();
    m_ringLayer = QImage();
    update();
}

void ScatterWidget::dropPoints()
{
    dropWhole();
    m_picture.dropPoints();
    m_ringLayer = QImage();
    m_minimap->dropPicture();
    update();
}

void ScatterWidget::startMoving()
{
    m_still.start(kRestMs);
}

void ScatterWidget::dropWhole()
{
    ++m_pictureVersion;
    // The frames of a run follow each other faster than they may be painted: each is painted to its
    // end, or none would ever be seen.
    if (!paintsElsewhere())
        m_paintRunner.cancel();
}

bool ScatterWidget::paintsElsewhere() const
{
    // Such a frame costs some milliseconds; while a run uses all cores it costs many times that.
    constexpr std::int64_t kMostOfRun = 50'000;
    constexpr double kSlowestMs = 120; // slower ones are better seen in part
    return m_live && m_follow && moving() && pointCount() > kMostOfRun && m_picture.expectedMs() <= kSlowestMs;
}

void ScatterWidget::comeToRest()
{
    m_live = false;
    if (m_picture.isPartial() || (m_picture.isNull() && !m_paintRunner.running()) ||
        m_ringCounts.drawn < m_ringCounts.all)
        dropPicture();
    m_minimap->refresh();
    layOutMinimap();
}

QString ScatterWidget::badgeText() const
{
    if (m_map == nullptr)
        return {};
    if (!m_picture.isPartial() && m_ringCounts.drawn < m_ringCounts.all)
        return tr("rings of %1 of %2")
            .arg(countText(m_ringCounts.drawn), countText(m_ringCounts.all, tr("point"), tr("points")));
    if (!m_picture.isPartial())
    {
        const QString lit = litText();
        return lit.isEmpty() ? lit : tr("%1; Escape lights all").arg(lit.left(1).toUpper() + lit.mid(1));
    }
    const QString text = moving() ? tr("%1 of %2 while moving") : tr("%1 of %2, all in a moment");
    return text.arg(countText(m_picture.drawnPoints()), countText(pointCount(), tr("point"), tr("points")));
}

void ScatterWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    ++m_paints;
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    if (m_map == nullptr)
    {
        painter.fillRect(rect(), theme.colors().canvas);
        return;
    }
    const viz::ScatterStyle style = styleNow();
    viz::ScatterData plain = scatterData();
    plain.marked = {};
    plain.focus.reset();
    const bool elsewhere =
        m_picture.isNull() && paintsElsewhere() && m_picture.last().size() == size() * devicePixelRatioF();
    painter.drawImage(QPointF(0, 0),
                      elsewhere ? m_picture.last()
                                : m_picture.image(plain, style, m_view, devicePixelRatioF(), m_threads, moving()));
    if ((elsewhere || m_picture.wholeWanted()) && !m_paintRunner.running())
        paintWhole();
    painter.setRenderHint(QPainter::Antialiasing);
    paintRings(painter);
    viz::paintRegionLabels(painter, regionLabels(), style.theme);
    if (m_joined)
        paintJoined(painter, scatterData(), style.theme, m_view);
    viz::paintMarks(painter, scatterData(), style, m_view, m_picture.counts().radiusPx);
    if (const QString badge = badgeText(); !badge.isEmpty())
        paintBadge(painter, size(), badge);
    if (m_drag == Drag::Box)
    {
        QColor fill = theme.colors().accent;
        fill.setAlpha(30);
        painter.setPen(theme.colors().accent);
        painter.setBrush(fill);
        painter.drawRect(QRectF(m_press, m_last).normalized());
    }
    if (m_drag == Drag::Pick)
        m_gesture.paint(painter, theme.colors().accent);
    else if (m_tool == Tool::Brush && m_drag == Drag::None && underMouse())
    {
        painter.setPen(theme.colors().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(m_last, m_gesture.brushRadius(), m_gesture.brushRadius());
    }
}

void ScatterWidget::paintRings(QPainter& painter)
{
    if (m_rings.isEmpty())
    {
        m_ringCounts = {};
        return;
    }
    // Kept until view or points change: marks and the card under the pointer are painted much more often.
    if (m_ringLayer.isNull())
    {
        const double dpr = devicePixelRatioF();
        m_ringLayer = QImage((QSizeF(size()) * dpr).toSize(), QImage::Format_ARGB32_Premultiplied);
        m_ringLayer.setDevicePixelRatio(dpr);
        m_ringLayer.fill(Qt::transparent);
        QPainter layer(&m_ringLayer);
        m_ringCounts = m_rings.paint(layer, scatterData(), m_view, m_picture.counts().radiusPx,
                                     moving() ? SetRings::kMostMoving : SetRings::kMost);
    }
    painter.drawImage(QPointF(0, 0), m_ringLayer);
}

void ScatterWidget::paintWhole()
{
    struct Whole
    {
        viz::ScatterPicture picture;
        double milliseconds = 0;
    };
    m_paintRunner.start<Whole>(
        [shot = shot(), dpr = devicePixelRatioF()](JobContext&) -> Result<Whole> {
            const auto start = std::chrono::steady_clock::now();
            viz::ScatterData plain = shot.data();
            plain.marked = {};
            plain.focus.reset();
            viz::ScatterPainter painter;
            Whole whole{painter.paint(plain, shot.style, shot.view, dpr, shot.threads), 0};
            whole.milliseconds =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
            return whole;
        },
        [this, version = m_pictureVersion](Result<Whole> whole) {
            if (!whole)
                return;
            if (version == m_pictureVersion)
                m_picture.putWhole(std::move(whole->picture), pointCount(), whole->milliseconds);
            else
                m_picture.putLast(std::move(whole->picture.image)); // the run has gone on meanwhile
            update();
        });
}

viz::ScatterStyle ScatterWidget::styleNow() const
{
    viz::ScatterStyle style;
    style.theme = Theme::instance().vizTheme();
    style.mode = m_mode;
    if (m_bounds && !m_view.viewSize().isEmpty())
        style.scaleGain = std::max(1.0, m_view.scale() / viz::ViewTransform::fit(*m_bounds, m_view.viewSize()).scale());
    return style;
}

viz::ScatterData ScatterWidget::scatterData() const
{
    viz::ScatterData points;
    if (m_map == nullptr)
        return points;
    points.xy = m_map->xy.values();
    points.colors = std::span(&kNoColor, 1);
    if (m_coloring.index.size() == static_cast<std::size_t>(pointCount()) && !m_coloring.colors.empty())
    {
        points.index = m_coloring.index;
        points.colors = m_coloring.colors;
        points.shapes = m_coloring.shapes;
    }
    points.states = m_states;
    points.marked = m_marked;
    points.focus = m_focusPoint;
    return points;
}

MapShot ScatterWidget::shot() const
{
    MapShot shot;
    shot.map = m_map;
    shot.coloring = m_coloring;
    shot.states = m_states;
    shot.marked = m_marked;
    shot.focus = m_focusPoint;
    shot.joined = m_joined;
    shot.rings = m_rings;
    shot.style = styleNow();
    shot.view = m_view;
    shot.legend = m_legendShown && !m_legend->isFolded();
    shot.faded = fadedHits();
    shot.legendPlace = legendRect().topLeft();
    shot.legendHeight = m_legend->maximumLegendHeight();
    shot.threads = m_threads;
    if (m_regionsShown)
        shot.regions = m_regionLabels;
    return shot;
}

void ScatterWidget::setRegions(std::vector<viz::Region> regions)
{
    m_regions = std::move(regions);
    m_regionLabelsStale = true;
    if (m_regionsShown)
        update();
}

void ScatterWidget::setRegionsShown(bool shown)
{
    if (shown == m_regionsShown)
        return;
    m_regionsShown = shown;
    m_regionLabelsStale = true;
    update();
}

const std::vector<viz::RegionLabel>& ScatterWidget::regionLabels()
{
    if (!std::exchange(m_regionLabelsStale, false))
        return m_regionLabels;
    m_regionLabels.clear();
    if (!m_regionsShown || m_map == nullptr)
        return m_regionLabels;
    std::vector<QRectF> avoid;
    for (const QWidget* widget : std::initializer_list<const QWidget*>{m_legend, m_minimap, m_tools, m_units})
        if (!widget->isHidden())
            avoid.emplace_back(widget->geometry());
    m_regionLabels = viz::placeRegionLabels(m_regions, m_view, avoid);
    return m_regionLabels;
}

void ScatterWidget::setJoined(bool joined)
{
    if (joined == m_joined)
        return;
    m_joined = joined;
    update();
}

QRectF ScatterWidget::legendRect() const
{
    return m_legend->isHidden() ? QRectF(width() - kMargin, kMargin, 0, 0) : QRectF(m_legend->geometry());
}

void ScatterWidget::layOutLegend()
{
    constexpr double kMostWidth = 0.42; // of a narrow canvas: names elide before the map has no room
    const double room = std::max(80, height() - 2 * kMargin);
    const QRectF before = legendRect();
    m_legend->setVisible(m_legendShown && m_map != nullptr && !m_coloring.colors.empty());
    if (!m_legend->isHidden())
    {
        // Shades of density are of no head and no label.
        const bool shaded = m_mode == viz::ScatterMode::Density;
        viz::Legend legend = shaded ? viz::densityLegend(Theme::instance().vizTheme()) : m_coloring.legend;
        // Labels that share a colour are told apart by shapes, which small dots do not have.
        const double radius =
            viz::automaticRadius(pointCount(), static_cast<double>(width()) * height()) * devicePixelRatioF();
        const bool ofLabels = std::holds_alternative<viz::CategoryLegend>(legend.content);
        if (ofLabels && !m_coloring.shapes.empty() && legend.hint.isEmpty() && !viz::showsShapes(radius))
            legend.hint = tr("shapes: zoom in");
        m_legend->setLegend(legend, room, std::clamp(kMostWidth * width(), 150.0, LegendWidget::kWidest));
        m_legend->setReordered(!shaded && !orderOf(m_coloring.legend.title).empty());
        m_legend->setFaded(fadedHits());
        m_legend->move(width() - kMargin - m_legend->width(), kMargin);
    }
    m_regionLabelsStale = true;
    if (legendRect() != before)
    {
        followAgain();
        Q_EMIT cardsChanged();
    }
    update();
}

void ScatterWidget::setMinimapShown(bool shown)
{
    m_minimapShown = shown;
    layOutMinimap();
}

void ScatterWidget::buildMinimap()
{
    m_minimap = new Minimap(this);
    m_minimap->setSource([this] {
        viz::ScatterData points = scatterData();
        points.marked = {};
        points.focus.reset();
        return points;
    });
    m_minimap->setShotSource([this] { return shot(); });
    connect(m_minimap, &Minimap::centreRequested, this, [this](QPointF place) {
        userMovedView();
        applyView(viz::ViewTransform(place, m_view.scale(), m_view.viewSize()));
    });
    connect(m_minimap, &Minimap::moved, this, &ScatterWidget::rememberView);
}

void ScatterWidget::layOutMinimap()
{
    if (!moving() || m_map == nullptr)
        m_bounds = shownBounds();
    m_minimap->setBounds(m_bounds);
    m_minimap->setView(m_view);
    // In a small canvas it would hide what it explains.
    const bool room = width() >= 4 * Minimap::kSize.width() && height() >= 3 * Minimap::kSize.height();
    // A view that follows the map leaves none of it out, whatever was measured of a run before.
    const bool wanted = m_minimapShown && room && m_map != nullptr && m_shown > 0 && !m_follow && m_minimap->isNeeded();
    m_minimap->move(kMargin, height() - kMargin - m_minimap->height());
    if (wanted == !m_minimap->isHidden())
        return;
    m_minimap->setVisible(wanted);
    m_regionLabelsStale = true;
    update();
}

void ScatterWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_animation.stop();
    layOutLegend(); // before the map, which stands beside it
    if (m_map != nullptr && m_follow)
    {
        applyView(fittedView());
        m_history.replace(m_view);
    }
    else if (!m_view.viewSize().isEmpty())
    {
        applyView(m_view.resized(QSizeF(size())));
    }
    layOutMinimap();
    dropPicture();
}

} // namespace headscope::ui
