// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/run_panel.h"

#include "ui/canvas/picture_widget.h"
#include "ui/charts/kl_chart.h"
#include "ui/panels/runs/run_form.h"
#include "ui/panels/runs/run_list.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headscope::ui
{
namespace
{

constexpr int kPanelWidth = 268;
constexpr std::string_view kGroup = "map/"; ///< of the settings

QPushButton* makeButton(const QString& name, const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setAccessibleName(text.isEmpty() ? tip : text);
    button->setToolTip(tip);
    return button;
}

QString stateText(MapRunState state, const MapRunProgress& progress)
{
    const QString done = countText(progress.iteration) % QStringLiteral(" / ") % countText(progress.iterations);
    switch (state)
    {
    case MapRunState::None:
        return {};
    case MapRunState::Running:
        return progress.iteration > 0 || progress.stage.isEmpty() ? done : progress.stage;
    case MapRunState::Paused:
        return RunPanel::tr("paused, %1").arg(done);
    case MapRunState::Stopped:
        return RunPanel::tr("stopped, %1").arg(done);
    case MapRunState::Finished:
        return RunPanel::tr("finished, %1").arg(done);
    }
    return {};
}

} // namespace

RunPanel::RunPanel(Settings& settings, MapLibrary& library, QWidget* parent)
    : QScrollArea(parent), m_settings(settings), m_library(&library),
      m_stepFields([this](Fields& f) { fields(f, m_steps); }, QStringLiteral("run"), this)
{
    setObjectName(QStringLiteral("runPanel"));
    setAccessibleName(tr("Map run"));
    setAccessibleDescription(tr("The current run, the parameters of the next one, and all saved maps"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // its controls have it
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(kPanelWidth);
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    m_title = new SectionLabel(tr("Map run"), page);
    layout->addWidget(m_title);
    buildControls(layout);
    buildHistory(layout);
    layout->addSpacing(Metrics::kRelated);
    layout->addWidget(new SectionLabel(tr("Parameters"), page));
    m_form = new RunForm(settings, page);
    layout->addWidget(m_form);
    layout->addSpacing(Metrics::kRelated);
    buildKept(layout);
    layout->addStretch(1);
    setWidget(page);
    onThemeChange(this, [this] { refreshControls(); });
    setHistory({}, 0);
    refreshKept();
}

void RunPanel::buildControls(QVBoxLayout* layout)
{
    QWidget* page = layout->parentWidget();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Metrics::kRelated);
    m_run = makeButton(QStringLiteral("runStart"), tr("Run map"),
                       tr("Compute a new map of the selected heads, with the parameters below"), page);
    m_pause = makeButton(QStringLiteral("runPause"), {}, tr("Pause the run"), page);
    m_pause->setProperty("square", true);
    m_stop = makeButton(QStringLiteral("runStop"), {}, tr("Stop the run and use the current map"), page);
    m_stop->setProperty("square", true);
    buttons->addWidget(m_run, 1);
    buttons->addWidget(m_pause);
    buttons->addWidget(m_stop);
    layout->addLayout(buttons);
    m_sentence = makeMutedLabel({}, page);
    m_sentence->setObjectName(QStringLiteral("runSentence"));
    m_sentence->setFont(Theme::smallFont());
    m_sentence->setWordWrap(true);
    layout->addWidget(m_sentence);

    buildGoOn(layout);
    connect(m_run, &QPushButton::clicked, this, &RunPanel::runRequested);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_state == MapRunState::Running)
            Q_EMIT pauseRequested();
        else
            Q_EMIT continueRequested();
    });
    connect(m_stop, &QPushButton::clicked, this, &RunPanel::stopRequested);
}

