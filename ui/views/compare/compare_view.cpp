// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/compare_view.h"

#include "model/base/random.h"
#include "ui/canvas/scatter/move_lines.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/state/border.h"
#include "ui/theme/theme.h"
#include "ui/views/compare/change_bars.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/grid/grid_contents.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kPlayMs = 1'200;
constexpr int kSliderSteps = 100;

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

CompareView::CompareView(QWidget* parent) : QWidget(parent)
{
    m_page = new QWidget(this);
    m_stack = new QStackedLayout(m_page);
    m_empty = new EmptyState(m_page);
    m_canvases = new QWidget(m_page);
    m_left = new ScatterWidget(m_canvases);
    m_left->setObjectName(QStringLiteral("compareLeft"));
    m_left->setAccessibleName(tr("Map A, or the points on their way to map B"));
    m_right = new ScatterWidget(m_canvases);
    m_right->setObjectName(QStringLiteral("compareRight"));
    m_right->setAccessibleName(tr("Map B"));
    m_right->setToolsShown(false);
    m_lines = new MoveLines(m_canvases);
    m_canvases->installEventFilter(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_canvases);
    buildHead();
    buildBar();
    connect(m_empty, &EmptyState::actionRequested, this, &CompareView::emptyActionRequested);
    connectCanvas(m_left);
    connectCanvas(m_right);
    m_lines->setPlaces([this](QPointF place, bool inB) {
        const ScatterWidget* canvas = inB && m_layoutKind == Layout::SideBySide ? m_right : m_left;
        return canvas->view().screenFromData(place) + QPointF(canvas->pos());
    });
    m_animation.setDuration(kPlayMs);
    m_animation.setEasingCurve(QEasingCurve::InOutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& value) { setShare(value.toDouble()); });
    connect(&m_animation, &QVariantAnimation::stateChanged, this, [this](QAbstractAnimation::State state) {
        m_play->setIcon(Theme::instance().icon(state == QAbstractAnimation::Running ? QStringLiteral("pause")
                                                                                    : QStringLiteral("play")));
    });
    refreshLayout();
    m_head->hide();
    m_bar->hide();
}

CompareView::~CompareView()
{
    m_canvases->removeEventFilter(this);
}

