// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/controller.h"
#include "app/desktop/save_job.h"
#include "app/desktop/study.h"
#include "app/desktop/workflows/train_probes.h"
#include "model/base/latest_value.h"

#include <memory>
#include <optional>

namespace headscope::desktop
{

/// The head-index probes of the cache: of the layer that is looked at, or of all. Every finished fit is
/// shown at once; what is fitted stays when the training is stopped.
/// @threads GUI thread
class ProbeController : public Controller
{
    Q_OBJECT

public:
    explicit ProbeController(Study& study, QObject* parent = nullptr);

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_runner.running() || m_save.busy(); }
    [[nodiscard]] QString lossOfStopping() const override;
    void addWork(KeptWork& work) const override;
    void forgetWork() override;
    /// The lines that make what is shown; "" while nothing is.
    [[nodiscard]] QString commandLine() const;

private:
    using Live = LatestValue<ProbeFits>;
    /// What the shown fits have in common: others replace them.
    struct Made
    {
        ProbeOptions options;
        std::vector<std::int64_t> heads;
        std::vector<std::int64_t> documents; ///< ascending; empty: all
        std::size_t places = 0;              ///< that were asked for
    };

    void registerView();
    void connectView();
    void takeCache();
    void takeSource();
    void train();
    /// Shows the probes of last time, where there are any.
    void bringBack();
    void addFit(const ProbeFit& fit);
    void takeFits(const ProbeFits& fits);
    void finish(Result<ProbeFits> done);
    void showNote();
    void describeEmpty();
    [[nodiscard]] bool comparable(const ProbeOptions& options, const std::vector<std::int64_t>& heads,
                                  const std::vector<std::int64_t>& documents) const;
    void save(const QString& path);
    void copy();

    Study& m_study;
    std::optional<Made> m_made;
    std::shared_ptr<Live> m_live; ///< of the newest training; another one's wake-ups are stale
    std::size_t m_taken = 0;      ///< fits of it that are shown
    QString m_outcome;            ///< how the last training ended
    SaveJob m_save;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
