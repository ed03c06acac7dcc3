// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_view.h"

#include "model/data/maps/map_state.h"
#include "model/data/maps/map_text.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/models/run_list_model.h"
#include "ui/settings/run_steps.h"
#include "ui/state/bind_canvas.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace headscope::ui
{
namespace
{

const QString kDot = QStringLiteral(" · ");
const QString kBetweenNumbers = QStringLiteral("   ");
constexpr int kMinBar = 320;     ///< the bar asks for no more, whatever it tells
constexpr int kMinProgress = 24; ///< shorter it says nothing
constexpr int kNewProgress = 48; ///< what it needs to come back, so that it does not come and go with a digit
constexpr int kMaxProgress = 168;

} // namespace

MapView::MapView(QWidget* parent) : View(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* page = new QWidget(this);
    m_stack = new QStackedLayout(page);
    m_scatter = new ScatterWidget(page);
    m_empty = new EmptyState(page);
    m_stack->addWidget(m_empty);
    m_noHeads = makeNoHeadsState(page);
    m_stack->addWidget(m_scatter);
    m_stack->addWidget(m_noHeads);
    layout->addWidget(page, 1);
    buildBar();
    layout->addWidget(m_bar);
    connect(m_scatter, &ScatterWidget::shownChanged, this, &MapView::refreshShown);
    useEmptyState(m_empty, m_noHeads);
    bind(viewState(), QStringLiteral("scatter0"), *m_scatter);
    bind(viewState(), QStringLiteral("mapMode"), *m_mode);
    refreshBar();
}

bool MapView::catchingUp() const
{
    return m_scatter->catchingUp() || (m_awaited && m_awaited());
}

void MapView::buildBar()
{
    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bar"));
    bar->setFixedHeight(42);
    bar->setMinimumWidth(kMinBar); // numbers that change must not move the window's least width
    m_bar = bar;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    layout->setSpacing(Metrics::kRelated);
    m_pause = new QPushButton(bar);
    m_pause->setObjectName(QStringLiteral("mapPause"));
    m_pause->setProperty("square", true);
    m_stop = new QPushButton(bar);
    m_stop->setObjectName(QStringLiteral("mapStop"));
    m_stop->setProperty("square", true);
    m_stop->setToolTip(tr("Stop the run and use the current map"));
    m_stop->setAccessibleName(tr("Stop"));
    m_more = new QPushButton(tr("More"), bar);
    m_more->setObjectName(QStringLiteral("mapMore"));
    m_more->setToolTip(tr("Continue from this map with more iterations or another exaggeration"));
    m_more->setMenu(buildMoreMenu());
    m_progress = new QProgressBar(bar);
    m_progress->setTextVisible(false);
    m_progress->setMinimumWidth(kMinProgress);
    m_progress->setMaximumWidth(kMaxProgress);
    m_progress->setAccessibleName(tr("Progress of the map"));
    m_iterations = new QLabel(bar);
    m_iterations->setObjectName(QStringLiteral("mapIterations"));
    m_numbers = makeMutedLabel({}, bar);
    m_numbers->setObjectName(QStringLiteral("mapNumbers"));
    buildModes(bar);
    m_shown = new ElidedLabel({}, bar);
    m_shown->setProperty("role", QStringLiteral("muted"));
    m_shown->setObjectName(QStringLiteral("mapShown"));
    m_shown->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QLabel* label : std::initializer_list<QLabel*>{m_iterations, m_numbers})
        label->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_pause, m_stop, m_more, m_progress, m_iterations})
        layout->addWidget(widget, 0, Qt::AlignVCenter);
    layout->addWidget(m_numbers);
    layout->addWidget(m_shown, 1);
    layout->addStretch(); // where what is shown has no room
    layout->addWidget(m_mode, 0, Qt::AlignVCenter);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_state == MapRunState::Running)
            Q_EMIT pauseRequested();
        else
            Q_EMIT continueRequested();
    });
    connect(m_stop, &QPushButton::clicked, this, &MapView::stopRequested);
    onThemeChange(this, [this] {
        // A run refreshes the bar many times a second: it draws no icon anew.
        m_pauseIcon = Theme::instance().icon(QStringLiteral("pause"));
        m_playIcon = Theme::instance().icon(QStringLiteral("play"));
        m_stop->setIcon(Theme::instance().icon(QStringLiteral("stop")));
        refreshBar();
    });
}

