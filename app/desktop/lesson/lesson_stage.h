// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "model/data/lesson/lesson.h"
#include "viz/export/figure_export.h"

#include <QJsonObject>
#include <QPointer>
#include <QSize>
#include <QString>

#include <cstdint>
#include <vector>

class QWidget;

namespace headscope::desktop
{

class WorkSession;

/// What a lesson does with the views that are there.
class LessonStage
{
public:
    LessonStage() = default;
    virtual ~LessonStage() = default;
    LessonStage(const LessonStage&) = delete;
    LessonStage& operator=(const LessonStage&) = delete;

    /// Title of the view that a scene shows; "": there is none, or nothing is open that it could show.
    [[nodiscard]] virtual QString viewOf(const LessonScene& scene) const = 0;
    /// The view that a scene shows; null: none.
    [[nodiscard]] virtual QWidget* widgetOf(const LessonScene& scene) const = 0;
    /// What this view shows now, as a figure; null: nothing that can be drawn yet.
    [[nodiscard]] virtual viz::Figure figureOf(const LessonScene& scene) const = 0;
    /// Title of the job that still computes what the scene is coloured by; "": none runs.
    [[nodiscard]] virtual QString measuring(const LessonScene& scene) const = 0;
    /// Shows a scene: its tab, layer, stage, heads and controls.
    /// @param group  heads of the group that the picture is of
    virtual void show(const LessonScene& scene, const std::vector<std::int64_t>& group) = 0;
    /// From here on the window is the lesson's, until giveBack().
    virtual void take() = 0;
    /// The window becomes what it was before take(), where the same cache is open.
    virtual void giveBack() = 0;
};

/// The stage of the program's window.
/// @threads GUI thread
class WindowStage : public LessonStage
{
public:
    /// @param session  knows what the window's state is, and puts it back
    WindowStage(Study& study, WorkSession& session);
    ~WindowStage() override;

    [[nodiscard]] QString viewOf(const LessonScene& scene) const override;
    [[nodiscard]] QWidget* widgetOf(const LessonScene& scene) const override;
    [[nodiscard]] viz::Figure figureOf(const LessonScene& scene) const override;
    [[nodiscard]] QString measuring(const LessonScene& scene) const override;
    void show(const LessonScene& scene, const std::vector<std::int64_t>& group) override;
    void take() override;
    void giveBack() override;

private:
    [[nodiscard]] const ui::ViewEntry* entryOf(const LessonScene& scene) const;
    void showHeads(const LessonScene& scene, const std::vector<std::int64_t>& group);

    Study& m_study;
    QPointer<WorkSession> m_session; ///< null: the program ends
    bool m_taken = false;
    bool m_sideShown = true;
    bool m_welcome = false; ///< its page was in front
    QSize m_size;           ///< of the window; empty: it had the whole screen
    QString m_tab;
    Origin m_origin;      ///< of the cache that was open
    QJsonObject m_before; ///< the window's state
};

} // namespace headscope::desktop
