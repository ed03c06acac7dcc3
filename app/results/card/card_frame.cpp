// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/card/card_frame.h"

#include "model/data/frame/method_names.h"
#include "model/data/frame/place_columns.h"
#include "model/data/key_sharing.h"
#include "model/data/results/card/card_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

constexpr std::string_view kWelch = "Welch";
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// clang-format off
constexpr ColumnInfo kCardColumns[] = {
    kLayerColumn,
    {"head", "Head", "", "Index of the head (from 1)", "", S::Index},
    {"group", "KV group", "", "Number of the KV group, from 1", "", S::Index},
    {"mean_norm", "Mean norm", "", "Length of the head's vectors, mean over the documents"},
    {"mean_cosine", "Mean cosine", "", "Cosine between the vectors of two documents, mean over all pairs of documents"},
    {"direction_share", "First direction", "",
     "Proportion of the vectors' variance along their first principal component",
     "The interval treats the direction as fixed: it says how far the share moves with the documents", S::Share},
    {"high_words", "Words, high end", "", "Words that separate the high end of the first direction from the low one "
     "(log-odds with a Dirichlet prior), those of largest z first", "A direction has no sign: which end is high is a convention",
     S::Text},
    {"low_words", "Words, low end", "", "The same of the low end", "", S::Text},
    {"topic", "Most favoured topic", "", "Topic whose documents are nearest to it, compared with other documents", "", S::Text},
    {"topic_difference", "Topic difference", "",
     "Mean cosine of the topic's documents with it, minus that of all other labelled documents",
     "The largest of several topics: q is over the topics of the head"},
    {"similar_head", "Most similar head", "", "The head of this cache with the largest debiased CKA: layer from 0, head from 1",
     "", S::Text},
    {"similar_cka", "CKA", "", "Debiased linear CKA with it", "The largest of all heads"},
    {"probe_recall", "Probe recall", "",
     "Proportion of the head's test vectors that a linear probe of the layer's heads recognises", "", S::Share},
    {"match_drop", "Drop of match (cache only)", "",
     "Match at 1 of the layer's cached vectors, minus that without the head", "The model is not run without it"},
    {"cosine_drop", "Drop of cosine (full model)", "",
     "Mean cosine with the unchanged vectors that is lost when the head is ablated in the running model", ""},
};
constexpr Slot kText[] = {{"layer"}, {"head"}, {"group"}, {"direction_share"}, {"topic"}, {"topic_difference"},
    {"topic_difference", Q, "q"}, {"similar_head"}, {"similar_cka"}, {"probe_recall"}, {"match_drop"}, {"cosine_drop"}};
// clang-format on
constexpr std::array<Slots, 1> kTexts = {kText};

std::string placeText(LayerIndex layer, HeadIndex head)
{
    return fmt::format("{}:{}", layer.value(), head.value() + 1);
}

const CardDirection* firstDirection(const HeadCard& card)
{
    return card.directions && !card.directions->directions.empty() ? &card.directions->directions.front() : nullptr;
}

const TopicFavour* firstTopic(const HeadCard& card)
{
    return card.topics && !card.topics->favours.empty() ? &card.topics->favours.front() : nullptr;
}

const CardSimilarHead* firstSimilar(const HeadCard& card)
{
    return card.similar && !card.similar->nearest.empty() ? &card.similar->nearest.front() : nullptr;
}

std::string wordList(const std::vector<ContrastWord>& words)
{
    return fmt::format("{}", fmt::join(columnValues(words, &ContrastWord::word), " "));
}

Members wordMembers(const ContrastWord& word)
{
    return {{"word", word.word},
            {"high_count", word.highCount},
            {"low_count", word.lowCount},
            {"documents", word.documents},
            {"delta", word.delta},
            {"z", word.z},
            {"q", word.q}};
}

Members endMembers(const CardEnd& end)
{
    const auto document = [](const CardDocument& each) {
        return Node(Members{{"id", each.id},
                            {"label", textOrNull(each.label)},
                            {"text", textOrNull(each.text)},
                            {"position", each.score}});
    };
    return {{"documents", listNode(end.documents, document)},
            {"words", listNode(end.words, [](const ContrastWord& word) { return Node(wordMembers(word)); })},
            {"label", textOrNull(end.label)},
            {"of_label", end.ofLabel}};
}

Node directionsNode(const HeadCard& card)
{
    if (!card.directions)
        return {};
    return listNode(card.directions->directions, [](const CardDirection& each) {
        return Node(Members{{"share", each.share},
                            {"ci95", each.shareCi95},
                            {"end_documents", each.endDocuments},
                            {"words_compared", each.vocabulary},
                            {"words_separating", each.separating},
                            {"high", endMembers(each.high)},
                            {"low", endMembers(each.low)}});
    });
}