void MapView::buildModes(QWidget* bar)
{
    m_mode = new QComboBox(bar);
    m_mode->setObjectName(QStringLiteral("mapMode"));
    m_mode->setAccessibleName(tr("How points are drawn"));
    const std::tuple<QString, QString, viz::ScatterMode> modes[] = {
        {tr("Dots"), tr("Every point is a marker. Colours mix where markers overlap."), viz::ScatterMode::Dots},
        {tr("Density"), tr("Number of points at each place regardless of colour, shaded by rank"),
         viz::ScatterMode::Density},
        {tr("Mean colour"), tr("Mean colour of the points at each place, fainter where there are few points"),
         viz::ScatterMode::MeanColor},
        {tr("Contours"),
         tr("For every colour, the densest areas that hold 50% and 90% of the visible points of that colour"),
         viz::ScatterMode::Contours}};
    for (const auto& [name, tip, mode] : modes)
    {
        m_mode->addItem(name, QVariant::fromValue(static_cast<int>(mode)));
        m_mode->setItemData(m_mode->count() - 1, tip, Qt::ToolTipRole);
    }
    connect(m_mode, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_mode->setToolTip(m_mode->itemData(index, Qt::ToolTipRole).toString());
        m_scatter->setMode(static_cast<viz::ScatterMode>(m_mode->itemData(index).toInt()));
    });
    m_mode->setToolTip(m_mode->itemData(0, Qt::ToolTipRole).toString());
}

QMenu* MapView::buildMoreMenu()
{
    constexpr int kMoreIterations = RunSteps().moreIterations;
    auto* menu = new QMenu(this);
    for (const double exaggeration : {1.0, 2.0, 4.0})
    {
        const QString text = exaggeration == 1.0
                                 ? tr("%1 more iterations").arg(kMoreIterations)
                                 : tr("%1 more, exaggeration %2").arg(kMoreIterations).arg(exaggeration);
        menu->addAction(text, this, [this, exaggeration] { Q_EMIT goOnRequested(kMoreIterations, exaggeration); });
    }
    return menu;
}

void MapView::setMap(std::shared_ptr<const HeadMap> map)
{
    if (map != nullptr && !OriginGuard::instance().admits(*map))
        map = nullptr;
    m_scatter->setMap(std::move(map));
    refreshShown();
    refreshBar();
}

void MapView::setRun(MapRunState state, const MapRunProgress& progress)
{
    m_state = state;
    m_run = progress;
    refreshBar();
}

void MapView::setLookedBack(bool back)
{
    if (std::exchange(m_lookedBack, back) == back && !back)
        return;
    refreshBar();
}

QString MapView::shownText() const
{
    const auto map = m_scatter->map();
    if (map == nullptr)
        return {};
    const viz::PointStates& states = m_scatter->points();
    const std::int64_t count = states.count();
    QString text = countText(count, tr("point"), tr("points")) % kDot;
    text += states.shownCount() == count ? tr("all shown") : tr("%1 shown").arg(countText(states.shownCount()));
    const std::int64_t chosen = states.chosenDocuments();
    const QString lit = m_scatter->litText();
    if (const auto& points = states.chosenPoints())
        text += kDot % tr("%1 of %2 selected")
                           .arg(countText(points->count(), tr("point"), tr("points")),
                                countText(chosen, tr("document"), tr("documents")));
    else if (chosen > 0 && !lit.isEmpty())
        text += kDot % tr("%1 selected").arg(countText(chosen, tr("document"), tr("documents")));
    else if (chosen > 0)
        text += kDot % (states.shownCount() == count ? tr("%1 selected, all their points highlighted")
                                                     : tr("%1 selected, their visible points highlighted"))
                           .arg(countText(chosen, tr("document"), tr("documents")));
    if (!lit.isEmpty())
        text += kDot % lit;
    if (const std::int64_t nowhere = m_scatter->notFiniteCount(); nowhere > 0)
        text += kDot % tr("%1 without a position (not finite)").arg(countText(nowhere));
    if (map->equalPoints > 0)
        text += kDot % tr("%1 with the same vector as an earlier point").arg(countText(map->equalPoints));
    if (map->leftOut > 0)
        text += kDot % tr("%1 excluded (not finite)").arg(countText(map->leftOut));
    if (isExaggerated(*map))
        text += kDot % tr("during early exaggeration");
    if (map->options.affinities == TsneAffinities::Dense)
        text += kDot % tr("dense affinities");
    if (!map->options.perplexities.empty())
        text += kDot % tr("perplexity %1").arg(perplexityText(map->options));
    return text % kDot % toQString(startText(*map));
}

void MapView::showPage()
{
    QWidget* page = m_scatter;
    if (m_scatter->map() == nullptr)
        page = m_empty;
    else if (m_scatter->points().noHeadShown())
    {
        sayNoHeads(*m_noHeads, m_scatter->map()->stage);
        page = m_noHeads;
    }
    if (m_stack->currentWidget() != page)
        m_stack->setCurrentWidget(page);
}

void MapView::refreshShown()
{
    showPage();
    m_shown->setFullText(shownText());
    fitBar();
}

