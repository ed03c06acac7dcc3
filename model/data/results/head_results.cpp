// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/head_results.h"

#include "model/base/fields/fields.h"

#include <array>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array kCkaWords = {FieldWord{"debiased", "Debiased"}, FieldWord{"biased", "Biased"}};
constexpr std::array kSelectivityWords = {FieldWord{"centred", "Centred"}, FieldWord{"raw", "Raw"}};
constexpr std::array kFollowsWords = {FieldWord{"rest", "The rest"}, FieldWord{"whole", "The whole"}};

} // namespace

std::string_view ckaName(CkaMethod method)
{
    return kCkaWords[static_cast<std::size_t>(method)].word;
}

Field& ckaField(Fields& f, CkaMethod& method, std::string about)
{
    return f("cka", method, kCkaWords, "--cka", std::move(about)).label("CKA");
}

void fields(Fields& f, HeadAnswerOptions& o)
{
    f("selectivity", o.selectivity, kSelectivityWords, "--selectivity",
      "cosines to use; centred: each topic's mean over all documents is subtracted first; raw: mostly a measure of the "
      "topics' names")
        .label("Selectivity");
    f("follows", o.follows, kFollowsWords, "--follows",
      "full vector with which a segment of stage 3 is compared: without the segment, or with it")
        .label("Follows");
    f("permutations", o.permutations, "--permutations", "number of permutations of the labels for p values; 0: none")
        .label("Permutations")
        .within(0, kMaxPermutations);
    f("seed", o.seed).label("Seed"); // typed among the options of every verb
}

} // namespace headscope
