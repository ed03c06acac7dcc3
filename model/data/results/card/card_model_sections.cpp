// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/fixed_text.h"
#include "model/base/text/one_line.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/card/card_sections.h"
#include "model/data/results/card/card_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace headscope::card_words
{
namespace
{

/// "\u201c\u00b7water\u201d 12, \u201cly\u201d 9": each with the documents that list it.
std::string tokensText(const std::vector<CardToken>& tokens)
{
    constexpr std::size_t kMost = 6;
    std::vector<std::string> texts;
    for (const CardToken& token : std::span(tokens).first(std::min(kMost, tokens.size())))
        texts.push_back(fmt::format("\u201c{}\u201d\u00a0{}", spelledToken(token.text), withCommas(token.documents)));
    return texts.empty() ? std::string("none") : fmt::format("{}", fmt::join(texts, ", "));
}

/// In how many documents the tokens are listed that most list.
std::string agreementText(const CardLens& lens)
{
    const auto share = [&lens](const CardToken& token) {
        return static_cast<double>(token.documents) / static_cast<double>(lens.documents);
    };
    const CardToken& up = lens.up.front();
    const CardToken& down = lens.down.front();
    constexpr double kMost = 0.5;
    return fmt::format("{}The most frequent one is raised in {} of the documents{}, or lowered in {}{}.",
                       std::max(share(up), share(down)) < kMost ? "Most documents list other tokens. " : "",
                       percent(share(up)), percentInterval(up.ci95), percent(share(down)), percentInterval(down.ci95));
}

/// What is lost, as a sentence.
/// @param unit  of the numbers: " percentage points"
std::string dropText(std::string_view what, const Estimate& lost, int decimals, std::string_view unit = "")
{
    const double leastShown = 0.5 * std::pow(10, -decimals);
    if (std::abs(lost.value) < leastShown)
        return std::isfinite(lost.ci95.low)
                   ? fmt::format("{} does not change on average (95% of the drop {} to {}).", what,
                                 fixedText(lost.ci95.low, decimals), fixedText(lost.ci95.high, decimals))
                   : fmt::format("{} does not change on average.", what);
    return fmt::format(
        "{} {} by {}{}{}.", what, lost.value < 0 ? "rises" : "drops", fixedText(std::abs(lost.value), decimals), unit,
        lost.value < 0 ? interval({-lost.ci95.high, -lost.ci95.low}, decimals) : interval(lost.ci95, decimals));
}

void addCut(const CardCut& cut, CardSection& section)
{
    section.sentences.push_back(fmt::format("Cache only: with the vectors of all heads of the layer, the most similar "
                                            "topic is the true one for {} of {}{}: "
                                            "match@1.",
                                            percent(cut.all), counted(cut.documents, "labelled document"),
                                            percentInterval(cut.allCi95)));
    constexpr std::string_view kWithout = "Without this head, match@1";
    if (cut.changed == 0)
        section.sentences.push_back(fmt::format("{} does not change for any document.", kWithout));
    else
        section.sentences.push_back(
            dropText(kWithout, {100 * cut.lost, {100 * cut.ci95.low, 100 * cut.ci95.high}}, 1, " percentage points"));
    const std::string changed = fmt::format("The match of {} changes", counted(cut.changed, "document"));
    if (cut.changed > 0 && !std::isfinite(cut.ci95.low))
        section.sentences.push_back(changed + ", too few for an interval.");
    else if (std::isfinite(cut.p))
        section.sentences.push_back(fmt::format("{}; sign-flip test: {}.", changed, chanceText("p", cut.p)));
}

/// "head 5 of layer 6 (V +0.064)"
std::string partnerText(const CardPartner& partner)
{
    constexpr std::array<std::string_view, 3> kLetters = {"Q", "K", "V"};
    return fmt::format("{} ({}\u00a0{})", headText(partner.head, partner.layer),
                       kLetters[static_cast<std::size_t>(partner.kind)], signedText(partner.score, 3));
}

std::string partnersText(const std::vector<CardPartner>& partners)
{
    std::vector<std::string> words;
    for (const CardPartner& partner : partners)
        words.push_back(partnerText(partner));
    return fmt::format("{}", fmt::join(words, "; "));
}

/// "SD 0.001 to 0.002", of these pairs; "" where it is not known.
std::string spreadText(const CardPartners& partners)
{
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const auto* list : {&partners.before, &partners.after})
        for (const CardPartner& partner : *list)
            if (std::isfinite(partner.spread))
            {
                low = std::min(low, partner.spread);
                high = std::max(high, partner.spread);
            }
    if (!std::isfinite(low))
        return {};
    const std::string least = fixedText(low, 4);
    const std::string most = fixedText(high, 4);
    return least == most ? fmt::format(" (SD {})", least) : fmt::format(" (SD {} to {} for these pairs)", least, most);
}

} // namespace

