// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/window_options.h"

#include "app/shell/closest_word.h"
#include "app/shell/wrong_use.h"
#include "model/base/output/output_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

using shell::wrongUse;

struct OptionEntry
{
    std::string_view name;
    std::string_view value;
    std::string_view summary;
    Status (*take)(WindowOptions& options, const std::string& value);
    std::span<const std::string_view> words{}; ///< those it takes, for its help; none: any
};

constexpr int kMinSide = 200;
constexpr int kMaxSide = 16'384;
constexpr int kMaxSeconds = 86'400;

std::optional<int> number(std::string_view text)
{
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string lowerCase(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

Status takeScreenshot(WindowOptions& options, const std::string& value)
{
    options.screenshot = value;
    return {};
}

Status takeAfter(WindowOptions& options, const std::string& value)
{
    const auto seconds = number(value);
    if (!seconds || *seconds < 1 || *seconds > kMaxSeconds)
        return wrongUse("--after", fmt::format("expected seconds from 1 to {}, found {}", kMaxSeconds, value));
    options.seconds = *seconds;
    return {};
}

Status takeTab(WindowOptions& options, const std::string& value)
{
    const auto found = std::ranges::find(kTabNames, lowerCase(value));
    if (found == kTabNames.end())
        return wrongUse("--tab", fmt::format("expected one of {}, found \"{}\"", fmt::join(kTabNames, ", "), value));
    options.tab = static_cast<std::size_t>(found - kTabNames.begin());
    return {};
}

Status takeTheme(WindowOptions& options, const std::string& value)
{
    if (value != "light" && value != "dark" && value != "system")
        return wrongUse("--theme", fmt::format("expected light, dark or system, found \"{}\"", value));
    options.theme = value;
    return {};
}

Status takeSize(WindowOptions& options, const std::string& value)
{
    const std::size_t cross = value.find('x');
    const auto width = number(std::string_view(value).substr(0, cross));
    const auto height = cross == std::string::npos ? std::nullopt : number(std::string_view(value).substr(cross + 1));
    const auto fits = [](std::optional<int> side) { return side && *side >= kMinSide && *side <= kMaxSide; };
    if (!fits(width) || !fits(height))
        return wrongUse("--size", fmt::format("expected WIDTHxHEIGHT, each from {} to {}, found \"{}\"", kMinSide,
                                              kMaxSide, value));
    options.size = std::pair(*width, *height);
    return {};
}

constexpr std::array kOptions = {
    OptionEntry{"--tab", "NAME", "view to start with", takeTab, kTabNames},
    OptionEntry{"--theme", "NAME", "light, dark or system; overrides the settings", takeTheme},
    OptionEntry{"--size", "WxH", "size of the window, for example 1280x800", takeSize},
    OptionEntry{"--screenshot", "FILE",
                "save a screenshot (.png or .jpg) when the window is ready, and exit; a model or texts are shown with "
                "their dialog",
                takeScreenshot},
    OptionEntry{"--after", "N", "take the screenshot within N seconds (default: 30)", takeAfter},
};

std::vector<std::string_view> optionNames()
{
    std::vector<std::string_view> names = {"--help"};
    for (const OptionEntry& option : kOptions)
        names.push_back(option.name);
    return names;
}

/// Refuses a word that names no file and nearly a verb: the window would only say that there is no such file.
Status checkIsNoMistypedVerb(const std::string& word)
{
    std::error_code ignored;
    if (shell::didYouMeanVerb(word).empty() || std::filesystem::exists(word, ignored))
        return {};
    return wrongUse({}, neitherVerbNorPath(word));
}

} // namespace

std::string neitherVerbNorPath(std::string_view word)
{
    return fmt::format("expected a verb (headscope --help lists them), a file or a folder, found \"{}\"{}", word,
                       shell::didYouMeanVerb(word));
}

Result<WindowOptions> parseWindowOptions(const std::vector<std::string>& arguments)
{
    WindowOptions options;
    bool onlyPaths = false; // after --
    bool anyPath = false;
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        const std::string& word = arguments[i];
        if (onlyPaths || word.size() < 2 || word.front() != '-')
        {
            if (Status status = onlyPaths ? Status() : checkIsNoMistypedVerb(word); !status)
                return std::move(status).error();
            if (std::exchange(anyPath, true))
                return wrongUse({}, fmt::format("expected only one file or folder, found \"{}\" as well", word));
            options.path = word;
            continue;
        }
        if (word == "--")
        {
            onlyPaths = true;
            continue;
        }
        if (word == "--help" || word == "-h")
        {
            options.help = true;
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string_view name = std::string_view(word).substr(0, equals);
        const auto entry = std::ranges::find(kOptions, name, &OptionEntry::name);
        if (entry == kOptions.end())
            return wrongUse({}, fmt::format("unknown option \"{}\"{}; headscope --help lists the options", name,
                                            shell::didYouMean(name, optionNames())));
        if (equals == std::string::npos && i + 1 == arguments.size())
            return wrongUse(name, fmt::format("expected {}, found nothing", entry->value));
        const std::string value = equals == std::string::npos ? arguments[++i] : word.substr(equals + 1);
        if (value.empty())
            return wrongUse(name, fmt::format("expected {}, found nothing", entry->value));
        if (Status status = entry->take(options, value); !status)
            return std::move(status).error();
    }
    if (!options.screenshot.empty())
        if (Status status = checkScreenshotTarget(options.screenshot); !status)
            return std::move(status).error();
    return options;
}

Status checkScreenshotTarget(const std::string& path)
{
    const std::filesystem::path target(path);
    const std::string ending = lowerCase(target.extension().string());
    if (ending != ".png" && ending != ".jpg" && ending != ".jpeg")
        return wrongUse("--screenshot", fmt::format("expected a name ending in .png or .jpg, found \"{}\"", path));
    const Status possible = checkOutputPath(target, true);
    if (possible)
        return {};
    std::error_code ignored;
    Error error = possible.error();
    if (std::filesystem::is_directory(target, ignored))
        error.message = "this is a folder";
    else if (error.file != path)
        error.message = fmt::format("{}: {}", std::exchange(error.file, path), error.message);
    error.message.insert(0, "the image cannot be written: ");
    return std::move(error).atPlace("--screenshot");
}

std::string windowOptionsHelp()
{
    std::string text;
    for (const OptionEntry& entry : kOptions)
        text += fmt::format("  {:<20}{}{}{}\n", fmt::format("{} {}", entry.name, entry.value), entry.summary,
                            entry.words.empty() ? "" : ": ", fmt::join(entry.words, ", "));
    return text;
}

} // namespace headscope::cli
