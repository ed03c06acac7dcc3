// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/measures/geometry_frame.h"

#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/place_columns.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <utility>

namespace headscope
{
namespace
{

using S = Shown;
using G = VectorGeometry;
using enum Facet;

/// More rows than this are not printed.
constexpr std::int64_t kPrintedRows = 60;

constexpr std::string_view kFull = "full";

// clang-format off
constexpr ColumnInfo kGeometryColumns[] = {
    kLayerColumn,
    kStageColumn,
    {"unit", "Vectors", "", "Which vectors were measured: a head or segment (its index, from 1), or full (the selected "
     "heads of the layer, concatenated)", "", S::Text},
    {"documents", "Documents", "", "Number of documents that were measured", "", S::Count},
    {"left_out", "Left out", "", "Number of documents excluded because of a zero vector, NaN or "
                                 "infinity", "", S::Count},
    {"dims", "Dimensions", "", "Number of dimensions of the vectors", "", S::Count},
    {"effective_rank", "Effective rank", "",
     "exp of the entropy of the singular values (scaled to sum to 1): the number of directions over which the vectors "
     "spread, 1 to the number of dimensions (Roy and Vetterli 2007)",
     "A large common offset adds one large singular value and lowers the effective rank: compare it with the centred "
     "value"},
    {"effective_rank_centered", "Effective rank (centred)", "", "Effective rank after the mean vector is subtracted",
     "The value grows with the number of documents if there are few"},
    {"participation_ratio", "Participation ratio", "",
     "(sum s^2)^2 / sum s^4 of the singular values s: like the effective rank, but with more weight on large singular "
     "values",
     "A large common offset brings the ratio close to 1"},
    {"participation_ratio_centered", "Participation ratio (centred)", "",
     "Participation ratio after the mean vector is subtracted"},
    {"twonn", "Intrinsic dimension", "",
     "TwoNN: dimension from the ratio of the distances to the two nearest vectors (Euclidean), with the largest tenth "
     "of the ratios discarded (Facco et al. 2017)",
     "Too low if there are too few documents for a high dimension; near duplicates lower it, too"},
    {"twonn_half", "Intrinsic dimension of half", "", "Intrinsic dimension for a random half of the distinct vectors",
     "If it differs much from the value for all vectors, the estimate depends on the scale, and neither value is the "
     "dimension"},
    {"distinct", "Distinct", "", "Number of distinct vectors, which the intrinsic dimension uses", "", S::Count},
    {"anisotropy", "Anisotropy", "", "Mean cosine of two different documents' vectors: 0 where directions are uniform, "
     "1 where all are equal (Ethayarajh 2019)", "A common offset alone makes the cosine large: compare it with the "
     "centred value"},
    {"anisotropy_centered", "Anisotropy (centred)", "", "Anisotropy after the mean vector is subtracted"},
    {"after_final_norm", "After the final norm", "", "Whether the vectors are taken after the model's final norm",
     "Not comparable with earlier layers, whose vectors are taken before this norm", S::Flag},
};
constexpr Slot kPrinted[] = {{"layer"}, {"stage"}, {"unit"}, {"documents"}, {"effective_rank", Value, "eff rank"},
    {"effective_rank_centered", Value, "eff centred"}, {"participation_ratio", Value, "part ratio"},
    {"participation_ratio_centered", Value, "part centred"}, {"twonn"}, {"twonn_half", Value, "of half"},
    {"anisotropy", Span}, {"anisotropy_centered", Span}};
constexpr Slot kExplained[] = {{"effective_rank", Value, "eff rank"},
    {"effective_rank_centered", Value, "eff centred"}, {"participation_ratio", Value, "part ratio"}, {"twonn"},
    {"twonn_half", Value, "of half"}, {"anisotropy"}};
// clang-format on
constexpr std::array<Slots, 1> kTexts = {kPrinted};

struct Row
{
    const PlacedGeometry* place = nullptr;
    const VectorGeometry* shape = nullptr;
};

/// One head together with no other is the head, and what is uncut is no head.
std::vector<Row> rowsOf(const std::vector<PlacedGeometry>& places)
{
    std::vector<Row> rows;
    for (const PlacedGeometry& place : places)
    {
        const auto& heads = place.geometry.heads;
        if (heads.size() > 1 || place.isUncut)
            rows.push_back({&place, &place.geometry.full});
        for (const VectorGeometry& head : heads)
            if (!place.isUncut)
                rows.push_back({&place, &head});
    }
    return rows;
}

} // namespace

constinit const FrameInfo kGeometryFrame = {
    .key = "geometry", .columns = kGeometryColumns, .shape = JsonShape::Flat, .texts = kTexts};

Frame geometryFrame(const std::vector<PlacedGeometry>& places)
{
    const std::vector<Row> rows = rowsOf(places);
    const auto of = [&rows](auto projection) { return columnValues(rows, projection); };
    const auto shape = [&of](auto member) { return of([member](const Row& row) { return row.shape->*member; }); };
    Frame frame(kGeometryFrame);
    frame.add("layer", of([](const Row& row) { return row.place->layer.value(); }));
    frame.add("stage", of([](const Row& row) { return stageName(row.place->stage); }));
    frame.add("unit", of([](const Row& row) {
                  return row.shape->head < 0 ? std::string(kFull)
                                             : fmt::format("{} {}", unitName(row.place->stage), row.shape->head + 1);
              }));
    frame.add("documents", shape(&G::documents));
    frame.add("left_out", shape(&G::leftOut));
    frame.add("dims", shape(&G::dims));
    frame.add("effective_rank", shape(&G::effectiveRank));
    frame.add("effective_rank_centered", shape(&G::effectiveRankCentred));
    frame.add("participation_ratio", shape(&G::participation));
    frame.add("participation_ratio_centered", shape(&G::participationCentred));
    frame.add("twonn", shape(&G::twonn));
    frame.add("twonn_half", shape(&G::twonnHalf));
    frame.add("distinct", shape(&G::distinct));
    frame.add("anisotropy", shape(&G::anisotropy)).interval(shape(&G::anisotropyCi95), kJackknife);
    frame.add("anisotropy_centered", shape(&G::anisotropyCentred))
        .interval(shape(&G::anisotropyCentredCi95), kJackknife);
    frame.add("after_final_norm", of([](const Row& row) { return row.place->afterFinalNorm; }));
    return frame;
}

Frame shownGeometry(const Frame& all)
{
    if (all.rows() <= kPrintedRows)
        return all;
    const auto& units = std::get<Column::Texts>(all.find("unit")->values);
    std::vector<std::size_t> full;
    for (std::size_t row = 0; row < units.size(); ++row)
        if (units[row] == kFull)
            full.push_back(row);
    Frame shown = all;
    if (!full.empty())
        shown.take(full);
    return shown;
}

std::string geometryLegend(const std::vector<PlacedGeometry>& places)
{
    std::string text =
        columnWords(kGeometryFrame, kExplained) +
        fmt::format("Anisotropy [95%]: {}. Ranks and dimensions have no interval: they grow with the number of "
                    "documents, so compare them only between vectors of the same number of documents.\n",
                    kJackknife);
    const auto rows = static_cast<std::int64_t>(rowsOf(places).size());
    if (rows > kPrintedRows)
        text += fmt::format("{} rows in total: -o FILE.csv or --json includes the rows of single heads.\n", rows);
    for (const PlacedGeometry& place : places)
        if (place.afterFinalNorm)
            text += fmt::format(
                "Stage 3 of layer {} is taken after the final norm, so it is not comparable with earlier layers.\n",
                place.layer.value());
    return text;
}

} // namespace headscope
