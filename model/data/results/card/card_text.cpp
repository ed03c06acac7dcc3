// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/card/card_text.h"

#include "model/base/text/fixed_text.h"
#include "model/base/text/wrapped_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/card/card_sections.h"
#include "model/data/results/card/card_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace headscope
{

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
    std::vector<CardSection> sections = {
        card_words::place(card),      card_words::writes(card),     card_words::reads(card),
        card_words::directions(card), card_words::topics(card),     card_words::similar(card),
        card_words::probe(card),      card_words::importance(card), card_words::partners(card)};
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
    return fmt::format("{} of {} {} the label {}", withCommas(end.ofLabel), card_words::counted(documents, "document"),
                       end.ofLabel == 1 ? "has" : "have", end.label);
}

std::string directionText(const CardDirection& direction, std::size_t number)
{
    std::string text =
        fmt::format("Direction {} explains {} of the variance{}", number + 1, card_words::percent(direction.share),
                    card_words::percentInterval(direction.shareCi95));
    if (direction.vocabulary > 0)
        text += direction.separating == 0
                    ? fmt::format("; none of {} separates its ends at q < 0.05",
                                  card_words::counted(direction.vocabulary, "word"))
                    : fmt::format("; {} of {} {} its ends at q < 0.05", withCommas(direction.separating),
                                  card_words::counted(direction.vocabulary, "word"),
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
