// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/scatter_tools.h"

#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cstddef>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = 12;

using Shape = SelectionGesture::Shape;

constexpr std::array kTools{
    ScatterToolRow{ScatterTool::Pan, "toolPan", "pan", QT_TRANSLATE_NOOP("ScatterTools", "Move the map (V)"), Qt::Key_V,
                   Qt::ArrowCursor, std::nullopt},
    ScatterToolRow{ScatterTool::BoxZoom, "toolBox", "box-zoom",
                   QT_TRANSLATE_NOOP("ScatterTools", "Zoom into a rectangle (Z, or Shift+drag)"), Qt::Key_Z,
                   Qt::CrossCursor, std::nullopt},
    ScatterToolRow{ScatterTool::Rectangle, "toolRectangle", "rectangle",
                   QT_TRANSLATE_NOOP("ScatterTools", "Select in a rectangle (R)"), Qt::Key_R, Qt::CrossCursor,
                   Shape::Rectangle},
    ScatterToolRow{ScatterTool::Lasso, "toolLasso", "lasso",
                   QT_TRANSLATE_NOOP("ScatterTools", "Select with a lasso (L)"), Qt::Key_L, Qt::CrossCursor,
                   Shape::Lasso},
    ScatterToolRow{ScatterTool::Brush, "toolBrush", "brush",
                   QT_TRANSLATE_NOOP("ScatterTools", "Select with a brush (B; the wheel changes its size)"), Qt::Key_B,
                   Qt::CrossCursor, Shape::Brush},
};

/// A button that moves the view once.
struct StepRow
{
    const char* name;
    const char* icon;
    const char* tip;
    void (ScatterTools::*requested)();
};

const std::array kSteps{
    StepRow{"toolFit", "fit", QT_TRANSLATE_NOOP("ScatterTools", "Fit all points (double-click)"),
            &ScatterTools::fitRequested},
    StepRow{"toolBack", "back", QT_TRANSLATE_NOOP("ScatterTools", "Previous view (Alt+Left)"),
            &ScatterTools::backRequested},
    StepRow{"toolForward", "forward", QT_TRANSLATE_NOOP("ScatterTools", "Next view (Alt+Right)"),
            &ScatterTools::forwardRequested},
};

struct PicksRow
{
    ScatterPicks picks;
    const char* name;
    const char* text;
    const char* tip;
};

constexpr std::array kPicks{
    PicksRow{ScatterPicks::Documents, "pickDocuments", QT_TRANSLATE_NOOP("ScatterTools", "documents"),
             QT_TRANSLATE_NOOP("ScatterTools",
                               "Select documents that have a point inside, with all their points (P toggles)")},
    PicksRow{ScatterPicks::Points, "pickPoints", QT_TRANSLATE_NOOP("ScatterTools", "points"),
             QT_TRANSLATE_NOOP("ScatterTools", "Select only the points inside (P toggles)")},
};

} // namespace

std::span<const ScatterToolRow> scatterToolRows()
{
    return kTools;
}

const ScatterToolRow& rowOf(ScatterTool tool)
{
    return kTools[static_cast<std::size_t>(tool)];
}

std::optional<ScatterTool> toolOfKey(int key)
{
    const auto* found = std::ranges::find(kTools, key, [](const ScatterToolRow& row) { return int{row.key}; });
    return found == kTools.end() ? std::nullopt : std::optional(found->tool);
}

