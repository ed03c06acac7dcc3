// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"

namespace headscope::desktop
{

/// Fills in what the inspector has to compute: the strength of each head, and the nearest documents.
/// @threads GUI thread
class InspectorController : public Controller
{
    Q_OBJECT

public:
    explicit InspectorController(Study& study, QObject* parent = nullptr);

    void stop() override { m_runner.cancel(); }
    void leave() override;
    /// Always false: the search for nearest documents may be ended without asking.
    [[nodiscard]] bool busy() const override { return false; }

private:
    void showStrengths();
    void findNearest();

    Study& m_study;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
