// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/lessons/lesson_reader.h"

#include "model/base/file.h"
#include "model/formats/json.h"
#include "model/io/lessons/lesson_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kVersion = 1;
constexpr std::string_view kFormat = "headscope-lesson";
constexpr std::size_t kMaxDepth = 12;
constexpr std::size_t kMaxControls = 32;
constexpr std::size_t kMaxOptions = 6;
constexpr std::size_t kMaxRows = 24;
constexpr std::size_t kMaxName = 80;
constexpr std::size_t kMaxHeads = 1'024;
constexpr double kMaxMinutes = 600;

using lesson_json::Place;

Result<LessonText> textOf(const JsonView& value, const Place& place)
{
    LessonText text;
    if (value.isString())
    {
        HEADSCOPE_TRY(text.forms[LessonCase::Any], lesson_json::text(value, place, kMaxLessonText));
        return text;
    }
    HEADSCOPE_CHECK(lesson_json::checkKeys(value, place, {"any", "groups", "own", "one", "encoder"}));
    for (const LessonCase of :
         {LessonCase::Any, LessonCase::Groups, LessonCase::Own, LessonCase::One, LessonCase::Encoder})
        if (const auto form = value.find(lessonCaseName(of)))
        {
            HEADSCOPE_TRY(text.forms[of], lesson_json::text(*form, place.at(lessonCaseName(of)), kMaxLessonText));
        }
    const bool all = text.forms.contains(LessonCase::Groups) && text.forms.contains(LessonCase::Own) &&
                     text.forms.contains(LessonCase::One);
    if (!text.forms.contains(LessonCase::Any) && !all)
        return place.error("expected \"any\", or all of \"groups\", \"own\" and \"one\"");
    return text;
}

/// The parameters of a kind of picture, in words: "layer, group, token".
std::string namesOf(const std::vector<LessonParameter>& parameters)
{
    std::string names = "kind";
    for (const LessonParameter& each : parameters)
        names += fmt::format(", {}", each.name);
    return names;
}

Result<LessonValue> parameterOf(const JsonView& value, const LessonParameter& parameter, const Place& place)
{
    if (parameter.words.empty())
    {
        HEADSCOPE_TRY(const double number, lesson_json::number(value, place, parameter.low, parameter.high));
        return LessonValue(number);
    }
    HEADSCOPE_TRY(std::string word, lesson_json::text(value, place, 80));
    if (std::ranges::find(parameter.words, word) == parameter.words.end())
        return place.error(fmt::format("expected one of {}, found \"{}\"", fmt::join(parameter.words, ", "), word));
    return LessonValue(std::move(word));
}

/// Values between 0 and 1 that a lesson brings.
Status takeRows(const JsonView& value, const Place& place, LessonPictureSpec& picture)
{
    HEADSCOPE_CHECK(lesson_json::checkKeys(value, place, {"kind", "heading", "note", "rows"}));
    HEADSCOPE_TRY(picture.heading, lesson_json::textIn(value, "heading", place, kMaxLessonText));
    HEADSCOPE_TRY(picture.note, lesson_json::textIn(value, "note", place, kMaxLessonText));
    const auto rows = value.find("rows");
    if (!rows || !rows->isArray() || rows->size() < 1 || rows->size() > kMaxRows)
        return place.at("rows").error(fmt::format("expected a list of 1 to {} rows", kMaxRows));
    for (const JsonView each : rows->elements())
    {
        const Place at = place.at("rows").at(picture.rows.size());
        HEADSCOPE_CHECK(lesson_json::checkKeys(each, at, {"name", "value", "low", "high", "chance"}));
        LessonRow row;
        HEADSCOPE_TRY(row.name, lesson_json::textIn(each, "name", at, kMaxName));
        const auto take = [&](std::string_view key, double& into) -> Status {
            if (const auto found = each.find(key))
            {
                HEADSCOPE_TRY(into, lesson_json::number(*found, at.at(key), 0, 1));
            }
            return {};
        };
        if (!each.find("value"))
            return at.at("value").error("this number is missing");
        HEADSCOPE_CHECK(take("value", row.value));
        HEADSCOPE_CHECK(take("low", row.ci95.low));
        HEADSCOPE_CHECK(take("high", row.ci95.high));
        if (each.find("chance"))
            HEADSCOPE_CHECK(take("chance", row.chance.emplace()));
        picture.rows.push_back(std::move(row));
    }
    return {};
}

