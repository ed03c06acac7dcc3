// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "app/commands/command_line.h"
#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/shell/analysis_controller.h"
#include "app/desktop/shell/live_results.h"
#include "app/views/head_corpus/head_files.h"
#include "app/views/head_corpus/place_tokens.h"

#include <filesystem>
#include <optional>

namespace headscope::ui
{
class HeadCorpusView;
}

namespace headscope::desktop
{

/// One head over a corpus: asked of the engine, kept in a file next to the cache, shown with maps of its tokens.
/// @threads GUI thread
class HeadCorpusController : public AnalysisController
{
    Q_OBJECT

public:
    HeadCorpusController(Study& study, EngineServers& engines, QObject* parent = nullptr);

    void leave() override;
    [[nodiscard]] QString lossOfStopping() const override;

    [[nodiscard]] ui::HeadCorpusView& view() const { return *m_view; }
    /// Where answers are kept that cannot be kept next to their cache.
    void setHome(std::filesystem::path home) { m_home = std::move(home); }
    /// The file of the answer that the view asks for now.
    [[nodiscard]] std::filesystem::path answerFile() const;

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;
    /// Shows the answer of the question, if it is kept; else how to get it.
    void begin() override;

private:
    using Line = commands::CommandLine<commands::AttentionCommand>;

    void connectView();
    void onCacheOpened();
    void followChoice();
    void followLit();
    void showHead(HeadIndex head);
    [[nodiscard]] HeadQuestion question() const;
    [[nodiscard]] Line lineOf(const HeadQuestion& question) const;
    void chooseTexts();
    void takeAnswer(const HeadQuestion& asked, Result<HeadCorpusPtr> answer);
    void showLack();
    void run();
    void takeRun(const Result<std::int64_t>& tokens);
    void makeMap();
    void showNote();

    EngineServers& m_engines;
    ui::HeadCorpusView* m_view;
    QString m_texts; ///< a file of texts that was chosen
    std::filesystem::path m_home;
    LiveResults<TokenMap> m_live;
    // Last: their destructors wait for workers.
    ui::JobRunner m_runner; ///< of the recording
    ui::JobRunner m_reader;
    ui::JobRunner m_mapRunner;
};

} // namespace headscope::desktop
