// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/lesson/lesson.h"

#include "model/data/key_sharing.h"
#include "model/data/lesson/kv_cache.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array<std::pair<LessonPictureKind, std::string_view>, 16> kPictures{{
    {LessonPictureKind::None, "none"},
    {LessonPictureKind::Tokens, "tokens"},
    {LessonPictureKind::Counts, "counts"},
    {LessonPictureKind::Wiring, "wiring"},
    {LessonPictureKind::Scores, "scores"},
    {LessonPictureKind::Hull, "hull"},
    {LessonPictureKind::Mixing, "mixing"},
    {LessonPictureKind::CacheBytes, "cache-bytes"},
    {LessonPictureKind::KvTable, "kv-table"},
    {LessonPictureKind::Regroup, "regroup"},
    {LessonPictureKind::Errors, "errors"},
    {LessonPictureKind::ProbeRows, "probe-rows"},
    {LessonPictureKind::TopicRows, "topic-rows"},
    {LessonPictureKind::StageMaps, "stage-maps"},
    {LessonPictureKind::Rows, "rows"},
    {LessonPictureKind::Clouds, "clouds"},
}};

constexpr double kMaxLayer = 10'000;
constexpr double kMaxGroup = 1'024;
constexpr double kMaxToken = 4'096;

/// The models whose curves of bytes a lesson may begin with.
std::vector<std::string_view> shapeNames()
{
    std::vector<std::string_view> names;
    for (const KvShape& each : knownKvShapes())
        names.push_back(each.name);
    return names;
}

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
        {"context", 1, 10'000'000}, {"bytes", 0, 0, {"4", "2", "1"}}, {"model", 0, 0, shapeNames()}, {"shape", 1, 100}};
    static const std::vector<LessonParameter> tokens{{"text", 0, 0, {"groups", "split"}}};
    static const std::vector<LessonParameter> rows{{"compare", 0, 0, {"stages", "baselines"}}, {"stage", 1, 3}};
    static const std::vector<LessonParameter> stage{{"stage", 1, 3}};
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
    case LessonPictureKind::Tokens:
        return tokens;
    case LessonPictureKind::ProbeRows:
        return rows;
    case LessonPictureKind::TopicRows:
        return stage;
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

std::string withoutMarks(std::string_view text)
{
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        if (text.substr(at, 2) == "**")
            ++at;
        else
            plain += text[at];
    }
    return plain;
}

std::vector<std::string> markedTerms(std::string_view text)
{
    std::vector<std::string> terms;
    for (std::size_t at = text.find("**"); at != std::string_view::npos; at = text.find("**", at))
    {
        const std::size_t end = text.find("**", at + 2);
        if (end == std::string_view::npos)
            break;
        terms.emplace_back(text.substr(at + 2, end - at - 2));
        at = end + 2;
    }
    return terms;
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
