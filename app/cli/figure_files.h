// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "app/commands/figures/figure_choices.h"
#include "app/results/figure_recipe.h"
#include "app/results/provenance.h"
#include "viz/export/figure_export.h"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

/// The figure of a verb, with its recipe inside, and where --recipe asks for them the files next to it: FILE.csv with
/// the numbers that it shows, FILE.json with the recipe, FILE.tex that puts it into a paper;
/// and the files of --also.
class FigureFiles
{
public:
    /// Refuses what could not be written, before any work.
    /// @param inputs  of the verb, which no file may replace
    /// @errors those of checkOutputPath; WrongUse (--recipe, --preset, --text or --also without a figure)
    [[nodiscard]] static Status check(const std::string& target, const commands::FigureChoices& choices,
                                      const CommonOptions& common, std::span<const RecipeInput> inputs);

    /// Whether a figure would have a size that can be written: asked before a long run, with a stand-in for its map.
    /// @errors those of viz::checkFigure
    [[nodiscard]] static Status checkFits(const std::string& target, const commands::FigureChoices& choices,
                                          const CommonOptions& common, const viz::Figure& figure);

    /// @param recipe  without hashes and versions, which are filled in
    /// @param cache   of the input CACHE, where it is open; may be null
    /// @errors those of recipeHash
    [[nodiscard]] static Result<FigureFiles> create(const std::string& target, const commands::FigureChoices& choices,
                                                    const CommonOptions& common, FigureRecipe recipe,
                                                    const Provenance& provenance, const CacheReader* cache,
                                                    JobContext& job);

    /// Draws the figure, and for --also each other format as it would be drawn alone; written once all are drawn. As a
    /// panel it is kept for the answer.
    /// @errors those of the figure and of writeFigures
    [[nodiscard]] Status draw(const viz::Figure& figure);

    using Writer = std::function<Status(const std::filesystem::path& path)>;
    /// Writes the files next to the figure once that is written, and tells its sizes in `answer`. Where one cannot be
    /// written none stays, the figure included, but for what replaced another file.
    /// @param numbers  writes the .csv; empty: the figure shows no numbers of its own
    /// @errors Resource
    [[nodiscard]] Status finish(Answer& answer, const Writer& numbers);

private:
    FigureFiles() = default;
    [[nodiscard]] Status writeBeside(const Writer& numbers, std::vector<std::filesystem::path>& written) const;

    std::filesystem::path m_target;
    commands::FigureChoices m_choices;
    viz::FigureOptions m_options;
    std::vector<std::filesystem::path> m_also;   ///< the same figure in other formats
    std::vector<std::filesystem::path> m_before; ///< of its files those that were there before
    viz::FigureRecord m_record;                  ///< once it is drawn
    bool m_isPanel = false;
    std::unique_ptr<viz::FigureSpec> m_panel;
};

/// What --annotate asks for. Words that it does not take are left out.
[[nodiscard]] std::vector<viz::Annotation> annotationsOf(const std::vector<std::string>& words);
/// The inverse: "label 0.5,0.1 Text".
[[nodiscard]] std::string annotationWords(const viz::Annotation& annotation);

/// What is chosen of a figure's paper, text and colours.
[[nodiscard]] viz::FigureOptions figureOptions(const commands::FigureChoices& choices, const CommonOptions& common);

/// Adds a notice for what of a figure is hard to read or does not fit its paper.
void tellFaults(Answer& answer, const viz::FigureRecord& record, const std::filesystem::path& file,
                std::string_view preset);

/// Puts size and files of a figure into `figure` of the answer, and a notice where its text is hard to read.
/// @param files  that were written, the figure first
void tellFigure(Answer& answer, const viz::FigureRecord& record, std::span<const std::filesystem::path> files,
                std::string_view preset);

/// The files that go with a figure, by their endings.
inline constexpr std::array<const char*, 3> kBesideEndings = {".csv", ".json", ".tex"};
/// A file of another ending next to a figure.
[[nodiscard]] std::filesystem::path besideFigure(const std::filesystem::path& target, const char* ending);

/// The recipe's text with the versions of this program.
[[nodiscard]] std::string recipeOfThisVersion(FigureRecipe recipe, const Provenance& provenance);

/// The recipe of a figure as FILE.json and what puts it into a paper as FILE.tex.
/// @param figure  FILE.pdf, where it was written
/// @param preset  of the figure: one for a whole page spans both columns
/// @errors those of writeFileAtomically
[[nodiscard]] Status writePaperFiles(const std::filesystem::path& figure, const std::string& recipe,
                                     const viz::FigureRecord& record, std::string_view preset);

} // namespace headscope::cli
