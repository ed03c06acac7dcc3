// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/circuits/circuit_choices.h"

#include "model/base/fields/fields.h"

#include <array>

namespace headscope
{
namespace
{

constexpr std::array kKindWords = {FieldWord{"all", "Q, K and V"}, FieldWord{"q", "Queries"}, FieldWord{"k", "Keys"},
                                   FieldWord{"v", "Values"}};
constexpr std::int64_t kLeast = 2;
constexpr std::int64_t kOffered = 20'000;

} // namespace

std::optional<CompositionKind> CircuitChoices::compositionKind() const
{
    for (const CompositionKind each : kCompositionKinds)
        if (kind == compositionName(each))
            return each;
    return {};
}

void fields(Fields& f, CircuitChoices& o)
{
    f("documents", o.documents)
        .label("Documents", "Number of documents that the model is run on, sampled with the seed of the settings.")
        .countFrom(kLeast)
        .offers(static_cast<double>(kLeast), static_cast<double>(kOffered));
    f("center", o.center)
        .label("Subtract mean",
               "Subtract the mean over these documents, which all of them share, from vectors and parts.");
    f("kind", o.kind)
        .among(kKindWords)
        .label("Input", "Input through which the later head reads what the earlier head writes.");
    f("weights", o.weights).label("Weights only", "Decode the weights for the tokens of a text, without documents.");
    f("token", o.token).label("Text", "Tokens of this text are read by the heads, as inputs, queries and keys.");
}

} // namespace headscope
