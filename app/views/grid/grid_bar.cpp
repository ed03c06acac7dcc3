// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/grid_bar.h"

#include "model/data/maps/noise_floor.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

/// A choice as one text, for the items of the list.
QString keyOf(const GridChoice& choice)
{
    switch (choice.kind)
    {
    case GridChoice::Kind::Stages:
        return QStringLiteral("stages");
    case GridChoice::Kind::Layers:
        return QStringLiteral("layers:%1").arg(choice.layers);
    case GridChoice::Kind::Stored:
        break;
    }
    return QStringLiteral("stored:") + choice.stored;
}

GridChoice choiceFrom(const QString& key)
{
    GridChoice choice;
    if (key.startsWith(QStringLiteral("layers:")))
    {
        choice.kind = GridChoice::Kind::Layers;
        choice.layers = key.section(u':', 1).toInt();
    }
    else if (key.startsWith(QStringLiteral("stored:")))
    {
        choice.kind = GridChoice::Kind::Stored;
        choice.stored = key.section(u':', 1);
    }
    return choice;
}

/// "Heads and segments × 3 stages", "Segments, 1 stage".
QString stagesText(std::span<const Stage> stages)
{
    const auto isHeads = [](Stage stage) { return unitName(stage) == "head"; };
    const bool heads = std::ranges::any_of(stages, isHeads);
    const bool segments = !std::ranges::all_of(stages, isHeads);
    const QString units = heads && segments ? GridBar::tr("Heads and segments")
                          : segments        ? GridBar::tr("Segments")
                                            : GridBar::tr("Heads");
    return stages.size() == 1 ? GridBar::tr("%1, 1 stage").arg(units)
                              : GridBar::tr("%1 × %2 stages").arg(units).arg(stages.size());
}

/// A button of a word, or a square one that shows an icon alone.
QPushButton* makeRunButton(const QString& name, const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(text.isEmpty() ? tip : text);
    if (text.isEmpty())
        button->setProperty("square", true);
    return button;
}

} // namespace

GridBar::GridBar(QWidget* parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("bar"));
    auto* layout = new WrapRow(this);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    layout->setSpacing(Metrics::kRelated);
    buildRun();
    buildLook();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_what, m_start, m_goOn, m_pause, m_stop, m_progress,
                                                           m_iterations, m_measure, m_floor, m_store})
        layout->addWidget(widget, 0, Qt::AlignVCenter);
    layout->addWidget(m_shown, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_link, m_color})
        layout->addWidget(widget, 0, Qt::AlignVCenter);
    connect(m_what, &QComboBox::currentIndexChanged, this, [this] {
        refresh();
        Q_EMIT choiceChanged();
    });
    connectRun();
    connect(m_color, &QComboBox::currentIndexChanged, this, &GridBar::colorChanged);
    connect(m_link, &QPushButton::toggled, this, &GridBar::linkedChanged);
    onThemeChange(this, [this] { refresh(); });
}

void GridBar::buildRun()
{
    m_what = new QComboBox(this);
    m_what->setObjectName(QStringLiteral("gridWhat"));
    m_what->setAccessibleName(tr("Contents of the cells"));
    m_what->setToolTip(tr("What the cells of the grid show"));
    m_start = makeRunButton(QStringLiteral("gridRun"), tr("Run"),
                            tr("Compute a map for every cell from the same initialization, and align all maps"), this);
    m_pause = makeRunButton(QStringLiteral("gridPause"), {}, tr("Pause the run"), this);
    m_stop = makeRunButton(QStringLiteral("gridStop"), {}, tr("Stop the run and use the current maps"), this);
    m_progress = new QProgressBar(this);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(120);
    m_progress->setAccessibleName(tr("Progress of the grid"));
    m_iterations = new QLabel(this);
    m_iterations->setObjectName(QStringLiteral("gridIterations"));
    m_iterations->setMinimumWidth(1);
    m_measure = makeRunButton(
        QStringLiteral("gridMeasure"), tr("Measure"),
        tr("Measure the proportion of the 10 nearest neighbours that the map of each cell preserves"), this);
    m_floor = makeRunButton(QStringLiteral("gridFloor"), tr("Noise floor"),
                            tr("Compute %1 noise replicates per cell (noise 1e-4). Differences no larger than those "
                               "between these maps may be noise.")
                                .arg(kVerdictTwins),
                            this);
    m_goOn = makeRunButton(QStringLiteral("gridGoOn"), tr("Continue"), tr("Continue the stopped run"), this);
    m_store = makeRunButton(QStringLiteral("gridStore"), tr("Store"),
                            tr("Save the maps in the cache file. They then appear in the Cells list."), this);
}

void GridBar::buildLook()
{
    m_shown = new ElidedLabel({}, this);
    m_shown->setProperty("role", QStringLiteral("muted"));
    m_shown->setObjectName(QStringLiteral("gridShown"));
    m_shown->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_link = makeRunButton(QStringLiteral("gridLink"), tr("Linked"), tr("Move and zoom all cells together"), this);
    m_link->setCheckable(true);
    m_link->setChecked(true);
    m_color = new ColorBox(this);
    m_color->setObjectName(QStringLiteral("gridColor"));
    m_color->setAccessibleName(tr("Colour of the documents"));
    m_color->setToolTip(tr("What the colours of the documents show in all cells"));
}

void GridBar::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("gridWhat"), *m_what);
    bind(state, QStringLiteral("gridLink"), *m_link);
    bind(state, QStringLiteral("gridColor"), *m_color);
}