Node topicsNode(const HeadCard& card)
{
    if (!card.topics)
        return {};
    return listNode(card.topics->favours, [&](const TopicFavour& each) {
        return Node(Members{{"topic", card.topics->names[static_cast<std::size_t>(each.topic)]},
                            {"documents", each.documents},
                            {"difference", each.difference},
                            {"ci95", each.ci95},
                            {"p", each.p},
                            {"q", each.q}});
    });
}

Node similarNode(const HeadCard& card)
{
    if (!card.similar)
        return {};
    return listNode(card.similar->nearest, [](const CardSimilarHead& each) {
        return Node(Members{
            {"layer", each.layer.value()}, {"head", each.head.value() + 1}, {"cka", each.cka}, {"ci95", each.ci95}});
    });
}

Node lensNode(const HeadCard& card)
{
    if (!card.lens)
        return {};
    const auto token = [](const CardToken& each) {
        return Node(
            Members{{"token", each.text}, {"logit", each.logit}, {"documents", each.documents}, {"ci95", each.ci95}});
    };
    return Members{{"documents", card.lens->documents},
                   {"top", card.lens->top},
                   {"unembedding", card.lens->unembedding},
                   {"up", listNode(card.lens->up, token)},
                   {"down", listNode(card.lens->down, token)}};
}

Node attentionNode(const HeadCard& card)
{
    if (!card.attention)
        return {};
    Members members = {{"documents", card.attention->documents}};
    for (const CardStatistic& each : card.attention->statistics)
        members.emplace_back(each.key, Members{{"value", each.value}, {"ci95", each.ci95}, {"rank", each.rank}});
    return members;
}

Node importanceNode(const HeadCard& card)
{
    Members members;
    if (card.cut)
        members.emplace_back("cache_only", Members{{"measure", "match1"},
                                                   {"all", card.cut->all},
                                                   {"drop", card.cut->lost},
                                                   {"ci95", card.cut->ci95},
                                                   {"p", card.cut->p},
                                                   {"documents", card.cut->documents},
                                                   {"changed", card.cut->changed}});
    if (card.ablation)
    {
        Members ablated = {{"ablation", card.ablation->ablation}, {"documents", card.ablation->documents}};
        if (card.ablation->cosine)
            ablated.emplace_back(
                "cosine", Members{{"drop", card.ablation->cosine->value}, {"ci95", card.ablation->cosine->ci95}});
        if (card.ablation->match)
            ablated.emplace_back("match1",
                                 Members{{"drop", card.ablation->match->value}, {"ci95", card.ablation->match->ci95}});
        members.emplace_back("full_model", std::move(ablated));
    }
    return members.empty() ? Node() : Node(std::move(members));
}

Node partnersNode(const HeadCard& card)
{
    if (!card.partners)
        return {};
    const auto partner = [](const CardPartner& each) {
        return Node(Members{{"kind", compositionName(each.kind)},
                            {"layer", each.layer.value()},
                            {"head", each.head.value() + 1},
                            {"score", each.score},
                            {"spread", each.spread}});
    };
    return Members{{"subtracted", card.partners->baseline},
                   {"before", listNode(card.partners->before, partner)},
                   {"after", listNode(card.partners->after, partner)}};
}

Node probeNode(const HeadCard& card)
{
    if (!card.probe)
        return {};
    return Members{{"recall", card.probe->recall},
                   {"ci95", card.probe->recallCi95},
                   {"test_documents", card.probe->testDocuments},
                   {"heads", card.probe->heads},
                   {"misclassified_as", card.probe->mistakenFor ? Node(card.probe->mistakenFor->value() + 1) : Node()},
                   {"misclassified", card.probe->mistaken}};
}

/// What each card says first of something; empty where it says nothing.
template <class T, class First>
std::vector<T> firstOf(std::span<const HeadCard> cards, First first)
{
    std::vector<T> all;
    for (const HeadCard& card : cards)
        all.push_back(first(card) != nullptr ? *first(card) : T{});
    return all;
}

template <class T>
std::vector<Interval> intervalsOf(const std::vector<T>& all, Interval T::*interval)
{
    std::vector<Interval> intervals;
    for (const T& each : all)
        intervals.push_back(each.*interval);
    return intervals;
}