ScatterTools::ScatterTools(QWidget* canvas) : QFrame(canvas)
{
    setObjectName(QStringLiteral("mapTools"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    for (const ScatterToolRow& row : kTools)
    {
        QToolButton* button = addButton(row.name, tr(row.tip));
        if (row.shape)
            button->setToolTip(tr("%1\nP switches between documents and points.\nShift adds, Ctrl removes, Alt "
                                  "intersects.")
                                   .arg(tr(row.tip)));
        button->setCheckable(true);
        connect(button, &QToolButton::clicked, this, [this, tool = row.tool] { setTool(tool); });
        m_tools.push_back(button);
    }
    for (const StepRow& row : kSteps)
    {
        QToolButton* button = addButton(row.name, tr(row.tip));
        connect(button, &QToolButton::clicked, this, row.requested);
        m_steps.push_back(button);
    }
    move(kMargin, kMargin);
    buildUnits();
    setHistory(false, false);
    onThemeChange(this, [this] {
        refreshIcons();
        refresh();
    });
}

QToolButton* ScatterTools::addButton(const char* name, const QString& tip)
{
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1StringView(name));
    button->setProperty("boxed", true);
    button->setProperty("square", true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::TabFocus);
    layout()->addWidget(button);
    return button;
}

void ScatterTools::buildUnits()
{
    m_units = new QFrame(parentWidget());
    m_units->setObjectName(QStringLiteral("mapUnits"));
    auto* layout = new QHBoxLayout(m_units);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (const PicksRow& row : kPicks)
    {
        auto* button = new QToolButton(m_units);
        button->setObjectName(QLatin1StringView(row.name));
        button->setText(tr(row.text));
        button->setProperty("boxed", true);
        button->setToolTip(tr(row.tip));
        button->setAccessibleName(tr(row.tip));
        button->setFocusPolicy(Qt::TabFocus);
        button->setCheckable(true);
        layout->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, picks = row.picks] {
            setPicked(picks);
            refresh(); // a second click leaves it pressed
        });
        m_picks.push_back(button);
    }
    m_units->hide();
}

void ScatterTools::bindTo(ViewState& state)
{
    for (std::size_t i = 0; i < kTools.size(); ++i)
        bind(state, QLatin1StringView(kTools[i].name), *m_tools[i]);
    for (std::size_t i = 0; i < kPicks.size(); ++i)
        bind(state, QLatin1StringView(kPicks[i].name), *m_picks[i]);
    connect(this, &ScatterTools::changed, &state, &ViewState::tellActs); // by a key, too
}

void ScatterTools::refreshIcons()
{
    Theme& theme = Theme::instance();
    for (std::size_t i = 0; i < kTools.size(); ++i)
        m_tools[i]->setIcon(theme.icon(QLatin1StringView(kTools[i].icon)));
    for (std::size_t i = 0; i < kSteps.size(); ++i)
        m_steps[i]->setIcon(theme.icon(QLatin1StringView(kSteps[i].icon)));
}

void ScatterTools::refresh()
{
    for (std::size_t i = 0; i < kTools.size(); ++i)
        m_tools[i]->setChecked(m_tool == kTools[i].tool);
    adjustSize();
    placeUnits();
}

void ScatterTools::placeUnits()
{
    // Beside the tools it belongs to, while one of them is at hand.
    for (std::size_t i = 0; i < kPicks.size(); ++i)
        m_picks[i]->setChecked(m_picked == kPicks[i].picks);
    m_units->adjustSize();
    const QToolButton* lasso = m_tools[static_cast<std::size_t>(ScatterTool::Lasso)];
    m_units->move(geometry().right() + 1 + Metrics::kRelated, y() + lasso->y());
    m_units->setVisible(picks() && m_pointsOffered && m_shown);
    Q_EMIT placed(); // names of regions make room
}

void ScatterTools::setTool(ScatterTool tool)
{
    m_tool = tool;
    parentWidget()->setCursor(rowOf(tool).cursor);
    refresh();
    Q_EMIT changed();
}

void ScatterTools::setPicked(ScatterPicks picked)
{
    if (picked == m_picked || (picked == ScatterPicks::Points && !m_pointsOffered))
        return;
    m_picked = picked;
    refresh();
    Q_EMIT changed();
}

void ScatterTools::setPointsOffered(bool offered)
{
    m_pointsOffered = offered;
    if (!offered)
        m_picked = ScatterPicks::Documents;
    refresh();
}

void ScatterTools::setShown(bool shown)
{
    m_shown = shown;
    setVisible(shown);
    placeUnits();
}

void ScatterTools::setHistory(bool back, bool forward)
{
    m_steps[1]->setEnabled(back);
    m_steps[2]->setEnabled(forward);
    refresh();
}

} // namespace headscope::ui
