// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/scatter_widget.h"

#include "ui/theme/theme.h"
#include "ui/wording.h"

#include <QFrame>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QStyle>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = 12;
constexpr int kSettleMs = 300;
constexpr int kAnimationMs = 150;

} // namespace

ScatterWidget::ScatterWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("scatter"));
    setAccessibleName(tr("Map"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(240, 200);
    m_card = new HoverCard(this);
    buildTools();
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
        refreshTools();
        layOutLegend();
        dropPicture();
    });
}

ScatterWidget::~ScatterWidget() = default;

void ScatterWidget::buildTools()
{
    m_tools = new QFrame(this);
    m_tools->setObjectName(QStringLiteral("mapTools"));
    auto* layout = new QVBoxLayout(m_tools);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    const auto make = [this, layout](const QString& name, const QString& tip) {
        auto* button = new QToolButton(m_tools);
        button->setObjectName(name);
        button->setProperty("boxed", true);
        button->setProperty("square", true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setFocusPolicy(Qt::TabFocus);
        layout->addWidget(button);
        return button;
    };
    m_panButton = make(QStringLiteral("toolPan"), tr("Move the map (drag)"));
    m_boxButton = make(QStringLiteral("toolBox"), tr("Zoom into a rectangle (Shift+drag)"));
    m_fitButton = make(QStringLiteral("toolFit"), tr("Fit all points (double click)"));
    m_backButton = make(QStringLiteral("toolBack"), tr("Previous view (Alt+Left)"));
    m_forwardButton = make(QStringLiteral("toolForward"), tr("Next view (Alt+Right)"));
    m_panButton->setCheckable(true);
    m_boxButton->setCheckable(true);
    connect(m_panButton, &QToolButton::clicked, this, [this] { setTool(Tool::Pan); });
    connect(m_boxButton, &QToolButton::clicked, this, [this] { setTool(Tool::BoxZoom); });
    connect(m_fitButton, &QToolButton::clicked, this, &ScatterWidget::fit);
    connect(m_backButton, &QToolButton::clicked, this, &ScatterWidget::back);
    connect(m_forwardButton, &QToolButton::clicked, this, &ScatterWidget::forward);
    m_tools->move(kMargin, kMargin);
}

void ScatterWidget::refreshTools()
{
    Theme& theme = Theme::instance();
    m_panButton->setIcon(theme.icon(QStringLiteral("pan")));
    m_boxButton->setIcon(theme.icon(QStringLiteral("box-zoom")));
    m_fitButton->setIcon(theme.icon(QStringLiteral("fit")));
    m_backButton->setIcon(theme.icon(QStringLiteral("back")));
    m_forwardButton->setIcon(theme.icon(QStringLiteral("forward")));
    m_panButton->setChecked(m_tool == Tool::Pan);
    m_boxButton->setChecked(m_tool == Tool::BoxZoom);
    m_backButton->setEnabled(m_history.canGoBack());
    m_forwardButton->setEnabled(m_history.canGoForward());
    m_tools->adjustSize();
}

void ScatterWidget::setTool(Tool tool)
{
    m_tool = tool;
    setCursor(tool == Tool::BoxZoom ? Qt::CrossCursor : Qt::ArrowCursor);
    refreshTools();
    Q_EMIT toolChanged();
}

void ScatterWidget::setLegendShown(bool shown)
{
    m_legendShown = shown;
    update();
}

void ScatterWidget::setToolsShown(bool shown)
{
    m_tools->setVisible(shown);
}

std::int64_t ScatterWidget::pointCount() const
{
    return m_map == nullptr ? 0 : m_map->xy.rows();
}

void ScatterWidget::setMap(std::shared_ptr<const HeadMap> map)
{
    const bool samePoints = m_map != nullptr && map != nullptr && m_map->points == map->points;
    m_map = std::move(map);
    if (!samePoints)
    {
        m_animation.stop();
        m_coloring = {};
        m_legend = {};
        m_isolated.reset();
        m_hoveredPoint.reset();
        m_card->hide();
        m_history.clear();
        m_follow = true;
        refreshStates();
        refreshMarks();
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
    setAccessibleDescription(
        m_map == nullptr
            ? tr("empty")
            : tr("%1, %2 shown").arg(countText(pointCount(), tr("point"), tr("points")), countText(m_shown)));
    dropPicture();
}

void ScatterWidget::setColoring(viz::PointColoring coloring)
{
    m_coloring = std::move(coloring);
    m_isolated.reset();
    refreshStates();
    layOutLegend();
    dropPicture();
}

void ScatterWidget::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_allHeads = false;
    m_shownHeads = {heads.begin(), heads.end()};
    refreshStates();
    if (m_follow && m_map != nullptr)
        animateTo(fittedView());
    layOutLegend();
    dropPicture();
}

void ScatterWidget::refreshStates()
{
    const auto count = static_cast<std::size_t>(pointCount());
    m_states.assign(count, viz::PointState::Shown);
    m_shown = static_cast<std::int64_t>(count);
    if (count == 0)
        return;
    const PointIds& points = *m_map->points;
    std::vector<char> headShown;
    if (!m_allHeads)
    {
        headShown.assign(static_cast<std::size_t>(1 + *std::max_element(points.head.begin(), points.head.end())), 0);
        for (const std::int64_t head : m_shownHeads)
            if (head >= 0 && head < static_cast<std::int64_t>(headShown.size()))
                headShown[static_cast<std::size_t>(head)] = 1;
    }
    // Category legends list colours by code, with the grey of "no label" behind them.
    std::optional<QRgb> isolatedColor;
    if (const auto* legend = std::get_if<viz::CategoryLegend>(&m_coloring.legend.content); legend && m_isolated)
        for (const auto& entry : legend->entries)
            if (entry.code == *m_isolated)
                isolatedColor = entry.color;
    for (std::size_t point = 0; point < count; ++point)
    {
        if (!m_allHeads && headShown[static_cast<std::size_t>(points.head[point])] == 0)
        {
            m_states[point] = viz::PointState::Hidden;
            --m_shown;
        }
        else if (isolatedColor && m_coloring.colors[m_coloring.index[point]] != *isolatedColor)
        {
            m_states[point] = viz::PointState::Dimmed;
        }
    }
    Q_EMIT shownChanged();
}

void ScatterWidget::setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head)
{
    m_primary = document;
    m_primaryHead = head;
    refreshMarks();
}

