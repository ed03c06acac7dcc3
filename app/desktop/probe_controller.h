// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/controller.h"
#include "app/desktop/save_job.h"
#include "app/desktop/study.h"

namespace headscope::desktop
{

/// The probes of the chosen layer, one per stage.
/// @threads GUI thread
class ProbeController : public Controller
{
    Q_OBJECT

public:
    explicit ProbeController(Study& study, QObject* parent = nullptr);

    void stop() override;
    [[nodiscard]] bool busy() const override { return m_runner.running() || m_save.busy(); }

private:
    void registerView();
    void train();
    void save(const QString& path);

    Study& m_study;
    SaveJob m_save;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