CardSection writes(const HeadCard& card)
{
    CardSection section{CardPart::Writes, "What it writes", {}, {}, {}};
    if (!card.lens)
        return section;
    const CardLens& lens = *card.lens;
    section.sentences.push_back(fmt::format("Tokens whose logits it raises most: {}.", tokensText(lens.up)));
    section.sentences.push_back(fmt::format("Tokens whose logits it lowers most: {}.", tokensText(lens.down)));
    if (!lens.up.empty() && !lens.down.empty())
        section.sentences.push_back(agreementText(lens));
    section.notes.push_back(
        fmt::format("Numbers: of {}, those with the token among the {} most raised or lowered, relative to the head's "
                    "mean (intervals: Wilson). \u00b7 is a space. Decoded with the {}, not trained for this: a reading "
                    "aid.",
                    counted(lens.documents, "document"), lens.top, lens.unembedding));
    addCaution("these lists are", lens.documents, section.notes);
    return section;
}

CardSection reads(const HeadCard& card)
{
    CardSection section{CardPart::Reads, "What it reads", {}, {}, {}};
    if (!card.attention)
        return section;
    const CardAttention& attention = *card.attention;
    section.sentences.emplace_back("Mean attention of a query token, with 95% interval and rank:");
    const auto add = [&](std::string_view key, std::string_view what, bool isShare) {
        if (const CardStatistic* found = attention.find(key); found != nullptr)
            section.sentences.push_back(fmt::format(
                "{}: {}{}, rank\u00a0{}.", what, isShare ? percent(found->value) : fixedText(found->value, 2),
                std::isfinite(found->ci95.low)
                    ? isShare
                          ? fmt::format(" ({} to {})", percent(std::max(0.0, found->ci95.low)),
                                        percent(std::min(1.0, found->ci95.high)))
                          : fmt::format(" ({} to {})", fixedText(found->ci95.low, 2), fixedText(found->ci95.high, 2))
                    : std::string(),
                found->rank));
    };
    add("first_token", "First token", true);
    add("previous_token", "Previous token", true);
    add("self_token", "Query token itself", true);
    add("duplicate_token", "Earlier occurrences of it", true);
    add("induction", "Tokens after these", true);
    add("confidence", "Largest weight", true);
    add("entropy_causal", "Entropy (0: one token, 1: uniform)", false);
    section.notes.push_back(fmt::format("Means over query tokens, then over {}; intervals over documents (Student's "
                                        "t). Rank 1 is the largest of {}.",
                                        counted(attention.documents, "document"), counted(attention.heads, "head")));
    addCaution("these means are", attention.documents, section.notes);
    return section;
}

CardSection importance(const HeadCard& card)
{
    CardSection section{CardPart::Importance, "Importance", {}, {}, {}};
    if (card.cut)
        addCut(*card.cut, section);
    if (!card.ablation)
        return section;
    const CardAblation& ablation = *card.ablation;
    const std::string ablated = fmt::format("Full model, head ablated ({}) at every token of {}:", ablation.ablation,
                                            counted(ablation.documents, "document"));
    if (ablation.cosine)
        section.sentences.push_back(
            dropText(ablated + " the mean cosine with the vectors of the full model", *ablation.cosine, 4));
    if (ablation.match)
    {
        const Estimate& lost = *ablation.match;
        section.sentences.push_back(dropText(ablation.cosine ? "Its match@1" : ablated + " match@1",
                                             {100 * lost.value, {100 * lost.ci95.low, 100 * lost.ci95.high}}, 1,
                                             " percentage points"));
    }
    addCaution("these drops are", ablation.documents, section.notes);
    return section;
}

CardSection partners(const HeadCard& card)
{
    CardSection section{CardPart::Partners, "Composition partners", {}, {}, {}};
    if (!card.partners)
        return section;
    const CardPartners& found = *card.partners;
    section.sentences.push_back(found.before.empty()
                                    ? std::string("No layer is before it whose heads it could read.")
                                    : fmt::format("Earlier heads that it could read most, of {}: {}.",
                                                  counted(found.numBefore, "score"), partnersText(found.before)));
    section.sentences.push_back(found.after.empty()
                                    ? std::string("No layer is after it whose heads could read it.")
                                    : fmt::format("Later heads that could read it most, of {}: {}.",
                                                  counted(found.numAfter, "score"), partnersText(found.after)));
    section.notes.push_back(fmt::format(
        "Q, K, V: read by the later head's queries, keys or values. Numbers: score minus {}, the root mean square of "
        "randomly rotated heads{}. Scores use weights alone, no documents, so they have no interval; they show what "
        "could "
        "flow, not what flows in a text.",
        fixedText(found.baseline, 3), spreadText(found)));
    return section;
}

} // namespace headscope::card_words
