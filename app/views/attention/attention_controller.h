// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/analysis_controller.h"
#include "app/views/attention/attention_look.h"
#include "app/views/attention/attention_state.h"
#include "app/views/attention/source/fetch_attention.h"
#include "app/views/attention/source/stored_attention.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui
{
class AttentionView;
} // namespace headscope::ui

namespace headscope::desktop
{

struct AttentionChange;
class EngineServers;

/// Attention of a text: one that is typed, or a document, through the model of the open cache and an engine that
/// stays; without the model, and before anything is asked, a run that came with the program. Weights and vectors that
/// a run does not hold are fetched when the view wants to show them.
/// @threads GUI thread
class AttentionController : public AnalysisController
{
    Q_OBJECT

public:
    /// @param engines  those of the window; must outlive the controller
    AttentionController(Study& study, EngineServers& engines, QObject* parent = nullptr);

    void leave() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;

    void askText(const QString& text);
    /// Shows the tab, and there the attention of a document of the cache.
    void askDocument(DocumentIndex document);
    /// Why that is not possible, in a sentence; "": it is, perhaps after a question for the model.
    [[nodiscard]] QString whyNoDocument() const;
    /// A run that came with the program.
    void showStored(const QString& name);
    [[nodiscard]] ui::AttentionView& view() const { return *m_view; }

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;
    void begin() override;
    [[nodiscard]] bool lacks() const override { return !m_runner.running(); }

private:
    /// What the engine is asked for besides a run.
    struct Want
    {
        LayerIndex layer;
        std::vector<HeadIndex> heads; ///< whose weights; none: the vectors of the layer
    };
    /// Heads that are off in a run.
    struct Off
    {
        LayerIndex layer;
        std::vector<HeadIndex> heads;
        AttentionRunPtr before; ///< the run without them off
    };
    struct Asked;
    struct Found;
    /// Has the view show what is off in its run: also when it could not be switched.
    void showOff();

    void connectView();
    void connectStudy();
    void addCommands();

    // What is asked.
    void chooseModel();
    [[nodiscard]] AttentionQuestion questionOf(const QString& text) const;
    /// Why the model of the cache cannot be run as it was changed, in a sentence; "": it can.
    [[nodiscard]] QString whyNoModel() const;
    void ask(AttentionQuestion question, const std::optional<Off>& off = {});
    /// What is off stays off in the run that is asked for next.
    void keepOff();
    void takeAsked(Result<Asked> asked, const AttentionQuestion& question, const std::optional<Off>& off);
    void switchOff(LayerIndex layer, const std::vector<HeadIndex>& heads);
    void want(Want want);
    void fetchNext();
    void takeFound(Result<Found> found);
    void readStored();
    void askKept();

    // What is shown.
    void forget();
    void refreshAsking();
    void show(const AttentionRunPtr& run);
    void putMarks(const AttentionRun& run);
    void showDefault();
    void showEmpty();
    void refreshNote();
    [[nodiscard]] bool isOfCache(const AttentionRun& run) const;
    [[nodiscard]] ui::AttentionHead placeFor(const AttentionRun& run) const;
    void followLayer();
    void followHeads();
    void tellChoices(LayerIndex layer, HeadIndex head);
    [[nodiscard]] QString switchedOffText(const Off& off, const std::optional<AttentionChange>& change) const;

    EngineServers& m_engines;
    ui::AttentionView* m_view = nullptr; ///< of the window
    bool m_storedRead = false;
    std::vector<StoredAttention> m_stored;
    std::optional<AttentionQuestion> m_question; ///< of the run that is shown; nothing: it is a stored one
    std::optional<LayerIndex> m_studyLayer;      ///< that was followed last
    std::optional<Off> m_off;                    ///< in the run that is shown
    std::optional<std::pair<LayerIndex, std::vector<HeadIndex>>> m_offAgain; ///< in the next run, once it is there
    QString m_offText;                                                       ///< what came of it
    AttentionRunPtr m_before;              ///< where heads are off in it, the same without; else null
    std::vector<Want> m_wants;             ///< the newest last
    std::optional<AttentionState> m_kept;  ///< of a work file, until it is looked at
    std::optional<AttentionState> m_marks; ///< to be put on the run that was asked for
    bool m_telling = false;                ///< the choice is being told, and need not be followed
    // Last: their destructors wait for workers.
    ui::JobRunner m_runner;
    ui::JobRunner m_moreRunner;
    ui::JobRunner m_storedRunner;
};

} // namespace headscope::desktop
