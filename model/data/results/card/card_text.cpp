// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/card/card_text.h"

#include "model/base/text/fixed_text.h"
#include "model/base/text/wrapped_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

constexpr double kSmallQ = 0.05;

std::string percent(double share)
{
    return fixedText(100 * share, 1) + "%";
}

std::string counted(std::int64_t count, std::string_view one)
{
    return fmt::format("{} {}{}", withCommas(count), one, count == 1 ? "" : "s");
}

/// " (95% 0.10 to 0.20)"; "" where there is none.
std::string interval(const Interval& ci95, int decimals)
{
    return std::isfinite(ci95.low) && std::isfinite(ci95.high)
               ? fmt::format(" (95% {} to {})", fixedText(ci95.low, decimals), fixedText(ci95.high, decimals))
               : std::string();
}

std::string percentInterval(const Interval& ci95)
{
    return std::isfinite(ci95.low) && std::isfinite(ci95.high)
               ? fmt::format(" (95% {} to {})", percent(ci95.low), percent(ci95.high))
               : std::string();
}

/// "q = 0.003", "q < 0.001".
std::string chanceText(std::string_view name, double value)
{
    return value < 0.001 ? fmt::format("{} < 0.001", name) : fmt::format("{} = {}", name, fixedText(value, 3));
}

std::string headText(HeadIndex head, LayerIndex layer)
{
    return fmt::format("head {} of layer {}", head.value() + 1, layer.value());
}

/// "a", "a and b", "a, b and c"
std::string listText(const std::vector<std::string>& items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return text;
}

std::string sharedKeys(const HeadCard& card)
{
    const ModelInfo& model = card.model;
    switch (keySharing(model))
    {
    case KeySharing::Unknown:
        return {};
    case KeySharing::Own:
        return "It has its own KV head.";
    case KeySharing::One:
        return fmt::format("All {} heads of the layer share one KV head.", model.heads);
    case KeySharing::Groups:
        break;
    }
    std::vector<std::string> partners;
    const std::int64_t first = model.groupOf(card.head).value() * model.groupSize();
    for (std::int64_t head = first; head < first + model.groupSize(); ++head)
        if (head != card.head.value())
            partners.push_back(fmt::format("{}", head + 1));
    return fmt::format("It shares its keys and values with head{} {}: KV group {} of {}.",
                       partners.size() == 1 ? "" : "s", listText(partners), model.groupOf(card.head).value() + 1,
                       model.kvHeads);
}

std::string poolingText(const std::string& pooling)
{
    if (pooling == "last")
        return " at the last token of each";
    if (pooling == "first")
        return " at the first token of each";
    return pooling == "mean" ? ", averaged over the tokens of each" : "";
}

CardSection placeSection(const HeadCard& card)
{
    CardSection section{CardPart::Place, "Where it is", {}, {}, {}};
    section.sentences.push_back(fmt::format("Head {} of {} in layer {} (layers 0 to {}) of {}.", card.head.value() + 1,
                                            card.model.heads, card.layer.value(), card.model.layers - 1,
                                            card.model.name));
    if (std::string keys = sharedKeys(card); !keys.empty())
        section.sentences.push_back(std::move(keys));
    section.sentences.push_back(fmt::format("This card describes its output before o_proj (stage 1){} of {}.",
                                            poolingText(card.pooling), counted(card.documents, "document")));
    if (card.leftOut > 0)
        section.sentences.push_back(fmt::format("{} with NaN or infinity {} not used.", counted(card.leftOut, "vector"),
                                                card.leftOut == 1 ? "is" : "are"));
    if (std::isfinite(card.meanNorm))
        section.sentences.push_back(fmt::format("The mean length of its vectors is {}.", fixedText(card.meanNorm, 2)));
    if (std::isfinite(card.meanCosine))
        section.sentences.push_back(
            fmt::format("The mean cosine between the vectors of two documents is {} (1: the same direction, 0: "
                        "unrelated).",
                        fixedText(card.meanCosine, 2)));
    if (card.model.changes.any())
        section.sentences.push_back(
            fmt::format("The model was changed for this cache: {}.", card.model.changes.words(card.model.kvHeads)));
    return section;
}

std::string tokensText(const std::vector<CardToken>& tokens)
{
    std::vector<std::string> words;
    for (const CardToken& token : tokens)
    {
        std::string text; // spaces that keep a token in one line
        for (const char c : token.text)
            text += c == ' ' ? std::string("\u00a0") : std::string(1, c);
        words.push_back(fmt::format("\u201c{}\u201d", text));
    }
    return words.empty() ? std::string("none") : fmt::format("{}", fmt::join(words, ", "));
}

