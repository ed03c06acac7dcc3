// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/head_corpus/head_corpus_answer.h"

#include "model/base/text/one_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope::engine
{
namespace
{

/// A token in words and numbers.
struct Described
{
    std::string document;
    std::int64_t token = 0;
    std::string text;
    float activation = 0;
    std::int64_t strongest = 0;
    std::string strongestText;
    float strongestWeight = 0;
};

Described describe(const HeadCorpus& corpus, std::int64_t token)
{
    const auto at = static_cast<std::size_t>(token);
    const TokenPlace place = corpus.placeOf(token);
    const std::int64_t first = corpus.offsets[place.document.index()];
    const auto strongest = static_cast<std::size_t>(first + corpus.strongest[at]);
    return {corpus.documents[place.document.index()],
            place.token.value(),
            std::string(corpus.spellingOf(corpus.ids[at])),
            corpus.activations[at],
            corpus.strongest[at],
            std::string(corpus.spellingOf(corpus.ids[strongest])),
            corpus.strongestWeights[at]};
}

} // namespace

nlohmann::ordered_json headCorpusJson(const HeadCorpus& corpus, const HeadCorpusTiming& timing,
                                      const std::string& output)
{
    using Json = nlohmann::ordered_json;
    Json top = Json::array();
    for (const HeadExample& example : corpus.top)
    {
        const Described each = describe(corpus, example.token);
        top.push_back({{"document", each.document},
                       {"token", each.token},
                       {"text", each.text},
                       {"activation", each.activation},
                       {"strongest", each.strongest},
                       {"strongest_text", each.strongestText},
                       {"strongest_weight", each.strongestWeight}});
    }
    return {{"layer", corpus.source.layer.value()},
            {"head", shownNumber(corpus.source.head)},
            {"documents", corpus.documentCount()},
            {"tokens", corpus.tokenCount()},
            {"truncated", corpus.truncated},
            {"sample", corpus.sampled.size()},
            {"activation", {{"deciles", decileBounds(corpus.activations)}}},
            {"top", std::move(top)},
            {"resumed", timing.resumed},
            {"seconds", timing.seconds},
            {"peak_bytes", timing.peakBytes},
            {"output", output}};
}

std::string headCorpusText(const HeadCorpus& corpus, const std::string& output)
{
    std::string text = fmt::format("{}: layer {}, head {} over {} documents, {} tokens; {} of them sampled\n", output,
                                   corpus.source.layer.value(), shownNumber(corpus.source.head), corpus.documentCount(),
                                   corpus.tokenCount(), corpus.sampled.size());
    text += "activation, minimum, deciles and maximum:";
    for (const float bound : decileBounds(corpus.activations))
        text += fmt::format(" {:.4g}", bound);
    text += fmt::format("\n{:>10}  {:>6}  {:<20}  {:>6}  {:<20}  document\n", "activation", "token", "text", "weight",
                        "on");
    for (const HeadExample& example : corpus.top)
    {
        const Described each = describe(corpus, example.token);
        text += fmt::format("{:>10.4g}  {:>6}  {:<20}  {:>6.3f}  {:<20}  {}\n", each.activation, each.token,
                            tokenOnOneLine(each.text), each.strongestWeight, tokenOnOneLine(each.strongestText),
                            each.document);
    }
    return text;
}

} // namespace headscope::engine
