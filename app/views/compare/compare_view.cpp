// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_view.h"

#include "app/views/compare/canvas_pair.h"
#include "app/views/compare/compare_bar.h"
#include "app/views/compare/compare_head.h"
#include "app/views/compare/pair_text.h"
#include "ui/canvas/scatter/move_lines.h"
#include "ui/canvas/scatter/scatter_tools.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/state/bind_canvas.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/grid/grid_contents.h"

#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kPlayMs = 1'200;

QRectF unionBounds(const MapPair& pair)
{
    QRectF all;
    bool any = false;
    for (const MatrixF* xy : {&pair.xyA, &pair.xyB})
        if (const auto bounds = viz::dataBounds(xy->values()))
        {
            all =
                any ? QRectF(QPointF(std::min(all.left(), bounds->left()), std::min(all.top(), bounds->top())),
                             QPointF(std::max(all.right(), bounds->right()), std::max(all.bottom(), bounds->bottom())))
                    : *bounds;
            any = true;
        }
    return all;
}

} // namespace

CompareView::CompareView(QWidget* parent) : View(parent)
{
    m_page = new QWidget(this);
    m_stack = new QStackedLayout(m_page);
    m_empty = new EmptyState(m_page);
    m_canvases = new CanvasPair(m_page);
    m_left = m_canvases->left();
    m_right = m_canvases->right();
    m_lines = m_canvases->lines();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_canvases);
    m_head = new CompareHead(this);
    m_bar = new CompareBar(this);
    bind(viewState(), QStringLiteral("scatter0"), *m_left);
    bind(viewState(), QStringLiteral("scatter1"), *m_right);
    m_head->bindTo(viewState());
    m_bar->bindTo(viewState());
    layOut();
    connectControls();
    useEmptyState(m_empty);
    connectCanvas(m_left);
    connectCanvas(m_right);
    m_animation.setDuration(kPlayMs);
    m_animation.setEasingCurve(QEasingCurve::InOutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& value) { setShare(value.toDouble()); });
    connect(&m_animation, &QVariantAnimation::stateChanged, this,
            [this](QAbstractAnimation::State state) { m_bar->showPlaying(state == QAbstractAnimation::Running); });
    refreshLayout();
    m_head->hide();
    m_bar->hide();
}

CompareView::~CompareView() = default;

bool CompareView::catchingUp() const
{
    return m_left->catchingUp() || m_right->catchingUp();
}

void CompareView::layOut()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_page, 1);
    layout->addWidget(m_bar);
}

void CompareView::connectControls()
{
    connect(m_head, &CompareHead::choiceChanged, this, &CompareView::choiceChanged);
    connect(m_head, &CompareHead::sideBySideAsked, this,
            [this](bool side) { setLayoutKind(side ? Layout::SideBySide : Layout::Morph); });
    connect(m_bar, &CompareBar::playClicked, this, &CompareView::play);
    connect(m_bar, &CompareBar::shareMoved, this, [this](double share) {
        m_animation.stop();
        setShare(share);
    });
    connect(m_bar, &CompareBar::floorRequested, this, &CompareView::floorRequested);
    connect(m_bar, &CompareBar::linesChosen, this, &CompareView::setLinesKind);
    connect(m_bar, &CompareBar::colorChanged, this, &CompareView::colorChanged);
}

void CompareView::connectCanvas(ScatterWidget* canvas)
{
    connect(canvas, &ScatterWidget::documentClicked, this, &CompareView::documentClicked);
    connect(canvas, &ScatterWidget::documentsPicked, this, &CompareView::documentsPicked);
    connect(canvas, &ScatterWidget::pointsPicked, this, &CompareView::pointsPicked);
    connect(canvas, &ScatterWidget::documentHovered, this, &CompareView::documentHovered);
    connect(canvas, &ScatterWidget::choiceCleared, this, &CompareView::choiceCleared);
}

std::shared_ptr<const HeadMap> CompareView::mapAt(double share) const
{
    auto map = std::make_shared<HeadMap>();
    map->points = m_pair->points;
    map->stage = m_pair->a->stage;
    map->layer = m_pair->a->layer;
    map->options = m_pair->a->options;
    map->iteration = m_pair->a->iteration;
    map->xy = m_pair->xyA;
    const auto t = static_cast<float>(share);
    for (std::size_t i = 0; i < map->xy.values().size(); ++i)
        map->xy.values()[i] += t * (m_pair->xyB.values()[i] - m_pair->xyA.values()[i]);
    return map;
}