void ScatterWidget::setHovered(std::optional<std::int64_t> document)
{
    // Under our own pointer the point itself is marked.
    m_hoveredDocument = m_hoveredPoint ? std::nullopt : document;
    refreshMarks();
}

void ScatterWidget::refreshMarks()
{
    std::vector<std::int64_t> marked;
    std::optional<std::int64_t> focus;
    const auto document = m_hoveredDocument ? m_hoveredDocument : m_primary;
    if (m_map != nullptr && document)
    {
        const PointIds& points = *m_map->points;
        for (std::int64_t point = 0; point < points.count(); ++point)
        {
            if (points.document[static_cast<std::size_t>(point)] != *document)
                continue;
            marked.push_back(point);
            if (document == m_primary && m_primaryHead == points.head[static_cast<std::size_t>(point)])
                focus = point;
        }
    }
    if (m_hoveredPoint)
        focus = m_hoveredPoint;
    if (marked == m_marked && focus == m_focusPoint)
        return;
    m_marked = std::move(marked);
    m_focusPoint = focus;
    update();
}

std::optional<QRectF> ScatterWidget::shownBounds() const
{
    if (m_map == nullptr)
        return std::nullopt;
    if (m_shown == pointCount() || m_shown == 0)
        return viz::dataBounds(m_map->xy.values());
    std::vector<float> shown;
    shown.reserve(static_cast<std::size_t>(2 * m_shown));
    for (std::size_t point = 0; point < m_states.size(); ++point)
        if (m_states[point] != viz::PointState::Hidden)
            shown.insert(shown.end(), {m_map->xy.values()[2 * point], m_map->xy.values()[2 * point + 1]});
    return viz::dataBounds(shown);
}

viz::ViewTransform ScatterWidget::fittedView() const
{
    const auto bounds = shownBounds();
    return bounds ? viz::ViewTransform::fit(*bounds, QSizeF(size()))
                  : viz::ViewTransform::fit(QRectF(), QSizeF(size()));
}

void ScatterWidget::applyView(const viz::ViewTransform& view)
{
    if (view == m_view)
        return;
    m_view = view;
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

void ScatterWidget::dropPicture()
{
    m_picture = QImage();
    update();
}

viz::ScatterData ScatterWidget::scatterData() const
{
    viz::ScatterData points;
    if (m_map == nullptr)
        return points;
    points.xy = m_map->xy.values();
    if (m_coloring.index.size() == static_cast<std::size_t>(pointCount()))
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
    viz::ScatterStyle style;
    style.theme = theme.vizTheme();
    viz::ScatterData points = scatterData();
    static constexpr QRgb kNoColor = 0xff7f858d;
    if (points.colors.empty())
        points.colors = std::span(&kNoColor, 1);
    if (m_picture.isNull())
    {
        viz::ScatterData plain = points;
        plain.marked = {};
        plain.focus.reset();
        viz::ScatterPicture picture = m_painter.paint(plain, style, m_view, devicePixelRatioF(), m_threads);
        m_picture = std::move(picture.image);
        m_counts = picture.counts;
    }
    painter.drawImage(QPointF(0, 0), m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    viz::paintMarks(painter, points, style, m_view, m_counts.radiusPx);
    if (m_legendShown)
        m_legend.paint(painter, legendRect().topLeft(), {});
    if (m_drag == Drag::Box)
    {
        const Colors& colors = theme.colors();
        QColor fill = colors.accent;
        fill.setAlpha(30);
        painter.setPen(colors.accent);
        painter.setBrush(fill);
        painter.drawRect(QRectF(m_press, m_last).normalized());
    }
}

QRectF ScatterWidget::legendRect() const
{
    const QSizeF size = m_legend.size();
    return {QPointF(std::round(width() - kMargin - size.width()), kMargin), size};
}

void ScatterWidget::layOutLegend()
{
    if (m_coloring.colors.empty())
    {
        m_legend = {};
        return;
    }
    viz::LegendStyle style;
    style.theme = Theme::instance().vizTheme();
    style.maxHeight = std::max(80, height() - 2 * kMargin);
    m_legend = viz::LegendLayout(m_coloring.legend, style);
    update();
}

void ScatterWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_animation.stop();
    if (m_map != nullptr && m_follow)
    {
        applyView(fittedView());
        m_history.replace(m_view);
    }
    else if (!m_view.viewSize().isEmpty())
    {
        applyView(m_view.resized(QSizeF(size())));
    }
    layOutLegend();
    dropPicture();
}

} // namespace headscope::ui
