// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace headscope::ui
{

/// What a setting holds. Enumerated texts list their values.
enum class SettingType
{
    Integer,
    Real,
    Flag, ///< yes or no; kept as 1 or 0
    Text,
    Bytes,    ///< a window's own state
    TextList, ///< recent files, chosen keys
};

/// Every setting of the window. One row of kSettings each.
enum class SettingKey
{
    ColorScheme,
    Threads,
    Seed,
    Perplexity,
    Iterations,
    Exaggeration,
    ExaggerationIterations,
    LateExaggeration,
    LearningRate,
    Momentum,
    DegreesOfFreedom,
    Metric,
    MapStart,
    Affinities,
    AutoStop,
    MoreIterations,
    Noise,
    RecentFiles,
    LastFolder,
    KnownModels,
    LessonSteps,
    WindowGeometry,
    WindowState,
    NoticeWhenDone,
    WelcomeAtStart,
    Shortcuts,
    LabelColors,
    FigureWidth,
    FigureDpi,
    FigurePreset,
    FigureFiles,
    FigureSizes,
};

/// One setting: where it is kept, what it may hold, its default.
struct SettingRow
{
    SettingKey key = {};
    std::string_view name = {}; ///< group/name in the settings file
    SettingType type = {};
    std::string_view defaultText = {}; ///< of texts
    int defaultNumber = 0;             ///< of integers and flags
    int least = 0;
    int most = 0;
    std::string_view choices = {}; ///< allowed texts, separated by '|'; empty = any
    std::string_view label = {};   ///< what it is, for people
    std::string_view since = {};   ///< first version that knows it
    double defaultReal = 0;        ///< of real numbers
    double leastReal = 0;
    double mostReal = 0;

    // What the settings dialog shows; a row without a help stands in no dialog.
    std::string_view help = {};                ///< a sentence: what it does, and what follows from it
    std::string_view choiceNames = {};         ///< of choices, for people, separated by '|'
    std::string_view special = {};             ///< what the least number means in words; empty = the number itself
    std::optional<SettingKey> helpNumber = {}; ///< the setting whose number replaces %1 in the help
};

/// One section of the settings dialog: the rows whose name begins with `group`.
struct SettingSection
{
    std::string_view group;
    std::string_view title;
};

inline constexpr std::array kSettingSections = {
    SettingSection{"view/", "Look"},
    SettingSection{"map/", "Maps and probes"},
    SettingSection{"jobs/", "Jobs"},
    SettingSection{"files/", "Files"},
};

/// Loading, saving, bounds, the settings dialog and documentation come from this table.
inline constexpr std::array kSettings = {
    SettingRow{.key = SettingKey::ColorScheme,
               .name = "view/colorScheme",
               .type = SettingType::Text,
               .defaultText = "system",
               .choices = "system|light|dark",
               .label = "Light or dark window",
               .since = "0.1",
               .help = "Colours of the window. Pictures that are saved are light, whatever stands here.",
               .choiceNames = "As the system|Light|Dark"},
    SettingRow{.key = SettingKey::LabelColors,
               .name = "view/labelColors",
               .type = SettingType::Text,
               .defaultText = "standard",
               .choices = "standard|colorblind|contrast|grey",
               .label = "Colours of labels",
               .since = "0.2",
               .help = "In every view and in saved pictures. Labels that share a colour, or look alike to "
                       "colour-blind eyes, differ in the shape of their dots.",
               .choiceNames = "Standard|Colour-blind safe|High contrast|Greyscale"},
    SettingRow{.key = SettingKey::Threads,
               .name = "jobs/threads",
               .type = SettingType::Integer,
               .most = 1024,
               .label = "Threads of a job",
               .since = "0.1",
               .help = "How many cores a map, a probe or an extraction takes. Results are the same for any number.",
               .special = "every core"},
    SettingRow{
        .key = SettingKey::Seed,
        .name = "map/seed",
        .type = SettingType::Integer,
        .defaultNumber = 1,
        .most = 2'000'000'000,
        .label = "Seed",
        .since = "0.1",
        .help = "Of all that is drawn: the split of a probe, a random start and noise of a map. Nothing is drawn in a "
                "map that begins at principal components."},
    SettingRow{.key = SettingKey::Perplexity,
               .name = "map/perplexity",
               .type = SettingType::Integer,
               .defaultNumber = 30,
               .least = 2,
               .most = 10'000,
               .label = "Perplexity",
               .since = "0.1",
               .help = "How many neighbours a point of a map listens to: small shows detail, large shows the whole."},
    SettingRow{.key = SettingKey::Iterations,
               .name = "map/iterations",
               .type = SettingType::Integer,
               .defaultNumber = 750,
               .least = 10,
               .most = 100'000,
               .label = "Iterations",
               .since = "0.1",
               .help = "Steps of a map’s optimiser, the first %1 with exaggerated attraction. A stopped map can go on.",
               .helpNumber = SettingKey::ExaggerationIterations},
    SettingRow{.key = SettingKey::Exaggeration,
               .name = "map/exaggeration",
               .type = SettingType::Real,
               .label = "Early exaggeration",
               .since = "0.2",
               .defaultReal = 12,
               .leastReal = 1,
               .mostReal = 100,
               .help = "How strongly the first iterations of a map pull neighbours together, so that islands form."},
    SettingRow{.key = SettingKey::ExaggerationIterations,
               .name = "map/exaggerationIterations",
               .type = SettingType::Integer,
               .defaultNumber = 250,
               .most = 100'000,
               .label = "Exaggerated iterations",
               .since = "0.2",
               .help = "How many of the first iterations are exaggerated."},
    SettingRow{.key = SettingKey::LateExaggeration,
               .name = "map/lateExaggeration",
               .type = SettingType::Real,
               .label = "Late exaggeration",
               .since = "0.2",
               .defaultReal = 1,
               .leastReal = 0.5,
               .mostReal = 20,
               .help = "Attraction in the iterations after them; 1 is plain t-SNE, more packs the islands."},
    SettingRow{.key = SettingKey::LearningRate,
               .name = "map/learningRate",
               .type = SettingType::Real,
               .label = "Learning rate",
               .since = "0.2",
               .mostReal = 10'000'000,
               .help = "Size of the optimiser’s steps.",
               .special = "by the number of points"},
    SettingRow{.key = SettingKey::Momentum,
               .name = "map/momentum",
               .type = SettingType::Real,
               .label = "Momentum",
               .since = "0.2",
               .defaultReal = 0.8,
               .mostReal = 0.99,
               .help = "Share of the last step in the next."},
    SettingRow{.key = SettingKey::DegreesOfFreedom,
               .name = "map/degreesOfFreedom",
               .type = SettingType::Real,
               .label = "Degrees of freedom",
               .since = "0.2",
               .defaultReal = 1,
               .leastReal = 0.1,
               .mostReal = 100,
               .help = "Of the kernel on the map; 1 is t-SNE, less makes smaller and finer islands."},
    SettingRow{.key = SettingKey::Metric,
               .name = "map/metric",
               .type = SettingType::Text,
               .defaultText = "euclidean",
               .choices = "euclidean|cosine",
               .label = "Metric",
               .since = "0.2",
               .help = "Distance between vectors.",
               .choiceNames = "Euclidean|Cosine"},
    SettingRow{.key = SettingKey::MapStart,
               .name = "map/start",
               .type = SettingType::Text,
               .defaultText = "pca",
               .choices = "pca|random|present",
               .label = "Start",
               .since = "0.2",
               .help = "Where the points of a new map begin.",
               .choiceNames = "Principal components|At random|Where they are now"},
    SettingRow{.key = SettingKey::Affinities,
               .name = "map/affinities",
               .type = SettingType::Text,
               .defaultText = "sparse",
               .choices = "sparse|dense",
               .label = "Affinities",
               .since = "0.2",
               .help = "Which points attract each other on a map: each its nearest neighbours, three times the "
                       "perplexity, or all pairs.",
               .choiceNames = "Sparse|Dense"},
    SettingRow{.key = SettingKey::AutoStop,
               .name = "map/autoStop",
               .type = SettingType::Integer,
               .most = 1,
               .label = "End by itself",
               .since = "0.2",
               .help = "1: a map ends by itself when its divergence hardly falls any more.",
               .special = "no"},
    SettingRow{.key = SettingKey::MoreIterations,
               .name = "map/moreIterations",
               .type = SettingType::Integer,
               .defaultNumber = 250,
               .least = 10,
               .most = 100'000,
               .label = "More iterations",
               .since = "0.2",
               .help = "How many more iterations a map that has ended goes on for."},
    SettingRow{.key = SettingKey::Noise,
               .name = "map/noise",
               .type = SettingType::Integer,
               .defaultNumber = 10,
               .least = 1,
               .most = 200,
               .label = "Noise of Perturb",
               .since = "0.2",
               .help = "How far Perturb moves the points of a map, in percent of its spread."},
    SettingRow{SettingKey::RecentFiles, "files/recent", SettingType::TextList, "", 0, 0, 0, "", "Files opened last",
               "0.1"},
    SettingRow{SettingKey::LastFolder, "files/lastFolder", SettingType::Text, "", 0, 0, 0, "",
               "Folder of the last file dialog", "0.1"},
    SettingRow{SettingKey::KnownModels, "files/models", SettingType::TextList, "", 0, 0, 0, "",
               "Where models stand, by their names", "0.2"},
    SettingRow{SettingKey::LessonSteps, "lessons/steps", SettingType::TextList, "", 0, 0, 0, "",
               "Where lessons were left", "0.3"},
    SettingRow{SettingKey::WindowGeometry, "window/geometry", SettingType::Bytes, "", 0, 0, 0, "",
               "Place and size of the window", "0.1"},
    SettingRow{SettingKey::WindowState, "window/state", SettingType::Bytes, "", 0, 0, 0, "", "Places of the panels",
               "0.1"},
    SettingRow{.key = SettingKey::NoticeWhenDone,
               .name = "jobs/noticeWhenDone",
               .type = SettingType::Flag,
               .defaultNumber = 1,
               .most = 1,
               .label = "Notice when a long job ends",
               .since = "0.2",
               .help = "The desktop says so when a job of more than half a minute ends while another window is in "
                       "front."},
    SettingRow{.key = SettingKey::WelcomeAtStart,
               .name = "files/welcomeAtStart",
               .type = SettingType::Flag,
               .most = 1,
               .label = "Start with the welcome page",
               .since = "0.2",
               .help = "Started without a file, the window opens the bundled demo; this shows the welcome page "
                       "instead."},
    SettingRow{SettingKey::Shortcuts, "window/shortcuts", SettingType::TextList, "", 0, 0, 0, "",
               "Keys of actions that differ from the built-in ones", "0.2"},
    SettingRow{.key = SettingKey::FigureWidth,
               .name = "files/figureWidth",
               .type = SettingType::Real,
               .label = "Width of a saved picture, in millimetres",
               .since = "0.3",
               .defaultReal = 171.45,
               .leastReal = 60,
               .mostReal = 1'000},
    SettingRow{.key = SettingKey::FigureDpi,
               .name = "files/figureDpi",
               .type = SettingType::Integer,
               .defaultNumber = 300,
               .least = 72,
               .most = 1'200,
               .label = "Pixels per inch of a saved picture",
               .since = "0.3"},
    SettingRow{.key = SettingKey::FigurePreset,
               .name = "files/figurePreset",
               .type = SettingType::Text,
               .label = "Venue that a saved picture is for",
               .since = "0.4"},
    SettingRow{.key = SettingKey::FigureFiles,
               .name = "files/figureFiles",
               .type = SettingType::Flag,
               .most = 1,
               .label = "Save numbers, recipe and LaTeX beside a picture",
               .since = "0.5"},
    SettingRow{.key = SettingKey::FigureSizes,
               .name = "files/figureSizes",
               .type = SettingType::Text,
               .label = "Sizes that pictures were saved at, by view",
               .since = "0.5"},
};

} // namespace headscope::ui
