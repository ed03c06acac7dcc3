// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/scatter_widget.h"

#include "model/base/parallel.h"
#include "ui/canvas/fit_room.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/minimap.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QFrame>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kSettleMs = 300;
constexpr int kAnimationMs = 150;

struct PointOrder
{
    bool byDocument = false;
    std::int32_t lastHead = -1;
};

/// One pass over the points, on so many threads.
PointOrder orderOfPoints(const PointIds& points, int numThreads)
{
    constexpr std::int64_t kBlock = 1 << 17;
    const std::int64_t count = points.count();
    std::vector<PointOrder> blocks(static_cast<std::size_t>(blockCount(count, kBlock)));
    parallelFor(numThreads, count, kBlock, [&](std::int64_t begin, std::int64_t end) {
        PointOrder block{true, -1};
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        {
            block.lastHead = std::max(block.lastHead, points.head[i]);
            block.byDocument = block.byDocument && (i == 0 || points.document[i - 1] <= points.document[i]);
        }
        blocks[static_cast<std::size_t>(begin / kBlock)] = block;
    });
    PointOrder all{true, -1};
    for (const PointOrder& block : blocks)
        all = {all.byDocument && block.byDocument, std::max(all.lastHead, block.lastHead)};
    return all;
}

} // namespace

ScatterWidget::ScatterWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("scatter"));
    setAccessibleName(tr("Map"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(240, 200);
    buildTools();
    buildLegend();
    buildMinimap();
    for (QWidget* above : std::initializer_list<QWidget*>{m_tools, m_units, m_legend, m_minimap})
        above->installEventFilter(this); // what lies under them is not hovered
    m_card = new HoverCard(this);
    m_still.setSingleShot(true);
    connect(&m_still, &QTimer::timeout, this, &ScatterWidget::comeToRest);
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &ScatterWidget::rememberView);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(kAnimationMs);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& value) { applyView(m_animationStart.towards(m_animationEnd, value.toDouble())); });
    connect(&m_animation, &QVariantAnimation::finished, this, [this] { applyView(m_animationEnd); });
    onThemeChange(this, [this] {
        refreshToolIcons();
        refreshTools();
        layOutLegend();
        dropPicture();
    });
}

ScatterWidget::~ScatterWidget() = default;

void ScatterWidget::setMode(viz::ScatterMode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    dropWhole();
    m_picture.forgetFrames();
    layOutLegend();
    update();
}

void ScatterWidget::setThreads(int threads)
{
    m_threads = threads;
    m_minimap->setThreads(threads);
}

void ScatterWidget::setLegendShown(bool shown)
{
    m_legendShown = shown;
    layOutLegend();
}

void ScatterWidget::setToolsShown(bool shown)
{
    m_toolsShown = shown;
    m_tools->setVisible(shown);
    placeUnits();
}

std::int64_t ScatterWidget::pointCount() const
{
    return m_map == nullptr ? 0 : m_map->xy.rows();
}

void ScatterWidget::setMap(std::shared_ptr<const HeadMap> map)
{
    const bool samePoints = m_map != nullptr && map != nullptr && m_map->points == map->points;
    m_map = std::move(map);
    m_extent = extentOf(PointExtent::Which::All);
    m_live = samePoints;
    if (samePoints)
    {
        startMoving(); // a run goes on
        m_minimap->markStale();
        setRegions({}); // they lay where the points were
    }
    else
    {
        forgetMap();
        layOutLegend();
    }
    if (m_follow)
    {
        m_animation.stop();
        applyView(fittedView());
        m_history.replace(m_view);
        refreshTools();
    }
    if (m_hoveredPoint && m_card->isVisible())
        m_card->hide(); // the point has moved from under the pointer
    describe();
    layOutMinimap();
    dropWhole();
    m_picture.dropPoints();
    if (samePoints)
        m_ringLayer = QImage();
    else
        refreshRings();
    update();
    Q_EMIT mapChanged(samePoints);
}

void ScatterWidget::forgetMap()
{
    m_animation.stop();
    m_gesture.cancel();
    m_drag = Drag::None;
    m_coloring = {};
    m_isolated.reset();
    m_hiddenCodes.clear();
    m_regions.clear();
    m_regionLabelsStale = true;
    m_hoveredPoint.reset();
    m_byKeys = false;
    m_card->hide();
    m_history.clear();
    m_follow = true;
    m_picture.forgetFrames();
    m_minimap->dropPicture();
    m_bounds.reset();
    m_colorRunner.cancel();
    m_pickRunner.cancel();
    const PointOrder order = m_map == nullptr ? PointOrder() : orderOfPoints(*m_map->points, m_threads);
    m_byDocument = order.byDocument;
    m_lastHead = order.lastHead;
    refreshStates();
    refreshMarks();
}