CardSection writesSection(const HeadCard& card)
{
    CardSection section{CardPart::Writes, "What it writes", {}, {}, {}};
    if (!card.lens)
        return section;
    const CardLens& lens = *card.lens;
    section.sentences.push_back(fmt::format("Tokens whose logits it raises most: {}.", tokensText(lens.up)));
    section.sentences.push_back(fmt::format("Tokens whose logits it lowers most: {}.", tokensText(lens.down)));
    section.notes.push_back(
        fmt::format("These tokens are in the lists of most of {}, each compared with the head's mean over them.",
                    counted(lens.documents, "document")));
    section.notes.push_back(fmt::format("They are decoded with the {}, which were not trained to explain vectors: "
                                        "a reading aid.",
                                        lens.unembedding));
    return section;
}

CardSection readsSection(const HeadCard& card)
{
    CardSection section{CardPart::Reads, "What it reads", {}, {}, {}};
    if (!card.attention)
        return section;
    const CardAttention& attention = *card.attention;
    const auto of = [&](std::string_view key, std::string_view words, bool isShare) {
        const CardStatistic* found = attention.find(key);
        return found == nullptr
                   ? std::string()
                   : fmt::format("{} {} (rank {})", isShare ? percent(found->value) : fixedText(found->value, 2), words,
                                 found->rank);
    };
    const auto add = [&](std::string_view beginning, std::vector<std::string> parts) {
        std::erase(parts, std::string());
        if (!parts.empty())
            section.sentences.push_back(fmt::format("{} {}.", beginning, listText(parts)));
    };
    add("A token gives", {of("first_token", "of its attention to the first token", true),
                          of("previous_token", "to the previous token", true), of("self_token", "to itself", true)});
    add("It gives", {of("duplicate_token", "to earlier occurrences of the same token", true),
                     of("induction", "to the tokens after them", true)});
    add("The largest weight of a token is", {of("confidence", "on average", true)});
    add("The entropy of its weights is",
        {of("entropy_causal", "of that of even attention; 0: one token, 1: all alike", false)});
    section.notes.push_back(fmt::format("Ranks are among {}, 1 is the largest.", counted(attention.heads, "head")));
    section.notes.push_back(fmt::format("These are means over tokens, then over {}; the run gives no intervals.",
                                        counted(attention.documents, "document")));
    return section;
}

CardSection directionsSection(const HeadCard& card)
{
    CardSection section{CardPart::Directions, "Directions of its vectors", {}, {}, {}};
    if (!card.directions)
        return section;
    const CardDirections& directions = *card.directions;
    if (!directions.varies)
        section.sentences.push_back(fmt::format("The vectors of all {} are equal, so there is no direction.",
                                                counted(directions.documents, "document")));
    for (std::size_t i = 0; i < directions.directions.size(); ++i)
    {
        const CardDirection& direction = directions.directions[i];
        section.sentences.push_back(directionText(direction, i));
        const auto end = [&](const CardEnd& of, std::string_view name) {
            std::string text = fmt::format("{} end: ", name);
            if (const std::string label = cardEndText(of, direction.endDocuments); !label.empty())
                text += label + "; ";
            if (direction.vocabulary > 0)
                text += fmt::format("words (z): {}; ", contrastWordsText(of.words));
            std::vector<std::string> ids;
            for (const CardDocument& document : of.documents)
                ids.push_back(document.id);
            section.sentences.push_back(
                fmt::format("{}outermost document{}: {}.", text, ids.size() == 1 ? "" : "s", fmt::join(ids, ", ")));
        };
        end(direction.high, "High");
        end(direction.low, "Low");
    }
    if (!directions.noWords.empty())
        section.missing.push_back(directions.noWords);
    if (!directions.directions.empty())
        section.notes.push_back(fmt::format(
            "An end is {} of {}. A direction has no sign: which end is called high is a convention.{}",
            counted(directions.directions.front().endDocuments, "document"), withCommas(directions.documents),
            directions.noWords.empty() ? " Words: log-odds with a Dirichlet prior; q is over all compared words, and "
                                         "words of one document come together, so that z is somewhat too large."
                                       : ""));
    return section;
}

std::string topicSource(const std::string& vectorsText)
{
    return vectorsText == "names" ? "embedded topic names" : "topic vectors: " + vectorsText;
}

