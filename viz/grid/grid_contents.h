// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map_set.h"
#include "viz/color/head_palette.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::viz
{

/// One cell of a grid of small maps.
struct GridCell
{
    std::size_t map = 0;        ///< in the set
    std::int64_t block = 0;     ///< row of the table: a stage or a layer
    std::int64_t column = 0;    ///< of the table: full, then heads
    QString title;              ///< "Head 3", "Segment 3", "Full vector": from 1
    QString shortTitle;         ///< "3", "full": where there is no room
    QString numbers;            ///< "r 0.93", "r 0.93 · 41% kept", othersWords(); empty before the first iteration
    std::optional<QColor> edge; ///< the head's colour; none for the full vector
};

/// A row of the table.
struct GridBlock
{
    QString title;  ///< "Stage 1", "Layer 12"
    QString detail; ///< "heads", "segments"
};

/// The maps of a set as a table: rows are layers and stages, columns are heads, the full vector
/// before them.
struct GridContents
{
    std::vector<GridCell> cells; ///< by block, then column
    std::vector<GridBlock> blocks;
    std::vector<QString> columns; ///< headings: "full", "1", ...
    std::vector<std::optional<QColor>> columnColors;
    std::vector<std::int64_t> columnGroups; ///< KV group of each; -1: full. Empty: all alike

    /// The cell of a place in the table.
    [[nodiscard]] std::optional<std::size_t> find(std::int64_t block, std::int64_t column) const;
};

/// Lays a set out. The full vector is in the row of the stage it was cut from, else in the first.
[[nodiscard]] GridContents gridContents(const HeadMapSet& set, const HeadPalette& palette);

/// Whether a map of a set is that of the full vector.
[[nodiscard]] bool isFullMap(const HeadMap& map);

/// "Head 3, stage 1, layer 12", or "9 heads, stage 1, layer 12": a map in words; heads and segments from 1.
[[nodiscard]] QString mapTitle(const HeadMap& map);

} // namespace headscope::viz