void ScatterWidget::describe()
{
    if (m_map == nullptr)
        return setAccessibleDescription(tr("empty"));
    QString text = tr("%1, %2 shown").arg(countText(pointCount(), tr("point"), tr("points")), countText(m_shown));
    if (const auto* labels = std::get_if<viz::CategoryLegend>(&m_coloring.legend.content))
        text += tr(", %1").arg(countText(std::ssize(labels->entries), tr("label"), tr("labels")));
    if (m_chosenPoints != nullptr)
        text += tr(", %1 chosen").arg(countText(m_chosenPoints->count(), tr("point"), tr("points")));
    else if (const std::int64_t chosen = chosenDocuments(); chosen > 0)
        text += tr(", %1 chosen").arg(countText(chosen, tr("document"), tr("documents")));
    if (const QString lit = litText(); !lit.isEmpty())
        text += QStringLiteral(", ") % lit;
    // The point that keys have stepped on comes first: it is what was asked for.
    const QString point = pointText();
    setAccessibleDescription(point.isEmpty() ? text : QString(point % QStringLiteral(". ") % text));
}

viz::ViewTransform ScatterWidget::fittedView() const
{
    return viewOf(fittedBounds().value_or(QRectF()));
}

std::optional<QRectF> ScatterWidget::fittedBounds() const
{
    const auto shown = shownBounds();
    if (!shown || !m_alsoFitted)
        return shown;
    // Not QRectF::united(), which leaves out a rectangle without a height.
    return QRectF(
        QPointF(std::min(shown->left(), m_alsoFitted->left()), std::min(shown->top(), m_alsoFitted->top())),
        QPointF(std::max(shown->right(), m_alsoFitted->right()), std::max(shown->bottom(), m_alsoFitted->bottom())));
}

viz::ViewTransform ScatterWidget::viewOf(const QRectF& bounds) const
{
    return fitBeside(bounds, QSizeF(size()), cards());
}

std::vector<QRectF> ScatterWidget::cards() const
{
    constexpr int kGap = 12 - 24; // the margin of a fit is part of the gap to a card
    std::vector<QRectF> cards;
    for (const ScatterWidget* canvas : {static_cast<const ScatterWidget*>(this), m_fitPartner})
    {
        if (canvas == nullptr || canvas->isHidden())
            continue;
        for (const QWidget* card :
             {static_cast<const QWidget*>(canvas->m_legend), static_cast<const QWidget*>(canvas->m_tools)})
            if (!card->isHidden())
                cards.push_back(QRectF(card->geometry()).adjusted(-kGap, -kGap, kGap, kGap));
    }
    return cards;
}

QRectF ScatterWidget::dataInView() const
{
    const auto bounds = m_follow ? fittedBounds() : std::nullopt;
    return bounds ? m_view.dataFromScreen(fitRoom(*bounds, QSizeF(size()), cards())) : m_view.visibleData();
}

void ScatterWidget::followAgain()
{
    if (m_map == nullptr || !m_follow || m_animation.state() == QAbstractAnimation::Running)
        return;
    applyView(fittedView());
    m_history.replace(m_view);
}

void ScatterWidget::applyView(const viz::ViewTransform& view)
{
    if (view == m_view)
        return;
    m_view = view;
    m_regionLabelsStale = true;
    startMoving();
    layOutMinimap();
    dropPicture();
    Q_EMIT viewChanged();
}

void ScatterWidget::animateTo(const viz::ViewTransform& view)
{
    m_animation.stop();
    const bool wanted = isVisible() && style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
    if (!wanted || m_view.viewSize().isEmpty())
        return applyView(view);
    m_animationStart = m_view;
    m_animationEnd = view;
    m_animation.start();
}

void ScatterWidget::userMovedView()
{
    m_animation.stop();
    m_follow = false;
    m_card->hide();
}

void ScatterWidget::rememberView()
{
    m_history.push(m_view);
    refreshTools();
}

void ScatterWidget::fit()
{
    m_follow = true;
    const auto view = fittedView();
    m_history.push(view);
    refreshTools();
    animateTo(view);
}

void ScatterWidget::fitChosen()
{
    if (m_chosenShown == 0)
        return fit();
    const auto bounds = extentOf(PointExtent::Which::Shown).bounds;
    if (!bounds)
        return;
    userMovedView();
    const auto view = viewOf(*bounds);
    m_history.push(view);
    refreshTools();
    animateTo(view);
}

void ScatterWidget::back()
{
    if (m_settle.isActive())
    {
        m_settle.stop();
        rememberView();
    }
    if (const auto view = m_history.back())
    {
        m_follow = false;
        animateTo(view->viewSize() == QSizeF(size()) ? *view : view->resized(QSizeF(size())));
        refreshTools();
    }
}

void ScatterWidget::forward()
{
    if (const auto view = m_history.forward())
    {
        m_follow = false;
        animateTo(view->viewSize() == QSizeF(size()) ? *view : view->resized(QSizeF(size())));
        refreshTools();
    }
}

void ScatterWidget::setView(const viz::ViewTransform& view)
{
    userMovedView();
    applyView(view);
    rememberView();
}

} // namespace headscope::ui