CardSection topicsSection(const HeadCard& card)
{
    CardSection section{CardPart::Topics, "Topics it favours", {}, {}, {}};
    if (!card.topics)
        return section;
    const CardTopics& topics = *card.topics;
    const auto tested = std::ranges::count_if(topics.favours, [](const TopicFavour& f) { return std::isfinite(f.q); });
    const auto clear =
        std::ranges::count_if(topics.favours, [](const TopicFavour& f) { return f.q < kSmallQ && f.difference > 0; });
    const TopicFavour& first = topics.favours.front();
    const std::string& name = topics.names[static_cast<std::size_t>(first.topic)];
    if (!std::isfinite(first.difference))
        section.sentences.emplace_back(
            "No topic can be compared with others: each needs a vector, documents, and documents of other topics.");
    else
        section.sentences.push_back(fmt::format(
            "{}: the cosine of its {} with the topic is {} {} than that of the other {}{}{}.", name,
            counted(first.documents, "document"), fixedText(std::abs(first.difference), 3),
            first.difference < 0 ? "lower" : "higher", withCommas(first.others), interval(first.ci95, 3),
            std::isfinite(first.q) ? ", " + chanceText("q", first.q) : std::string(", too few documents for a test")));
    if (tested > 0)
        section.sentences.push_back(
            clear == 0 ? fmt::format("No topic is favoured: of {} tested none has a higher cosine with q < 0.05.",
                                     counted(tested, "topic"))
                       : fmt::format("{} of {} {} favoured: a higher cosine with q < 0.05.", clear,
                                     counted(tested, "topic"), clear == 1 ? "is" : "are"));
    section.notes.push_back(
        fmt::format("Label: {}; {}. Intervals: Welch.", topics.label, topicSource(topics.vectorsText)));
    return section;
}

CardSection similarSection(const HeadCard& card)
{
    CardSection section{CardPart::Similar, "Most similar heads", {}, {}, {}};
    if (!card.similar)
        return section;
    const CardSimilarity& similar = *card.similar;
    if (similar.nearest.empty())
        section.sentences.emplace_back("No other head of this cache can be compared with it: its vectors, or those of "
                                       "all others, do not vary.");
    else
        section.sentences.push_back(fmt::format(
            "Of {} in {} of this cache, {} is most similar: debiased CKA {}{}.", counted(similar.heads, "other head"),
            counted(similar.layers, "layer"), headText(similar.nearest.front().head, similar.nearest.front().layer),
            fixedText(similar.nearest.front().cka, 2), interval(similar.nearest.front().ci95, 2)));
    section.notes.push_back(fmt::format("CKA is 1 for vectors that are equal up to rotation and scale, and 0 on "
                                        "average for unrelated ones; intervals: jackknife over {}.",
                                        counted(similar.documents, "document")));
    return section;
}

CardSection probeSection(const HeadCard& card)
{
    CardSection section{CardPart::Probe, "Probe", {}, {}, {}};
    if (!card.probe)
        return section;
    const CardProbe& probe = *card.probe;
    section.sentences.push_back(fmt::format(
        "A linear probe of the {} heads of the layer recognises {} of its vectors{} in {}; guessing gives {}.",
        probe.heads, percent(probe.recall), percentInterval(probe.recallCi95),
        counted(probe.testDocuments, "test document"), percent(1.0 / static_cast<double>(probe.heads))));
    section.sentences.push_back(probe.mistakenFor
                                    ? fmt::format("It is misclassified most often as head {}: {}.",
                                                  probe.mistakenFor->value() + 1, counted(probe.mistaken, "vector"))
                                    : std::string("None of its test vectors is misclassified."));
    return section;
}

/// What is lost, as a sentence.
std::string dropText(std::string_view what, const Estimate& lost, int decimals)
{
    const double leastShown = 0.5 * std::pow(10, -decimals);
    if (std::abs(lost.value) < leastShown)
        return std::isfinite(lost.ci95.low)
                   ? fmt::format("{} is the same on balance (95% of the drop {} to {}).", what,
                                 fixedText(lost.ci95.low, decimals), fixedText(lost.ci95.high, decimals))
                   : fmt::format("{} is the same on balance.", what);
    return fmt::format(
        "{} {} by {}{}.", what, lost.value < 0 ? "rises" : "drops", fixedText(std::abs(lost.value), decimals),
        lost.value < 0 ? interval({-lost.ci95.high, -lost.ci95.low}, decimals) : interval(lost.ci95, decimals));
}

CardSection importanceSection(const HeadCard& card)
{
    CardSection section{CardPart::Importance, "Importance", {}, {}, {}};
    if (card.cut)
    {
        const CardCut& cut = *card.cut;
        const std::string ofAll = fmt::format("Cache only: without its vectors, match at 1 of the layer ({} of {})",
                                              percent(cut.all), counted(cut.documents, "labelled document"));
        section.sentences.push_back(cut.changed == 0 ? fmt::format("{} does not change for any document.", ofAll)
                                                     : dropText(ofAll, {cut.lost, cut.ci95}, 3));
        if (cut.changed > 0 && !std::isfinite(cut.ci95.low))
            section.sentences.push_back(
                fmt::format("It changes for {}, too few for an interval.", counted(cut.changed, "document")));
        else if (std::isfinite(cut.p))
            section.sentences.push_back(fmt::format("Sign-flip test over {} that {}: {}.",
                                                    counted(cut.changed, "document"),
                                                    cut.changed == 1 ? "changes" : "change", chanceText("p", cut.p)));
    }
    if (card.ablation)
    {
        const CardAblation& ablation = *card.ablation;
        const std::string ablated =
            fmt::format("Full model, head ablated ({}) at every token of {}:", ablation.ablation,
                        counted(ablation.documents, "document"));
        if (ablation.cosine)
            section.sentences.push_back(
                dropText(ablated + " the cosine with the unchanged vectors", *ablation.cosine, 4));
        if (ablation.match)
            section.sentences.push_back(
                dropText(ablation.cosine ? "Match at 1" : ablated + " match at 1", *ablation.match, 3));
    }
    return section;
}

