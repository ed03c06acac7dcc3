// SPDX-License-Identifier: GPL-3.0-or-later
// The tools that float at the left of the map.
#include "ui/canvas/scatter/scatter_widget.h"

#include "ui/theme/theme.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = 12;

} // namespace

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
    for (QToolButton* button : {m_rectangleButton, m_lassoButton, m_brushButton})
        button->setToolTip(tr("%1\nDocuments are chosen: each that has a dot inside, with all its dots; or the dots "
                              "inside alone (P).\nShift adds, Ctrl takes away, Alt keeps what both have.")
                               .arg(button->accessibleName()));
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
    buildUnits();
}

void ScatterWidget::buildUnits()
{
    m_units = new QFrame(this);
    m_units->setObjectName(QStringLiteral("mapUnits"));
    auto* layout = new QHBoxLayout(m_units);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    const auto make = [this, layout](const QString& name, const QString& text, const QString& tip, Picks picks) {
        auto* button = new QToolButton(m_units);
        button->setObjectName(name);
        button->setText(text);
        button->setProperty("boxed", true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setFocusPolicy(Qt::TabFocus);
        button->setCheckable(true);
        layout->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, picks] {
            setPicks(picks);
            refreshTools(); // a second click leaves it pressed
        });
        return button;
    };
    m_documentsButton =
        make(QStringLiteral("pickDocuments"), tr("documents"),
             tr("Choose documents: each that has a dot inside, with all its dots (P changes over)"), Picks::Documents);
    m_pointsButton =
        make(QStringLiteral("pickPoints"), tr("points"),
             tr("Choose the dots inside alone, each a head of a document (P changes over)"), Picks::Points);
    m_units->hide();
}

void ScatterWidget::placeUnits()
{
    // Beside the tools it belongs to, while one of them is at hand.
    m_documentsButton->setChecked(m_picks == Picks::Documents);
    m_pointsButton->setChecked(m_picks == Picks::Points);
    m_units->adjustSize();
    m_units->move(m_tools->geometry().right() + 1 + Metrics::kRelated, m_tools->y() + m_lassoButton->y());
    m_units->setVisible(picksPoints() && m_pointsOffered && m_toolsShown);
    m_regionLabelsStale = true; // names of regions make room
}

void ScatterWidget::refreshToolIcons()
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
}

void ScatterWidget::refreshTools()
{
    m_panButton->setChecked(m_tool == Tool::Pan);
    m_boxButton->setChecked(m_tool == Tool::BoxZoom);
    m_rectangleButton->setChecked(m_tool == Tool::Rectangle);
    m_lassoButton->setChecked(m_tool == Tool::Lasso);
    m_brushButton->setChecked(m_tool == Tool::Brush);
    m_backButton->setEnabled(m_history.canGoBack());
    m_forwardButton->setEnabled(m_history.canGoForward());
    m_tools->adjustSize();
    placeUnits();
}

void ScatterWidget::setTool(Tool tool)
{
    m_tool = tool;
    refreshCursor();
    refreshTools();
    Q_EMIT toolChanged();
}

} // namespace headscope::ui
