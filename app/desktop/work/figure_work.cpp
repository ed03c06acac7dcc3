// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/figure_work.h"

#include "app/cli/input_search.h"
#include "app/cli/read_verb.h"
#include "app/desktop/work/state_values.h"
#include "app/results/figure_recipe.h"
#include "app/shell/parse_words.h"
#include "model/data/head_ranges.h"
#include "model/data/stage.h"
#include "model/io/texts/document_reader.h"
#include "ui/words/opened_file_kind.h"
#include "ui/words/wording.h"
#include "viz/export/embedded_recipe.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

/// The view for what a verb draws.
struct VerbView
{
    std::string_view verb;
    std::string_view view;
};

constexpr std::array kVerbViews = {
    VerbView{"tsne", "map"},           VerbView{"heatmap", "heatmap"}, VerbView{"match", "heatmap"},
    VerbView{"similarity", "heatmap"}, VerbView{"probe", "probe"},     VerbView{"layers", "layers"},
    VerbView{"heads", "heads"},        VerbView{"prune", "heads"},     VerbView{"inspect", "map"}};

/// The value of an option as it would be typed; "" where the verb has none, or it is as usual.
std::string typedValue(cli::ReadVerb& read, std::string_view name)
{
    const Field* row = read.table.find(name);
    const auto words = row == nullptr ? std::vector<std::string>() : valueWords(row->target);
    return words.empty() ? std::string() : words.front();
}

/// What the options of a verb choose, as a work file says it. What does not fit is left out.
QJsonObject stateOfVerb(const FigureRecipe& recipe, cli::ReadVerb& read, std::string_view view)
{
    constexpr std::int64_t kMaxHeads = 1'000'000;
    QJsonObject choice;
    const std::string layer = typedValue(read, "--layer");
    if (layer == "last")
        choice[QStringLiteral("layer")] = ui::toQString(layer);
    std::int64_t number = 0;
    if (const auto [end, fault] = std::from_chars(layer.data(), layer.data() + layer.size(), number);
        fault == std::errc() && number >= 0 && (end == layer.data() + layer.size() || *end == ','))
        choice[QStringLiteral("layer")] = static_cast<qint64>(number);
    const std::string stages = typedValue(read, "--stage");
    if (const auto stage = stageFromName(std::string_view(stages).substr(0, stages.find(','))))
        choice[QStringLiteral("stage")] = ui::toQString(stageName(*stage));
    const std::string heads = typedValue(read, "--heads");
    if (heads.empty() && read.table.find("--heads") != nullptr)
        choice[QStringLiteral("heads")] = QStringLiteral("all");
    else if (!heads.empty())
        if (const auto chosen = parseHeadRanges(heads, kMaxHeads); chosen && !chosen->empty())
            choice[QStringLiteral("heads")] = state::rangesText(*chosen);
    if (const std::string label = typedValue(read, "--label"); !label.empty())
        choice[QStringLiteral("label")] = ui::toQString(label);
    if (const std::string color = typedValue(read, "--color"); color == "head" || color == "strength")
        choice[QStringLiteral("color")] = ui::toQString(color);
    const bool isSet = recipe.verb == "tsne" && std::ranges::find(recipe.words, "--aligned") != recipe.words.end();
    QJsonObject state = {{QStringLiteral("choice"), choice},
                         {QStringLiteral("window"),
                          QJsonObject{{QStringLiteral("tab"), isSet ? QStringLiteral("grid") : ui::toQString(view)}}}};
    if (recipe.verb == "tsne" && !isSet)
    {
        QJsonArray words;
        for (const std::string& word : recipe.words)
            words.append(ui::toQString(word));
        state[QStringLiteral("figure_map")] = words;
    }
    return state;
}

/// Whether a file is worth opening to see if it is the cache: it has its name, or is a cache that tells at once.
bool mayBe(const QString& place, const RecipeInput& cache)
{
    const QFileInfo info(place);
    const bool isNamed = info.fileName() == QFileInfo(ui::toQString(cache.path)).fileName();
    return info.isFile() &&
           (isNamed || (cache.hash.starts_with("origin:") && ui::fileKind(place) == ui::FileKind::Cache));
}

Error noFigure(const std::filesystem::path& figure, std::string what)
{
    return {ErrorCode::BadFormat, "expected the recipe of a figure, " + std::move(what), figure.string(), {}};
}

/// Fills the state of a figure that a verb drew.
Status takeVerb(const FigureRecipe& recipe, const std::filesystem::path& figure, FigureWork& work)
{
    const auto* const known = std::ranges::find(kVerbViews, recipe.verb, &VerbView::verb);
    if (known == kVerbViews.end())
        return noFigure(figure, fmt::format("found the verb \"{}\", which draws no figure", recipe.verb.substr(0, 40)));
    cli::ReadVerb read(cli::makeVerb(recipe.verb));
    const auto reading = shell::parseWords(read.table, recipe.words);
    if (!reading || *reading != shell::Reading::Done)
        return noFigure(figure, fmt::format("found options that {} does not take: {}", recipe.verb,
                                            reading ? "--help" : reading.error().message));
    work.verb = ui::toQString(recipe.verb);
    work.document.state = stateOfVerb(recipe, read, known->view);
    return {};
}

