// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_bar.h"

#include "app/views/compare/change_bars.h"
#include "model/data/maps/noise_floor.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/color_box.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kSliderSteps = 100;

} // namespace

CompareBar::CompareBar(QWidget* parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("bar"));
    auto* row = new WrapRow(this);
    row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    row->setSpacing(Metrics::kRelated);
    buildShare();
    buildChoices();
    m_floor = new QPushButton(tr("Noise floor"), this);
    m_floor->setObjectName(QStringLiteral("compareFloor"));
    m_floor->setToolTip(tr("Compute both maps %1 more times with noise of 1e-4 added to the vectors. Differences no "
                           "larger than those between these maps may be noise.")
                            .arg(kVerdictTwins));
    m_floor->hide();
    connect(m_floor, &QPushButton::clicked, this, &CompareBar::floorRequested);
    row->addWidget(m_play, 0, Qt::AlignVCenter);
    row->addWidget(m_slider, 3, Qt::AlignVCenter);
    row->addWidget(m_place, 0, Qt::AlignVCenter);
    row->addWidget(m_lines, 0, Qt::AlignVCenter);
    row->addStretch(1);
    row->addWidget(m_changed, 0, Qt::AlignVCenter);
    row->addWidget(m_bars, 0, Qt::AlignVCenter);
    row->addWidget(m_floor, 0, Qt::AlignVCenter);
    row->addWidget(m_color, 0, Qt::AlignVCenter);
    onThemeChange(this, [this] { showPlaying(false); });
}

void CompareBar::buildShare()
{
    m_play = new QPushButton(this);
    m_play->setObjectName(QStringLiteral("comparePlay"));
    m_play->setProperty("square", true);
    m_play->setToolTip(tr("Move the points to the other map"));
    m_play->setAccessibleName(tr("Play"));
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setObjectName(QStringLiteral("compareSlider"));
    m_slider->setRange(0, kSliderSteps);
    m_slider->setPageStep(10);
    m_slider->setMinimumWidth(100);
    m_slider->setMaximumWidth(240);
    m_slider->setAccessibleName(tr("Position between map A and map B, in percent"));
    m_slider->setToolTip(tr("0%: points as in A; 100%: as in B"));
    m_place = new QLabel(tr("0%"), this);
    m_place->setObjectName(QStringLiteral("comparePlace"));
    m_place->setFixedWidth(m_place->fontMetrics().horizontalAdvance(QStringLiteral("100%")) + 4);
    connect(m_play, &QPushButton::clicked, this, &CompareBar::playClicked);
    connect(m_slider, &QSlider::valueChanged, this,
            [this](int value) { Q_EMIT shareMoved(static_cast<double>(value) / kSliderSteps); });
}

void CompareBar::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("compareSlider"), *m_slider);
    bind(state, QStringLiteral("compareLines"), *m_lines);
    bind(state, QStringLiteral("compareColor"), *m_color);
}

void CompareBar::buildChoices()
{
    m_lines = new QComboBox(this);
    m_lines->setObjectName(QStringLiteral("compareLines"));
    m_lines->setAccessibleName(tr("Lines from A to B"));
    m_lines->setToolTip(tr("Draw a line from the position of each point in A to its position in B"));
    m_lines->addItem(tr("Lines: selected"), static_cast<int>(CompareLines::Chosen));
    m_lines->addItem(tr("Lines: sample"), static_cast<int>(CompareLines::Sample));
    m_lines->addItem(tr("No lines"), static_cast<int>(CompareLines::None));
    m_changed = makeMutedLabel({}, this);
    m_changed->setObjectName(QStringLiteral("compareChanged"));
    m_bars = new PictureOf<ChangeBars>(this);
    m_color = new ColorBox(this);
    m_color->setObjectName(QStringLiteral("compareColor"));
    m_color->setAccessibleName(tr("Colour of the points"));
    m_color->setToolTip(tr("What the colours of the points show"));
    connect(m_lines, &QComboBox::currentIndexChanged, this,
            [this] { Q_EMIT linesChosen(static_cast<CompareLines>(m_lines->currentData().toInt())); });
    connect(m_color, &QComboBox::currentIndexChanged, this, &CompareBar::colorChanged);
}

void CompareBar::setColors(const std::vector<ColorOption>& colors)
{
    m_color->setColors(colors);
}

QString CompareBar::color() const
{
    return m_color->color();
}

void CompareBar::setColor(const QString& id)
{
    m_color->setColor(id);
}

void CompareBar::showShare(double share)
{
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(std::lround(share * kSliderSteps)));
    m_place->setText(tr("%1%").arg(std::lround(100 * share)));
}

void CompareBar::showPlaying(bool playing)
{
    m_play->setIcon(Theme::instance().icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
}

void CompareBar::showLines(CompareLines lines)
{
    const QSignalBlocker quiet(m_lines);
    m_lines->setCurrentIndex(m_lines->findData(static_cast<int>(lines)));
}

void CompareBar::setDifference(const MapDifference& difference, const QString& text, const QString& tip)
{
    m_bars->picture().setDifference(difference);
    m_changed->setText(QString(text).replace(QStringLiteral(" ("), QStringLiteral("\n("))); // for a small window
    m_changed->setToolTip(tip);
}

void CompareBar::setFloorable(bool floorable)
{
    m_floor->setVisible(floorable);
}

void CompareBar::setShareShown(bool shown)
{
    for (QWidget* widget : std::initializer_list<QWidget*>{m_play, m_slider, m_place})
        widget->setVisible(shown);
}

} // namespace headscope::ui
