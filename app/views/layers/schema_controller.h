// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/study.h"

namespace headscope::desktop
{

/// Shows where in a layer the stages are read, and saves that picture.
/// @threads GUI thread
class SchemaController : public Controller
{
    Q_OBJECT

public:
    explicit SchemaController(Study& study, QObject* parent = nullptr);

    void stop() override { m_save.stop(); }
    [[nodiscard]] bool busy() const override { return m_save.busy(); }

private:
    void show();
    void save();

    Study& m_study;
    SaveJob m_save;
};

} // namespace headscope::desktop
