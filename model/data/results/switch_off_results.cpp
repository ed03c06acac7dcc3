// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/switch_off_results.h"

#include <algorithm>

namespace headscope
{
namespace
{

// clang-format off
constexpr ColumnInfo kSwitchOffResultsColumns[] = {
    {"document", "Document", "", "Id of the document", "", Shown::Text},
    {"cosine", "Cosine", "", "Cosine between the document's full vector from the model without these heads and its "
                             "full vector in the cache",
     "Values of a cache stored in 16 bits are rounded, so they differ slightly from the model's", Shown::Fixed},
    {"kept", "Nearest preserved", "",
     "Number of the document's nearest documents that are still among its nearest documents without these heads, by "
     "cosine", "",
     Shown::Count},
    {"cut_cosine", "Cosine (cache only)", "",
     "Cosine between the layer's cached vectors before and after these heads are set to zero (cache-only ablation)",
     "The model is not run without the heads, so later layers cannot compensate", Shown::Fixed},
    {"cut_kept", "Nearest preserved (cache only)", "",
     "Number of the document's nearest documents, by the layer's cached vectors, that are still among its nearest "
     "documents with these heads set to zero", "", Shown::Count},
};
// clang-format on

} // namespace

constinit const FrameInfo kChangedFrame = {.key = "changed", .columns = kSwitchOffResultsColumns, .fileBlank = '_'};

Frame changedFrame(const SwitchOffResult& result, const DocumentSet& documents)
{
    Frame frame(kChangedFrame);
    frame.add("document", columnValues(result.documents, [&documents](std::int64_t row) {
                  return documents.ids[static_cast<std::size_t>(row)];
              }));
    frame.add("cosine", result.inModel.cosine);
    frame.add("kept", result.inModel.kept);
    if (result.cut)
    {
        frame.add("cut_cosine", result.cut->cosine);
        frame.add("cut_kept", result.cut->kept);
    }
    return frame;
}

std::optional<std::size_t> SwitchOffResult::placeOf(std::int64_t row) const
{
    const auto found = std::ranges::lower_bound(documents, row);
    if (found == documents.end() || *found != row)
        return std::nullopt;
    return static_cast<std::size_t>(found - documents.begin());
}

} // namespace headscope