/// The columns of the probe and of what is lost without the head.
void addMeasured(Frame& frame, std::span<const HeadCard> cards)
{
    std::vector<Estimate> probe;
    std::vector<Estimate> match;
    std::vector<Estimate> cosine;
    std::vector<double> p;
    for (const HeadCard& card : cards)
    {
        probe.push_back(card.probe ? Estimate{card.probe->recall, card.probe->recallCi95} : Estimate{});
        match.push_back(card.cut ? Estimate{card.cut->lost, card.cut->ci95} : Estimate{});
        p.push_back(card.cut ? card.cut->p : kNaN);
        cosine.push_back(card.ablation && card.ablation->cosine ? *card.ablation->cosine : Estimate{});
    }
    const auto add = [&](std::string_view key, const std::vector<Estimate>& all, std::string_view method) -> Column& {
        return frame.add(key, columnValues(all, &Estimate::value)).interval(intervalsOf(all, &Estimate::ci95), method);
    };
    add("probe_recall", probe, kWilson);
    add("match_drop", match, kBootstrap).set(P, p);
    add("cosine_drop", cosine, kBootstrap);
}

} // namespace

constinit const FrameInfo kCardsFrame = {
    .key = "cards", .columns = kCardColumns, .shape = JsonShape::ByColumn, .fileBlank = '_', .texts = kTexts};

Frame cardsFrame(std::span<const HeadCard> cards)
{
    using C = HeadCard;
    const auto of = [cards](auto projection) { return columnValues(cards, projection); };
    Frame frame(kCardsFrame);
    frame.add("layer", of([](const C& card) { return card.layer.value(); }));
    frame.add("head", of([](const C& card) { return card.head.value() + 1; }));
    frame.add("group", of([](const C& card) { return card.model.groupOf(card.head).value() + 1; })).isMeaningless =
        !cards.empty() && !hasKvGroups(cards.front().model, Stage::HeadOutput);
    frame.add("mean_norm", of(&C::meanNorm)).interval(of(&C::meanNormCi95), kStudent);
    frame.add("mean_cosine", of(&C::meanCosine)).interval(of(&C::meanCosineCi95), kJackknife);
    const std::vector<CardDirection> directions = firstOf<CardDirection>(cards, firstDirection);
    frame.add("direction_share", columnValues(directions, &CardDirection::share))
        .interval(intervalsOf(directions, &CardDirection::shareCi95), kJackknife);
    frame.add("high_words", columnValues(directions, [](const auto& each) { return wordList(each.high.words); }));
    frame.add("low_words", columnValues(directions, [](const auto& each) { return wordList(each.low.words); }));
    const std::vector<TopicFavour> topics = firstOf<TopicFavour>(cards, firstTopic);
    frame.add("topic", of([](const C& card) {
                  const TopicFavour* first = firstTopic(card);
                  return first != nullptr ? card.topics->names[static_cast<std::size_t>(first->topic)] : std::string();
              }));
    frame.add("topic_difference", columnValues(topics, &TopicFavour::difference))
        .interval(intervalsOf(topics, &TopicFavour::ci95), kWelch)
        .set(Q, columnValues(topics, &TopicFavour::q));
    frame.add("similar_head", of([](const C& card) {
                  const CardSimilarHead* first = firstSimilar(card);
                  return first != nullptr ? placeText(first->layer, first->head) : std::string();
              }));
    const std::vector<CardSimilarHead> similar = firstOf<CardSimilarHead>(cards, firstSimilar);
    frame.add("similar_cka", columnValues(similar, &CardSimilarHead::cka))
        .interval(intervalsOf(similar, &CardSimilarHead::ci95), kJackknife);
    addMeasured(frame, cards);
    return frame;
}

Members cardMembers(const HeadCard& card)
{
    NodeList sections;
    for (const CardSection& section : cardSections(card))
        sections.emplace_back(Members{{"title", section.title},
                                      {"sentences", listNode(section.sentences)},
                                      {"notes", listNode(section.notes)},
                                      {"missing", listNode(section.missing)}});
    return {{"layer", card.layer.value()},
            {"head", card.head.value() + 1},
            {"group", card.model.groupOf(card.head).value() + 1},
            {"documents", card.documents},
            {"left_out", card.leftOut},
            {"mean_norm", card.meanNorm},
            {"mean_norm_ci95", card.meanNormCi95},
            {"mean_cosine", card.meanCosine},
            {"mean_cosine_ci95", card.meanCosineCi95},
            {"writes", lensNode(card)},
            {"reads", attentionNode(card)},
            {"directions", directionsNode(card)},
            {"topics", topicsNode(card)},
            {"similar", similarNode(card)},
            {"probe", probeNode(card)},
            {"importance", importanceNode(card)},
            {"partners", partnersNode(card)},
            {"sections", std::move(sections)}};
}

} // namespace headscope
