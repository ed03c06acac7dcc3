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
    RecentFiles,
    LastFolder,
    WindowGeometry,
    WindowState,
    NoticeWhenDone,
    WelcomeAtStart,
    Shortcuts,
};

/// One setting: where it is kept, what it may hold, what it is when nobody set it.
struct SettingRow
{
    SettingKey key;
    std::string_view name; ///< group/name in the settings file
    SettingType type;
    std::string_view defaultText; ///< of texts
    int defaultNumber = 0;        ///< of integers and flags
    int least = 0;
    int most = 0;
    std::string_view choices; ///< allowed texts, separated by '|'; empty = any
    std::string_view label;   ///< what it is, for people
    std::string_view since;   ///< first version that knows it

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

/// Loading, saving, bounds and documentation come from this table.
inline constexpr std::array kSettings = {
    SettingRow{SettingKey::ColorScheme, "view/colorScheme", SettingType::Text, "system", 0, 0, 0, "system|light|dark",
               "Light or dark window", "0.1",
               "Colours of the window. Pictures that are saved are light, whatever stands here.",
               "As the system|Light|Dark"},
    SettingRow{SettingKey::Threads, "jobs/threads", SettingType::Integer, "", 0, 0, 1024, "", "Threads of a job", "0.1",
               "How many cores a map, a probe or an extraction takes. The results are the same for any number.", "",
               "every core"},
    SettingRow{SettingKey::Seed, "map/seed", SettingType::Integer, "", 1, 0, 2'000'000'000, "", "Seed", "0.1",
               "Same seed, vectors and settings: the same map and the same probe, bit for bit."},
    SettingRow{SettingKey::Perplexity, "map/perplexity", SettingType::Integer, "", 30, 2, 10'000, "", "Perplexity",
               "0.1", "How many neighbours a point of a map listens to: small shows detail, large shows the whole."},
    SettingRow{SettingKey::Iterations, "map/iterations", SettingType::Integer, "", 750, 10, 100'000, "", "Iterations",
               "0.1",
               "Steps of a map’s optimiser, the first 250 with exaggerated attraction. A stopped map can go on."},
    SettingRow{SettingKey::RecentFiles, "files/recent", SettingType::TextList, "", 0, 0, 0, "", "Files opened last",
               "0.1"},
    SettingRow{SettingKey::LastFolder, "files/lastFolder", SettingType::Text, "", 0, 0, 0, "",
               "Folder of the last file dialog", "0.1"},
    SettingRow{SettingKey::WindowGeometry, "window/geometry", SettingType::Bytes, "", 0, 0, 0, "",
               "Place and size of the window", "0.1"},
    SettingRow{SettingKey::WindowState, "window/state", SettingType::Bytes, "", 0, 0, 0, "", "Places of the panels",
               "0.1"},
    SettingRow{SettingKey::NoticeWhenDone, "jobs/noticeWhenDone", SettingType::Flag, "", 1, 0, 1, "",
               "Notice when a long job ends", "0.1",
               "The desktop says so when a job of more than half a minute ends while another window is in front."},
    SettingRow{SettingKey::WelcomeAtStart, "files/welcomeAtStart", SettingType::Flag, "", 0, 0, 1, "",
               "Start with the welcome page", "0.1",
               "Without a file on the command line the window opens the bundled demo; this shows the welcome page "
               "instead."},
    SettingRow{SettingKey::Shortcuts, "window/shortcuts", SettingType::TextList, "", 0, 0, 0, "",
               "Keys of actions that differ from the built-in ones", "0.1"},
};

} // namespace headscope::ui