void CompareView::setPair(std::shared_ptr<const MapPair> pair)
{
    if (pair != nullptr && !OriginGuard::instance().admits(*pair))
        pair = nullptr;
    m_animation.stop();
    m_pair = std::move(pair);
    m_canvases->setBounds(m_pair == nullptr ? std::nullopt : std::optional(unionBounds(*m_pair)));
    m_lines->setPair(m_pair);
    m_choice.sample.clear();
    m_bar->setVisible(m_pair != nullptr);
    if (m_pair == nullptr)
    {
        m_left->setMap(nullptr);
        m_right->setMap(nullptr);
        m_head->setMatch({}, {});
        return m_stack->setCurrentWidget(m_empty);
    }
    m_choice.sample = sampleOfPoints(m_pair->xyA.rows());
    m_stack->setCurrentWidget(m_canvases);
    const QString floor = floorText();
    m_bar->setDifference(m_pair->difference,
                         floor.isEmpty() ? changedText() : changedText() % QStringLiteral(" · ") % floor,
                         PairWords::differenceTip(*m_pair));
    for (ScatterWidget* canvas : {m_left, m_right})
        canvas->setAlsoFitted(unionBounds(*m_pair));
    m_left->setMap(mapAt(m_layoutKind == Layout::SideBySide ? 0 : m_share));
    m_right->setMap(mapAt(1));
    showHeads();
    showChosen();
    m_canvases->fit();
    refreshLines();
    describe();
}

void CompareView::describe()
{
    setAccessibleName(tr("Comparison of two maps"));
    if (m_pair == nullptr)
        return setAccessibleDescription(tr("empty"));
    QString text = tr("%1 and %2: %3, neighbours %4")
                       .arg(viz::mapTitle(*m_pair->a), viz::mapTitle(*m_pair->b), matchText(), changedText());
    if (const QString floor = floorText(); !floor.isEmpty())
        text += QStringLiteral(", ") % floor;
    text += m_layoutKind == Layout::SideBySide
                ? tr("; side by side")
                : tr("; %1% of the way from A to B").arg(static_cast<int>(std::lround(100 * m_share)));
    if (!m_choice.chosen.empty())
        text += tr("; %1 selected").arg(countText(std::ssize(m_choice.chosen), tr("document"), tr("documents")));
    setAccessibleDescription(text);
}

void CompareView::setOptions(const std::vector<MapOption>& maps)
{
    m_head->setOptions(maps, m_pair != nullptr && isVisible());
}

QString CompareView::idA() const
{
    return m_head->idA();
}

QString CompareView::idB() const
{
    return m_head->idB();
}

void CompareView::choose(const QString& a, const QString& b)
{
    m_head->choose(a, b);
}

void CompareView::swap()
{
    m_head->swap();
}

void CompareView::setColors(const std::vector<ColorOption>& colors)
{
    m_bar->setColors(colors);
}

QString CompareView::color() const
{
    return m_bar->color();
}

void CompareView::setColor(const QString& id)
{
    m_bar->setColor(id);
}

void CompareView::setColoring(const viz::PointColoring& coloring)
{
    m_left->setColoring(coloring);
    m_right->setColoring(coloring);
}

void CompareView::setThreads(int threads)
{
    m_left->setThreads(threads);
    m_right->setThreads(threads);
}

void CompareView::setCardSource(const std::function<HoverContent(std::int64_t)>& source)
{
    m_left->setCardSource(source);
    m_right->setCardSource(source);
}

void CompareView::setChosen(const std::vector<std::int64_t>& documents, std::shared_ptr<const PointSet> points)
{
    m_choice.chosen = documents;
    m_choice.points = std::move(points);
    showChosen();
    refreshLines();
    describe();
}

void CompareView::showChosen()
{
    const bool offered = pointsAreOfHeads();
    for (ScatterWidget* canvas : {m_left, m_right})
    {
        canvas->tools()->setPointsOffered(offered);
        canvas->setChosen(m_choice.chosen, offered ? m_choice.points : nullptr);
    }
}

void CompareView::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_shownHeads = heads;
    showHeads();
}

