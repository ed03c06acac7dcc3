// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/study.h"
#include "app/desktop/work/recovery.h"
#include "app/desktop/work/work_document.h"
#include "app/desktop/work/work_pictures.h"

#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{
class ViewState;
} // namespace headscope::ui

namespace headscope::desktop
{

class Controller;
struct FigureWork;

/// Work files: what is open and how the window looks at it, saved as X.headscope and restored from it.
///
/// The state is gathered from what every view has (choices, selection, named sets, its ui::ViewState) and from the
/// controllers (Controller::saveState). It is compared every kCheckMs, so that no change is missed; a changed one is
/// written to the recovery copy. Maps, grids and probes are results: they are kept next to the cache (Autosave), and
/// a work file only names them.
/// @threads GUI thread; files are read and written on workers
class WorkSession : public QObject
{
    Q_OBJECT

public:
    /// @param controllers, find  must outlive the session; `find`: what the panel that finds documents remembers
    WorkSession(Study& study, std::vector<Controller*> controllers, ui::ViewState& find, QObject* parent = nullptr);
    ~WorkSession() override;

    /// Reads a work file and has its cache opened; the rest of it is restored when the vectors are there.
    void open(const QString& file);
    /// Opens the view that a figure was saved from, or that shows what a verb drew: its cache, and what was chosen in
    /// it. The work is then in no file.
    /// @param cache  where its cache lies; "": it is looked for
    void openFigure(const QString& file, const QString& cache = {});
    /// A cache is opened by itself: no work waits for one any more.
    void forgetWaiting() { m_waiting.reset(); }
    /// To the file it came from; asks for one where there is none.
    void save();
    void saveAs();
    void saveTo(const QString& file);

    /// "" while the work is in no file.
    [[nodiscard]] const QString& file() const { return m_file; }
    /// Whether the work has a file, and has changed since it was saved.
    [[nodiscard]] bool unsaved() const;
    /// Goes on at once, or asks what shall become of unsaved changes.
    /// @param stay  instead of goOn, where the user wants to stay; may be empty
    void askBefore(std::function<void()> goOn, std::function<void()> stay = {});
    /// What would be saved now.
    [[nodiscard]] QJsonObject gather() const;
    /// The same with one view alone: what a figure of it has in its recipe.
    [[nodiscard]] QJsonObject gatherFor(ui::ViewId view) const;
    [[nodiscard]] ui::ViewState& findState() const { return m_find; }

    /// What of the work or figure that was opened last is not as it was saved; empty: all of it is.
    [[nodiscard]] const QStringList& lost() const { return m_lost; }
    /// Whether no work is being restored.
    [[nodiscard]] bool isSettled() const { return !m_waiting && !m_restoring && !m_showing && !m_held && !m_putting; }
    /// While it is held, what the window shows is not the user's work: nothing is kept of it, and nothing is undone.
    void hold(bool held) { m_held = held; }
    /// Shows another state of the open cache, as gatherFor() gave it, once its vectors are read; named sets and columns
    /// of labels stay as they are. A view that the state does not have stays, too.
    /// @param sameDocuments  else what was chosen and shown of the documents stays as it is now
    /// @param then  on the GUI thread: what of it is not as it was ("documents" where they are others), perhaps before
    ///              show() returns; not at all where another cache is opened first
    void show(QJsonObject state, bool sameDocuments, std::function<void(const QStringList& lost)> then);
    /// Parts of a state of this cache, as gather() gives them, are there again; what they do not name stays.
    /// @param choice  of it any values; heads "all": all of them
    /// @param window  "switches" and "find"
    /// @param views   "controls" and "legends" by view; of legends all of a view
    /// @param parts   of controllers, by name
    void putBack(const QJsonObject& choice, const QJsonObject& window, const QJsonObject& views,
                 const QJsonObject& parts);

    /// Keeps a copy of the work in this folder while the window is open, and offers what a window left there that did
    /// not end as it should. Without this nothing is kept.
    void keepRecovery(const QString& folder);
    /// Keeps small pictures of saved work in this folder, for the files opened last on the welcome page.
    void keepPictures(const QString& folder);
    /// Whether such work is on offer.
    [[nodiscard]] bool offersRecovery() const { return m_offered.has_value(); }
    void restoreOffered();
    void discardOffered();

    static constexpr int kCheckMs = 2000;

Q_SIGNALS:
    /// The cache of a work file shall be opened.
    void cacheWanted(const QString& path);
    /// The state of a work file is in the window, but for zooms of views that show nothing yet.
    void restored();
    void saved(const QString& file);
    void failed(const headscope::Error& error);
    /// What would be saved now; every kCheckMs while the work is settled.
    void checked(const QJsonObject& state);
    /// The state changed and its recovery copy was written.
    void recoveryKept(const QString& file);

private:
    /// A work file whose cache is being opened.
    struct Waiting
    {
        QString file; ///< "": recovered, and was in no file
        WorkDocument document;
        QString cache;          ///< that shall be opened for it
        bool recovered = false; ///< what its file holds is older
        bool changed = false;   ///< the cache is another one than it was, and the user knows
        QString figure{};       ///< file of the figure that is opened; "": it is work
        QString verb{};         ///< that drew the figure
        QString missing{};      ///< file that it needs and that is not there
    };

    /// A state that waits for its vectors.
    struct Showing
    {
        QJsonObject state;
        bool sameDocuments = true;
        std::function<void(const QStringList& lost)> then;
    };

    void addCommands();
    void check();
    void keepCopy(const QJsonObject& state);
    [[nodiscard]] WorkDocument document(QJsonObject state) const;

    // Opening, in work_session_files.cpp.
    void take(const QString& file, WorkDocument document, bool recovered = false);
    void takeFigure(const QString& file, const FigureWork& read);
    void askWhere(Waiting waiting);
    void openCacheOf(Waiting waiting);
    void onCacheOpened();
    void askAboutChange();
    void begin();
    void restore();
    void restoreViews(const QJsonObject& views);
    void restoreLater(ui::ViewId view);
    void finishShowing();
    [[nodiscard]] bool isOfOtherCache(const Waiting& waiting) const;
    [[nodiscard]] QString restoredText(const Waiting& waiting) const;
    void refreshTitle();
    void fail(const Error& error);

    Study& m_study;
    std::vector<Controller*> m_controllers;
    ui::ViewState& m_find;
    QString m_file;
    QJsonObject m_saved;                 ///< the state in m_file
    QJsonObject m_saving;                ///< that is being written there
    QJsonObject m_foreign;               ///< parts of the state that this version does not know
    QJsonObject m_others;                ///< keys of the file that it does not know
    QJsonObject m_last;                  ///< when it was compared last
    QHash<QString, QJsonObject> m_later; ///< by view: zooms that wait for something to be shown
    std::optional<Waiting> m_waiting;
    std::optional<Waiting> m_restoring; ///< its cache is open, its vectors are not
    std::optional<Showing> m_showing;
    bool m_held = false;
    bool m_putting = false; ///< values are being restored
    QStringList m_lost;
    bool m_settling = false; ///< just restored: the next state is that of the file
    std::unique_ptr<Recovery> m_recovery;
    WorkPictures m_pictures;
    QImage m_picture; ///< of what is being saved
    std::optional<WorkDocument> m_offered;
    std::function<void()> m_goOn; ///< when it is saved
    QTimer m_check;
    SaveJob m_save;
    // Last: their destructors wait for workers.
    ui::JobRunner m_reader;
    ui::JobRunner m_copier;
};

} // namespace headscope::desktop
