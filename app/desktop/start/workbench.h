// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/shell/study.h"
#include "app/views/map/map_run.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <vector>

namespace headscope::ui
{
class DocumentMenu;
} // namespace headscope::ui

namespace headscope::desktop
{

class AblationController;
class AttentionController;
class CircuitsController;
class ChosenController;
class Controller;
class ExtractController;
class FigureList;
class FindController;
class HeadsController;
class JoinController;
class LessonController;
class MapController;
class RetrievalController;
class Autosave;
class UndoHistory;
class WorkSession;

/// Everything behind the window: what is open, and one controller per area.
/// @threads GUI thread
class Workbench : public QObject
{
    Q_OBJECT

public:
    /// @param window  must outlive the workbench
    /// @param engine  program that runs models
    Workbench(ui::MainWindow& window, const QString& engine, QObject* parent = nullptr);
    ~Workbench() override;

    /// Opens a cache, a work file, or the view of a figure; for a model or texts it asks for the other and extracts.
    void open(const QString& path);
    /// Whether anything runs that closing the window would end.
    [[nodiscard]] bool anyJobRuns() const;
    /// Whether nothing runs, also of what is not asked about, and nothing is being loaded.
    [[nodiscard]] bool rests() const;
    /// Asks every job to stop and the engine to end.
    void stopAll();

    [[nodiscard]] Study& study() { return m_study; }
    [[nodiscard]] MapRun& mapRun();
    [[nodiscard]] ExtractController& extraction() { return *m_extract; }
    /// For all who ask a model.
    [[nodiscard]] EngineServers& engines() { return m_engines; }
    [[nodiscard]] AttentionController& attention() { return *m_attention; }
    /// For views that switch heads off in the running model.
    [[nodiscard]] AblationController& ablation() { return *m_ablation; }
    [[nodiscard]] FindController& find() { return *m_find; }
    [[nodiscard]] ChosenController& chosen() { return *m_chosen; }
    [[nodiscard]] JoinController& join() { return *m_join; }
    [[nodiscard]] Autosave& keeper() { return *m_keeper; }
    [[nodiscard]] WorkSession& work() { return *m_work; }
    [[nodiscard]] FigureList& figures() { return *m_figures; }
    [[nodiscard]] LessonController& lessons() { return *m_lessons; }
    [[nodiscard]] UndoHistory& undo() { return *m_undo; }
    [[nodiscard]] const std::vector<Controller*>& controllers() const { return m_controllers; }
    [[nodiscard]] bool isLoading() const { return m_study.opening() || m_study.loading(); }

Q_SIGNALS:
    void cacheOpened();
    void openFailed(const headscope::Error& error);
    /// A requested result of a view is complete and on the screen.
    void viewShown(headscope::ui::ViewId view);
    /// A map on the screen is final: stored, finished or stopped.
    void mapSettled();
    void labelsMerged();
    void viewSaved(const QString& path);
    /// The extract dialog shows what it was opened with.
    void extractAsked();

private:
    /// Makes a controller that lives as long as the workbench.
    template <class T, class... Rest>
    T& add(Rest&&... rest);
    void connectExtraction();
    [[nodiscard]] ui::DocumentMenu* addDocumentMenu();
    /// Offers what can be done with a document, and the card of a head, wherever these are shown.
    void addMenus();
    /// The document that another is compared with; nothing: there is none.
    [[nodiscard]] std::optional<DocumentIndex> otherOfPair(DocumentIndex document) const;
    /// Opens a cache that was extracted where nothing is open; else offers it: nobody's work is left unasked.
    void offerExtracted(const QString& cache);
    /// Heads that are off in the Attention view lead to the documents that move without them.
    void connectAttention();
    /// Passes on what the controllers tell.
    void tellOfControllers();
    bool mayClose();
    /// What would be lost if all that runs were stopped now.
    [[nodiscard]] QString lossesOfStopping() const;
    void closeOnceSaved();
    void askToStop();
    void keepAndClose();

    Study m_study;
    EngineServers m_engines;
    std::vector<Controller*> m_controllers; ///< children
    AttentionController* m_attention = nullptr;
    RetrievalController* m_retrieval = nullptr;
    CircuitsController* m_circuits = nullptr;
    AblationController* m_ablation = nullptr;
    ExtractController* m_extract = nullptr;
    FindController* m_find = nullptr;
    ChosenController* m_chosen = nullptr;
    JoinController* m_join = nullptr;
    MapController* m_map = nullptr;
    Autosave* m_keeper = nullptr;
    WorkSession* m_work = nullptr;
    FigureList* m_figures = nullptr;
    LessonController* m_lessons = nullptr;
    UndoHistory* m_undo = nullptr;
    QHash<QString, QString> m_offers; ///< caches that wait to be opened: by path, what made them
    bool m_closing = false;           ///< the user has agreed: no further question
    bool m_closeAsked = false;
};

} // namespace headscope::desktop