void CompareView::connectCanvas(ScatterWidget* canvas)
{
    connect(canvas, &ScatterWidget::documentClicked, this, &CompareView::documentClicked);
    connect(canvas, &ScatterWidget::documentsPicked, this, &CompareView::documentsPicked);
    connect(canvas, &ScatterWidget::pointsPicked, this, &CompareView::pointsPicked);
    connect(canvas, &ScatterWidget::documentHovered, this, &CompareView::documentHovered);
    connect(canvas, &ScatterWidget::choiceCleared, this, &CompareView::choiceCleared);
    canvas->setFitPartner(canvas == m_left ? m_right : m_left);
    connect(canvas, &ScatterWidget::cardsChanged, this, [this] {
        if (m_fitted && m_pair != nullptr)
            fitBoth();
    });
    connect(canvas, &ScatterWidget::viewChanged, this, [this, canvas] {
        // A canvas that has only another size is fitted again (eventFilter).
        m_fitted = m_fitted && (m_following || m_left->size() != m_fittedSize);
        m_lines->update();
        ScatterWidget* other = canvas == m_left ? m_right : m_left;
        if (m_following || m_layoutKind != Layout::SideBySide || m_pair == nullptr)
            return;
        m_following = true;
        other->setView(canvas->view().resized(QSizeF(other->size())));
        m_following = false;
    });
    connect(canvas, &ScatterWidget::toolChanged, this, [this, canvas] {
        if (canvas == m_left && m_right->tool() != m_left->tool())
            m_right->setTool(m_left->tool());
        (canvas == m_left ? m_right : m_left)->setPicks(canvas->picks());
    });
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
    if (pair != nullptr && !Border::instance().admits(*pair))
        pair = nullptr;
    m_animation.stop();
    m_pair = std::move(pair);
    m_lines->setPair(m_pair);
    m_sample.clear();
    m_bar->setVisible(m_pair != nullptr);
    if (m_pair == nullptr)
    {
        m_left->setMap(nullptr);
        m_right->setMap(nullptr);
        m_match->setFullText({});
        return m_stack->setCurrentWidget(m_empty);
    }
    const std::int64_t count = m_pair->xyA.rows();
    m_sample = permutation(count, CounterRandom(1));
    m_sample.resize(static_cast<std::size_t>(std::min(count, kSampleLines)));
    m_stack->setCurrentWidget(m_canvases);
    m_bars->setDifference(m_pair->difference);
    m_match->setFullText(matchText());
    m_match->setTip(m_pair->match == MapMatch::Points ? tr("Points matched by document and number of the head or "
                                                           "segment; r: Procrustes correlation of the two maps")
                                                      : tr("The maps show different heads or segments: matched by "
                                                           "document; r: Procrustes correlation of the two maps"));
    m_changed->setText(changedText());
    m_changed->setToolTip(tr("Of the %1 nearest neighbours in A, the mean share that is not among those in B")
                              .arg(m_pair->difference.neighbors));
    for (ScatterWidget* canvas : {m_left, m_right})
        canvas->setAlsoFitted(unionBounds(*m_pair));
    m_left->setMap(mapAt(m_layoutKind == Layout::SideBySide ? 0 : m_share));
    m_right->setMap(mapAt(1));
    showChosen();
    fitBoth();
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
    text += m_layoutKind == Layout::SideBySide
                ? tr("; side by side")
                : tr("; %1 % of the way from A to B").arg(static_cast<int>(std::lround(100 * m_share)));
    if (!m_chosen.empty())
        text += tr("; %1 chosen").arg(countText(std::ssize(m_chosen), tr("document"), tr("documents")));
    setAccessibleDescription(text);
}

void CompareView::fitBoth()
{
    m_following = true;
    const QRectF all = unionBounds(*m_pair);
    for (ScatterWidget* canvas : {m_left, m_right})
        canvas->setView(canvas->viewOf(all));
    m_following = false;
    m_fitted = true;
    m_fittedSize = m_left->size();
    m_lines->update();
}

void CompareView::setEmpty(const QString& title, const QString& text, const QString& action, bool isError)
{
    m_empty->setMessage(title, text, action, isError);
}

void CompareView::setColors(const std::vector<ColorOption>& colors)
{
    const QString before = color();
    const QSignalBlocker quiet(m_color);
    m_color->clear();
    for (const ColorOption& option : colors)
        m_color->addItem(option.title, option.id);
    m_color->setCurrentIndex(std::max(0, m_color->findData(before)));
}

QString CompareView::color() const
{
    return m_color->currentData().toString();
}

void CompareView::setColor(const QString& id)
{
    if (const int at = m_color->findData(id); at >= 0)
        m_color->setCurrentIndex(at);
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
    m_chosen = documents;
    m_chosenPoints = std::move(points);
    showChosen();
    refreshLines();
    describe();
}

void CompareView::showChosen()
{
    // Points matched by document alone are of no head.
    const bool offered = m_pair != nullptr && m_pair->match == MapMatch::Points && !viz::isFullMap(*m_pair->a);
    for (ScatterWidget* canvas : {m_left, m_right})
    {
        canvas->setPointsOffered(offered);
        canvas->setChosen(m_chosen, offered ? m_chosenPoints : nullptr);
    }
}

void CompareView::setShownOnly(const std::vector<std::int64_t>& documents)
{
    m_shownOnly = documents;
    m_left->setShownOnly(documents);
    m_right->setShownOnly(documents);
    refreshLines();
}

void CompareView::setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head)
{
    m_primary = document;
    m_left->setPrimary(document, head);
    m_right->setPrimary(document, head);
    refreshLines();
}

void CompareView::setHovered(std::optional<std::int64_t> document)
{
    m_hovered = document;
    m_left->setHovered(document);
    m_right->setHovered(document);
    refreshLines();
}

