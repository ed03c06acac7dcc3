// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headscope
{

/// Whom a text is for: how the heads of the model at hand share keys and values.
enum class LessonCase
{
    Any,
    Groups,  ///< several query heads share a KV head
    Own,     ///< every query head has its own
    One,     ///< all share one
    Encoder, ///< the model reads a text at once and keeps no keys and values; before the three above
};

/// The word of a case in lesson files: "any", "groups", "own", "one", "encoder".
[[nodiscard]] std::string_view lessonCaseName(LessonCase of);

/// A text with a form for each kind of model that needs one.
struct LessonText
{
    std::map<LessonCase, std::string> forms; ///< at least Any, or Groups, Own and One

    /// The form for a model; of one that does not say how its heads share keys that for any, else that for groups.
    [[nodiscard]] const std::string& forModel(const ModelInfo& model) const;
};

/// What is drawn for a step.
enum class LessonPictureKind
{
    None,
    Tokens,     ///< a text cut into tokens
    Counts,     ///< how many queries, keys and values a token has
    Wiring,     ///< which query head reads which keys and values
    Scores,     ///< what the heads of a group give to the keys, from one token
    Hull,       ///< their outputs among the value vectors, in a plane
    Mixing,     ///< how o_proj makes every number of its output from all heads
    CacheBytes, ///< bytes of keys and values against the length of the context
    KvTable,    ///< the KV caches of several models beside each other
    Regroup,    ///< what changes when the model has fewer key and value heads
    Errors,     ///< a probe's errors inside KV groups and across them
    ProbeRows,  ///< a head-index probe at the three stages, or beside its baselines
    TopicRows,  ///< topic selectivity of the heads, beside permuted labels
    StageMaps,  ///< the stored maps of two stages
    Rows,       ///< values that the lesson brings, with what they are compared with
    Clouds,     ///< clouds of points that are known, and maps of them
};

/// The word of a kind in lesson files: "wiring", "cache-bytes".
[[nodiscard]] std::string_view lessonPictureName(LessonPictureKind kind);
[[nodiscard]] std::optional<LessonPictureKind> lessonPictureNamed(std::string_view name);

/// A parameter of a picture: a number or a word.
using LessonValue = std::variant<double, std::string>;

/// A parameter that a kind of picture takes.
struct LessonParameter
{
    std::string_view name;
    double low = 0; ///< of a number
    double high = 0;
    std::vector<std::string_view> words = {}; ///< of a word; empty: it is a number
};

/// What a kind of picture takes.
[[nodiscard]] const std::vector<LessonParameter>& lessonParameters(LessonPictureKind kind);

/// A value that a lesson brings, for what the open cache cannot show.
struct LessonRow
{
    std::string name;
    double value = 0;
    Interval ci95;
    std::optional<double> chance;
};

struct LessonPictureSpec
{
    LessonPictureKind kind = LessonPictureKind::None;
    std::map<std::string, LessonValue> parameters;
    std::vector<LessonRow> rows; ///< of kind Rows
    std::string heading;         ///< of kind Rows: what the values are
    std::string note;            ///< of kind Rows: where they come from

    [[nodiscard]] double number(const std::string& name, double otherwise) const;
    [[nodiscard]] std::string word(const std::string& name, const std::string& otherwise) const;
};

/// Which heads a step chooses.
enum class LessonHeads
{
    AsTheyAre,
    All,
    Group,  ///< those of the KV group that the picture is of
    Listed, ///< LessonScene::heads
};

/// What the window shows while a step is open; what is left out stays as it is.
struct LessonScene
{
    std::string tab;        ///< of the view, as --tab has it; "": the step has no scene
    bool lastLayer = false; ///< else `layer`
    std::optional<std::int64_t> layer;
    std::optional<int> stage; ///< 1 to 3
    LessonHeads choice = LessonHeads::AsTheyAre;
    std::string color;               ///< a colouring of the map by its key, "trust"; "": as it is
    std::vector<std::int64_t> heads; ///< from 0
    std::map<std::string, std::variant<bool, double, std::string>> controls; ///< of the view, by object name

    [[nodiscard]] bool empty() const { return tab.empty(); }
};

/// One step: something to read, to look at, to try, and to answer.
struct LessonStep
{
    std::string id; ///< unique in the lesson
    LessonText title;
    LessonText text;
    LessonText attempt; ///< one thing to try
    LessonText question;
    std::vector<LessonText> options; ///< answers to guess from; empty: the question is open
    std::size_t right = 0;           ///< the correct one of the options, from 0
    LessonText answer;               ///< hidden at first
    LessonPictureSpec picture;
    LessonScene scene;
};

/// A guided path over the views, read from a file that anyone may have written (resources/lessons/README.md).
struct Lesson
{
    std::string id;
    std::string language; ///< "en", "pt-BR"
    std::string title;
    std::string summary;
    int minutes = 0; ///< that it takes; 0: not said
    std::vector<LessonStep> steps;
};

/// Names in braces replaced by what they stand for: "{heads}", "{kv_heads}", "{members}", "{layers}", "{head_dim}",
/// "{model}" and those given; names that are not known stay as they are.
[[nodiscard]] std::string filledText(std::string_view text, const ModelInfo& model,
                                     const std::map<std::string, std::string>& more = {});

/// A text without the asterisks around its **terms**.
[[nodiscard]] std::string withoutMarks(std::string_view text);
/// The terms that a text introduces, "**term**", in order.
[[nodiscard]] std::vector<std::string> markedTerms(std::string_view text);

/// Words of a text, separated by white space.
[[nodiscard]] std::int64_t wordCount(std::string_view text);

} // namespace headscope
