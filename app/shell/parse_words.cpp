// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/parse_words.h"

#include "app/shell/closest_word.h"
#include "model/base/fields/fields.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace headscope::shell
{
namespace
{

/// Binds one option to its variable.
struct Binding
{
    CLI::App& app;
    const std::string names;

    CLI::Option* operator()(bool* value) const { return app.add_flag(names, *value); }
    /// An empty text is a value: CLI11's own reading of an optional takes it for none.
    CLI::Option* operator()(std::optional<std::string>* value) const
    {
        return app.add_option_function<std::string>(names, [value](const std::string& text) { *value = text; });
    }
    CLI::Option* operator()(const FieldChoice& choice) const
    {
        return app.add_option_function<std::string>(names, [choice](const std::string& text) { choice.set(text); });
    }
    template <class T>
    CLI::Option* operator()(T* value) const
    {
        return app.add_option(names, *value);
    }
};

void add(CLI::App& app, const Field& row)
{
    CLI::Option* option = std::visit(Binding{app, fmt::format("{}", fmt::join(row.names, ","))}, row.target);
    if (row.isRequired)
        option->required();
    if (!row.isFlag())
        option->check(CLI::Validator([&row](const std::string& text) { return row.faultOf(text); }, ""));
    if (row.separator != 0)
        option->delimiter(row.separator);
    if (!row.isFlag())
        option->type_name(row.shownValue());
}

/// Which option was meant by the first word that looks like one and is none.
std::string didYouMeanOption(const Fields& table, std::span<const std::string> words)
{
    std::vector<std::string_view> names = {"--help"};
    for (const Field& row : table.options())
        if (!row.isHidden && !row.isPositional())
            names.insert(names.end(), row.names.begin(), row.names.end());
    for (const std::string& word : words)
    {
        const std::string_view name = std::string_view(word).substr(0, word.find('='));
        if (name.starts_with("--") && std::ranges::find(names, name) == names.end())
            return didYouMean(name, names);
    }
    return {};
}

/// Whether a positional has a name for requests ("model"), which the help does not show.
bool isKey(std::string_view name)
{
    return std::ranges::any_of(name, [](char letter) { return letter >= 'a' && letter <= 'z'; });
}

} // namespace

Result<Reading> parseWords(const Fields& table, std::span<const std::string> words)
{
    CLI::App app;
    for (const Field& row : table.options())
        add(app, row);
    try
    {
        std::vector<std::string> reversed(words.rbegin(), words.rend()); // as CLI11 wants them
        app.parse(std::move(reversed));
        return Reading::Done;
    }
    catch (const CLI::CallForHelp&)
    {
        return Reading::Help;
    }
    catch (const CLI::ParseError& error)
    {
        std::string sentence = error.what();
        std::ranges::replace(sentence, '\n', ' ');
        if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
            sentence += didYouMeanOption(table, words);
        for (const Field& row : table.options()) // as the help calls it
            if (row.isRequired && row.isPositional() && !row.value.empty() && isKey(row.names.front()) &&
                sentence.starts_with(row.names.front() + ' '))
                sentence.replace(0, row.names.front().size(), row.value);
        return Error{ErrorCode::WrongUse, std::move(sentence), {}, {}};
    }
}

Error wrongWords(std::string_view verb, const Error& error)
{
    return {ErrorCode::WrongUse,
            fmt::format("{} (headscope {} --help lists the options)", error.message, verb),
            {},
            std::string(verb)};
}

} // namespace headscope::shell
