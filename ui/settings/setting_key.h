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
    Text,
    Bytes,    ///< a window's own state
    TextList, ///< recent files
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
    AutoStop,
    MoreIterations,
    Noise,
    RecentFiles,
    LastFolder,
    WindowGeometry,
    WindowState,
};

/// One setting: where it is kept, what it may hold, what it is when nobody set it.
struct SettingRow
{
    SettingKey key;
    std::string_view name; ///< group/name in the settings file
    SettingType type;
    std::string_view defaultText; ///< of texts
    int defaultNumber = 0;        ///< of integers
    int least = 0;
    int most = 0;
    std::string_view choices; ///< allowed texts, separated by '|'; empty = any
    std::string_view label;   ///< what it is, for people
    std::string_view since;   ///< first version that knows it
    double defaultReal = 0;   ///< of real numbers
    double leastReal = 0;
    double mostReal = 0;
};

/// Loading, saving, bounds and documentation come from this table.
inline constexpr std::array kSettings = {
    SettingRow{SettingKey::ColorScheme, "view/colorScheme", SettingType::Text, "system", 0, 0, 0, "system|light|dark",
               "Light or dark window", "0.1"},
    SettingRow{SettingKey::Threads, "jobs/threads", SettingType::Integer, "", 0, 0, 1024, "",
               "Threads of a job; 0 takes every core", "0.1"},
    SettingRow{SettingKey::Seed, "map/seed", SettingType::Integer, "", 1, 0, 2'000'000'000, "",
               "Seed of maps and probes", "0.1"},
    SettingRow{SettingKey::Perplexity, "map/perplexity", SettingType::Integer, "", 30, 2, 10'000, "",
               "Effective number of neighbours of a map", "0.1"},
    SettingRow{SettingKey::Iterations, "map/iterations", SettingType::Integer, "", 750, 10, 100'000, "",
               "Iterations of a map, exaggeration included", "0.1"},
    SettingRow{SettingKey::Exaggeration, "map/exaggeration", SettingType::Real, "", 0, 0, 0, "",
               "Exaggeration of a map's first iterations", "0.2", 12, 1, 100},
    SettingRow{SettingKey::ExaggerationIterations, "map/exaggerationIterations", SettingType::Integer, "", 250, 0,
               100'000, "", "Iterations of a map that are exaggerated", "0.2"},
    SettingRow{SettingKey::LateExaggeration, "map/lateExaggeration", SettingType::Real, "", 0, 0, 0, "",
               "Exaggeration of a map's later iterations", "0.2", 1, 0.5, 20},
    SettingRow{SettingKey::LearningRate, "map/learningRate", SettingType::Real, "", 0, 0, 0, "",
               "Learning rate of a map; 0: automatic", "0.2", 0, 0, 10'000'000},
    SettingRow{SettingKey::Momentum, "map/momentum", SettingType::Real, "", 0, 0, 0, "",
               "Share of a map's last step in the next", "0.2", 0.8, 0, 0.99},
    SettingRow{SettingKey::DegreesOfFreedom, "map/degreesOfFreedom", SettingType::Real, "", 0, 0, 0, "",
               "Degrees of freedom of a map's kernel", "0.2", 1, 0.1, 100},
    SettingRow{SettingKey::Metric, "map/metric", SettingType::Text, "euclidean", 0, 0, 0, "euclidean|cosine",
               "Distance between vectors of a map", "0.2"},
    SettingRow{SettingKey::MapStart, "map/start", SettingType::Text, "pca", 0, 0, 0, "pca|random|present",
               "Where the points of a map begin", "0.2"},
    SettingRow{SettingKey::AutoStop, "map/autoStop", SettingType::Integer, "", 0, 0, 1, "",
               "1: a map ends by itself when its divergence hardly falls", "0.2"},
    SettingRow{SettingKey::MoreIterations, "map/moreIterations", SettingType::Integer, "", 250, 10, 100'000, "",
               "Iterations that a map goes on for when asked to", "0.2"},
    SettingRow{SettingKey::Noise, "map/noise", SettingType::Integer, "", 10, 1, 200, "",
               "Noise that moves the points of a map when asked to, percent of its spread", "0.2"},
    SettingRow{SettingKey::RecentFiles, "files/recent", SettingType::TextList, "", 0, 0, 0, "", "Files opened last",
               "0.1"},
    SettingRow{SettingKey::LastFolder, "files/lastFolder", SettingType::Text, "", 0, 0, 0, "",
               "Folder of the last file dialog", "0.1"},
    SettingRow{SettingKey::WindowGeometry, "window/geometry", SettingType::Bytes, "", 0, 0, 0, "",
               "Place and size of the window", "0.1"},
    SettingRow{SettingKey::WindowState, "window/state", SettingType::Bytes, "", 0, 0, 0, "", "Places of the panels",
               "0.1"},
};

} // namespace headscope::ui
