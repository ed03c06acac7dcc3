// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/options.h"

#include "model/base/parallel.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace headscope::engine
{
namespace
{

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

Error wrongUse(std::string_view option, std::string_view wanted, std::string_view found)
{
    return {ErrorCode::WrongUse, fmt::format("expected {}, found \"{}\"", wanted, found), {}, std::string(option)};
}

} // namespace

int CommonOptions::threadCount() const
{
    return threads > 0 ? threads : availableCores();
}

void addCommonOptions(CLI::App& verb, CommonOptions& options)
{
    static const std::map<std::string, ProgressMode> kModes = {
        {"auto", ProgressMode::Auto}, {"json", ProgressMode::Json}, {"off", ProgressMode::Off}};
    verb.add_option("--threads", options.threads, "Threads to use (default: the physical cores)")
        ->check(CLI::Range(1, 4096));
    verb.add_option("--seed", options.seed, "Seed of everything that is drawn (default 1)");
    verb.add_flag("--json", options.json, "Print one JSON object, and nothing else, on stdout");
    verb.add_option("--progress", options.progress, "Progress on stderr: auto, json or off")
        ->transform(CLI::CheckedTransformer(kModes).description(""))
        ->option_text("auto|json|off");
    verb.add_flag("--overwrite", options.overwrite, "Replace an output that exists");
}

std::vector<std::string> splitAtCommas(std::string_view text)
{
    std::vector<std::string> pieces;
    for (bool more = !text.empty(); more;)
    {
        const auto comma = text.find(',');
        more = comma != std::string_view::npos;
        pieces.emplace_back(text.substr(0, comma));
        text.remove_prefix(more ? comma + 1 : text.size());
    }
    return pieces;
}

std::vector<std::string> splitColumns(std::string_view text)
{
    std::vector<std::string> names;
    if (!text.empty())
        names.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
        if (!escaped && text[i] == ',')
            names.emplace_back();
        else
            names.back() += text[escaped ? ++i : i];
    }
    return names;
}

Result<std::int64_t> parseCount(std::string_view text, std::string_view option)
{
    const auto value = wholeNumber(text);
    if (!value || *value < 1)
        return wrongUse(option, "a whole number of 1 or more", text);
    return *value;
}

Result<std::vector<Stage>> parseStages(std::string_view text)
{
    std::vector<Stage> stages;
    for (const auto& piece : splitAtCommas(text))
    {
        const auto stage = stageFromName(piece);
        if (!stage)
            return wrongUse("--stages", "1, 2, 3 or contribution", piece);
        stages.push_back(*stage);
    }
    if (stages.empty())
        return wrongUse("--stages", "at least one of 1, 2, 3 and contribution", text);
    std::sort(stages.begin(), stages.end());
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
    return stages;
}

Result<std::vector<std::int64_t>> parseLayers(std::string_view text, std::int64_t layers)
{
    std::vector<std::int64_t> chosen;
    if (text == "last")
        return std::vector<std::int64_t>{layers - 1};
    if (text == "all")
    {
        chosen.resize(static_cast<std::size_t>(layers));
        std::iota(chosen.begin(), chosen.end(), 0);
        return chosen;
    }
    for (const auto& piece : splitAtCommas(text))
    {
        const auto dash = piece.find('-');
        const auto first = wholeNumber(std::string_view(piece).substr(0, dash));
        const auto last = dash == std::string::npos ? first : wholeNumber(std::string_view(piece).substr(dash + 1));
        if (!first || !last || *last < *first)
            return wrongUse("--layers", "last, all or layers from 0 such as 0,15,20-31", piece);
        if (*last >= layers)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected layers 0 to {} (the model has {}), found {}", layers - 1, layers, *last),
                         {},
                         "--layers"};
        for (auto layer = *first; layer <= *last; ++layer)
            chosen.push_back(layer);
    }
    if (chosen.empty())
        return wrongUse("--layers", "last, all or layers from 0 such as 0,15,20-31", text);
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

Result<std::uint64_t> parseBytes(std::string_view text, std::string_view option)
{
    constexpr std::string_view kSuffixes = "kMG";
    const auto suffix = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
    const int shift = suffix == std::string_view::npos ? 0 : 10 * static_cast<int>(suffix + 1);
    const auto value = wholeNumber(shift > 0 ? text.substr(0, text.size() - 1) : text);
    if (!value || *value < 1 || *value > std::numeric_limits<std::int64_t>::max() >> shift)
        return wrongUse(option, "a number of bytes such as 3000000000, 2500M or 3G", text);
    return static_cast<std::uint64_t>(*value) << shift;
}

std::string quotedCommand(int argc, const char* const* argv)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    std::string command;
    for (int i = 0; i < argc; ++i)
    {
        std::string_view word = argv[i];
        if (i == 0) // where the program lies on this machine helps nobody who repeats the command
            word = word.substr(word.find_last_of('/') + 1);
        command += i > 0 ? " " : "";
        if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
        {
            command += word;
            continue;
        }
        command += '\'';
        for (const char c : word)
            command += c == '\'' ? std::string("'\\''") : std::string(1, c);
        command += '\'';
    }
    return command;
}

} // namespace headscope::engine
