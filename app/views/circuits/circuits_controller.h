// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/shell/analysis_controller.h"
#include "app/views/circuits/circuits_view.h"
#include "app/views/circuits/measure_circuits.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace headscope::desktop
{

/// The circuits tab: each page asks the model that made the cache, in the persistent engine, when it is first looked
/// at.
/// @threads GUI thread
class CircuitsController : public AnalysisController
{
    Q_OBJECT

public:
    /// @param engines  of the window; must outlive this
    CircuitsController(Study& study, EngineServers& engines, QObject* parent = nullptr);

    void leave() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] ui::CircuitsView& view() const { return *m_view; }

    /// Why a document is similar to another: brings its page to the front.
    void explainPair(DocumentIndex first, DocumentIndex second);
    /// Why documents cannot be compared; "": they can.
    [[nodiscard]] QString whyNoDocument() const;

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;
    void begin() override;
    [[nodiscard]] bool lacks() const override;

private:
    void connectView();
    void onCacheOpened();
    void chooseModel();
    void run();
    void take(ui::CircuitPage page, Result<CircuitResultPtr> result);
    void setPair(std::optional<std::int64_t> first, std::optional<std::int64_t> second);
    /// The same, and runs it.
    void choosePair(std::optional<std::int64_t> first, std::optional<std::int64_t> second);
    [[nodiscard]] QString titleOf(std::optional<std::int64_t> row) const;
    [[nodiscard]] CircuitsRequest request(ui::CircuitPage page, const QString& model) const;
    [[nodiscard]] QString noteOf(ui::CircuitPage page) const;
    void showObstacle();
    void sayStopped(ui::CircuitPage page);
    /// Whether a page can be run.
    [[nodiscard]] bool isReady(ui::CircuitPage page) const;
    /// Whether a page runs documents of the cache, of which it needs the texts.
    [[nodiscard]] bool needsDocuments(ui::CircuitPage page) const;
    /// Whether what a page asks about is there: two documents, or a text of tokens.
    [[nodiscard]] bool hasSubject(ui::CircuitPage page) const;
    [[nodiscard]] bool& isStale(ui::CircuitPage page) { return m_stale[static_cast<std::size_t>(page)]; }

    EngineServers& m_engines;
    ui::CircuitsView* m_view = nullptr; ///< of the window
    std::optional<std::int64_t> m_first;
    std::optional<std::int64_t> m_second;
    std::array<bool, ui::kCircuitPages.size()> m_stale{true, true, true, true}; ///< pages that lack a result
    std::array<double, ui::kCircuitPages.size()> m_seconds{};
    std::optional<ui::CircuitPage> m_runs; ///< the page that is computed
    ui::JobRunner m_runner;                ///< last: its destructor waits for a worker
};

} // namespace headscope::desktop
