// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/token_words.h"

#include "model/data/key_sharing.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <algorithm>

namespace headscope::ui
{
namespace
{

QString spelled(const HeadCorpus& corpus, std::int64_t token)
{
    return toQString(corpus.spellingOf(corpus.ids[static_cast<std::size_t>(token)]));
}

} // namespace

viz::ShadedText shadedText(const HeadCorpus& corpus, std::int64_t token, std::span<const float> weights)
{
    const TokenPlace place = corpus.placeOf(token);
    const std::int64_t first = corpus.offsets[place.document.index()];
    viz::ShadedText text;
    text.acting = place.token.value();
    for (std::int64_t t = 0; t < corpus.tokensOf(place.document); ++t)
    {
        const auto at = static_cast<std::size_t>(t);
        text.tokens.push_back(
            {spelled(corpus, first + t), at < weights.size() ? static_cast<double>(weights[at]) : 0.0});
    }
    return text;
}

viz::ShadedText nearbyText(const HeadCorpus& corpus, std::int64_t token, std::int64_t around)
{
    const TokenPlace place = corpus.placeOf(token);
    const std::int64_t first = corpus.offsets[place.document.index()];
    const std::int64_t begin = std::max<std::int64_t>(0, place.token.value() - around);
    const std::int64_t end = std::min(corpus.tokensOf(place.document), place.token.value() + around + 1);
    viz::ShadedText text;
    text.acting = place.token.value() - begin;
    for (std::int64_t t = begin; t < end; ++t)
        text.tokens.push_back({spelled(corpus, first + t), 0});
    return text;
}

QString tokenLine(const HeadCorpus& corpus, std::int64_t token)
{
    const auto at = static_cast<std::size_t>(token);
    const TokenPlace place = corpus.placeOf(token);
    const std::int64_t source = corpus.offsets[place.document.index()] + corpus.strongest[at];
    return tr("activation %1 · token %2 of %3 in %4 · largest weight %5 on “%6” (token %7) · weight %8 on the first "
              "token")
        .arg(numberText(corpus.activations[at]))
        .arg(place.token.value() + 1)
        .arg(corpus.tokensOf(place.document))
        .arg(toQString(corpus.documents[place.document.index()]), numberText(corpus.strongestWeights[at]),
             viz::tokenInText(spelled(corpus, source)).trimmed())
        .arg(corpus.strongest[at] + 1)
        .arg(numberText(corpus.firstWeights[at]));
}

HoverContent tokenCard(const HeadCorpus& corpus, std::int64_t token, const QString& what)
{
    constexpr std::int64_t kAround = 24;
    const TokenPlace place = corpus.placeOf(token);
    HoverContent card;
    card.title = tr("“%1”").arg(viz::tokenInText(spelled(corpus, token)).trimmed());
    card.detail = what;
    card.value = numberText(corpus.activations[static_cast<std::size_t>(token)]);
    card.subtitle = tr("token %1 of %2 in %3")
                        .arg(place.token.value() + 1)
                        .arg(corpus.tokensOf(place.document))
                        .arg(toQString(corpus.documents[place.document.index()]));
    const viz::ShadedText text = nearbyText(corpus, token, kAround);
    for (std::int64_t t = 0; t < std::ssize(text.tokens); ++t)
    {
        const QString shown = viz::tokenInText(text.tokens[static_cast<std::size_t>(t)].text);
        const auto begin = static_cast<int>(card.text.size());
        card.text += shown;
        if (t == text.acting)
            card.hits = {{begin + (shown.startsWith(u' ') ? 1 : 0), static_cast<int>(card.text.size())}};
    }
    return card;
}

QString headName(const HeadCorpus& corpus)
{
    return tr("Layer %1, head %2").arg(corpus.source.layer.value()).arg(shownNumber(corpus.source.head));
}

QString mapSentence(const TokenMap& map)
{
    const QString run = tr("t-SNE (Euclidean, perplexity %1), %2 of %3 iterations")
                            .arg(numberText(map.perplexity), countText(map.iteration), countText(map.iterations));
    if (map.kind == TokenMapKind::Outputs)
        return tr("%1. Points: outputs z of the head (stage 1), unchanged.").arg(run);
    const auto rotated = rotatesByPosition(map.corpus->source.model);
    return tr("%1. Points: queries multiplied by %2, and keys divided by the same factor, so that both have the same "
              "spread. Keys are also shifted to the mean of the queries. Neither step changes an attention weight. "
              "%3Attention depends on the product of a query and a key of the same document, not on their distance on "
              "the map.")
        .arg(run, numberText(map.scale),
             !rotated   ? QString()
             : *rotated ? tr("Queries and keys are taken after rotation by position (RoPE). ")
                        : tr("Positions are part of the token vectors, without rotation. "));
}

QString mapBadge(const TokenMap& map)
{
    const QString of = tr("%1 of %2 tokens").arg(countText(std::ssize(map.rows)), countText(map.corpus->tokenCount()));
    return map.kind == TokenMapKind::Outputs ? of : tr("%1, two points per token").arg(of);
}

} // namespace headscope::ui
