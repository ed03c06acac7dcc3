// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"

namespace headscope::desktop
{

/// Label columns beyond the cache's own: merged by a label map.
/// @threads GUI thread
class LabelsController : public Controller
{
    Q_OBJECT

public:
    explicit LabelsController(Study& study, QObject* parent = nullptr);

    void stop() override { m_runner.cancel(); }
    [[nodiscard]] bool busy() const override { return m_runner.running(); }

    /// Merges the chosen label column as a label map says.
    void applyLabelMap(const QString& path);

Q_SIGNALS:
    void merged();

private:
    void askLabelMap();

    Study& m_study;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