void RunPanel::buildGoOn(QVBoxLayout* layout)
{
    m_goOn = new QWidget(layout->parentWidget());
    auto* rows = new QVBoxLayout(m_goOn);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Metrics::kRelated);
    m_moreButton =
        addAmount(*rows, "more_iterations", QStringLiteral("runMore"), tr("Iterations"), tr("Continue"),
                  tr("Continue from this map for this many iterations, with the late exaggeration set above"));
    m_noiseButton = addAmount(*rows, "noise", QStringLiteral("runPerturb"), tr("Noise"), tr("Perturb"),
                              tr("Move every point by random noise, then continue. The noise is this proportion of the "
                                 "map’s spread. Stable structure reappears."));
    layout->addWidget(m_goOn);
    loadSteps();
    connect(&m_stepFields, &FieldForm::edited, this, [this](const QString& key) {
        Fields rows;
        fields(rows, m_steps);
        m_settings.keep(kGroup, *rows.ofKey(key.toStdString()));
    });
    connect(&m_settings, &Settings::changed, this, &RunPanel::loadSteps);
    connect(m_moreButton, &QPushButton::clicked, this,
            [this] { Q_EMIT goOnRequested(m_steps.moreIterations, m_form->options().lateExaggeration); });
    connect(m_noiseButton, &QPushButton::clicked, this,
            [this] { Q_EMIT perturbRequested(m_steps.noise / 100.0, m_steps.moreIterations); });
}

void RunPanel::loadSteps()
{
    Fields rows;
    fields(rows, m_steps);
    m_settings.load(kGroup, rows);
    m_stepFields.refresh();
}

QPushButton* RunPanel::addAmount(QVBoxLayout& rows, const char* key, const QString& name, const QString& label,
                                 const QString& action, const QString& tip)
{
    auto* line = new QHBoxLayout;
    line->setSpacing(Metrics::kRelated);
    auto* title = new QLabel(label, m_goOn);
    QWidget* box = m_stepFields.makeAlone(key, m_goOn);
    box->setObjectName(name % QStringLiteral("Amount"));
    box->setFixedWidth(76);
    title->setBuddy(box);
    auto* button = makeButton(name, action, tip, m_goOn);
    button->setFixedWidth(84);
    line->addWidget(title, 1);
    line->addWidget(box);
    line->addWidget(button);
    rows.addLayout(line);
    return button;
}

void RunPanel::buildHistory(QVBoxLayout* layout)
{
    m_past = new QWidget(layout->parentWidget());
    auto* past = new QVBoxLayout(m_past);
    past->setContentsMargins(0, 0, 0, 0);
    past->setSpacing(Metrics::kGrid);
    m_chart = new PictureOf<KlChart>(m_past);
    m_chart->setToolTip(
        tr("Kullback-Leibler divergence by iteration. t-SNE minimizes it.\nShaded: affinities are exaggerated."));
    past->addWidget(m_chart);
    m_history = new QSlider(Qt::Horizontal, m_past);
    m_history->setObjectName(QStringLiteral("runHistory"));
    m_history->setAccessibleName(tr("History of the run"));
    m_history->setToolTip(tr("Drag to see earlier states of the map. The right end is the newest."));
    past->addWidget(m_history);
    auto* line = new QHBoxLayout;
    line->setSpacing(Metrics::kRelated);
    m_at = new ElidedLabel({}, m_past);
    m_at->setProperty("role", QStringLiteral("muted"));
    m_at->setObjectName(QStringLiteral("runAt"));
    m_at->setFont(Theme::smallFont());
    m_newest = new QToolButton(m_past);
    m_newest->setObjectName(QStringLiteral("runNewest"));
    m_newest->setProperty("flat", true);
    m_newest->setText(tr("Newest"));
    m_newest->setAccessibleName(tr("Show the newest map of the run"));
    m_newest->setToolTip(tr("Show the newest map of the run"));
    m_newest->setCursor(Qt::PointingHandCursor);
    m_newest->setFont(Theme::smallFont());
    QSizePolicy keeps = m_newest->sizePolicy();
    keeps.setRetainSizeWhenHidden(true); // or the panel would jump
    m_newest->setSizePolicy(keeps);
    line->addWidget(m_at, 1);
    line->addWidget(m_newest);
    past->addLayout(line);
    layout->addWidget(m_past);
    connect(m_history, &QSlider::valueChanged, this, &RunPanel::moveHistory);
    connect(m_newest, &QToolButton::clicked, this, &RunPanel::newestRequested);
}

