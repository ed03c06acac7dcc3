// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/tour/tour.h"

/// The scenes of the screen tour, in the order they are played: one function a scene drives the window by
/// mouse and keys, finds what it needs by object name, and says what was not there.
namespace headscope::tour
{

struct Scene
{
    const char* name;
    void (*play)(Tour&);
};

/// Painting, moving, choosing, colours, legend, hover card, names of regions; grid and comparison; a live run.
[[nodiscard]] std::vector<Scene> mapScenes();
/// Heatmap, probe, heads, retrieval, layers, attention.
[[nodiscard]] std::vector<Scene> viewScenes();
/// Find, sets, data panel, jobs, dialogs, the welcome page, a small window, another cache.
[[nodiscard]] std::vector<Scene> windowScenes();
/// Guided lessons: the list, every step with its picture and its view, large before a class.
[[nodiscard]] std::vector<Scene> lessonScenes();

} // namespace headscope::tour
