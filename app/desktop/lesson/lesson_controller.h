// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/lesson/lesson_library.h"
#include "app/desktop/lesson/lesson_pictures.h"
#include "app/desktop/lesson/lesson_stage.h"
#include "app/desktop/lesson/lesson_view.h"
#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/study.h"
#include "app/views/attention/source/fetch_attention.h"
#include "app/views/attention/source/stored_attention.h"
#include "ui/jobs/job_runner.h"

#include <QHash>
#include <QPointer>
#include <QSet>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{
class AttentionView;
class LessonColumn;
class LessonKeys;
class LessonList;
class LessonPicturePage;
class LessonPresenter;
} // namespace headscope::ui

namespace headscope::desktop
{

class EngineServers;
class WorkSession;

/// Guided lessons: a column of text on the right, and at its left a picture of the step or the live view that it is
/// about. Nothing that fails while one is open ends it: the step says what went wrong, and the next one is there.
/// @threads GUI thread
class LessonController : public Controller
{
    Q_OBJECT

public:
    /// @param engines  those of the window; must outlive the controller
    LessonController(Study& study, EngineServers& engines, QObject* parent = nullptr);
    ~LessonController() override;

    /// How the window becomes again what it was before a lesson. Once, before any.
    void follow(WorkSession& session);
    /// The view whose text the lesson takes for its pictures. Once, before any lesson.
    void setAttention(ui::AttentionView& view) { m_attention = &view; }
    /// Where lessons are read from; else lessonFolders().
    void setFolders(LessonFolders folders) { m_folders = std::move(folders); }

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_measureRunner.running() || m_save.busy(); }

    /// Reads the lessons and shows which there are.
    void showList();
    /// @param step  from 0
    void begin(std::shared_ptr<const Lesson> lesson, int step = 0);
    void showStep(int step);
    void next();
    void back();
    void end();
    void present();
    /// Writes the whole lesson as a PDF.
    void saveHandout(const QString& file);
    /// Shows the live view of the step, or its picture.
    void setLive(bool live);

    [[nodiscard]] const Lesson* lesson() const { return m_lesson.get(); }
    [[nodiscard]] int step() const { return m_step; }
    [[nodiscard]] bool isLive() const { return m_live; }
    [[nodiscard]] ui::LessonColumn& column() const { return *m_column; }
    [[nodiscard]] ui::LessonPicturePage& page() const { return *m_page; }
    [[nodiscard]] ui::LessonPresenter* presenter() const;
    /// Whether the picture of the step is there.
    [[nodiscard]] bool pictureReady() const { return m_ready; }

Q_SIGNALS:
    void listShown();
    void stepShown(int step);
    void pictureShown();
    void ended();

private:
    // The player, in lesson_controller.cpp.
    void addCommands();
    void connectParts();
    void refreshStep();
    void showPage();
    void leaveList();
    void changeControl(const QString& control, int value);
    /// The first guess at a step counts.
    void guess(int option);
    /// "2 of 3 correct"; empty: no guess yet.
    [[nodiscard]] QString score() const;
    /// The step as it is shown, with what was guessed.
    [[nodiscard]] ui::LessonPage pageOf(const LessonStep& step) const;
    /// Opens the demo cache where none is open, and tells where its model is.
    void useDemo();
    /// The model of the open cache, or of the demo, where it was downloaded; "": it is not there.
    [[nodiscard]] QString downloadedModel() const;
    void typeSentence(const QString& text);
    [[nodiscard]] QString stepKey() const;
    /// Where a lesson continues that was left before its last step; 0: at its beginning.
    [[nodiscard]] int keptStep(const Lesson& lesson) const;
    void keepStep(int step);
    void askHandout();
    void takeView();

    // What is read and computed, in lesson_work.cpp.
    void readLibrary();
    void fillList();
    void fetchRun();
    /// What the words and picture of a step are made from, wherever in the lesson it is asked for.
    [[nodiscard]] LessonSource source(const LessonStep& step) const;
    /// The text that the picture is of: the one typed, else that of the step, of the Attention view, or of the stored
    /// runs.
    [[nodiscard]] std::string sentence(const LessonStep& step) const;
    [[nodiscard]] AttentionRunPtr runFor(const ModelInfo& model, const std::string& text) const;
    /// What the open model is to be asked for the picture of a step; nothing: its run is there, or cannot be made.
    [[nodiscard]] std::optional<AttentionQuestion> missingRun(const LessonStep& step) const;
    [[nodiscard]] const LessonStep& shownStep() const { return m_lesson->steps[static_cast<std::size_t>(m_step)]; }
    [[nodiscard]] LessonPictureRequest request() const;
    [[nodiscard]] QString pictureKey(const LessonPictureRequest& request) const;
    void refreshPicture();
    void takePicture(const QString& key, Result<viz::LessonPicture> picture);
    void showPicture(const viz::LessonPicture& picture);
    void measure();
    /// What goes on at this step while its picture is there.
    [[nodiscard]] QString idleText() const;
    [[nodiscard]] QString model() const;

    Study& m_study;
    EngineServers& m_engines;
    std::optional<LessonFolders> m_folders;
    std::unique_ptr<LessonStage> m_stage;
    ui::AttentionView* m_attention = nullptr;
    ui::LessonColumn* m_column = nullptr; ///< these of the window
    ui::LessonPicturePage* m_page = nullptr;
    ui::LessonList* m_list = nullptr;
    ui::LessonKeys* m_keys = nullptr;
    QPointer<ui::LessonPresenter> m_presenter;
    LessonView* m_view = nullptr; ///< of a step that is about one

    bool m_read = false; ///< the library is there
    LessonLibrary m_library;
    std::vector<StoredAttention> m_stored;
    std::vector<AttentionRunPtr> m_liveRuns; ///< of the model of the open cache, the newest first
    std::string m_fetching;                  ///< the text of the run that is being computed
    std::string m_failed;                    ///< that of a run that could not be
    std::shared_ptr<const RegroupResult> m_measured;

    std::shared_ptr<const Lesson> m_lesson; ///< null: none is open
    int m_step = 0;
    bool m_live = false;
    bool m_showing = false; ///< a scene is being shown: the user has changed no view
    bool m_ready = false;
    QHash<QString, QHash<QString, int>> m_values; ///< of controls, by lesson and step
    QHash<QString, int> m_guesses;                ///< by lesson and step
    QSet<QString> m_readFirst;                    ///< lessons and steps whose answer was shown before a guess
    std::string m_typed;                          ///< the sentence that pictures are of; "": none was typed
    QHash<QString, viz::LessonPicture> m_made;    ///< computed pictures of what is open
    SaveJob m_save;
    // Last: their destructors wait for workers.
    ui::JobRunner m_readRunner;
    ui::JobRunner m_runRunner;
    ui::JobRunner m_pictureRunner;
    ui::JobRunner m_measureRunner;
    ui::JobRunner m_handoutRunner;
};

} // namespace headscope::desktop