void CompareView::refreshLines()
{
    if (m_pair == nullptr)
        return;
    std::vector<std::int64_t> pale;
    std::vector<std::int64_t> strong;
    std::int64_t chosen = 0;
    const PointSet* byPoint = m_left->chosenPoints().get();
    if (m_linesKind != Lines::None)
        for (std::size_t i = 0; i < m_pair->points->document.size(); ++i)
        {
            const std::int64_t document = m_pair->points->document[i];
            if (!m_shownOnly.empty() && !std::binary_search(m_shownOnly.begin(), m_shownOnly.end(), document))
                continue; // a line would lead from nowhere to nowhere
            if (document == m_primary || document == m_hovered)
                strong.push_back(static_cast<std::int64_t>(i));
            else if (std::binary_search(m_chosen.begin(), m_chosen.end(), document) &&
                     (byPoint == nullptr || byPoint->contains(document, m_pair->points->head[i])) &&
                     chosen++ < kMostChosenLines)
                pale.push_back(static_cast<std::int64_t>(i));
        }
    QString badge;
    if (m_linesKind == Lines::Sample && m_chosen.empty())
    {
        for (const std::int64_t point : m_sample)
            if (m_shownOnly.empty() || std::binary_search(m_shownOnly.begin(), m_shownOnly.end(),
                                                          m_pair->points->document[static_cast<std::size_t>(point)]))
                pale.push_back(point);
        if (static_cast<std::int64_t>(m_sample.size()) < m_pair->xyA.rows())
            badge = tr("lines of %1 of %2 points").arg(countText(std::ssize(pale)), countText(m_pair->xyA.rows()));
    }
    else if (chosen > kMostChosenLines)
        badge = tr("lines of %1 of %2 chosen points").arg(countText(kMostChosenLines), countText(chosen));
    m_lines->setPoints(std::move(pale), std::move(strong));
    m_lines->setBadge(badge);
}

void CompareView::setLinesKind(Lines lines)
{
    m_linesKind = lines;
    const QSignalBlocker quiet(m_linesBox);
    m_linesBox->setCurrentIndex(m_linesBox->findData(static_cast<int>(lines)));
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
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(std::lround(m_share * kSliderSteps)));
    m_place->setText(tr("%1 %").arg(std::lround(100 * m_share)));
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
    fitBoth();
}

void CompareView::refreshLayout()
{
    const bool side = m_layoutKind == Layout::SideBySide;
    m_morph->setChecked(!side);
    m_side->setChecked(side);
    m_right->setVisible(side);
    m_gap->setVisible(side);
    m_left->setLegendShown(!side); // one legend is enough: that of B
    for (QWidget* widget : std::initializer_list<QWidget*>{m_play, m_slider, m_place})
        widget->setVisible(!side);
    placeOverlay();
}

void CompareView::placeOverlay()
{
    m_lines->setGeometry(m_canvases->rect());
    m_lines->raise();
}

bool CompareView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_canvases && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
    {
        placeOverlay();
        if (m_fitted && m_pair != nullptr)
            fitBoth();
    }
    return QWidget::eventFilter(watched, event);
}

QString CompareView::matchText() const
{
    if (m_pair == nullptr)
        return {};
    const QString dot = QStringLiteral(" · ");
    const MapPair& pair = *m_pair;
    const std::int64_t count = pair.xyA.rows();
    QString text = pair.match == MapMatch::Points ? countText(count, tr("point"), tr("points"))
                                                  : countText(count, tr("document"), tr("documents"));
    if (pair.onlyInA > 0)
        text += dot % tr("%1 only in A").arg(countText(pair.onlyInA));
    if (pair.onlyInB > 0)
        text += dot % tr("%1 only in B").arg(countText(pair.onlyInB));
    return text % dot % tr("r %1").arg(pair.correlation, 0, 'f', 2);
}

QString CompareView::changedText() const
{
    if (m_pair == nullptr)
        return {};
    return tr("%1 % changed").arg(QString::number(100 * m_pair->difference.mean, 'f', 0));
}

} // namespace headscope::ui
