// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/make_heatmaps.h"
#include "model/data/attention/attention_run.h"
#include "model/data/lesson/lesson.h"
#include "model/data/lesson/regroup_result.h"
#include "model/io/cache/cache_reader.h"
#include "ui/lesson/lesson_page.h"

#include <QHash>
#include <QString>

#include <map>
#include <memory>
#include <span>
#include <string>

namespace headscope::desktop
{

/// What words and pictures of a lesson are made from: what is open, and what came with the program.
struct LessonSource
{
    ModelInfo model;     ///< that the lesson speaks of
    AttentionRunPtr run; ///< of a sentence, with the vectors of a layer; null: none is available
    /// Null: nothing is open.
    std::shared_ptr<CacheReader> reader;
    std::shared_ptr<const RegroupResult> regroup; ///< null: not measured
    bool canMeasure = false;                      ///< the model itself is available, with documents to measure it on
    bool canType = false; ///< the model itself is available: it runs on a sentence that is typed
    bool demo = false;    ///< the demo can be opened, or its model found on this machine
    std::string typed;    ///< the sentence that was typed; "": none
    std::shared_ptr<const DocumentSet> documents; ///< of the open cache; null: nothing is open
    HeatmapLabels labels; ///< of the open cache, whose topics heads are compared with
    int threads = 1;

    [[nodiscard]] bool runIsOfModel() const { return run != nullptr && isSameModel(run->model, model); }
    /// By the digests of their files, else by their names.
    [[nodiscard]] static bool isSameModel(const ModelInfo& a, const ModelInfo& b);
};

/// The picture of a step, with what its controls say.
struct LessonPictureRequest
{
    LessonPictureSpec spec;
    QHash<QString, int> values; ///< of controls, by name; those that are not there are at their defaults
    LessonSource source;
};

/// The names in braces that texts may have besides those of the model: "{group}", "{token}", "{layer}", and those of
/// the example whose numbers are computed from its shape: "{example}", "{example_heads}", "{example_kv_heads}",
/// "{example_tokens}", "{example_shared}", "{example_unshared}".
[[nodiscard]] std::map<std::string, std::string> lessonNames(const LessonPictureRequest& request);

/// The words of a step for the current model.
/// @param view  title of the view that its scene shows; "": it has none that is there
[[nodiscard]] ui::LessonPage lessonPage(const LessonStep& step, const LessonPictureRequest& request,
                                        const QString& view);

/// The model that is spoken of where nothing is open: that of the first run which came with the program.
[[nodiscard]] ModelInfo usualModel();

} // namespace headscope::desktop