Result<LessonPictureSpec> pictureOf(const JsonView& value, const Place& place)
{
    LessonPictureSpec picture;
    HEADSCOPE_TRY(const std::string kind, lesson_json::textIn(value, "kind", place, 80));
    const auto named = lessonPictureNamed(kind);
    if (!named)
        return place.at("kind").error(fmt::format("expected a kind of picture, found \"{}\"", kind));
    picture.kind = *named;
    if (picture.kind == LessonPictureKind::Rows)
    {
        HEADSCOPE_CHECK(takeRows(value, place, picture));
        return picture;
    }
    const auto& allowed = lessonParameters(picture.kind);
    for (const auto& [key, member] : value.members())
    {
        if (key == "kind")
            continue;
        const auto found = std::ranges::find(allowed, key, &LessonParameter::name);
        if (found == allowed.end())
            return place.error(fmt::format("expected one of {}, found \"{}\"", namesOf(allowed), key.substr(0, 40)));
        HEADSCOPE_TRY(picture.parameters[std::string(key)], parameterOf(member, *found, place.at(key)));
    }
    return picture;
}

Status takeHeads(const JsonView& value, const Place& place, LessonScene& scene)
{
    if (value.isArray())
    {
        scene.choice = LessonHeads::Listed;
        if (value.size() < 1 || value.size() > kMaxHeads)
            return place.error(fmt::format("expected 1 to {} heads, found {}", kMaxHeads, value.size()));
        std::set<std::int64_t> heads;
        for (const JsonView each : value.elements())
        {
            HEADSCOPE_TRY(const double head, lesson_json::number(each, place, 1, kMaxHeads));
            heads.insert(static_cast<std::int64_t>(head) - 1);
        }
        scene.heads.assign(heads.begin(), heads.end());
        return {};
    }
    HEADSCOPE_TRY(const std::string word, lesson_json::text(value, place, 40));
    if (word != "all" && word != "group")
        return place.error(fmt::format("expected \"all\", \"group\" or numbers of heads, found \"{}\"", word));
    scene.choice = word == "all" ? LessonHeads::All : LessonHeads::Group;
    return {};
}

Status takeControls(const JsonView& value, const Place& place, LessonScene& scene)
{
    if (!value.isObject() || value.size() > kMaxControls)
        return place.error(fmt::format("expected an object of at most {} controls", kMaxControls));
    for (const auto& [name, state] : value.members())
    {
        auto& control = scene.controls[std::string(name.substr(0, 80))];
        switch (state.kind())
        {
        case JsonKind::Bool:
            control = state.asBool().value();
            break;
        case JsonKind::Integer:
        case JsonKind::Double:
            control = state.asDouble().value();
            break;
        default:
        {
            HEADSCOPE_TRY(std::string word, lesson_json::text(state, place.at(name), 200));
            control = std::move(word);
        }
        }
    }
    return {};
}

