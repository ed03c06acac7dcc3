// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "model/base/job_context.h"
#include "model/data/lesson/lesson.h"
#include "model/data/lesson/regroup_result.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace headscope::desktop
{

/// A lesson and where it was read.
struct LessonFile
{
    std::filesystem::path file;
    std::shared_ptr<const Lesson> lesson;
    bool own = false; ///< of the user's folder
};

/// What lessons are made of.
struct LessonLibrary
{
    std::vector<LessonFile> lessons;                           ///< by file name; those of the program first
    std::vector<Error> faults;                                 ///< of files that are none
    std::vector<std::shared_ptr<const RegroupResult>> numbers; ///< measured for the demo models
};

/// Where lessons are read from.
struct LessonFolders
{
    std::filesystem::path program; ///< next to the installed program, else in its sources; empty: there is none
    std::filesystem::path own;     ///< the user's; need not exist
};

[[nodiscard]] LessonFolders lessonFolders();

/// Reads all lessons, X.LANGUAGE.json, and the numbers of the folder "numbers". A file that is none is a fault, and the
/// others are read.
/// @errors  Cancelled
/// @threads to be called on a worker
[[nodiscard]] Result<LessonLibrary> readLessons(const LessonFolders& folders, JobContext& job);

} // namespace headscope::desktop
