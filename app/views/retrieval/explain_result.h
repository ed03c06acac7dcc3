// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/shell/study.h"
#include "model/data/circuits/circuit_result.h"
#include "ui/jobs/job_runner.h"

#include <QObject>
#include <QString>

#include <optional>

namespace headscope::ui
{
class ResultHeads;
} // namespace headscope::ui

namespace headscope::desktop
{

/// A result of a search, and what it was found by.
struct ExplainedResult
{
    std::optional<DocumentIndex> query; ///< none: a text
    QString text;
    DocumentIndex document;

    friend bool operator==(const ExplainedResult&, const ExplainedResult&) = default;
};

/// Asks the model that made the cache, in the persistent engine, what each head adds to the cosine of the query and a
/// result.
/// @threads GUI thread
class ExplainResult : public QObject
{
    Q_OBJECT

public:
    /// @param engines, panel  must outlive this
    ExplainResult(Study& study, EngineServers& engines, ui::ResultHeads& panel, QObject* parent);

    /// Shows the heads of a result; nothing: none is selected. What is shown or asked already stays.
    void ask(const std::optional<ExplainedResult>& result);
    /// Another cache or search: nothing is shown.
    void forget();
    [[nodiscard]] ui::JobRunner& runner() { return m_runner; }

private:
    void run();
    void take(Result<CircuitResultPtr> result);

    Study& m_study;
    EngineServers& m_engines;
    ui::ResultHeads& m_panel;
    std::optional<ExplainedResult> m_asked;
    ui::JobRunner m_runner; ///< last: its destructor waits for a worker
};

} // namespace headscope::desktop
