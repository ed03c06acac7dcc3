// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/find/search_documents.h"
#include "app/desktop/shell/analysis_controller.h"
#include "app/views/retrieval/explain_result.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::ui
{
class RetrievalView;
}

namespace headscope::desktop
{

/// Multi-head retrieval: takes a document or a text as the query, votes, measures. Vectors are searched once per
/// query; moving a fader only repeats the vote.
/// @threads GUI thread
class RetrievalController : public AnalysisController
{
    Q_OBJECT

public:
    /// @param engines  run models for queries that are texts; must outlive the controller
    RetrievalController(Study& study, EngineServers& engines, QObject* parent = nullptr);

    void leave() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;

    void askDocument(DocumentIndex document);
    void askText(const QString& text);
    /// The query, where it is a document.
    [[nodiscard]] std::optional<DocumentIndex> askedDocument() const
    {
        return m_asked ? m_asked->document : std::nullopt;
    }
    [[nodiscard]] bool hasAsked() const { return m_asked.has_value(); }
    /// Shows which heads make a document similar to the query.
    void explain(DocumentIndex document);
    void loadRelevant(const QString& path);
    [[nodiscard]] ui::RetrievalView& view() const { return *m_view; }

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;
    /// Asks what was asked last, or with the chosen document.
    void begin() override;
    [[nodiscard]] bool lacks() const override;

private:
    void connectView();
    void forgetSource();
    void explainSelected();
    void search();
    struct Searched;
    using Comparison = std::shared_ptr<const RetrievalComparison>;
    void takeSearched(Result<Searched> searched);
    void takeComparison(Result<Comparison> comparison);
    void vote();
    /// The same rankings with other labels.
    void measureAgain();
    [[nodiscard]] std::vector<std::int64_t> relevantHere() const;
    void chooseModel();
    void measure();
    void refreshAsking();
    void embedWith(const QString& model, const QString& text);

    struct Asked
    {
        std::optional<DocumentIndex> document;
        QString text;

        friend bool operator==(const Asked&, const Asked&) = default;
    };

    EngineServers& m_engines;
    ui::RetrievalView* m_view = nullptr;
    std::optional<DocumentIndex> m_explained; ///< whose heads are shown or asked for
    std::optional<Asked> m_asked;
    std::shared_ptr<const SearchBase> m_base;
    std::shared_ptr<const QueryLists> m_lists;
    std::shared_ptr<const MeasuredQueries> m_measured;
    ExplainResult* m_explain = nullptr;
    // Last: their destructors wait for workers.
    ui::JobRunner m_searchRunner;
    ui::JobRunner m_measureRunner;
    ui::JobRunner m_voteRunner;
};

} // namespace headscope::desktop
