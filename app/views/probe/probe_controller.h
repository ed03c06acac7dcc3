// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/live_results.h"
#include "app/desktop/shell/view_controller.h"
#include "app/views/probe/train_probes.h"

#include <memory>
#include <optional>

namespace headscope::ui
{
class ProbeView;
} // namespace headscope::ui

namespace headscope::desktop
{

/// The head-index probes of the cache: of the layer that is looked at, or of all. Every finished fit is
/// shown at once; what is fitted stays when the training is stopped.
/// @threads GUI thread
class ProbeController : public ViewController
{
    Q_OBJECT

public:
    explicit ProbeController(Study& study, QObject* parent = nullptr);

    void leave() override;
    [[nodiscard]] QString lossOfStopping() const override;
    void addWork(ResultStore& work) const override;
    void forgetWork() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    /// The command lines that train the probes shown; "" without any.
    [[nodiscard]] QString commandLine() const override;
    [[nodiscard]] bool isDrawnByCommand() const override;

private:
    /// What the fits shown have in common; fits with other settings replace them.
    struct Made
    {
        ProbeOptions options;
        std::vector<std::int64_t> heads;
        std::vector<std::int64_t> documents; ///< ascending; empty: all
        std::size_t places = 0;              ///< number of fits requested
    };

    void connectView();
    void onCacheOpened();
    void takeSource();
    void train();
    /// Shows the probes kept from the last session, if there are any.
    void bringBack();
    void addFit(const ProbeFit& fit);
    void takeFits(const ProbeFits& fits);
    void finish(Result<ProbeFits> done);
    void showNote();
    void describeEmpty();
    [[nodiscard]] bool comparable(const ProbeOptions& options, const std::vector<std::int64_t>& heads,
                                  const std::vector<std::int64_t>& documents) const;

    ui::ProbeView* m_view = nullptr;
    std::optional<Made> m_made;
    LiveResults<ProbeFits> m_live;
    std::size_t m_taken = 0; ///< its fits that the view has already
    QString m_outcome;       ///< how the last training ended
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
