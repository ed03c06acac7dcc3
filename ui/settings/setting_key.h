// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
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

/// Every setting of the window: one row of kSettings each, and one of each field that a form keeps (`field_settings`),
/// whose keys follow these.
enum class SettingKey
{
    ColorScheme,
    Threads,
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
    double defaultReal = 0;        ///< of real numbers
    double leastReal = 0;
    double mostReal = 0;

    // What the settings dialog shows; a row without a help is in no dialog.
    std::string_view help = {};        ///< a sentence: what it does, and what follows from it
    std::string_view choiceNames = {}; ///< of choices, for people, separated by '|'
    std::string_view special = {};     ///< what the least number means in words; empty = the number itself
};

/// One section of the settings dialog: the rows whose name begins with `group`.
struct SettingSection
{
    std::string_view group;
    std::string_view title;
};

inline constexpr std::array kSettingSections = {
    SettingSection{"view/", "Appearance"},
    SettingSection{"map/", "Maps and probes"},
    SettingSection{"jobs/", "Jobs"},
    SettingSection{"files/", "Files"},
};

/// The settings that are no field of an analysis. Loading, saving, bounds and the settings dialog come from this table.
inline constexpr std::array kSettings = {
    SettingRow{.key = SettingKey::ColorScheme,
               .name = "view/colorScheme",
               .type = SettingType::Text,
               .defaultText = "system",
               .choices = "system|light|dark",
               .label = "Theme",
               .help = "Colours of the window. Saved figures always have a light background.",
               .choiceNames = "System|Light|Dark"},
    SettingRow{.key = SettingKey::LabelColors,
               .name = "view/labelColors",
               .type = SettingType::Text,
               .defaultText = "standard",
               .choices = "standard|colorblind|contrast|grey",
               .label = "Colours of labels and heads",
               .help = "Used in every view and in saved figures. Labels and heads with similar colours have points of "
                       "different shapes.",
               .choiceNames = "Standard|Colour-blind safe|High contrast|Greyscale"},
    SettingRow{.key = SettingKey::Threads,
               .name = "jobs/threads",
               .type = SettingType::Integer,
               .most = 1024,
               .label = "Threads per job",
               .help = "Number of CPU cores for a map, probe or extraction. Results do not depend on this number.",
               .special = "all cores"},
    SettingRow{SettingKey::RecentFiles, "files/recent", SettingType::TextList, "", 0, 0, 0, "",
               "Recently opened files"},
    SettingRow{SettingKey::LastFolder, "files/lastFolder", SettingType::Text, "", 0, 0, 0, "",
               "Folder of the last file dialog"},
    SettingRow{SettingKey::KnownModels, "files/models", SettingType::TextList, "", 0, 0, 0, "",
               "Paths of models, by name"},
    SettingRow{SettingKey::LessonSteps, "lessons/steps", SettingType::TextList, "", 0, 0, 0, "", "Lesson progress"},
    SettingRow{SettingKey::WindowGeometry, "window/geometry", SettingType::Bytes, "", 0, 0, 0, "",
               "Position and size of the window"},
    SettingRow{SettingKey::WindowState, "window/state", SettingType::Bytes, "", 0, 0, 0, "", "Positions of the panels"},
    SettingRow{
        .key = SettingKey::NoticeWhenDone,
        .name = "jobs/noticeWhenDone",
        .type = SettingType::Flag,
        .defaultNumber = 1,
        .most = 1,
        .label = "Notify when long jobs finish",
        .help = "Show a desktop notification when a job of over 30 seconds finishes while another window is active."},
    SettingRow{.key = SettingKey::WelcomeAtStart,
               .name = "files/welcomeAtStart",
               .type = SettingType::Flag,
               .most = 1,
               .label = "Start with welcome page",
               .help = "If Headscope starts without a file, show the welcome page instead of the bundled demo."},
    SettingRow{SettingKey::Shortcuts, "window/shortcuts", SettingType::TextList, "", 0, 0, 0, "",
               "Keys of actions that differ from the defaults"},
    SettingRow{.key = SettingKey::FigureSizes,
               .name = "files/figureSizes",
               .type = SettingType::Text,
               .label = "Sizes of saved figures, by view"},
};

} // namespace headscope::ui
