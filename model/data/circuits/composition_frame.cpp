// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/circuits/composition_frame.h"

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kCompositionColumns[] = {
    {"kind", "Kind", "", "Input of the later head: q (queries), k (keys) or v (values)", "", S::Text},
    {"from_layer", "From layer", "", "Index of the earlier head's layer (from 0)", "", S::Index},
    {"from_head", "From head", "", "Index of the earlier head (from 1)", "", S::Index},
    {"to_layer", "To layer", "", "Index of the later head's layer (from 0)", "", S::Index},
    {"to_head", "To head", "", "Index of the later head (from 1)", "", S::Index},
    {"score", "Composition", "",
     "Frobenius norm of the product of the later head's matrix and the earlier head's W_OV, divided by the norms of "
     "both matrices, minus the baseline if one is subtracted",
     "Computed from the weights only: it shows what could flow, not what flows in a text", S::Fixed},
};
constexpr Slot kJson[] = {{"kind"}, {"from_layer", Value, "from.layer"}, {"from_head", Value, "from.head"},
    {"to_layer", Value, "to.layer"}, {"to_head", Value, "to.head"}, {"score"}};
// clang-format on

} // namespace

constinit const FrameInfo kEdgesFrame = {
    .key = "strongest", .columns = kCompositionColumns, .fileBlank = '_', .json = kJson};

Frame edgesFrame(const std::vector<CompositionEdge>& edges)
{
    using E = CompositionEdge;
    Frame frame(kEdgesFrame);
    frame.add("kind", columnValues(edges, [](const E& edge) { return compositionName(edge.kind); }));
    frame.add("from_layer", columnValues(edges, &E::fromLayer));
    frame.add("from_head", columnValues(edges, [](const E& edge) { return edge.fromHead + 1; }));
    frame.add("to_layer", columnValues(edges, &E::toLayer));
    frame.add("to_head", columnValues(edges, [](const E& edge) { return edge.toHead + 1; }));
    frame.add("score", columnValues(edges, &E::score));
    return frame;
}

} // namespace headscope