std::string partnerText(const CardPartner& partner)
{
    constexpr std::array<std::string_view, 3> kInputs = {"queries", "keys", "values"};
    return fmt::format("{} ({}, {})", headText(partner.head, partner.layer),
                       kInputs[static_cast<std::size_t>(partner.kind)], signedText(partner.score, 3));
}

CardSection partnersSection(const HeadCard& card)
{
    CardSection section{CardPart::Partners, "Composition partners", {}, {}, {}};
    if (!card.partners)
        return section;
    const auto list = [](const std::vector<CardPartner>& partners) {
        std::vector<std::string> words;
        for (const CardPartner& partner : partners)
            words.push_back(partnerText(partner));
        return fmt::format("{}", fmt::join(words, "; "));
    };
    const CardPartners& partners = *card.partners;
    section.sentences.push_back(partners.before.empty() ? std::string("No layer is before it that it could read from.")
                                                        : "It could read most from " + list(partners.before) + ".");
    section.sentences.push_back(partners.after.empty() ? std::string("No layer is after it that could read from it.")
                                                       : "Most could be read from it by " + list(partners.after) + ".");
    section.notes.push_back(fmt::format("Scores of the weights alone, minus {} for random weights: they show what "
                                        "could flow, not what flows in a text.",
                                        fixedText(partners.baseline, 3)));
    return section;
}

} // namespace

std::string cardTitle(const HeadCard& card)
{
    return fmt::format("Head {} of layer {}", card.head.value() + 1, card.layer.value());
}

std::string cardFileName(const HeadCard& card)
{
    const auto width = [](std::int64_t largest) { return fmt::format("{}", largest).size(); };
    return fmt::format("layer{:0{}}-head{:0{}}", card.layer.value(), width(card.model.layers - 1),
                       card.head.value() + 1, width(card.model.heads));
}

std::vector<CardSection> cardSections(const HeadCard& card)
{
    std::vector<CardSection> sections = {placeSection(card),      writesSection(card),     readsSection(card),
                                         directionsSection(card), topicsSection(card),     similarSection(card),
                                         probeSection(card),      importanceSection(card), partnersSection(card)};
    for (const CardGap& gap : card.gaps)
        for (CardSection& section : sections)
            if (section.part == gap.part)
                section.missing.push_back(gap.help.empty() ? gap.why : gap.why + " " + gap.help);
    return sections;
}

std::string contrastWordsText(const std::vector<ContrastWord>& words)
{
    std::vector<std::string> texts;
    for (const ContrastWord& word : words)
        texts.push_back(fmt::format("{} {}", word.word, fixedText(std::abs(word.z), 1)));
    return texts.empty() ? std::string("none") : fmt::format("{}", fmt::join(texts, ", "));
}

std::string cardEndText(const CardEnd& end, std::int64_t documents)
{
    if (end.label.empty())
        return {};
    return fmt::format("{} of {} {} the label {}", withCommas(end.ofLabel), counted(documents, "document"),
                       end.ofLabel == 1 ? "has" : "have", end.label);
}

std::string directionText(const CardDirection& direction, std::size_t number)
{
    std::string text = fmt::format("Direction {} explains {} of the variance{}", number + 1, percent(direction.share),
                                   percentInterval(direction.shareCi95));
    if (direction.vocabulary > 0)
        text += direction.separating == 0
                    ? fmt::format("; none of {} separates its ends at q < 0.05", counted(direction.vocabulary, "word"))
                    : fmt::format("; {} of {} {} its ends at q < 0.05", withCommas(direction.separating),
                                  counted(direction.vocabulary, "word"),
                                  direction.separating == 1 ? "separates" : "separate");
    return text + ".";
}

std::string cardText(const HeadCard& card)
{
    constexpr TextLines kLines{.width = 100, .indent = 4};
    std::string text = cardTitle(card) + "\n";
    for (const CardSection& section : cardSections(card))
    {
        text += "\n" + section.title + "\n";
        for (const auto* sentences : {&section.sentences, &section.missing, &section.notes})
            for (const std::string& sentence : *sentences)
                text += wrappedText("  " + sentence, kLines) + "\n";
    }
    return text;
}

} // namespace headscope
