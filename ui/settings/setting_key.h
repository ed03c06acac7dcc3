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

    // What the settings dialog shows; a row without a help stands in no dialog.
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
    SettingSection{"view/", "Look"},
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
               .label = "Light or dark window",
               .help = "Colours of the window. Pictures that are saved are light, whatever stands here.",
               .choiceNames = "As the system|Light|Dark"},
    SettingRow{.key = SettingKey::LabelColors,
               .name = "view/labelColors",
               .type = SettingType::Text,
               .defaultText = "standard",
               .choices = "standard|colorblind|contrast|grey",
               .label = "Colours of labels",
               .help = "In every view and in saved pictures. Labels that share a colour, or look alike to "
                       "colour-blind eyes, differ in the shape of their dots.",
               .choiceNames = "Standard|Colour-blind safe|High contrast|Greyscale"},
    SettingRow{.key = SettingKey::Threads,
               .name = "jobs/threads",
               .type = SettingType::Integer,
               .most = 1024,
               .label = "Threads of a job",
               .help = "How many cores a map, a probe or an extraction takes. Results are the same for any number.",
               .special = "every core"},
    SettingRow{SettingKey::RecentFiles, "files/recent", SettingType::TextList, "", 0, 0, 0, "", "Files opened last"},
    SettingRow{SettingKey::LastFolder, "files/lastFolder", SettingType::Text, "", 0, 0, 0, "",
               "Folder of the last file dialog"},
    SettingRow{SettingKey::KnownModels, "files/models", SettingType::TextList, "", 0, 0, 0, "",
               "Where models stand, by their names"},
    SettingRow{SettingKey::LessonSteps, "lessons/steps", SettingType::TextList, "", 0, 0, 0, "",
               "Where lessons were left"},
    SettingRow{SettingKey::WindowGeometry, "window/geometry", SettingType::Bytes, "", 0, 0, 0, "",
               "Place and size of the window"},
    SettingRow{SettingKey::WindowState, "window/state", SettingType::Bytes, "", 0, 0, 0, "", "Places of the panels"},
    SettingRow{.key = SettingKey::NoticeWhenDone,
               .name = "jobs/noticeWhenDone",
               .type = SettingType::Flag,
               .defaultNumber = 1,
               .most = 1,
               .label = "Notice when a long job ends",
               .help = "The desktop says so when a job of more than half a minute ends while another window is in "
                       "front."},
    SettingRow{.key = SettingKey::WelcomeAtStart,
               .name = "files/welcomeAtStart",
               .type = SettingType::Flag,
               .most = 1,
               .label = "Start with the welcome page",
               .help = "Started without a file, the window opens the bundled demo; this shows the welcome page "
                       "instead."},
    SettingRow{SettingKey::Shortcuts, "window/shortcuts", SettingType::TextList, "", 0, 0, 0, "",
               "Keys of actions that differ from the built-in ones"},
    SettingRow{.key = SettingKey::FigureSizes,
               .name = "files/figureSizes",
               .type = SettingType::Text,
               .label = "Sizes that pictures were saved at, by view"},
};

} // namespace headscope::ui