/// The labels that a verb renamed, as the window merges them.
/// @param map  file of the names
Status takeLabelMap(const std::filesystem::path& map, QJsonObject& state)
{
    HEADSCOPE_TRY(const auto renamed, readLabelMap(map));
    QJsonObject names;
    for (const auto& [before, after] : renamed)
        names[ui::toQString(before)] = ui::toQString(after);
    QJsonObject choice = state.value(QStringLiteral("choice")).toObject();
    const QString column = state::text(choice, QStringLiteral("label")); // "": the usual one
    if (!column.isEmpty())
        choice[QStringLiteral("label")] = QString(column % QStringLiteral(", merged"));
    state[QStringLiteral("choice")] = choice;
    state[QStringLiteral("merged")] = QJsonArray{QJsonObject{{QStringLiteral("column"), column},
                                                             {QStringLiteral("file"), ui::toQString(map.string())},
                                                             {QStringLiteral("names"), names}}};
    return {};
}

/// Fills the state of a figure that was saved from the window.
Status takeWindow(const FigureRecipe& recipe, const std::filesystem::path& figure, FigureWork& work)
{
    const QJsonObject window = QJsonDocument::fromJson(QByteArray::fromStdString(recipe.window)).object();
    if (!window.value(QStringLiteral("state")).isObject())
        return noFigure(figure, "found no \"state\" of the window in it");
    work.document.state = window.value(QStringLiteral("state")).toObject();
    const QJsonObject cache = window.value(QStringLiteral("cache")).toObject();
    work.document.identity = state::text(cache, QStringLiteral("identity"));
    work.document.origin = state::text(cache, QStringLiteral("origin"));
    // Where the window was when it saved is not always the view that it saved.
    QJsonObject frame = work.document.state.value(QStringLiteral("window")).toObject();
    frame[QStringLiteral("tab")] = state::text(window, QStringLiteral("view"));
    work.document.state[QStringLiteral("window")] = frame;
    // Files of joined labels are named alone: they are looked for beside the figure.
    const QDir folder(QFileInfo(ui::toQString(figure.string())).absoluteDir());
    QJsonArray joined = work.document.state.value(QStringLiteral("joined")).toArray();
    for (auto each : joined)
    {
        QJsonObject one = each.toObject();
        one[QStringLiteral("file")] = folder.absoluteFilePath(one.value(QStringLiteral("file")).toString());
        each = one;
    }
    if (!joined.isEmpty())
        work.document.state[QStringLiteral("joined")] = joined;
    return {};
}

} // namespace

bool isRecipeFile(const QString& path)
{
    constexpr qint64 kBeginning = 400;
    QFile file(path);
    if (!path.endsWith(QLatin1StringView(".json"), Qt::CaseInsensitive) || !QFileInfo(path).isFile() ||
        !file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray head = file.read(kBeginning);
    return head.trimmed().startsWith('{') && head.contains("\"headscope-figure\"");
}

Result<FigureWork> readFigureWork(const std::filesystem::path& figure, const FigurePlaces& places, JobContext& job)
{
    HEADSCOPE_TRY(const std::string text, viz::recipeTextOf(figure));
    auto recipe = readRecipe(text);
    if (!recipe)
        return std::move(recipe).error().inFile(figure.string());
    if (!recipe->panels.empty())
        return Error{ErrorCode::InvalidArgument,
                     "this figure has several panels: open the figures that the panels were made from",
                     figure.string(),
                     {}};
    FigureWork work;
    HEADSCOPE_CHECK(recipe->window.empty() ? takeVerb(*recipe, figure, work) : takeWindow(*recipe, figure, work));
    const auto cache = std::ranges::find(recipe->inputs, "CACHE", &RecipeInput::option);
    if (cache == recipe->inputs.end())
        return Error{
            ErrorCode::InvalidArgument,
            "this figure was made from a plain matrix, not from a cache; use headscope figure to make it again",
            figure.string(),
            {}};
    work.document.cachePath = ui::toQString(cache->path);
    if (work.document.origin.isEmpty() && cache->hash.starts_with("origin:"))
        work.document.origin = ui::toQString(std::string_view(cache->hash).substr(std::string_view("origin:").size()));
    std::vector<std::string> given;
    if (!places.given.isEmpty())
        given.push_back(ui::toStdString(places.given));
    for (const QString& place : places.caches)
        if (mayBe(place, *cache))
            given.push_back(ui::toStdString(place));
    cli::InputSearch search(std::move(given), job);
    const auto found = search.find(*cache, figure);
    if (found)
        work.cache = QFileInfo(ui::toQString(found->string())).absoluteFilePath();
    else if (found.error().code == ErrorCode::InvalidArgument) // the window asks what to do with a changed one
        work.cache = QFileInfo(ui::toQString(found.error().file)).absoluteFilePath();
    else if (found.error().code == ErrorCode::Cancelled)
        return found.error();
    const auto renamed = std::ranges::find(recipe->inputs, "--label-map", &RecipeInput::option);
    if (work.verb.isEmpty() || renamed == recipe->inputs.end())
        return work;
    if (const auto map = search.find(*renamed, figure))
        HEADSCOPE_CHECK(takeLabelMap(*map, work.document.state));
    else
        work.missing = QFileInfo(ui::toQString(renamed->path)).fileName();
    return work;
}

} // namespace headscope::desktop
