// SPDX-License-Identifier: GPL-3.0-or-later
// The line above the compared maps and the bar under them.
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/theme/theme.h"
#include "ui/views/compare/change_bars.h"
#include "ui/views/compare/compare_view.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

class Hairline : public QWidget
{
public:
    explicit Hairline(QWidget* parent) : QWidget(parent)
    {
        setFixedWidth(1);
        setAutoFillBackground(true);
        onThemeChange(this, [this] {
            QPalette colors = palette();
            colors.setColor(QPalette::Window, Theme::instance().colors().hairline);
            setPalette(colors);
        });
    }
};

} // namespace

void CompareView::buildHead()
{
    m_head = new QWidget(this);
    m_head->setObjectName(QStringLiteral("compareHead"));
    auto* row = new WrapRow(m_head);
    row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    row->setSpacing(Metrics::kRelated);
    const auto box = [this](const QString& name, const QString& tip) {
        auto* made = new QComboBox(m_head);
        made->setObjectName(name);
        made->setAccessibleName(tip);
        made->setToolTip(tip);
        made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        made->setPlaceholderText(tr("Choose a map"));
        connect(made, &QComboBox::currentIndexChanged, this, &CompareView::takeChoice);
        return made;
    };
    const auto button = [this](const QString& name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, m_head);
        made->setObjectName(name);
        made->setToolTip(tip);
        return made;
    };
    m_a = box(QStringLiteral("compareA"), tr("Map A"));
    m_b = box(QStringLiteral("compareB"), tr("Map B"));
    m_swap = button(QStringLiteral("compareSwap"), QStringLiteral("⇄"), tr("Exchange the two maps"));
    m_swap->setAccessibleName(tr("Exchange the two maps"));
    m_swap->setProperty("square", true);
    m_morph = button(QStringLiteral("compareMorph"), tr("Morph"),
                     tr("Both maps on top of each other; a slider moves the points"));
    m_side = button(QStringLiteral("compareSide"), tr("Side by side"), tr("Map A left, map B right"));
    auto* layouts = new QButtonGroup(m_head);
    layouts->setExclusive(true);
    for (QPushButton* each : {m_morph, m_side})
    {
        each->setCheckable(true);
        layouts->addButton(each);
    }
    // A letter and its box are one: no line ends between them.
    const auto lettered = [this](const QString& text, QComboBox* choice) {
        auto* pair = new QWidget(m_head);
        auto* inside = new QHBoxLayout(pair);
        inside->setContentsMargins(0, 0, 0, 0);
        inside->setSpacing(Metrics::kRelated);
        auto* letter = new QLabel(text, pair);
        letter->setFont(Theme::bodyFont(true));
        letter->setBuddy(choice);
        inside->addWidget(letter);
        inside->addWidget(choice);
        return pair;
    };
    for (QWidget* widget : std::initializer_list<QWidget*>{lettered(tr("A"), m_a), m_swap, lettered(tr("B"), m_b)})
        row->addWidget(widget, 0, Qt::AlignVCenter);
    m_match = new ElidedLabel({}, m_head);
    m_match->setObjectName(QStringLiteral("compareMatch"));
    m_match->setProperty("role", QStringLiteral("muted"));
    row->addSpacing(Metrics::kGrid);
    row->addWidget(m_match, 1, Qt::AlignVCenter);
    row->addWidget(m_morph, 0, Qt::AlignVCenter);
    row->addWidget(m_side, 0, Qt::AlignVCenter);
    connect(m_swap, &QPushButton::clicked, this, &CompareView::swap);
    connect(m_morph, &QPushButton::clicked, this, [this] { setLayoutKind(Layout::Morph); });
    connect(m_side, &QPushButton::clicked, this, [this] { setLayoutKind(Layout::SideBySide); });
}

void CompareView::buildBar()
{
    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bar"));
    m_bar = bar;
    auto* row = new WrapRow(bar);
    row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    row->setSpacing(Metrics::kRelated);
    m_play = new QPushButton(bar);
    m_play->setObjectName(QStringLiteral("comparePlay"));
    m_play->setProperty("square", true);
    m_play->setToolTip(tr("Move the points to the other map"));
    m_play->setAccessibleName(tr("Play"));
    m_slider = new QSlider(Qt::Horizontal, bar);
    m_slider->setObjectName(QStringLiteral("compareSlider"));
    m_slider->setRange(0, 100);
    m_slider->setPageStep(10);
    m_slider->setMinimumWidth(100);
    m_slider->setMaximumWidth(240);
    m_slider->setAccessibleName(tr("Place between map A and map B, in per cent"));
    m_slider->setToolTip(tr("0 %: the points lie as in A; 100 %: as in B"));
    m_place = new QLabel(tr("0 %"), bar);
    m_place->setObjectName(QStringLiteral("comparePlace"));
    m_place->setFixedWidth(m_place->fontMetrics().horizontalAdvance(QStringLiteral("100 %")) + 4);
    m_linesBox = new QComboBox(bar);
    m_linesBox->setObjectName(QStringLiteral("compareLines"));
    m_linesBox->setAccessibleName(tr("Lines to where points went"));
    m_linesBox->setToolTip(tr("Lines from where points are in A to where they are in B"));
    m_linesBox->addItem(tr("Lines: chosen"), static_cast<int>(Lines::Chosen));
    m_linesBox->addItem(tr("Lines: sample"), static_cast<int>(Lines::Sample));
    m_linesBox->addItem(tr("No lines"), static_cast<int>(Lines::None));
    m_changed = makeMutedLabel({}, bar);
    m_changed->setObjectName(QStringLiteral("compareChanged"));
    m_bars = new ChangeBars(bar);
    m_color = new QComboBox(bar);
    m_color->setObjectName(QStringLiteral("compareColor"));
    m_color->setAccessibleName(tr("Colour of the points"));
    m_color->setToolTip(tr("What the colours of the points say"));
    row->addWidget(m_play, 0, Qt::AlignVCenter);
    row->addWidget(m_slider, 3, Qt::AlignVCenter);
    row->addWidget(m_place, 0, Qt::AlignVCenter);
    row->addWidget(m_linesBox, 0, Qt::AlignVCenter);
    row->addStretch(1);
    row->addWidget(m_changed, 0, Qt::AlignVCenter);
    row->addWidget(m_bars, 0, Qt::AlignVCenter);
    row->addWidget(m_color, 0, Qt::AlignVCenter);
    connect(m_play, &QPushButton::clicked, this, &CompareView::play);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        m_animation.stop();
        setShare(value / 100.0);
    });
    connect(m_linesBox, &QComboBox::currentIndexChanged, this,
            [this] { setLinesKind(static_cast<Lines>(m_linesBox->currentData().toInt())); });
    connect(m_color, &QComboBox::currentIndexChanged, this, &CompareView::colorChanged);
    onThemeChange(this, [this] { m_play->setIcon(Theme::instance().icon(QStringLiteral("play"))); });

    auto* canvases = new QHBoxLayout(m_canvases);
    canvases->setContentsMargins(0, 0, 0, 0);
    canvases->setSpacing(0);
    m_gap = new Hairline(m_canvases);
    canvases->addWidget(m_left, 1);
    canvases->addWidget(m_gap);
    canvases->addWidget(m_right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_page, 1);
    layout->addWidget(m_bar);
}

} // namespace headscope::ui