void MapView::refreshBar()
{
    const bool active = m_state == MapRunState::Running || m_state == MapRunState::Paused;
    const bool mayGoOn = m_state == MapRunState::Paused || m_state == MapRunState::Stopped;
    m_bar->setVisible(m_state != MapRunState::None || m_scatter->map() != nullptr);
    m_mode->setVisible(m_scatter->map() != nullptr);
    m_pause->setVisible(active || mayGoOn);
    m_stop->setVisible(active);
    m_more->setVisible(m_state == MapRunState::Stopped || m_state == MapRunState::Finished);
    const QString verb = m_state == MapRunState::Running ? tr("Pause the run") : tr("Continue the run");
    m_pause->setToolTip(verb);
    m_pause->setAccessibleName(verb);
    m_pause->setIcon(m_state == MapRunState::Running ? m_pauseIcon : m_playIcon);

    const bool counting = m_run.iteration > 0 || m_run.stage.isEmpty();
    m_progress->setRange(0, counting ? std::max(1, m_run.iterations) : 0);
    m_progress->setValue(m_run.iteration);
    m_facts.clear();
    const auto map = m_scatter->map();
    const bool back = m_lookedBack && map != nullptr;
    const int done = (active || m_state == MapRunState::Stopped) && !back ? m_run.iteration : map ? map->iteration : 0;
    const double kl = m_run.iteration > 0 && !back ? m_run.kl : map ? map->kl : std::nan("");
    if (back)
        m_iterations->setText(tr("iteration %1 of %2").arg(countText(done), countText(m_run.iteration)));
    else if (!counting && active)
        m_iterations->setText(m_run.stage);
    else if (active || m_state == MapRunState::Stopped)
        m_iterations->setText(countText(done) % QStringLiteral(" / ") % countText(m_run.iterations));
    else if (map != nullptr && wasStopped(*map))
        m_iterations->setText(
            tr("stopped at %1 of %2 iterations").arg(countText(done), countText(map->options.iterations)));
    else
        m_iterations->setText(done > 0 ? countText(done, tr("iteration"), tr("iterations")) : QString());
    if (std::isfinite(kl) && kl > 0)
        m_facts << (!active && map != nullptr && map->options.affinities == TsneAffinities::Dense ? tr("KL %1 (dense)")
                                                                                                  : tr("KL %1"))
                           .arg(QLocale().toString(kl, 'f', 2)) %
                       (active && m_run.klFalls && !back ? QStringLiteral(" ↓") : QString());
    if (m_state == MapRunState::Running && m_run.rate > 0)
        m_facts << rateText(m_run.rate, tr("it"));
    if (m_state == MapRunState::Running && m_run.eta >= 0)
        m_facts << tr("%1 left").arg(durationText(m_run.eta));
    if (m_state == MapRunState::Paused)
        m_facts << tr("paused");
    if (m_state == MapRunState::Stopped)
        m_facts << tr("stopped");
    fitBar();
}

void MapView::fitBar()
{
    const QMargins margins = m_bar->layout()->contentsMargins();
    int room = width() - margins.left() - margins.right() + Metrics::kRelated;
    const auto take = [&room](int width) { room -= width > 0 ? width + Metrics::kRelated : 0; };
    for (const QWidget* widget : std::initializer_list<const QWidget*>{m_pause, m_stop, m_more, m_mode})
        take(widget->isHidden() ? 0 : widget->sizeHint().width());
    m_iterations->setVisible(!m_iterations->text().isEmpty());
    take(m_iterations->isHidden() ? 0 : m_iterations->sizeHint().width());
    QStringList facts = m_facts;
    QString numbers = facts.join(kBetweenNumbers);
    while (facts.size() > 1 && m_numbers->fontMetrics().horizontalAdvance(numbers) + Metrics::kRelated > room)
    {
        facts.removeLast();
        numbers = facts.join(kBetweenNumbers) % QStringLiteral(" …");
    }
    m_numbers->setText(numbers);
    m_numbers->setToolTip(facts.size() < m_facts.size() ? m_facts.join(kBetweenNumbers) : QString());
    m_numbers->setVisible(!numbers.isEmpty());
    take(numbers.isEmpty() ? 0 : m_numbers->sizeHint().width());
    const int shown = m_shown->minimumSizeHint().width() + Metrics::kRelated;
    m_shown->setVisible(room >= shown);
    const bool unfinished =
        m_state == MapRunState::Running || m_state == MapRunState::Paused || m_state == MapRunState::Stopped;
    const int least = m_progress->isHidden() ? kNewProgress : kMinProgress;
    m_progress->setVisible(unfinished && room >= shown + least + Metrics::kRelated);
}

void MapView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitBar();
}

} // namespace headscope::ui