void RunPanel::buildKept(QVBoxLayout* layout)
{
    QWidget* page = layout->parentWidget();
    m_keptTitle = new SectionLabel(tr("Saved maps"), page);
    layout->addWidget(m_keptTitle);
    m_keptHint = makeMutedLabel(tr("Every run is saved here with a thumbnail, its parameters, and how many neighbours "
                                   "it preserves. Click a map to show it."),
                                page);
    m_keptHint->setFont(Theme::smallFont());
    m_keptHint->setWordWrap(true);
    layout->addWidget(m_keptHint);
    m_list = new RunList(*m_library, page);
    layout->addWidget(m_list);
    m_keptButtons = new QWidget(page);
    auto* rows = new QVBoxLayout(m_keptButtons);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Metrics::kRelated);
    m_store = makeButton(QStringLiteral("runStore"), tr("Store in cache"),
                         tr("Save the map in the cache file under its name"), page);
    m_rename = makeButton(QStringLiteral("runRename"), tr("Rename"), tr("Rename the map (F2)"), page);
    m_remove =
        makeButton(QStringLiteral("runRemove"), tr("Remove"),
                   tr("Remove the map from this list (Delete). Maps stored in the cache are not deleted."), page);
    auto* others = new QHBoxLayout;
    others->setSpacing(Metrics::kRelated);
    others->addWidget(m_rename);
    others->addWidget(m_remove);
    rows->addWidget(m_store);
    rows->addLayout(others);
    layout->addWidget(m_keptButtons);

    connect(m_list, &RunList::showRequested, this, &RunPanel::showRequested);
    connect(m_list, &RunList::removeRequested, m_library, &MapLibrary::remove);
    connect(m_list, &RunList::currentIdChanged, this, &RunPanel::refreshKept);
    connect(m_list, &QWidget::customContextMenuRequested, this, &RunPanel::showKeptMenu);
    connect(m_store, &QPushButton::clicked, this, [this] {
        if (const auto id = m_list->currentId())
            Q_EMIT storeRequested(*id);
    });
    connect(m_rename, &QPushButton::clicked, this, &RunPanel::rename);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (const auto id = m_list->currentId())
            m_library->remove(*id);
    });
    for (const auto signal : {&MapLibrary::added, &MapLibrary::removed, &MapLibrary::changed})
        connect(m_library, signal, this, &RunPanel::refreshKept);
}

void RunPanel::rename()
{
    if (m_list->currentIndex().isValid())
        m_list->edit(m_list->currentIndex());
}

void RunPanel::showKeptMenu(const QPoint& place)
{
    const auto id = m_list->currentId();
    const KeptMap* kept = id ? m_library->find(*id) : nullptr;
    if (kept == nullptr)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show"), this, [this, id] { Q_EMIT showRequested(*id); });
    menu->addAction(tr("Rename"), this, &RunPanel::rename);
    menu->addAction(tr("Store in cache"), this, [this, id] { Q_EMIT storeRequested(*id); })
        ->setEnabled(m_storable && !kept->stored);
    menu->addAction(tr("Measure neighbourhood preservation"), this, [this, id] { Q_EMIT measureRequested(*id); })
        ->setEnabled(!kept->map->trust && !kept->measuring);
    menu->addAction(tr("Copy as command"), this, [this, id] { Q_EMIT copyCommandRequested(*id); });
    menu->addSeparator();
    menu->addAction(tr("Remove"), this, [this, id] { m_library->remove(*id); });
    menu->popup(m_list->viewport()->mapToGlobal(place));
}

void RunPanel::setReady(bool ready, const QString& sentence)
{
    m_ready = ready;
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    refreshControls();
}

void RunPanel::setRun(MapRunState state, const MapRunProgress& progress)
{
    m_state = state;
    m_progress = progress;
    m_title->setDetail(stateText(state, progress));
    refreshControls();
}

