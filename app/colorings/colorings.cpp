// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/colorings.h"

#include "app/colorings/coloring_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headscope::colorings
{
namespace
{

/// "head, strength, the name of a label or of numbers (number:NAME)".
std::string knownWords()
{
    std::vector<std::string_view> words;
    for (const Coloring& coloring : all())
        if (!coloring.shellWord.empty())
            words.push_back(coloring.shellWord);
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text.append(i == 0 ? "" : i + 1 < words.size() ? ", " : " or ").append(words[i]);
    return text;
}

/// The column that a word names for a colouring by columns: "topic", or with the colouring's key "number:year".
std::string columnOf(const std::string& word, const Coloring& coloring)
{
    const std::string key = choiceKey(coloring, {}) + ":";
    return word.starts_with(key) ? word.substr(key.size()) : word;
}

/// What makes the colours that a word asks for; nothing where no colouring knows it.
Task taskOfWord(const std::string& word, ColoringInput& input)
{
    for (const Coloring& coloring : all())
    {
        const bool ofColumn = coloring.needs == Needs::Documents;
        if (coloring.shellWord.empty() || (!ofColumn && coloring.key != word))
            continue;
        input.column = ofColumn ? columnOf(word, coloring) : std::string();
        if (ofColumn && (input.documents == nullptr || !coloring.isColumn(*input.documents, input.column)))
            continue;
        if (Task task = coloring.make(input))
            return task;
    }
    return {};
}

Error unknownWord(const std::string& word)
{
    return {ErrorCode::InvalidArgument, fmt::format("expected {}, found \"{}\"", knownWords(), word), {}, "--color"};
}

} // namespace

std::span<const Coloring> all()
{
#define HEADSCOPE_CALL_COLORING(name) name(),
    static const std::array colorings = {HEADSCOPE_COLORINGS(HEADSCOPE_CALL_COLORING)};
#undef HEADSCOPE_CALL_COLORING
    return colorings;
}

const Coloring* find(std::string_view key)
{
    const auto found = std::ranges::find(all(), key, &Coloring::key);
    return found == all().end() ? nullptr : &*found;
}

Status checkWord(const std::string& word, ColoringInput input)
{
    return taskOfWord(word, input) ? Status() : unknownWord(word);
}

Result<viz::PointColoring> colorByWord(const std::string& word, ColoringInput input)
{
    if (const Task task = taskOfWord(word, input))
        return task();
    return unknownWord(word);
}

std::string wordOfChoice(const Coloring& coloring, std::string_view column)
{
    if (coloring.shellWord.empty())
        return {};
    return std::string(coloring.needs == Needs::Documents ? column : coloring.key);
}

std::string keyOfWord(std::string_view word)
{
    const Coloring* ofColumns = nullptr;
    for (const Coloring& coloring : all())
    {
        if (coloring.shellWord.empty())
            continue;
        if (coloring.needs != Needs::Documents && coloring.key == word)
            return std::string(word);
        if (coloring.needs == Needs::Documents && ofColumns == nullptr)
            ofColumns = &coloring;
    }
    return ofColumns == nullptr ? std::string(word) : choiceKey(*ofColumns, word);
}

std::string choiceKey(const Coloring& coloring, std::string_view column)
{
    std::string key(coloring.key);
    if (!column.empty())
        key.append(":").append(column);
    return key;
}

} // namespace headscope::colorings
