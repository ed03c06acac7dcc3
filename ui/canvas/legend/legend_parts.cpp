// SPDX-License-Identifier: GPL-3.0-or-later
// What the legend looks like: its head with buttons and search field, its rows that scroll, its menu.
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "viz/color/category_palette.h"

#include <QAction>
#include <QActionGroup>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

using viz::LegendHit;

constexpr int kCardPadding = 12; ///< of the card
constexpr int kHeadButton = 20;
constexpr int kSearchHeight = 26;
constexpr int kCardCorner = 6;

bool isOfLabels(const viz::Legend& legend)
{
    return std::holds_alternative<viz::CategoryLegend>(legend.content);
}

/// Whether its colours are those of a palette, not of a scale.
bool hasPalette(const viz::Legend& legend)
{
    return !std::holds_alternative<viz::NumberLegend>(legend.content);
}

} // namespace

LegendWidget::LegendWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(tr("Arrow keys move; Return shows one entry only"));
    setCanvasSummary(this, [this] { return accessibleDescription(); });
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus); // a click leaves the keys with the canvas
    buildHead();
    hide();
}

void LegendWidget::buildHead()
{
    const auto button = [this](const QString& name) {
        auto* made = new QToolButton(this);
        made->setObjectName(name);
        made->setProperty("flat", true);
        made->setFixedSize(kHeadButton, kHeadButton);
        made->setIconSize({14, 14});
        made->setCursor(Qt::ArrowCursor);
        made->setFocusPolicy(Qt::TabFocus);
        return made;
    };
    m_palette = button(QStringLiteral("legendPalette"));
    m_palette->setToolTip(tr("Change the colours of labels and heads"));
    m_palette->setAccessibleName(tr("Colours of labels and heads"));
    connect(m_palette, &QToolButton::clicked, this, [this] {
        auto* menu = new QMenu(this);
        menu->setObjectName(QStringLiteral("legendPalettes"));
        menu->setAttribute(Qt::WA_DeleteOnClose);
        addPalettes(menu);
        menu->popup(m_palette->mapToGlobal(QPoint(0, m_palette->height())));
    });
    m_fold = button(QStringLiteral("legendFold"));
    connect(m_fold, &QToolButton::clicked, this, [this] { setFolded(!m_folded); });
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("legendSearch"));
    m_search->setPlaceholderText(tr("Filter labels"));
    m_search->setAccessibleName(tr("Filter the labels of the legend"));
    m_search->setToolTip(tr("Show only labels that contain this text"));
    addClearButton(*m_search);
    m_search->setCursor(Qt::IBeamCursor);
    connect(m_search, &QLineEdit::textChanged, this, [this] {
        layOut();
        Q_EMIT sizeChanged();
    });
    m_bar = new QScrollBar(Qt::Vertical, this);
    m_bar->setObjectName(QStringLiteral("legendScroll"));
    m_bar->setAccessibleName(tr("Scroll the legend"));
    m_bar->setCursor(Qt::ArrowCursor);
    connect(m_bar, &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
    onThemeChange(this, [this] { refreshIcons(); });
}

void LegendWidget::refreshIcons()
{
    m_palette->setIcon(Theme::instance().icon(QStringLiteral("palette")));
    m_fold->setIcon(Theme::instance().icon(m_folded ? QStringLiteral("unfold") : QStringLiteral("fold")));
    m_fold->setToolTip(m_folded ? tr("Expand the legend") : tr("Collapse the legend to its title"));
    m_fold->setAccessibleName(m_fold->toolTip());
}

void LegendWidget::setLegend(const viz::Legend& legend, double maxHeight, double maxWidth)
{
    if (legend.title != m_legend.title)
    {
        const QSignalBlocker quiet(m_search);
        m_search->clear(); // another column has other labels
    }
    m_legend = legend;
    m_maxHeight = maxHeight;
    m_maxWidth = maxWidth;
    layOut();
}

void LegendWidget::setFolded(bool folded)
{
    if (folded == m_folded)
        return;
    m_folded = folded;
    refreshIcons();
    layOut();
    Q_EMIT sizeChanged();
}

bool LegendWidget::isSearched() const
{
    return !m_search->text().trimmed().isEmpty();
}

