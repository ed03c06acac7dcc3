// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "ui/canvas/picture_widget.h"
#include "viz/color/head_palette.h"

#include <QCoreApplication>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui
{

/// Heads as KV groups x members, in the colours of the map. Its items are the heads, then the labels of rows.
class HeadCells : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(HeadPicker)

public:
    HeadCells();

    /// Shows the heads of a model, all of them chosen.
    void setModel(const ModelInfo& info);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Whether names and tooltips say head or segment; segments belong to no KV group.
    void setStage(Stage stage);
    /// @param chosen  [H]
    void setChosen(std::vector<char> chosen);
    [[nodiscard]] const std::vector<char>& chosen() const { return m_chosen; }
    /// The head that keys start from.
    void setStanding(std::size_t head);

    [[nodiscard]] bool isHead(std::size_t item) const { return item < m_chosen.size(); }
    /// The item that is the label of a head's row, and what it says: "KV3", or "7–9" where there are no KV groups.
    [[nodiscard]] std::size_t labelOf(std::int64_t head) const;
    [[nodiscard]] QString rowName(std::int64_t head) const;
    [[nodiscard]] int labelWidth() const;
    /// Of a head it alone, of a label the heads of its row.
    [[nodiscard]] std::vector<std::int64_t> headsOf(std::size_t item) const;
    /// Ground and letters of a cell; the letters can be read.
    [[nodiscard]] static std::pair<QColor, QColor> inksOf(const QColor& color, bool isChosen, bool isPointed);

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override;
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] viz::ItemText textAt(QPointF place, std::size_t item) const override;
    [[nodiscard]] std::optional<bool> isChecked(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] std::optional<std::size_t> standing() const override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    [[nodiscard]] int linesPerRow() const { return (m_headsPerRow + m_columns - 1) / m_columns; }
    [[nodiscard]] int rows() const;

    ModelInfo m_info;
    viz::HeadPalette m_palette;
    Stage m_stage = Stage::HeadOutput;
    int m_columns = 4;          ///< cells of a line
    int m_headsPerRow = 4;      ///< heads that share one label
    std::vector<char> m_chosen; ///< [H]
    std::size_t m_standing = 0;
};

/// Chooses heads. Click: this head alone (again: all). Ctrl+click: add or remove it. Drag, or Shift+click: from
/// the first to the last. Row label: the whole group, with Ctrl added. Keys: arrows move, Space
/// adds or removes, Return isolates, Ctrl+A takes all.
class HeadPicker : public PictureOf<HeadCells>
{
    Q_OBJECT

public:
    explicit HeadPicker(QWidget* parent = nullptr);

    /// Shows the heads of a model, all of them chosen.
    void setModel(const ModelInfo& info);

    /// Chosen heads, 0-based, ascending.
    [[nodiscard]] std::vector<std::int64_t> heads() const;
    /// Indices outside the model are ignored. Emits headsChanged when something changed.
    void setHeads(const std::vector<std::int64_t>& heads);
    void chooseAll();
    void chooseNone();
    void invert();

    [[nodiscard]] std::int64_t headCount() const { return std::ssize(picture().chosen()); }

Q_SIGNALS:
    /// The user asked for all heads, which may be chosen already.
    void allAsked();
    void headsChanged(const std::vector<std::int64_t>& heads);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void take(std::size_t item, Qt::KeyboardModifiers keys);
    void takeRange(std::size_t last);
    void commit(std::vector<char> chosen);

    std::size_t m_anchor = 0; ///< where a range begins
    bool m_hasAnchor = false; ///< the pointer pressed a head
    std::vector<char> m_kept; ///< [H] what a range is added to
};

} // namespace headscope::ui
