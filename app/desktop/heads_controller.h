// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/controller.h"
#include "app/desktop/save_job.h"
#include "app/desktop/study.h"
#include "app/desktop/workflows/describe_heads.h"

#include <memory>
#include <optional>
#include <vector>

class QAction;

namespace headscope::ui
{
class HeadsView;
}

namespace headscope::desktop
{

/// The heads: their statistics over all or the chosen documents, and what is lost without some.
/// @threads GUI thread
class HeadsController : public Controller
{
    Q_OBJECT

public:
    explicit HeadsController(Study& study, QObject* parent = nullptr);

    void stop() override;
    void leave() override { forget(); }
    [[nodiscard]] bool busy() const override;
    [[nodiscard]] ui::HeadsView& view() const { return *m_view; }
    /// Which heads are on. [H]
    [[nodiscard]] const std::vector<bool>& kept() const { return m_kept; }
    [[nodiscard]] QString commandLineOf() const;

private:
    using Kept = std::vector<bool>;

    void registerView();
    void connectView();
    void forget();
    void refresh();
    /// That every number of the tab speaks of: the chosen ones, of those that are shown; empty: all.
    [[nodiscard]] std::vector<std::int64_t> documentsLookedAt() const;
    void takeDocuments();
    void takePart(std::shared_ptr<const HeadBase> part);
    void describe();
    void switchHeads(const std::vector<std::int64_t>& heads, bool on);
    void setKept(Kept kept);
    void exchange(std::vector<Kept>& from, std::vector<Kept>& to);
    void showKept();
    void measure();
    void measureProbe();
    void order();
    void takeStep(std::int64_t off);
    void loadRelevant();
    void askSaveMask();
    void save(const QString& path);
    /// The table of heads, and beside it all pairs and the greedy order: NAME.csv, NAME-pairs.csv, NAME-order.csv; where
    /// these are there already, it asks.
    void saveTables(const QString& path);
    void copy();

    Study& m_study;
    ui::HeadsView* m_view = nullptr;
    QAction* m_undoAction = nullptr;
    QAction* m_redoAction = nullptr;
    std::shared_ptr<const HeadBase> m_base;
    std::shared_ptr<const HeadBase> m_part;    ///< the same over the documents that are looked at
    std::shared_ptr<const HeadReport> m_ofAll; ///< over all documents
    std::shared_ptr<const HeadRetrieval> m_retrieval;
    std::vector<PruningStep> m_order;
    Kept m_kept;
    std::vector<Kept> m_undo;
    std::vector<Kept> m_redo;
    std::optional<double> m_probeOfAll;
    SaveJob m_save;
    // Last: their destructors wait for workers.
    ui::JobRunner m_baseRunner;
    ui::JobRunner m_partRunner;
    ui::JobRunner m_reportRunner;
    ui::JobRunner m_maskRunner;
    ui::JobRunner m_probeRunner;
    ui::JobRunner m_orderRunner;
    ui::JobRunner m_relevantRunner;
};

} // namespace headscope::desktop