void CompareView::showHeads()
{
    if (m_pair == nullptr)
        return;
    for (ScatterWidget* canvas : {m_left, m_right})
    {
        const auto map = canvas->map();
        if (map == nullptr)
            continue;
        const std::vector<std::int64_t> all(map->points->head.begin(), map->points->head.end());
        canvas->setShownHeads(pointsAreOfHeads() && m_shownHeads ? *m_shownHeads : all);
    }
    m_head->setMatch(
        matchText(),
        m_pair->match == MapMatch::Points
            ? tr("Points are matched by document and by head (or segment). r: Procrustes correlation of the two maps")
            : tr("The maps show different heads or segments, so points are matched by "
                 "document. r: Procrustes correlation of the two maps"));
    describe();
}

std::int64_t CompareView::hiddenPoints() const
{
    if (!pointsAreOfHeads() || !m_shownHeads || m_pair->points == nullptr)
        return 0;
    return std::ranges::count_if(m_pair->points->head, [this](std::int32_t head) {
        return std::ranges::find(*m_shownHeads, head) == m_shownHeads->end();
    });
}

bool CompareView::pointsAreOfHeads() const
{
    // Points matched by document alone are of no head.
    return m_pair != nullptr && m_pair->match == MapMatch::Points && !viz::isFullMap(*m_pair->a);
}

void CompareView::setShownOnly(const std::vector<std::int64_t>& documents)
{
    m_choice.shownOnly = documents;
    m_left->setShownOnly(documents);
    m_right->setShownOnly(documents);
    refreshLines();
}

void CompareView::setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head)
{
    m_choice.primary = document;
    m_left->setPrimary(document, head);
    m_right->setPrimary(document, head);
    refreshLines();
}

void CompareView::setHovered(std::optional<DocumentIndex> document)
{
    m_choice.hovered = document;
    m_left->setHovered(document);
    m_right->setHovered(document);
    refreshLines();
}

void CompareView::refreshLines()
{
    if (m_pair == nullptr)
        return;
    CompareLinePoints lines = linePoints(*m_pair, m_choice, m_left->points().chosenPoints().get());
    m_lines->setPoints(std::move(lines.pale), std::move(lines.strong));
    m_lines->setBadge(lines.badge);
}

void CompareView::setLinesKind(Lines lines)
{
    m_choice.lines = lines;
    m_bar->showLines(lines);
    refreshLines();
}

void CompareView::setShare(double share)
{
    share = std::clamp(share, 0.0, 1.0);
    if (share == m_share)
        return;
    m_share = share;
    describe();
    showShare();
}

void CompareView::showShare()
{
    m_bar->showShare(m_share);
    if (m_pair != nullptr && m_layoutKind == Layout::Morph)
        m_left->setMap(mapAt(m_share));
}

void CompareView::play()
{
    if (m_animation.state() == QAbstractAnimation::Running)
        return m_animation.stop();
    m_animation.setStartValue(m_share);
    m_animation.setEndValue(m_share < 0.5 ? 1.0 : 0.0);
    m_animation.start();
}

void CompareView::setLayoutKind(Layout layout)
{
    if (std::exchange(m_layoutKind, layout) == layout)
        return refreshLayout();
    m_animation.stop();
    refreshLayout();
    if (m_pair == nullptr)
        return;
    m_left->setMap(mapAt(layout == Layout::SideBySide ? 0 : m_share));
    m_canvases->layout()->activate(); // the canvases have their new sizes before they are fitted
    m_canvases->fit();
}

void CompareView::refreshLayout()
{
    const bool side = m_layoutKind == Layout::SideBySide;
    m_head->showSideBySide(side);
    m_canvases->setSideBySide(side);
    m_bar->setShareShown(!side);
}

QString CompareView::matchText() const
{
    if (m_pair == nullptr)
        return {};
    const std::int64_t hidden = hiddenPoints();
    const QString text = PairWords::match(*m_pair);
    if (hidden == 0)
        return text;
    return tr("%1 (of all heads; %2 hidden)").arg(text, countText(hidden, tr("point"), tr("points")));
}

QString CompareView::changedText() const
{
    return m_pair == nullptr ? QString() : PairWords::changed(*m_pair);
}

QString CompareView::floorText() const
{
    return m_pair == nullptr ? QString() : PairWords::floor(*m_pair);
}

void CompareView::setFloorable(bool floorable)
{
    m_bar->setFloorable(floorable);
}

} // namespace headscope::ui
