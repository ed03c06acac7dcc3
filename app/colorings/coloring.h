// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "model/data/maps/head_map.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "viz/color/category_palette.h"
#include "viz/color/head_palette.h"
#include "viz/color/inks.h"
#include "viz/scatter/point_coloring.h"

#include <QColor>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the points of a map can be coloured by: one entry per colouring, read by the window (map, grid, comparison,
/// their legends and boxes) and by the shell (`--color`).
namespace headscope::colorings
{

/// What a colouring is computed from, besides the points. It also decides how views of several maps show it: the same
/// in all maps (Documents, Sets), for each map separately (Points, Strengths), or not at all (Map).
enum class Needs
{
    Points,    ///< document and head of each point
    Documents, ///< a column of the documents
    Sets,      ///< the named sets, which only the window has
    Strengths, ///< the norms of the points' vectors
    Map,       ///< a job over the points of one map and their vectors: Coloring::finder
};

/// What the colourings on offer depend on.
struct Offered
{
    const ModelInfo& model;
    const DocumentSet& documents;
    Stage stage = Stage::HeadOutput;
};

/// One entry of a combo box of colourings.
struct Offer
{
    std::string column; ///< of the documents; "": the colouring needs none
    QString title;      ///< "Label: topic · 4 values"
    QString shortTitle; ///< "topic": where a box has little room
    QString tip;        ///< "": the title says it
};

/// The result of a Finder: columns of numbers, [P] each; NaN for points that have none.
using Found = std::vector<std::vector<double>>;

/// The job of a colouring that needs one.
struct Finder
{
    std::string_view key; ///< colourings of the same key share the result
    QString title;        ///< of the job: "Counting density"
    bool needsVectors = true;
    /// @param vectors  of the map's layer and stage; null where needsVectors is false
    /// @threads to be called on a worker; result independent of numThreads
    std::function<Result<Found>(const HeadMap& map, const HeadVectors* vectors, int numThreads, JobContext& job)> find;
};

/// The named sets as they are at a moment.
struct SetColors
{
    LabelColumn column;       ///< of the documents
    std::vector<QRgb> colors; ///< of its categories
};

/// The points of a map, and what is known of them.
struct ColoredPoints
{
    std::shared_ptr<const PointIds> points; ///< [P]
    Stage stage = Stage::HeadOutput;
    std::shared_ptr<const DocumentSet> documents; ///< null: not known
    std::string column;                           ///< of the offer that is chosen
    std::shared_ptr<const Found> found;           ///< by the colouring's finder; null: not yet
};

/// The same with what their colours are made of.
struct ColoringInput : ColoredPoints
{
    viz::HeadPalette palette; ///< of the theme
    viz::InkTheme theme = viz::InkTheme::Light;
    std::vector<std::int32_t> order; ///< codes of labels that come first in the legend
    /// Strengths of the points, [P]; empty: not known (yet). Called on the thread that runs the Task.
    std::function<std::vector<float>()> strengths;
    std::shared_ptr<const SetColors> sets; ///< of Needs::Sets
};

/// Makes colours and legend in time linear in the number of points; owns its data and may run on any thread.
using Task = std::function<viz::PointColoring()>;

/// A colouring: everything that the window and the shell need to know about it.
struct Coloring
{
    std::string_view key; ///< by which it is remembered ("label"); with a column "label:topic"
    Needs needs = Needs::Points;
    std::vector<Offer> (*offers)(const Offered&) = nullptr;
    /// An empty task: what the colouring needs is not there; points are then coloured by head.
    Task (*make)(const ColoringInput&) = nullptr;
    /// Hint of the legend while `make` gives an empty task; "": none.
    QString waiting{};
    std::optional<Finder> finder{}; ///< of Needs::Map
    /// The value behind a point's colour, for its hover card; null: the card shows it already.
    QString (*value)(const ColoredPoints&, std::size_t point) = nullptr;
    /// Its word for the shell's `--color`: its key, or, for a colouring by a column, what the column is. "": not
    /// available in the shell. A column is named by its name, or by the key of its choice. (The help of `--color` is in
    /// app/commands/tsne_command.cpp.)
    std::string_view shellWord{};
    /// Whether the shell may name this column; of those with a word of Needs::Documents. @cost may read the column
    bool (*isColumn)(const DocumentSet& documents, std::string_view name) = nullptr;
    /// Hint of the common legend of several maps that are coloured separately: "pale: weak, in each cell".
    QString cellsHint{};
    bool namesRegions = false; ///< its legend's names can label regions of the map (viz/scatter/region_labels.h)
};

/// The key of a choice: "head", "label:topic".
[[nodiscard]] std::string choiceKey(const Coloring& coloring, std::string_view column);

/// Colours by head: the fallback for every other colouring.
/// @param hint  of the legend
[[nodiscard]] Task byHead(const ColoringInput& input, const QString& hint = {});

} // namespace headscope::colorings
