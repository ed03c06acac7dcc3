// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/lesson/lesson_stage.h"
#include "app/desktop/shell/study.h"
#include "model/data/lesson/lesson.h"
#include "ui/jobs/job_runner.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <optional>

namespace headscope::ui
{
class LessonColumn;
class LessonPresenter;
} // namespace headscope::ui

namespace headscope::desktop
{

/// Follows the view that a step without a picture is about: says what is still being measured in it, and paints its
/// figure before a class.
/// @threads GUI thread; figures are painted on a worker
class LessonView : public QObject
{
    Q_OBJECT

public:
    /// @param column  says what is measured; must outlive it
    LessonView(Study& study, ui::LessonColumn& column, QObject* parent = nullptr);

    /// Another step.
    /// @param stage  must outlive the step; null: the lesson has ended
    void follow(const LessonStage* stage, const LessonStep* step);
    /// The step is shown before a class, from here on.
    void present(ui::LessonPresenter& presenter);
    void stop() { m_runner.cancel(); }

private:
    [[nodiscard]] bool isThere() const;
    [[nodiscard]] QString waiting() const;
    void look();
    void paint();

    Study& m_study;
    ui::LessonColumn& m_column;
    QPointer<ui::LessonPresenter> m_presenter;
    const LessonStage* m_stage = nullptr;
    std::optional<LessonScene> m_scene; ///< of a step without a picture
    QTimer m_timer;
    ui::JobRunner m_runner; ///< last: its destructor waits for the worker
};

} // namespace headscope::desktop
