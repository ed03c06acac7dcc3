// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Heads as KV groups x members, in the colours of the map.
///
/// Click: this head alone (again: all). Ctrl+click: add or remove it. Drag, or Shift+click: from
/// the first to the last. Row label: the whole group, with Ctrl added. Keys: arrows move, Space
/// adds or removes, Return isolates, Ctrl+A takes all.
class HeadPicker : public QWidget
{
    Q_OBJECT

public:
    explicit HeadPicker(QWidget* parent = nullptr);

    /// Shows the heads of a model, all of them chosen.
    void setModel(const ModelInfo& info);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Whether names and tooltips say head or segment; segments belong to no KV group.
    void setStage(Stage stage);

    /// Chosen heads, 0-based, ascending.
    [[nodiscard]] std::vector<std::int64_t> heads() const;
    /// Indices outside the model are ignored. Emits headsChanged when something changed.
    void setHeads(const std::vector<std::int64_t>& heads);
    void chooseAll();
    void chooseNone();
    void invert();

    [[nodiscard]] std::int64_t headCount() const { return static_cast<std::int64_t>(m_chosen.size()); }
    /// Where a head is drawn.
    [[nodiscard]] QRect cellRect(std::int64_t head) const;
    /// Where the label of the head's row is drawn, and what it says: "KV3", or "7–9" where there are no KV groups.
    [[nodiscard]] QRect labelRect(std::int64_t head) const;
    [[nodiscard]] QString rowName(std::int64_t head) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The user asked for all heads, which may be chosen already.
    void allAsked();
    void headsChanged(const std::vector<std::int64_t>& heads);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] std::optional<std::int64_t> headAt(QPoint place) const;
    /// The first head of the row whose label is there.
    [[nodiscard]] std::optional<std::int64_t> rowAt(QPoint place) const;
    [[nodiscard]] int lines() const;
    [[nodiscard]] std::vector<std::int64_t> rowHeads(std::int64_t first) const;
    void chooseOnly(const std::vector<std::int64_t>& heads, bool add);
    void dragTo(std::int64_t head);
    void commit(std::vector<char> chosen);
    void moveFocus(std::int64_t step);

    ModelInfo m_info;
    viz::HeadPalette m_palette;
    Stage m_stage = Stage::HeadOutput;
    int m_columns = 4;          ///< cells of a line
    int m_headsPerRow = 4;      ///< heads that share one label
    std::vector<char> m_chosen; ///< [H]
    std::optional<std::int64_t> m_hovered;
    std::optional<std::int64_t> m_hoveredRow;
    std::int64_t m_focus = 0;
    std::int64_t m_anchor = 0;
    bool m_showFocus = false; ///< only after use of the keyboard
    bool m_pressed = false;
    bool m_dragged = false;
    Qt::KeyboardModifiers m_pressModifiers;
    std::vector<char> m_before; ///< the choice when the drag began
};

} // namespace headscope::ui
