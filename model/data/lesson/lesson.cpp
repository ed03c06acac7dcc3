// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/lesson/lesson.h"

#include "model/data/key_sharing.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array<std::pair<LessonPictureKind, std::string_view>, 11> kPictures{{
    {LessonPictureKind::None, "none"},
    {LessonPictureKind::Tokens, "tokens"},
    {LessonPictureKind::Counts, "counts"},
    {LessonPictureKind::Wiring, "wiring"},
    {LessonPictureKind::Scores, "scores"},
    {LessonPictureKind::Hull, "hull"},
    {LessonPictureKind::Mixing, "mixing"},
    {LessonPictureKind::CacheBytes, "cache-bytes"},
    {LessonPictureKind::Regroup, "regroup"},
    {LessonPictureKind::Errors, "errors"},
    {LessonPictureKind::Clouds, "clouds"},
}};

constexpr double kMaxLayer = 10'000;
constexpr double kMaxGroup = 1'024;
constexpr double kMaxToken = 4'096;

LessonCase caseOf(const ModelInfo& model)
{
    switch (keySharing(model))
    {
    case KeySharing::Own:
        return LessonCase::Own;
    case KeySharing::Groups:
        return LessonCase::Groups;
    case KeySharing::One:
        return LessonCase::One;
    case KeySharing::Unknown:
        break;
    }
    return LessonCase::Any;
}

} // namespace

std::string_view lessonCaseName(LessonCase of)
{
    switch (of)
    {
    case LessonCase::Groups:
        return "groups";
    case LessonCase::Own:
        return "own";
    case LessonCase::One:
        return "one";
    case LessonCase::Encoder:
        return "encoder";
    case LessonCase::Any:
        break;
    }
    return "any";
}

const std::string& LessonText::forModel(const ModelInfo& model) const
{
    static const std::string none;
    std::vector<LessonCase> order = {caseOf(model), LessonCase::Any, LessonCase::Groups};
    if (!keepsCache(model))
        order.insert(order.begin(), LessonCase::Encoder);
    for (const LessonCase each : order)
        if (const auto found = forms.find(each); found != forms.end())
            return found->second;
    return none;
}

std::string_view lessonPictureName(LessonPictureKind kind)
{
    return std::ranges::find(kPictures, kind, &std::pair<LessonPictureKind, std::string_view>::first)->second;
}

std::optional<LessonPictureKind> lessonPictureNamed(std::string_view name)
{
    const auto found = std::ranges::find(kPictures, name, &std::pair<LessonPictureKind, std::string_view>::second);
    return found == kPictures.end() ? std::nullopt : std::optional(found->first);
}

const std::vector<LessonParameter>& lessonParameters(LessonPictureKind kind)
{
    static const std::vector<LessonParameter> none;
    static const std::vector<LessonParameter> group{{"group", 1, kMaxGroup}};
    static const std::vector<LessonParameter> place{
        {"layer", 0, kMaxLayer}, {"group", 1, kMaxGroup}, {"token", 1, kMaxToken}};
    static const std::vector<LessonParameter> bytes{
        {"context", 1, 10'000'000}, {"bytes", 0, 0, {"4", "2", "1"}}, {"shape", 1, 100}};
    static const std::vector<LessonParameter> clouds{
        {"clouds", 0, 0, {"sizes", "distances", "noise", "seeds"}}, {"perplexity", 2, 100}, {"seed", 1, 1'000}};
    switch (kind)
    {
    case LessonPictureKind::Wiring:
    case LessonPictureKind::Counts:
        return group;
    case LessonPictureKind::Scores:
    case LessonPictureKind::Hull:
        return place;
    case LessonPictureKind::CacheBytes:
        return bytes;
    case LessonPictureKind::Clouds:
        return clouds;
    default:
        return none;
    }
}

double LessonPictureSpec::number(const std::string& name, double otherwise) const
{
    const auto found = parameters.find(name);
    const auto* value = found == parameters.end() ? nullptr : std::get_if<double>(&found->second);
    return value == nullptr ? otherwise : *value;
}

std::string LessonPictureSpec::word(const std::string& name, const std::string& otherwise) const
{
    const auto found = parameters.find(name);
    const auto* value = found == parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
    return value == nullptr ? otherwise : *value;
}

std::string filledText(std::string_view text, const ModelInfo& model, const std::map<std::string, std::string>& more)
{
    std::map<std::string, std::string> known{
        {"heads", std::to_string(model.heads)},         {"kv_heads", std::to_string(model.kvHeads)},
        {"members", std::to_string(model.groupSize())}, {"layers", std::to_string(model.layers)},
        {"head_dim", std::to_string(model.headDim)},    {"model", model.name}};
    for (const auto& [name, value] : more)
        known[name] = value;
    std::string filled;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
        const auto found =
            end == std::string_view::npos ? known.end() : known.find(std::string(text.substr(at + 1, end - at - 1)));
        if (found == known.end())
        {
            filled += text[at++];
            continue;
        }
        filled += found->second;
        at = end + 1;
    }
    return filled;
}

std::int64_t wordCount(std::string_view text)
{
    std::int64_t words = 0;
    bool inside = false;
    for (const char c : text)
    {
        const bool space = c == ' ' || c == '\n' || c == '\t';
        words += !space && !inside ? 1 : 0;
        inside = !space;
    }
    return words;
}

} // namespace headscope