viz::Legend LegendWidget::shownLegend() const
{
    viz::Legend shown = m_legend;
    if (m_folded)
    {
        shown.content = viz::CategoryLegend{};
        shown.hint.clear();
        return shown;
    }
    auto* categories = std::get_if<viz::CategoryLegend>(&shown.content);
    if (categories == nullptr || !isSearched())
        return shown;
    const QString wanted = m_search->text().trimmed();
    const auto all = categories->entries.size();
    std::erase_if(categories->entries, [&wanted](const viz::CategoryLegendEntry& entry) {
        return !entry.name.contains(wanted, Qt::CaseInsensitive);
    });
    shown.hint = tr("%1 of %2").arg(categories->entries.size()).arg(all);
    return shown;
}

void LegendWidget::layOut()
{
    const auto before = current();
    const auto* categories = std::get_if<viz::CategoryLegend>(&m_legend.content);
    const bool searchable =
        !m_folded && categories != nullptr && static_cast<int>(categories->entries.size()) >= kSearchFrom;
    m_palette->setVisible(!m_folded && hasPalette(m_legend));
    m_search->setVisible(searchable);
    viz::LegendStyle style;
    style.theme = Theme::instance().vizTheme();
    style.maxWidth = m_maxWidth;
    style.ground = false;
    style.eyes = !m_plain && !m_folded;
    style.headRight = 4 + kHeadButton + (m_palette->isHidden() ? 0 : kHeadButton);
    style.headBelow = searchable ? kSearchHeight + 6 : 0;
    m_layout = viz::LegendLayout(shownLegend(), style);
    m_hits = m_layout.hits();
    m_pressed.reset();
    m_dropPlace.reset();
    m_hovered.reset();
    const auto again = before ? std::ranges::find(m_hits, *before) : m_hits.end();
    m_current = again == m_hits.end() ? 0 : static_cast<int>(again - m_hits.begin());
    setAccessibleName(tr("Legend: %1").arg(m_legend.title));
    QSizeF wanted = m_layout.size();
    if (searchable)
        wanted.setWidth(std::max(wanted.width(), std::min(m_maxWidth, 160.0))); // the field has its room
    wanted.setHeight(std::max(std::min(wanted.height(), m_maxHeight), std::min(m_maxHeight, m_layout.headBottom())));
    resize(wanted.toSize());
    placeParts();
    update();
}

void LegendWidget::placeParts()
{
    const int top = kCardPadding - 1;
    m_fold->move(width() - kCardPadding + 4 - kHeadButton, top);
    m_palette->move(m_fold->x() - kHeadButton, top);
    const int head = static_cast<int>(std::ceil(m_layout.headBottom()));
    m_search->setGeometry(kCardPadding, head - kSearchHeight - 6, width() - 2 * kCardPadding, kSearchHeight);
    const int hidden = static_cast<int>(std::ceil(m_layout.size().height())) - height();
    m_bar->setVisible(hidden > 0);
    m_bar->setRange(0, std::max(0, hidden));
    m_bar->setPageStep(std::max(1, height() - head));
    m_bar->setSingleStep(18);
    m_bar->setGeometry(width() - 11, head, 10, std::max(0, height() - head - kCardCorner));
}

double LegendWidget::scrolled() const
{
    return m_bar->isHidden() ? 0 : m_bar->value();
}

QPointF LegendWidget::inLayout(QPointF place) const
{
    return place.y() < m_layout.headBottom() ? place : place + QPointF(0, scrolled());
}

std::optional<QRectF> LegendWidget::placeOfEntry(const LegendHit& hit) const
{
    const auto box = m_layout.boxOf(hit);
    return box ? std::optional(box->translated(0, -scrolled())) : std::nullopt;
}

void LegendWidget::showCurrent()
{
    const auto item = current();
    const auto box = item ? m_layout.boxOf(*item) : std::nullopt;
    if (!box || m_bar->isHidden())
        return;
    const double head = m_layout.headBottom();
    if (box->top() - scrolled() < head)
        m_bar->setValue(static_cast<int>(std::floor(box->top() - head)));
    else if (box->bottom() - scrolled() > height() - kCardCorner)
        m_bar->setValue(static_cast<int>(std::ceil(box->bottom() - height() + kCardCorner)));
}

void LegendWidget::wheelEvent(QWheelEvent* event)
{
    // The map below must not zoom because the list has come to its end.
    if (!m_bar->isHidden())
    {
        const int pixels = event->pixelDelta().y();
        m_bar->setValue(m_bar->value() - (pixels != 0 ? pixels : event->angleDelta().y() / 2));
    }
    event->accept();
}

void LegendWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const viz::Inks& ink = viz::inks(Theme::instance().vizTheme());
    painter.setPen(QPen(ink.hairline, 1));
    painter.setBrush(ink.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kCardCorner, kCardCorner);
    const double head = m_layout.headBottom();
    painter.save();
    painter.setClipRect(QRectF(0, 0, width(), head));
    m_layout.paint(painter, {0, 0}, m_faded);
    painter.setClipRect(QRectF(0, head, width(), height() - head - 1));
    m_layout.paint(painter, {0, -scrolled()}, m_faded);
    paintFrames(painter);
    painter.restore();
}

/// Around what is hovered, has the keys, or is dragged.
void LegendWidget::paintFrames(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const auto frame = [&](const LegendHit& hit, const QColor& color, double thick = 1) {
        if (const auto box = placeOfEntry(hit))
        {
            painter.setPen(QPen(color, thick));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box->adjusted(-2.5, 0.5, 2.5, -0.5), 3, 3);
        }
    };
    if (m_hovered && !m_dropPlace)
        frame(*m_hovered, colors.hairline);
    if (const auto item = current(); item && hasFocus())
        frame(*item, colors.accent, 2);
    if (!m_dropPlace || !m_pressed)
        return;
    frame(*m_pressed, colors.hairline);
    painter.setPen(QPen(colors.accent, 2));
    const std::vector<LegendHit> movable = movableHits();
    const auto next = static_cast<std::size_t>(*m_dropPlace);
    const auto box = placeOfEntry(next < movable.size() ? movable[next] : movable.back());
    const bool after = next >= movable.size();
    if (box && m_pressed->kind == LegendHit::Kind::Head)
        painter.drawLine(
            QLineF(after ? box->topRight() : box->topLeft(), after ? box->bottomRight() : box->bottomLeft()));
    else if (box)
        painter.drawLine(QPointF(8, after ? box->bottom() : box->top()),
                         QPointF(width() - 8, after ? box->bottom() : box->top()));
}

void LegendWidget::addPalettes(QMenu* menu)
{
    auto* group = new QActionGroup(menu);
    for (int i = 0; i < viz::kPaletteKinds; ++i)
    {
        const auto palette = static_cast<viz::PaletteKind>(i);
        QAction* action = menu->addAction(viz::paletteName(palette));
        action->setCheckable(true);
        action->setChecked(palette == Theme::instance().palette());
        group->addAction(action);
        // The menu has closed by then: every legend is laid out anew.
        connect(
            action, &QAction::triggered, &Theme::instance(), [palette] { Theme::instance().setPalette(palette); },
            Qt::QueuedConnection);
    }
}

QMenu* LegendWidget::makeMenu(const std::optional<LegendHit>& hit)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("legendMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (hit)
    {
        const bool pale = std::ranges::find(m_faded, *hit) != m_faded.end();
        menu->addAction(tr("Only this"), this, [this, hit] { Q_EMIT isolateRequested(*hit); });
        if (!m_plain)
            menu->addAction(pale ? tr("Show") : tr("Hide"), this, [this, hit] { Q_EMIT toggleRequested(*hit); });
    }
    menu->addAction(tr("Show all"), this, &LegendWidget::showAllRequested);
    if (hit && isMovable(*hit) && placeOf(*hit))
    {
        menu->addSeparator();
        menu->addAction(tr("Move up"), this, [this, hit] { moveBy(*hit, -1); });
        menu->addAction(tr("Move down"), this, [this, hit] { moveBy(*hit, 1); });
        menu->addAction(tr("Move to the top"), this, [this, hit] { Q_EMIT moveRequested(hit->index, 0); });
    }
    if (m_reordered)
        menu->addAction(isOfLabels(m_legend) ? tr("Default order") : tr("Sort by number"), this,
                        &LegendWidget::orderResetRequested);
    menu->addSeparator();
    menu->addAction(m_folded ? tr("Expand legend") : tr("Collapse legend"), this, [this] { setFolded(!m_folded); });
    if (hasPalette(m_legend))
        addPalettes(menu->addMenu(tr("Colours of labels and heads")));
    return menu;
}

} // namespace headscope::ui
