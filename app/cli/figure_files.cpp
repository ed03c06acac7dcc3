// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"

#include "app/cli/pictures/file_transaction.h"
#include "app/commands/figures/annotation_text.h"
#include "model/base/hash.h"
#include "model/base/output/output_file.h"
#include "model/base/text/latex_text.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_presets.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace headscope::cli
{
namespace
{

constexpr double kTallMm = 120;
constexpr qsizetype kLongCaption = 600;

/// 77, 82.55, 171.45: without zeros at the end.
LatexText millimetres(double mm)
{
    return LatexText::format("{:g}", std::round(mm * 1000) / 1000);
}

/// Letters and digits alone, as labels are typed.
LatexText labelOf(const std::filesystem::path& picture)
{
    const std::string stem = picture.stem().string();
    std::string label;
    for (const char c : stem)
    {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (plain || (!label.empty() && label.back() != '-'))
            label += plain ? c : '-';
    }
    // Names without such letters differ by their hash.
    return "fig:" +
           latexName(label.empty() ? "headscope-" + xxh3Hex(std::as_bytes(std::span(stem))).substr(0, 8) : label);
}

/// The files of --also.
std::vector<std::filesystem::path> otherFormats(const std::filesystem::path& target,
                                                const commands::FigureChoices& choices)
{
    std::vector<std::filesystem::path> paths;
    for (const std::string& format : choices.also)
        paths.push_back(besideFigure(target, ("." + format).c_str()));
    return paths;
}

viz::AnnotationPoint pointOf(const commands::AnnotationPlace& place)
{
    return {QPointF(place.x, place.y), place.onMap};
}

void addNotice(Answer& answer, std::string sentence)
{
    Json& all = (*answer.json)["notices"];
    all.push_back(sentence);
    answer.notices.push_back(std::move(sentence));
}

} // namespace

viz::FigureOptions figureOptions(const commands::FigureChoices& choices, const CommonOptions& common)
{
    viz::FigureOptions options;
    options.overwrite = common.overwrite;
    if (const FigurePreset* preset = findPreset(choices.preset))
        viz::applyPreset(*preset, options);
    options.theme = {viz::InkTheme::Light, viz::paletteFromId(QString::fromStdString(choices.palette))};
    bool outlines = choices.text == "outlines";
    options.annotations = annotationsOf(choices.annotate);
    options.caption = QString::fromStdString(choices.caption);
    if (common.panel)
    {
        options.sizeInches = QSizeF(common.panel->widthInches, 0);
        options.scale = common.panel->scale;
        outlines = common.panel->outlines;
    }
    options.text = outlines ? viz::FigureText::Outlines : viz::FigureText::Text;
    return options;
}

std::vector<viz::Annotation> annotationsOf(const std::vector<std::string>& words)
{
    std::vector<viz::Annotation> annotations;
    for (const std::string& each : words)
    {
        const auto read = commands::readAnnotation(each);
        if (!read) // none passes the check of --annotate
            continue;
        const auto kind = read->kind == commands::AnnotationWords::Kind::Arrow ? viz::Annotation::Kind::Arrow
                          : read->kind == commands::AnnotationWords::Kind::Box ? viz::Annotation::Kind::Box
                                                                               : viz::Annotation::Kind::Label;
        annotations.push_back({kind, pointOf(read->from), pointOf(read->to), QString::fromStdString(read->text)});
    }
    return annotations;
}

std::string annotationWords(const viz::Annotation& annotation)
{
    using Kind = viz::Annotation::Kind;
    const auto place = [](const viz::AnnotationPoint& point) {
        return fmt::format("{}{},{}", point.onMap ? "map:" : "", point.at.x(), point.at.y());
    };
    std::string words = annotation.kind == Kind::Arrow ? "arrow " : annotation.kind == Kind::Box ? "box " : "label ";
    words += place(annotation.from);
    if (annotation.kind != Kind::Label)
        words += ' ' + place(annotation.to);
    if (!annotation.text.isEmpty())
        words += ' ' + annotation.text.toStdString();
    return words;
}

std::filesystem::path besideFigure(const std::filesystem::path& target, const char* ending)
{
    return std::filesystem::path(target).replace_extension(ending);
}

std::string recipeOfThisVersion(FigureRecipe recipe, const Provenance& provenance)
{
    recipe.headscope = HEADSCOPE_VERSION;
    recipe.qt = qVersion();
    return recipeText(recipe, provenance);
}

Status FigureFiles::check(const std::string& target, const commands::FigureChoices& choices,
                          const CommonOptions& common, std::span<const RecipeInput> inputs)
{
    if (common.panel) // whoever puts panels together looks after their files
        return {};
    if (!viz::figureFormat(target))
    {
        for (const auto& [name, asked] :
             {std::pair("--preset", choices.preset != "none"), std::pair("--text", choices.text != "text"),
              std::pair("--recipe", choices.recipe), std::pair("--also", !choices.also.empty()),
              std::pair("--caption", !choices.caption.empty())})
            if (asked)
                return wrongUse(name, fmt::format("expected a figure file to write (FILE.pdf, .svg or .png), found {}",
                                                  target.empty() ? "none" : target));
        return {};
    }
    std::vector<std::filesystem::path> read;
    for (const RecipeInput& input : inputs)
        read.push_back(input.file);
    HEADSCOPE_CHECK(checkOutputPath(target, common.overwrite, read));
    std::vector<std::filesystem::path> written = {target};
    for (const std::filesystem::path& other : otherFormats(target, choices))
    {
        if (std::ranges::find(written, other) != written.end())
            return wrongUse("--also", fmt::format("name each format only once, and not the format of {}", target));
        HEADSCOPE_CHECK(checkOutputPath(other, common.overwrite, read));
        written.push_back(other);
    }
    for (const char* ending : kBesideEndings)
        if (choices.recipe)
            HEADSCOPE_CHECK(checkOutputPath(besideFigure(target, ending), common.overwrite, read));
    return {};
}

Status FigureFiles::checkFits(const std::string& target, const commands::FigureChoices& choices,
                              const CommonOptions& common, const viz::Figure& figure)
{
    return common.panel ? Status() : viz::checkFigure(figure, target, figureOptions(choices, common));
}

Result<FigureFiles> FigureFiles::create(const std::string& target, const commands::FigureChoices& choices,
                                        const CommonOptions& common, FigureRecipe recipe, const Provenance& provenance,
                                        const CacheReader* cache, JobContext& job)
{
    FigureFiles files;
    files.m_target = target;
    files.m_choices = choices;
    files.m_options = figureOptions(choices, common);
    files.m_also = otherFormats(target, choices);
    files.m_isPanel = common.panel.has_value();
    std::vector<std::filesystem::path> all = {files.m_target};
    all.insert(all.end(), files.m_also.begin(), files.m_also.end());
    for (const char* ending : kBesideEndings)
        all.push_back(besideFigure(files.m_target, ending));
    files.m_before = filesThere(all);
    for (RecipeInput& input : recipe.inputs)
    {
        HEADSCOPE_TRY(input.hash, recipeHash(input.file, input.option, cache, job));
    }
    files.m_options.recipe = common.recipe.empty() ? recipeOfThisVersion(std::move(recipe), provenance) : common.recipe;
    return files;
}

Status FigureFiles::draw(const viz::Figure& figure)
{
    if (m_isPanel)
    {
        HEADSCOPE_TRY(m_options.format, viz::figureFormat(m_target));
        auto spec = viz::specOf(figure, m_options);
        if (!spec)
            return std::move(spec).error().inFile(m_target.string());
        m_panel = std::make_unique<viz::FigureSpec>(std::move(*spec));
        return {};
    }
    std::vector<std::filesystem::path> all = {m_target};
    all.insert(all.end(), m_also.begin(), m_also.end());
    HEADSCOPE_TRY(m_record, viz::writeFigures(figure, all, m_options));
    return {};
}

Status FigureFiles::writeBeside(const Writer& numbers, std::vector<std::filesystem::path>& written) const
{
    if (!m_choices.recipe)
        return {};
    if (numbers)
    {
        HEADSCOPE_CHECK(numbers(besideFigure(m_target, ".csv")));
        written.push_back(besideFigure(m_target, ".csv"));
    }
    for (const char* ending : {".json", ".tex"})
        written.push_back(besideFigure(m_target, ending));
    return writePaperFiles(m_target, m_options.recipe, m_record, m_choices.preset);
}

Status FigureFiles::finish(Answer& answer, const Writer& numbers)
{
    if (m_isPanel) // which has no file of its own but its numbers
    {
        answer.panel = std::move(m_panel);
        return m_choices.recipe && numbers ? numbers(besideFigure(m_target, ".csv")) : Status();
    }
    FileTransaction files{{m_target}, m_before};
    files.written.insert(files.written.end(), m_also.begin(), m_also.end());
    HEADSCOPE_CHECK(writeBeside(numbers, files.written));
    files.isUndone = false;
    tellFigure(answer, m_record, files.written, m_choices.preset);
    if (m_choices.recipe && !isLatexName(m_target.filename().string()))
        addNotice(answer, fmt::format("LaTeX reads some characters of the name {} as commands: rename the figure, "
                                      "otherwise the .tex file will not work",
                                      m_target.filename().string()));
    return {};
}

void tellFaults(Answer& answer, const viz::FigureRecord& record, const std::filesystem::path& file,
                std::string_view preset)
{
    if (!record.missingText.isEmpty())
        addNotice(answer, fmt::format("{}: no installed font has all characters of \"{}\": missing characters are "
                                      "drawn as boxes; install a font for this script",
                                      file.string(), record.missingText.toStdString()));
    if (viz::isTooSmall(record))
        addNotice(answer, fmt::format("{}: the smallest text is {:.1f} pt, and text below {:.0f} pt is hard to read on "
                                      "paper; a wider --preset allows larger text",
                                      file.string(), record.leastTextPt, viz::kMinReadablePt));
    if (const FigurePreset* place = findPreset(preset); viz::isTooHigh(record.sizeMm, place))
        addNotice(answer,
                  fmt::format("{}: the figure is {:.0f} mm high, more than the {:.0f} mm available {}; {}",
                              file.string(), record.sizeMm.height(), viz::mostHeightMm(record.sizeMm.width(), place),
                              place == nullptr ? "on a page" : fmt::format("with --preset {}", place->name),
                              record.lower.toStdString()));
}

void tellFigure(Answer& answer, const viz::FigureRecord& record, std::span<const std::filesystem::path> files,
                std::string_view preset)
{
    Json beside = Json::array();
    for (const std::filesystem::path& file : files.subspan(1))
        beside.push_back(file.string());
    (*answer.json)["figure"] = {{"width_mm", record.sizeMm.width()},
                                {"height_mm", record.sizeMm.height()},
                                {"least_text_pt", record.leastTextPt > 0 ? Json(record.leastTextPt) : Json()},
                                {"vector_bytes", record.vectorBytes},
                                {"raster_bytes", record.rasterBytes},
                                {"raster_dpi", record.rasterBytes > 0 ? Json(record.rasterDpi) : Json()},
                                {"caption", record.caption.toStdString()},
                                {"files", beside}};
    tellFaults(answer, record, files.front(), preset);
}

namespace
{

/// A long caption below a tall picture leaves the page: then its letters are smaller.
LatexText captionSize(const viz::FigureRecord& record)
{
    if (record.sizeMm.height() <= kTallMm || record.caption.size() <= kLongCaption)
        return {};
    constexpr double kPageMm = 255; // for both, on A4
    constexpr double kLineMm = 3.4; // of footnotesize
    constexpr double kLettersPerMm = 0.72;
    const double lines = std::ceil(static_cast<double>(record.caption.size()) /
                                   (kLettersPerMm * std::max(record.sizeMm.width(), kTallMm)));
    return record.sizeMm.height() + lines * kLineMm > kPageMm ? Literal("\\scriptsize ") : Literal("\\footnotesize ");
}

/// A figure of LaTeX with this picture, at its own width.
/// @param wide  over both columns
LatexText latexFigure(const std::filesystem::path& picture, const viz::FigureRecord& record, bool wide)
{
    const std::string name = picture.string();
    const bool svg = picture.extension() == ".svg" || picture.extension() == ".SVG";
    LatexText text(svg ? Literal("% \\usepackage{svg} in the preamble; a .pdf needs only graphicx\n")
                       : Literal("% \\usepackage{graphicx} in the preamble\n"));
    const LatexText caption = latexSentence(record.caption.toStdString());
    text += latexEngineComment(caption);
    if (!isLatexName(name))
        text += "% LaTeX reads some characters of this name as commands: rename the figure\n";
    text.append("\\begin{{{0}}}\n  \\centering\n  \\{1}[width={2}mm]{{{3}}}\n  \\caption{{{4}}}\n  "
                "\\label{{{5}}}\n\\end{{{0}}}\n",
                wide ? Literal("figure*") : Literal("figure"), svg ? Literal("includesvg") : Literal("includegraphics"),
                millimetres(record.sizeMm.width()), latexName(name), captionSize(record) + caption, labelOf(picture));
    return text;
}

} // namespace

Status writePaperFiles(const std::filesystem::path& figure, const std::string& recipe, const viz::FigureRecord& record,
                       std::string_view preset)
{
    HEADSCOPE_CHECK(writeFileAtomically(besideFigure(figure, ".json"), recipe));
    return writeLatexFile(besideFigure(figure, ".tex"),
                          latexFigure(figure.filename(), record, preset.ends_with("-page")));
}

} // namespace headscope::cli
