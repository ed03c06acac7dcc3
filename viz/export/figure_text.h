// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/tsne_options.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "viz/export/figure_export.h"

#include <QString>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// Height of a figure's text, in points.
inline constexpr double kFigureTextPt = 8;
/// Between the parts of a figure, in points.
inline constexpr double kFigureGap = 12;
/// Smallest text of numbers in cells, in points; smaller ones are left out.
inline constexpr double kMinNumberPt = 6;

[[nodiscard]] QString wordsOf(std::string_view words);
/// The model as captions and parameters of figures name it: "NAME", or "NAME (changed: head 2 of layer 1 ablated
/// (zero))".
[[nodiscard]] QString modelName(const ModelInfo& info);
[[nodiscard]] QString perplexityText(const TsneOptions& options);
/// "750 iterations", "stopped at 223 of 750 iterations".
[[nodiscard]] QString iterationsText(const HeadMap& map);
/// The seed of a map where it had a part in it, else empty: fillIn leaves an empty parameter out.
[[nodiscard]] QString seedText(const HeadMap& map);
/// "3 documents", "1 document".
[[nodiscard]] QString counted(std::int64_t count, const QString& what);
/// The sentence that a caption adds where the last layer's stage 3 is shown: whether it is after the final norm.
[[nodiscard]] QString finalNormSentence(const ModelInfo& info, LayerIndex layer, Stage stage);
/// The sentence that a caption adds where segments are shown; else empty.
[[nodiscard]] QString segmentsNote(std::span<const Stage> stages);

/// The sentence that a caption adds where segments have the colours of heads; else empty.
[[nodiscard]] QString segmentColorsNote(std::span<const Stage> stages);

using FigureParameters = std::vector<std::pair<QString, QString>>;
/// The figure with this caption, where it is not empty, and these parameters before those of its own.
[[nodiscard]] Figure describedFigure(Figure figure, QString caption, FigureParameters parameters);

/// Caption and parameters of a figure; what the caller gave comes first and wins.
void fillIn(FigureOptions& options, const QString& caption, const FigureParameters& parameters);

} // namespace headscope::viz
