// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/analysis_controller.h"
#include "app/views/heads/describe_heads.h"

#include <QUndoStack>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui
{
class HeadsView;
}

namespace headscope::desktop
{

/// The heads: their statistics over all or the chosen documents, and measures of the vectors without some.
/// @threads GUI thread
class HeadsController : public AnalysisController
{
    Q_OBJECT

public:
    explicit HeadsController(Study& study, QObject* parent = nullptr);

    void leave() override { forget(); }
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] ui::HeadsView& view() const { return *m_view; }
    /// Which heads are on. [H]
    [[nodiscard]] const std::vector<bool>& kept() const { return m_kept; }
    /// Switches heads on and off, as the user does. [H]; of another number of heads: nothing happens.
    void putKept(const std::vector<bool>& kept);
    /// Sets what tells the command line of the page of the running model, which others fill.
    void setRunningLine(std::function<QString()> line) { m_runningLine = std::move(line); }

Q_SIGNALS:
    /// The user switched heads on or off, or took that back.
    void switchMade(const std::vector<bool>& before, const std::vector<bool>& after);

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;
    void begin() override;
    [[nodiscard]] bool lacks() const override;

private:
    using Kept = std::vector<bool>;

    void addCommands();
    void connectView();
    /// The line that describes the heads, whichever page is in front.
    [[nodiscard]] QString describingLine() const;
    void forget();
    /// The documents that every number of the tab covers: the chosen ones among those shown; empty: all.
    [[nodiscard]] std::vector<std::int64_t> documentsLookedAt() const;
    void takeDocuments();
    void takePart(std::shared_ptr<const HeadAnalysisInputs> part);
    void describe();
    void switchHeads(const std::vector<std::int64_t>& heads, bool on);
    void setKept(Kept kept);
    void undoSwitch();
    void redoSwitch();
    void showKept();
    void measure();
    void measureProbe();
    void order();
    /// Judges the order that is there on documents that had no part in it.
    void judge();
    [[nodiscard]] std::uint64_t seed() const;
    void takeStep(std::int64_t off);
    void loadRelevant();
    void askSaveMask();
    /// The table of heads, and next to it all pairs, the greedy order and each head removed alone: NAME.csv,
    /// NAME-pairs.csv, NAME-order.csv, NAME-alone.csv; where these are there already, it asks.
    /// The tables as .csv, next to each other.
    [[nodiscard]] ViewOutput tables(const QString& path) const;

    ui::HeadsView* m_view = nullptr;
    std::shared_ptr<const HeadAnalysisInputs> m_base;
    std::shared_ptr<const HeadAnalysisInputs> m_part; ///< the same over the documents that are looked at
    std::shared_ptr<const HeadReport> m_ofAll;        ///< over all documents
    std::shared_ptr<const HeadRetrieval> m_retrieval;
    PruningFindings m_findings; ///< the greedy order, and what halves say of it
    Kept m_kept;
    QUndoStack m_history;                   ///< of m_kept
    std::vector<std::int32_t> m_probeOfAll; ///< tested documents that a probe on all heads got right
    std::function<QString()> m_runningLine;
    // Last: their destructors wait for workers.
    ui::JobRunner m_baseRunner;
    ui::JobRunner m_partRunner;
    ui::JobRunner m_reportRunner;
    ui::JobRunner m_maskRunner;
    ui::JobRunner m_probeRunner;
    ui::JobRunner m_orderRunner;
    ui::JobRunner m_judgeRunner;
    ui::JobRunner m_relevantRunner;
};

} // namespace headscope::desktop
