// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"

namespace headscope::desktop
{

/// What the inspector says beyond the document itself: how strong each head answers, and the
/// nearest documents.
/// @threads GUI thread
class InspectorController : public Controller
{
    Q_OBJECT

public:
    explicit InspectorController(Study& study, QObject* parent = nullptr);

    void stop() override { m_runner.cancel(); }
    void leave() override;
    /// Never: nobody waits for nearest documents.
    [[nodiscard]] bool busy() const override { return false; }

private:
    void showStrengths();
    void findNearest();

    Study& m_study;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