void RunPanel::refreshControls()
{
    const bool running = m_state == MapRunState::Running;
    const bool active = running || m_state == MapRunState::Paused;
    const bool atRest = m_state == MapRunState::Stopped || m_state == MapRunState::Finished;
    m_run->setEnabled(m_ready);
    m_pause->setEnabled(active || m_state == MapRunState::Stopped);
    m_stop->setEnabled(active);
    const QString verb = running ? tr("Pause the run") : tr("Continue the run");
    m_pause->setToolTip(verb);
    m_pause->setAccessibleName(verb);
    m_pause->setIcon(Theme::instance().icon(running ? QStringLiteral("pause") : QStringLiteral("play")));
    m_stop->setIcon(Theme::instance().icon(QStringLiteral("stop")));
    m_goOn->setVisible(m_state != MapRunState::None);
    m_moreButton->setEnabled(atRest);
    m_noiseButton->setEnabled(m_state != MapRunState::None && m_progress.iteration > 0);
}

void RunPanel::setCurve(const RunCurve& curve)
{
    m_chart->picture().setCurve(curve);
}

void RunPanel::setHistory(std::vector<int> iterations, int newest)
{
    m_iterations = std::move(iterations);
    m_newestIteration = newest;
    m_past->setVisible(!m_iterations.empty());
    refreshHistory();
}

void RunPanel::refreshHistory()
{
    const QSignalBlocker quiet(m_history);
    m_history->setRange(0, std::max(1, m_newestIteration));
    m_history->setEnabled(m_iterations.size() > 1);
    const int step = m_iterations.size() > 1 ? m_iterations[1] - m_iterations[0] : 1;
    m_history->setSingleStep(std::max(1, step));
    m_history->setPageStep(std::max(step, m_newestIteration / 10));
    // The knob under a finger stays where it is held.
    if (!m_history->isSliderDown())
        m_history->setValue(m_lookedAt.value_or(m_newestIteration));
    m_newest->setVisible(m_lookedAt.has_value() || m_aside);
    const int iteration = m_lookedAt.value_or(m_newestIteration);
    const double kl = m_lookedAt ? m_lookedAtKl : m_progress.kl;
    QString text = (m_aside ? tr("Current run: iteration %1") : tr("Iteration %1")).arg(countText(iteration));
    if (std::isfinite(kl))
        text += tr(" · KL %1").arg(QLocale().toString(kl, 'f', 3));
    if (iteration < m_chart->picture().curve().exaggerationEnd)
        text += tr(" · exaggerated");
    m_at->setFullText(text);
}

void RunPanel::setLookedAt(std::optional<int> iteration, double kl)
{
    m_lookedAt = iteration;
    m_lookedAtKl = kl;
    m_chart->picture().setCursor(iteration);
    refreshHistory();
}

void RunPanel::setAside(bool aside)
{
    if (std::exchange(m_aside, aside) != aside)
        refreshHistory();
}

void RunPanel::moveHistory(int iteration)
{
    if (iteration >= m_newestIteration)
        return Q_EMIT newestRequested();
    // A key moves by a step of the history: always to another snapshot.
    Q_EMIT iterationRequested(iteration);
}

void RunPanel::setStorable(bool storable)
{
    m_storable = storable;
    refreshKept();
}

void RunPanel::refreshKept()
{
    if (m_library == nullptr)
        return;
    const auto count = static_cast<std::int64_t>(m_library->entries().size());
    m_keptTitle->setDetail(count > 0 ? countText(count) : QString());
    m_keptHint->setVisible(count == 0);
    m_list->setVisible(count > 0);
    m_keptButtons->setVisible(count > 0);
    const auto id = m_list->currentId();
    const KeptMap* kept = id ? m_library->find(*id) : nullptr;
    m_store->setEnabled(kept != nullptr && m_storable && !kept->stored);
    m_store->setText(kept != nullptr && kept->stored ? tr("In the cache") : tr("Store in cache"));
    m_rename->setEnabled(kept != nullptr);
    m_remove->setEnabled(kept != nullptr);
}

} // namespace headscope::ui