Result<LessonScene> sceneOf(const JsonView& value, const Place& place)
{
    LessonScene scene;
    HEADSCOPE_CHECK(lesson_json::checkKeys(value, place, {"tab", "layer", "stage", "heads", "color", "controls"}));
    HEADSCOPE_TRY(scene.tab, lesson_json::nameIn(value, "tab", place));
    if (const auto layer = value.find("layer"))
    {
        scene.lastLayer = layer->isString() && layer->asString().value() == "last";
        if (!scene.lastLayer)
        {
            HEADSCOPE_TRY(const double number, lesson_json::number(*layer, place.at("layer"), 0, 10'000));
            scene.layer = static_cast<std::int64_t>(number);
        }
    }
    if (const auto stage = value.find("stage"))
    {
        HEADSCOPE_TRY(const double number, lesson_json::number(*stage, place.at("stage"), 1, 3));
        scene.stage = static_cast<int>(number);
    }
    if (value.find("color"))
    {
        HEADSCOPE_TRY(scene.color, lesson_json::textIn(value, "color", place, 80));
    }
    if (const auto heads = value.find("heads"))
        HEADSCOPE_CHECK(takeHeads(*heads, place.at("heads"), scene));
    if (const auto controls = value.find("controls"))
        HEADSCOPE_CHECK(takeControls(*controls, place.at("controls"), scene));
    return scene;
}

/// The answers to guess from, and which of them is correct; neither or both.
Status takeOptions(const JsonView& value, const Place& place, LessonStep& step)
{
    const auto options = value.find("options");
    const auto right = value.find("right");
    if (!options && !right)
        return {};
    if (!options || !options->isArray() || options->size() < 2 || options->size() > kMaxOptions)
        return place.at("options").error(fmt::format("expected a list of 2 to {} answers", kMaxOptions));
    for (const JsonView each : options->elements())
    {
        HEADSCOPE_TRY(LessonText option, textOf(each, place.at("options").at(step.options.size())));
        step.options.push_back(std::move(option));
    }
    if (!right)
        return place.at("right").error("the index of the correct option (from 1) is missing");
    HEADSCOPE_TRY(const double number,
                  lesson_json::number(*right, place.at("right"), 1, static_cast<double>(step.options.size())));
    step.right = static_cast<std::size_t>(number) - 1;
    return {};
}

Result<LessonStep> stepOf(const JsonView& value, const Place& place)
{
    LessonStep step;
    HEADSCOPE_CHECK(lesson_json::checkKeys(
        value, place, {"id", "title", "text", "try", "question", "options", "right", "answer", "picture", "scene"}));
    HEADSCOPE_TRY(step.id, lesson_json::nameIn(value, "id", place));
    const std::array<std::pair<std::string_view, LessonText*>, 5> texts{{{"title", &step.title},
                                                                         {"text", &step.text},
                                                                         {"try", &step.attempt},
                                                                         {"question", &step.question},
                                                                         {"answer", &step.answer}}};
    for (const auto& [key, into] : texts)
    {
        const auto found = value.find(key);
        if (!found)
            return place.at(key).error("this text is missing");
        HEADSCOPE_TRY(*into, textOf(*found, place.at(key)));
    }
    HEADSCOPE_CHECK(takeOptions(value, place, step));
    if (const auto picture = value.find("picture"))
    {
        HEADSCOPE_TRY(step.picture, pictureOf(*picture, place.at("picture")));
    }
    if (const auto scene = value.find("scene"))
    {
        HEADSCOPE_TRY(step.scene, sceneOf(*scene, place.at("scene")));
    }
    return step;
}

Status takeSteps(const JsonView& root, const Place& place, Lesson& lesson)
{
    const auto steps = root.find("steps");
    if (!steps || !steps->isArray() || steps->size() < 1 || steps->size() > kMaxLessonSteps)
        return place.at("steps").error(fmt::format("expected a list of 1 to {} steps", kMaxLessonSteps));
    std::set<std::string> ids;
    for (const JsonView each : steps->elements())
    {
        const Place at = place.at("steps").at(lesson.steps.size());
        HEADSCOPE_TRY(LessonStep step, stepOf(each, at));
        if (!ids.insert(step.id).second)
            return at.at("id").error(fmt::format("expected another id: an earlier step has \"{}\"", step.id));
        lesson.steps.push_back(std::move(step));
    }
    return {};
}

/// "en", "de", "pt-BR".
bool isLanguage(std::string_view text)
{
    const auto isLower = [](char c) { return c >= 'a' && c <= 'z'; };
    const std::size_t dash = std::min(text.find('-'), text.size());
    const std::string_view region = text.substr(std::min(dash + 1, text.size()));
    return dash >= 2 && dash <= 3 && std::ranges::all_of(text.substr(0, dash), isLower) &&
           (dash == text.size() ||
            (region.size() == 2 && std::ranges::all_of(region, [](char c) { return c >= 'A' && c <= 'Z'; })));
}

} // namespace

Result<Lesson> parseLesson(std::string_view text, std::string_view fileName)
{
    JsonOptions options;
    options.maxDepth = kMaxDepth;
    options.rejectDuplicateKeys = true;
    HEADSCOPE_TRY(const JsonDocument document, JsonDocument::parse(text, fileName, options));
    const JsonView root = document.root();
    const Place top(fileName);
    HEADSCOPE_CHECK(lesson_json::checkKind(root, top, kFormat, kVersion, "lesson"));
    HEADSCOPE_CHECK(lesson_json::checkKeys(
        root, top, {"format", "version", "id", "language", "title", "summary", "minutes", "steps"}));
    Lesson lesson;
    HEADSCOPE_TRY(lesson.id, lesson_json::nameIn(root, "id", top));
    HEADSCOPE_TRY(lesson.language, lesson_json::textIn(root, "language", top, 6));
    if (!isLanguage(lesson.language))
        return top.at("language")
            .error(fmt::format("expected a language such as \"en\" or \"pt-BR\", found \"{}\"", lesson.language));
    HEADSCOPE_TRY(lesson.title, lesson_json::textIn(root, "title", top, 200));
    HEADSCOPE_TRY(lesson.summary, lesson_json::textIn(root, "summary", top, kMaxLessonText));
    if (const auto minutes = root.find("minutes"))
    {
        HEADSCOPE_TRY(const double number, lesson_json::number(*minutes, top.at("minutes"), 1, kMaxMinutes));
        lesson.minutes = static_cast<int>(number);
    }
    HEADSCOPE_CHECK(takeSteps(root, top, lesson));
    return lesson;
}

Result<Lesson> readLesson(const std::filesystem::path& file)
{
    HEADSCOPE_TRY(const std::string text, readTextFile(file, kMaxLessonBytes));
    return parseLesson(text, file.string());
}

} // namespace headscope