void GridBar::connectRun()
{
    connect(m_start, &QPushButton::clicked, this, &GridBar::runRequested);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_state == MapRunState::Running)
            Q_EMIT pauseRequested();
        else
            Q_EMIT continueRequested();
    });
    connect(m_stop, &QPushButton::clicked, this, &GridBar::stopRequested);
    connect(m_goOn, &QPushButton::clicked, this, &GridBar::continueRequested);
    connect(m_measure, &QPushButton::clicked, this, &GridBar::measureRequested);
    connect(m_floor, &QPushButton::clicked, this, &GridBar::floorRequested);
    connect(m_store, &QPushButton::clicked, this, &GridBar::storeRequested);
}

void GridBar::setChoices(std::span<const Stage> stages, Stage spread, int layers, const QStringList& stored)
{
    constexpr int kSpread = 6;
    const GridChoice before = choice();
    const QSignalBlocker quiet(m_what);
    m_what->clear();
    // Work files name a choice by its text: that of earlier versions called segments heads, too.
    const auto add = [this](const QString& text, const QString& former, const GridChoice& choice) {
        m_what->addItem(text, keyOf(choice));
        m_what->setItemData(m_what->count() - 1, former, kFormerTextRole);
    };
    const auto count = static_cast<int>(stages.size());
    const QString heads = tr("heads");
    const QString units = unitsText(spread);
    add(stagesText(stages), count == 1 ? tr("Heads, 1 stage") : tr("Heads × %1 stages").arg(count), {});
    if (layers > kSpread)
        add(tr("%1 layers × %2").arg(kSpread).arg(units), tr("%1 layers × %2").arg(kSpread).arg(heads),
            {GridChoice::Kind::Layers, kSpread, {}});
    if (layers > 1)
        add(tr("All %1 layers × %2").arg(layers).arg(units), tr("All %1 layers × %2").arg(layers).arg(heads),
            {GridChoice::Kind::Layers, 0, {}});
    for (const QString& name : stored)
        add(tr("Stored: %1").arg(name), {}, {GridChoice::Kind::Stored, 0, name});
    setChoice(before);
    refresh();
}

GridChoice GridBar::choice() const
{
    return choiceFrom(m_what->currentData().toString());
}

void GridBar::setChoice(const GridChoice& choice)
{
    const int at = m_what->findData(keyOf(choice));
    m_what->setCurrentIndex(std::max(0, at));
}

void GridBar::setColors(const std::vector<ColorOption>& colors)
{
    m_color->setColors(colors);
}

QString GridBar::color() const
{
    return m_color->color();
}

void GridBar::setColor(const QString& id)
{
    m_color->setColor(id);
}

bool GridBar::linked() const
{
    return m_link->isChecked();
}

void GridBar::setRun(MapRunState state, const MapRunProgress& progress)
{
    m_state = state;
    m_run = progress;
    refresh();
}

void GridBar::setMeasurable(bool measurable)
{
    m_measurable = measurable;
    refresh();
}

void GridBar::setFloorable(bool floorable)
{
    m_floorable = floorable;
    refresh();
}

void GridBar::setMayGoOn(bool may)
{
    m_mayGoOn = may;
    refresh();
}

void GridBar::setMade(const QString& text)
{
    if (std::exchange(m_made, text) != text)
        refresh();
}

void GridBar::setStorable(bool storable)
{
    m_storable = storable;
    refresh();
}

void GridBar::setShownText(const QString& text)
{
    m_shown->setFullText(text);
}

void GridBar::refresh()
{
    const bool active = m_state == MapRunState::Running || m_state == MapRunState::Paused;
    const bool stored = choice().kind == GridChoice::Kind::Stored;
    m_start->setVisible(!active && !stored);
    m_pause->setVisible(active);
    m_stop->setVisible(active);
    m_progress->setVisible(active);
    m_what->setEnabled(!active);
    m_goOn->setVisible(!active && m_mayGoOn);
    m_measure->setVisible(!active && m_measurable);
    m_floor->setVisible(!active && m_floorable);
    m_store->setVisible(!active && m_storable && !stored);
    const QString verb = m_state == MapRunState::Running ? tr("Pause the run") : tr("Continue the run");
    m_pause->setToolTip(verb);
    m_pause->setAccessibleName(verb);
    m_pause->setIcon(
        Theme::instance().icon(m_state == MapRunState::Running ? QStringLiteral("pause") : QStringLiteral("play")));
    m_stop->setIcon(Theme::instance().icon(QStringLiteral("stop")));
    const bool counting = m_run.iteration > 0 || m_run.stage.isEmpty();
    m_progress->setRange(0, counting ? std::max(1, m_run.iterations) : 0);
    m_progress->setValue(m_run.iteration);
    QString text;
    if (active && !counting)
        text = m_run.stage;
    else if (active)
        text = countText(m_run.iteration) % QStringLiteral(" / ") % countText(m_run.iterations);
    else if (m_state == MapRunState::Stopped && m_made.isEmpty())
        text = tr("stopped at %1").arg(countText(m_run.iteration));
    else
        text = m_made;
    if (m_state == MapRunState::Running && counting && m_run.eta >= 0)
        text += QStringLiteral("   ") % tr("%1 left").arg(durationText(m_run.eta));
    if (m_state == MapRunState::Paused)
        text += QStringLiteral("   ") % tr("paused");
    m_iterations->setText(text);
    m_iterations->setVisible(!text.isEmpty());
}

} // namespace headscope::ui
