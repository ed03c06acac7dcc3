// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/card/card_sections.h"

#include "model/base/text/fixed_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"
#include "model/data/results/card/card_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace headscope::card_words
{
namespace
{

constexpr double kSmallQ = 0.05;

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

std::string topicSource(const std::string& vectorsText)
{
    return vectorsText == "names" ? "Each topic is the vector of its embedded name."
                                  : fmt::format("Topic vectors: {}.", vectorsText);
}

std::vector<std::string> directionNotes(const CardDirections& all)
{
    const std::int64_t atEnd = all.directions.front().endDocuments;
    std::vector<std::string> notes = {fmt::format(
        "Directions: principal components. An end: the {} of {} furthest out; which one is called high is a "
        "convention.",
        withCommas(atEnd), counted(all.documents, "document"))};
    addCaution("the words and labels of an end are", atEnd, notes);
    if (all.noWords.empty())
        notes.emplace_back("z: log-odds of a word between the ends (Dirichlet prior), too large because words of one "
                           "document are not independent; q: adjusted for all words.");
    return notes;
}

} // namespace

CardSection place(const HeadCard& card)
{
    CardSection section{CardPart::Place, "Where it is", {}, {}, {}};
    section.sentences.push_back(fmt::format("Head {} of {} in layer {} (layers 0 to {}) of {}.", card.head.value() + 1,
                                            card.model.heads, card.layer.value(), card.model.layers - 1,
                                            card.model.name));
    if (std::string keys = sharedKeys(card); !keys.empty())
        section.sentences.push_back(std::move(keys));
    section.sentences.push_back(
        fmt::format("This card describes its output before the output projection (stage 1){} of {}.",
                    poolingText(card.pooling), counted(card.documents, "document")));
    addCaution("this card is", card.documents - card.leftOut, section.sentences);
    if (card.leftOut > 0)
        section.sentences.push_back(fmt::format("{} with NaN or infinity {} not used.", counted(card.leftOut, "vector"),
                                                card.leftOut == 1 ? "is" : "are"));
    if (std::isfinite(card.meanNorm))
        section.sentences.push_back(fmt::format("The mean L2 norm of its vectors is {}{}.", fixedText(card.meanNorm, 2),
                                                interval(card.meanNormCi95, 2)));
    if (std::isfinite(card.meanCosine))
        section.sentences.push_back(fmt::format("The mean cosine between two of them is {}{}.",
                                                fixedText(card.meanCosine, 2), interval(card.meanCosineCi95, 2)));
    if (card.model.changes.any())
        section.sentences.push_back(
            fmt::format("The model was changed for this cache: {}.", card.model.changes.words(card.model.kvHeads)));
    return section;
}

CardSection directions(const HeadCard& card)
{
    CardSection section{CardPart::Directions, "Directions of its vectors", {}, {}, {}};
    if (!card.directions)
        return section;
    const CardDirections& all = *card.directions;
    if (!all.varies)
        section.sentences.push_back(fmt::format("The vectors of all {} are equal, so there is no direction.",
                                                counted(all.documents, "document")));
    for (std::size_t i = 0; i < all.directions.size(); ++i)
    {
        const CardDirection& direction = all.directions[i];
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
    if (!all.noWords.empty())
        section.missing.push_back(all.noWords);
    if (!all.directions.empty())
        section.notes = directionNotes(all);
    return section;
}

CardSection topics(const HeadCard& card)
{
    CardSection section{CardPart::Topics, "Topics it favours", {}, {}, {}};
    if (!card.topics)
        return section;
    const CardTopics& all = *card.topics;
    const auto tested = std::ranges::count_if(all.favours, [](const TopicFavour& f) { return std::isfinite(f.q); });
    const auto clear =
        std::ranges::count_if(all.favours, [](const TopicFavour& f) { return f.q < kSmallQ && f.difference > 0; });
    const TopicFavour& first = all.favours.front();
    const std::string& name = all.names[static_cast<std::size_t>(first.topic)];
    if (!std::isfinite(first.difference))
        section.sentences.emplace_back(
            "No topic can be compared with others: each needs a vector, documents, and documents of other topics.");
    else
        section.sentences.push_back(fmt::format(
            "{}: the mean cosine with this topic is {} {} for its {} than for the other {}{}{}.", name,
            fixedText(std::abs(first.difference), 3), first.difference < 0 ? "lower" : "higher",
            counted(first.documents, "document"), withCommas(first.others), interval(first.ci95, 3),
            std::isfinite(first.q) ? ", " + chanceText("q", first.q) : std::string(", too few documents for a test")));
    if (tested > 0)
        section.sentences.push_back(
            clear == 0 ? fmt::format("No topic is favoured: none of {} tested has a higher cosine at q < 0.05.",
                                     counted(tested, "topic"))
                       : fmt::format("{} of {} {} favoured: their cosine is higher at q < 0.05.", clear,
                                     counted(tested, "topic"), clear == 1 ? "is" : "are"));
    section.notes.push_back(fmt::format("Labels: column \u201c{}\u201d. {}", all.label, topicSource(all.vectorsText)));
    if (tested > 0)
        section.notes.push_back(fmt::format(
            "95% intervals and tests: Welch; q is adjusted for {} (Benjamini-Hochberg).", counted(tested, "topic")));
    return section;
}

CardSection similar(const HeadCard& card)
{
    CardSection section{CardPart::Similar, "Most similar heads", {}, {}, {}};
    if (!card.similar)
        return section;
    const CardSimilarity& found = *card.similar;
    if (found.nearest.empty())
        section.sentences.emplace_back("No other head of this cache can be compared with it: its vectors, or those of "
                                       "all others, do not vary.");
    else
        section.sentences.push_back(fmt::format(
            "Of the {} in {} of this cache, {} is most similar: debiased CKA {}{}.", counted(found.heads, "other head"),
            counted(found.layers, "layer"), headText(found.nearest.front().head, found.nearest.front().layer),
            fixedText(found.nearest.front().cka, 2), interval(found.nearest.front().ci95, 2)));
    section.notes.push_back(fmt::format("CKA is 1 for vectors that are equal up to rotation and scale, and 0 on "
                                        "average for unrelated ones. Intervals: jackknife over {}.",
                                        counted(found.documents, "document")));
    return section;
}

CardSection probe(const HeadCard& card)
{
    CardSection section{CardPart::Probe, "Probe", {}, {}, {}};
    if (!card.probe)
        return section;
    const CardProbe& found = *card.probe;
    section.sentences.push_back(fmt::format(
        "A linear probe that predicts which of the {} heads of the layer a vector comes from is right for {} of this "
        "head's vectors{} in {}; guessing: {}.",
        found.heads, percent(found.recall), percentInterval(found.recallCi95),
        counted(found.testDocuments, "held-out document"), percent(1.0 / static_cast<double>(found.heads))));
    section.sentences.push_back(found.mistakenFor
                                    ? fmt::format("It is misclassified most often as head {}: {} of {}.",
                                                  found.mistakenFor->value() + 1, withCommas(found.mistaken),
                                                  counted(found.testDocuments, "vector"))
                                    : std::string("None of its test vectors is misclassified."));
    return section;
}

} // namespace headscope::card_words
