// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/selection_gesture.h"

#include <QFrame>
#include <QString>
#include <Qt>

#include <optional>
#include <span>
#include <vector>

class QToolButton;

namespace headscope::ui
{

class ViewState;

/// What a drag on the map does.
enum class ScatterTool
{
    Pan,
    BoxZoom,
    Rectangle,
    Lasso,
    Brush,
};

/// What rectangle, lasso and brush choose.
enum class ScatterPicks
{
    Documents, ///< each that has a dot inside, with all its dots
    Points,    ///< the dots inside
};

/// A tool of the map: its button, its key, its cursor, and the gesture it picks with.
struct ScatterToolRow
{
    ScatterTool tool;
    const char* name; ///< of its button
    const char* icon;
    const char* tip; ///< names its key; to be translated in the context "ScatterTools"
    Qt::Key key;
    Qt::CursorShape cursor;
    std::optional<SelectionGesture::Shape> shape; ///< nothing: it moves the view
};

/// Every tool once, in the order of their buttons and of their enum.
[[nodiscard]] std::span<const ScatterToolRow> scatterToolRows();
[[nodiscard]] const ScatterToolRow& rowOf(ScatterTool tool);
[[nodiscard]] std::optional<ScatterTool> toolOfKey(int key);
/// Switches between documents and points.
inline constexpr Qt::Key kPicksKey = Qt::Key_P;

/// The buttons that float on the left of the map, and the state they show: the tool, and next to a tool that picks what
/// it picks. The switch between documents and points is a frame of its own next to this one.
class ScatterTools : public QFrame
{
    Q_OBJECT

public:
    explicit ScatterTools(QWidget* canvas);

    /// The canvas gets the tool's cursor.
    void setTool(ScatterTool tool);
    [[nodiscard]] ScatterTool tool() const { return m_tool; }
    /// Whether the tool picks points, by a gesture of rowOf(tool()).shape.
    [[nodiscard]] bool picks() const { return rowOf(m_tool).shape.has_value(); }
    /// Points are refused where they are not offered.
    void setPicked(ScatterPicks picked);
    [[nodiscard]] ScatterPicks picked() const { return m_picked; }
    /// Whether points can be chosen individually: not where a document has only one.
    void setPointsOffered(bool offered);
    void setShown(bool shown);
    /// Which way the history of the view can be gone.
    void setHistory(bool back, bool forward);

    /// The switch between documents and points.
    [[nodiscard]] QFrame* units() const { return m_units; }
    /// The tool and what it picks are values of a state.
    void bindTo(ViewState& state);

Q_SIGNALS:
    /// Another tool, or other units to be picked.
    void changed();
    void fitRequested();
    void backRequested();
    void forwardRequested();
    /// The part of the canvas that the buttons cover may have changed.
    void placed();

private:
    void buildUnits();
    void refresh();
    void refreshIcons();
    void placeUnits();
    [[nodiscard]] QToolButton* addButton(const char* name, const QString& tip);

    ScatterTool m_tool = ScatterTool::Pan;
    ScatterPicks m_picked = ScatterPicks::Documents;
    bool m_pointsOffered = true;
    bool m_shown = true;
    std::vector<QToolButton*> m_tools; ///< as scatterToolRows()
    std::vector<QToolButton*> m_steps; ///< fit, back, forward
    QFrame* m_units = nullptr;
    std::vector<QToolButton*> m_picks; ///< documents, points
};

} // namespace headscope::ui
