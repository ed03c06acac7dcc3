// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/lesson/lesson_picture.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace headscope::ui
{

/// A control of a picture: a choice, a slider over as many places, a field for a text, or without options a button.
struct LessonControl
{
    QString name; ///< what changed() says; object name "lesson_" and this
    QString title;
    QStringList options; ///< what each value is called
    int value = 0;       ///< of the options
    bool slider = false;
    bool field = false; ///< a text is typed; `text` is the one that is used now
    QString text = {};

    bool operator==(const LessonControl&) const = default;
};

/// A step as it is shown, in the words for the current model.
struct LessonPage
{
    QString title;
    QString text;
    QString attempt; ///< what to try
    QString question;
    QString answer;
    QString view;             ///< title of the view that the step shows live; "": it has none
    bool picture = true;      ///< it has one of its own
    QStringList options = {}; ///< answers to guess from; empty: the question is open
    int right = 0;            ///< the correct one of them
    int guess = -1;           ///< what was guessed; -1: nothing yet
    bool readFirst = false;   ///< the answer was shown before the guess, which is not scored
    QString score = {};       ///< guesses so far: "2 of 3 correct"; empty: none
};

/// A lesson that can be begun.
struct LessonEntry
{
    QString key; ///< what chosen() says
    QString title;
    QString line;    ///< steps, minutes, language
    QString summary; ///< what it is about
    int step = 0;    ///< where it was left, from 0; 0: it begins
};

/// A file that was to be a lesson and is none.
struct LessonFault
{
    QString file;
    QString sentence;
};

} // namespace headscope::ui
