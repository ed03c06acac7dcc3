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
    m_panButton = make(QStringLiteral("toolPan"), tr("Move the map (V)"));
    m_boxButton = make(QStringLiteral("toolBox"), tr("Zoom into a rectangle (Z, or Shift+drag)"));
    m_rectangleButton = make(QStringLiteral("toolRectangle"), tr("Choose in a rectangle (R)"));
    m_lassoButton = make(QStringLiteral("toolLasso"), tr("Choose in a lasso (L)"));
    m_brushButton = make(QStringLiteral("toolBrush"), tr("Choose with a brush (B; the wheel sets its size)"));
    m_fitButton = make(QStringLiteral("toolFit"), tr("Fit all points (double click)"));
    m_backButton = make(QStringLiteral("toolBack"), tr("Previous view (Alt+Left)"));
    m_forwardButton = make(QStringLiteral("toolForward"), tr("Next view (Alt+Right)"));
    const std::pair<QToolButton*, Tool> tools[] = {{m_panButton, Tool::Pan},
                                                   {m_boxButton, Tool::BoxZoom},
                                                   {m_rectangleButton, Tool::Rectangle},
                                                   {m_lassoButton, Tool::Lasso},
                                                   {m_brushButton, Tool::Brush}};
    for (const auto& [button, tool] : tools)
    {
        button->setCheckable(true);
        connect(button, &QToolButton::clicked, this, [this, tool = tool] { setTool(tool); });
    }
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
    m_rectangleButton->setIcon(theme.icon(QStringLiteral("rectangle")));
    m_lassoButton->setIcon(theme.icon(QStringLiteral("lasso")));
    m_brushButton->setIcon(theme.icon(QStringLiteral("brush")));
    m_fitButton->setIcon(theme.icon(QStringLiteral("fit")));
    m_backButton->setIcon(theme.icon(QStringLiteral("back")));
    m_forwardButton->setIcon(theme.icon(QStringLiteral("forward")));
    m_panButton->setChecked(m_tool == Tool::Pan);
    m_boxButton->setChecked(m_tool == Tool::BoxZoom);
    m_rectangleButton->setChecked(m_tool == Tool::Rectangle);
    m_lassoButton->setChecked(m_tool == Tool::Lasso);
    m_brushButton->setChecked(m_tool == Tool::Brush);
    m_backButton->setEnabled(m_history.canGoBack());
    m_forwardButton->setEnabled(m_history.canGoForward());
    m_tools->adjustSize();
}

void ScatterWidget::setTool(Tool tool)
{
    m_tool = tool;
    refreshCursor();
    refreshTools();
    Q_EMIT toolChanged();
}

void ScatterWidget::setMode(viz::ScatterMode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    dropPicture();
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
        m_gesture.cancel();
        m_drag = Drag::None;
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

void ScatterWidget::fitChosen()
{
    if (m_chosenShown == 0)
        return fit();
    std::vector<float> chosen;
    chosen.reserve(static_cast<std::size_t>(2 * m_chosenShown));
    for (std::size_t point = 0; point < m_states.size(); ++point)
        if (m_states[point] == viz::PointState::Shown)
            chosen.insert(chosen.end(), {m_map->xy.values()[2 * point], m_map->xy.values()[2 * point + 1]});
    const auto bounds = viz::dataBounds(chosen);
    if (!bounds)
        return;
    userMovedView();
    const auto view = viz::ViewTransform::fit(*bounds, QSizeF(size()));
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
    style.mode = m_mode;
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
    if (m_drag == Drag::Pick)
        m_gesture.paint(painter, theme.colors().accent);
    else if (m_tool == Tool::Brush && m_drag == Drag::None && underMouse())
    {
        painter.setPen(theme.colors().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(m_last, m_gesture.brushRadius(), m_gesture.brushRadius());
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
