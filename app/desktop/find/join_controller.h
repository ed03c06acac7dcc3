// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"
#include "model/data/documents/label_join.h"

#include <QPointer>

#include <memory>
#include <optional>
#include <string>

class QAction;

namespace headscope::ui
{
class JoinDialog;
}

namespace headscope::desktop
{

/// Columns of labels and numbers out of a file, joined to the documents by their ids.
/// @threads GUI thread
class JoinController : public Controller
{
    Q_OBJECT

public:
    explicit JoinController(Study& study, QObject* parent = nullptr);

    void stop() override { m_runner.cancel(); }
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_runner.running(); }

    /// Reads a file and shows what joining it would do.
    void ask(const QString& path);
    /// The open dialog, or null.
    [[nodiscard]] ui::JoinDialog* dialog() const;

Q_SIGNALS:
    /// Columns were joined.
    void joined();

private:
    void askFile();
    void show(const std::optional<std::string>& idColumn);
    void apply(const std::vector<std::string>& columns);

    Study& m_study;
    QPointer<ui::JoinDialog> m_dialog;
    std::shared_ptr<const LabelTable> m_table;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
