// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/figure_bundle.h"

#include "app/cli/figure_files.h"
#include "app/cli/line_recipe.h"
#include "app/shell/quoted_command.h"
#include "model/base/file.h"
#include "model/base/output/output_file.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/settings/field_settings.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/export/embedded_recipe.h"
#include "viz/export/figure_presets.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>
#include <optional>

namespace headscope::desktop
{
namespace
{

const QString kWidth = QStringLiteral("width");
const QString kWidthInRecipes = QStringLiteral("width_mm");

/// The words that give a verb's figure this size, and what is written onto it; nothing where no words do.
std::optional<std::string> sizeWords(const ui::FigureSize& size)
{
    constexpr double kSameMm = 0.005;
    const FigurePreset* preset = findPreset(size.preset);
    const ui::FigureSize usual;
    if (size.dpi != usual.dpi ||
        std::abs(size.widthMm - (preset == nullptr ? usual.widthMm : preset->widthMm)) > kSameMm)
        return std::nullopt;
    std::string words = preset == nullptr ? std::string() : " --preset " + size.preset;
    if (const viz::PaletteKind palette = ui::Theme::instance().palette(); palette != viz::PaletteKind::Standard)
        words += " --palette " + viz::paletteId(palette).toStdString();
    if (!size.annotations.empty())
        words += " --annotate";
    for (const viz::Annotation& each : size.annotations)
        words += ' ' + shell::quotedWord(cli::annotationWords(each));
    return words;
}

/// Files of joined labels by their names: where somebody keeps them is nobody's business.
QJsonObject withoutFolders(QJsonObject state)
{
    QJsonArray joined = state.value(QStringLiteral("joined")).toArray();
    for (auto each : joined)
    {
        QJsonObject one = each.toObject();
        one[QStringLiteral("file")] = QFileInfo(one.value(QStringLiteral("file")).toString()).fileName();
        each = one;
    }
    if (!joined.isEmpty())
        state[QStringLiteral("joined")] = joined;
    return state;
}

/// Of the figure, and of the view on the screen, whose shape some figures have.
QJsonObject sizeJson(const Study& study, const FigureSource& source)
{
    const ui::ViewEntry* view = study.window().views().find(source.view);
    const QSize shown = view == nullptr ? QSize() : view->widget->size();
    QJsonObject json = recipePaper(source.size);
    json[QStringLiteral("palette")] = viz::paletteId(ui::Theme::instance().palette());
    json[QStringLiteral("view_width")] = shown.width();
    json[QStringLiteral("view_height")] = shown.height();
    // What stands around a canvas may break into other lines on another screen.
    if (const QSize canvas = view == nullptr ? QSize() : canvasSize(*view->widget); !canvas.isEmpty())
    {
        json[QStringLiteral("canvas_width")] = canvas.width();
        json[QStringLiteral("canvas_height")] = canvas.height();
    }
    return json;
}

/// Without the window's own size: the view's counts, and another desktop lays the rest out otherwise.
QJsonObject withoutWindowSize(QJsonObject state)
{
    QJsonObject frame = state.value(QStringLiteral("window")).toObject();
    frame.remove(QStringLiteral("width"));
    frame.remove(QStringLiteral("height"));
    state[QStringLiteral("window")] = frame;
    return state;
}

std::string windowText(const Study& study, const FigureSource& source, bool drawn, const QJsonObject& state,
                       const QJsonArray& leftOut)
{
    const CacheReader& reader = *study.cache()->reader;
    QJsonObject window{
        {QStringLiteral("view"), source.view.key()},
        {QStringLiteral("drawn_by"), drawn ? QStringLiteral("command") : QStringLiteral("window")},
        {QStringLiteral("cache"), QJsonObject{{QStringLiteral("identity"), ui::toQString(reader.info().identity)},
                                              {QStringLiteral("origin"), ui::toQString(study.origin().hash)}}},
        {QStringLiteral("figure"), sizeJson(study, source)},
        {QStringLiteral("state"), state}};
    if (!leftOut.isEmpty())
        window[QStringLiteral("left_out")] = leftOut;
    return QJsonDocument(window).toJson(QJsonDocument::Compact).toStdString();
}

/// The command of a figure that no verb draws, which still makes its numbers.
cli::LineRecipe recipeOfNumbers(const QString& commandLine, const std::string& cache)
{
    cli::LineRecipe made;
    const std::string lines = cli::recordedLines(ui::toStdString(commandLine));
    if (auto one = cli::recipeOfLine(lines))
        made = std::move(*one); // its parameters, and files beside the cache
    made.recipe.verb = kWindowVerb;
    made.recipe.words.clear();
    made.recipe.command = lines;
    made.recipe.inputs = {{"CACHE", std::filesystem::path(cache).filename().string(), {}}};
    return made;
}

} // namespace

QJsonObject recipePaper(FigurePaper paper)
{
    Fields all;
    fields(all, paper);
    QJsonObject json = ui::valuesJson(all);
    json[kWidthInRecipes] = json.take(kWidth);
    json.remove(QStringLiteral("files"));
    return json;
}

FigurePaper paperOfRecipe(QJsonObject figure)
{
    FigurePaper paper;
    Fields all;
    fields(all, paper);
    figure[kWidth] = figure.take(kWidthInRecipes);
    figure.remove(QStringLiteral("files"));
    ui::takeValues(figure, all);
    return paper;
}

QSize canvasSize(const QWidget& view)
{
    for (const ui::ScatterWidget* canvas : view.findChildren<ui::ScatterWidget*>())
        if (canvas->isVisibleTo(&view))
            return canvas->size();
    return {};
}

std::string recipeOfView(const Study& study, const FigureSource& source, const std::string& hash)
{
    const std::string cache = study.cache()->overview->path;
    std::optional<cli::LineRecipe> drawn;
    const auto size = sizeWords(source.size);
    if (source.isDrawnByCommand && size)
        drawn = cli::recipeOfLine(ui::toStdString(source.commandLine) + *size);
    if (drawn && (drawn->recipe.inputs.size() != 1 || drawn->recipe.inputs.front().option != "CACHE"))
        drawn.reset(); // other files have no hash here
    const bool isDrawn = drawn.has_value();
    cli::LineRecipe made = isDrawn ? std::move(*drawn) : recipeOfNumbers(source.commandLine, cache);
    for (RecipeInput& input : made.recipe.inputs)
        input.hash = hash;
    if (const std::string& model = study.cache()->overview->model.name; !model.empty())
        made.parameters.add("model", model);
    QJsonObject state = withoutWindowSize(withoutFolders(study.viewState(source.view)));
    QJsonArray leftOut;
    // Sets of a million documents have no room in a figure; what they coloured is in the picture.
    for (const QString& part :
         {QString(), QStringLiteral("sets"), QStringLiteral("selection"), QStringLiteral("views")})
    {
        if (!part.isEmpty() && state.contains(part))
        {
            state.remove(part);
            leftOut.append(part);
        }
        made.recipe.window = windowText(study, source, isDrawn, state, leftOut);
        if (std::string text = cli::recipeOfThisVersion(made.recipe, made.parameters);
            std::ssize(text) <= viz::kMaxRecipeBytes)
            return text;
    }
    made.recipe.window.clear();
    return cli::recipeOfThisVersion(made.recipe, made.parameters);
}

Status publishFiles(const std::vector<std::filesystem::path>& staged, const std::filesystem::path& folder)
{
    std::vector<OutputFile> files;
    for (const std::filesystem::path& each : staged)
    {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(each, ignored))
            continue;
        HEADSCOPE_TRY(const File source, File::openForReading(each));
        HEADSCOPE_TRY(OutputFile file, OutputFile::create(folder / each.filename()));
        HEADSCOPE_CHECK(file.writeCopyOf(source, source.size()));
        HEADSCOPE_CHECK(file.sync());
        files.push_back(std::move(file));
    }
    for (OutputFile& file : files)
        HEADSCOPE_CHECK(file.publish());
    return {};
}

Result<viz::FigureRecord> writeTogether(const FigureBundle& bundle, const std::filesystem::path& staging,
                                        const std::filesystem::path& target)
{
    const std::filesystem::path staged = staging / target.filename();
    HEADSCOPE_TRY(viz::FigureRecord record, viz::writeFigure(bundle.figure, staged, bundle.options));
    if (bundle.numbers)
        HEADSCOPE_CHECK(bundle.numbers());
    HEADSCOPE_CHECK(cli::writePaperFiles(staged, bundle.options.recipe, record, bundle.preset));
    std::vector<std::filesystem::path> files = {staged};
    for (const char* ending : cli::kBesideEndings)
        files.push_back(cli::besideFigure(staged, ending));
    HEADSCOPE_CHECK(publishFiles(files, target.parent_path()));
    return record;
}

} // namespace headscope::desktop
