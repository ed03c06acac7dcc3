// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "viz/lesson/lesson_picture.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace headscope::viz
{

/// A step of a handout. One with a picture has a page of its own; others share pages.
struct HandoutStep
{
    QString title;
    QString text;
    LessonPicture picture;
    QString attempt; ///< what to try
    QString question;
    QString answer;           ///< on the last page
    QStringList options = {}; ///< to tick; below are lines to write on
};

/// The words around the steps, in the language of the lesson's readers.
struct HandoutWords
{
    QString attempt;  ///< "In Headscope": what to try there
    QString question; ///< "Question"
    QString answers;  ///< "Answers"
    QString page;     ///< "Page %1"
};

/// A lesson on paper.
struct Handout
{
    QString title;
    QString summary;
    QString of; ///< model and cache that the pictures are of
    std::vector<HandoutStep> steps;
    HandoutWords words;
};

/// Writes a PDF of A4 pages: each step with a picture on a page of its own, steps without one together, the answers
/// behind them on as many as they need. Text is text, fonts
/// are embedded, and the same handout gives the same bytes.
/// @errors WrongUse (an existing file without overwrite), InvalidArgument (no step), Resource, OutOfMemory
/// @threads needs a QGuiApplication for its fonts; one at a time
[[nodiscard]] Status exportHandout(const Handout& handout, const std::filesystem::path& path, bool overwrite);

} // namespace headscope::viz
