// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"
#include "model/data/documents/label_join.h"

#include <QPointer>

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;
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

    /// Columns that were joined from a file.
    struct Joined
    {
        QString file;
        QString hash; ///< SHA-256 of the file when it was read
        std::string idColumn;
        std::vector<std::string> columns;
    };
    /// A file, read.
    struct Read
    {
        std::shared_ptr<const LabelTable> table;
        QString hash;
    };
    [[nodiscard]] static Result<Read> readFile(const std::filesystem::path& path, JobContext& job);
    /// Joins the next file of a work again, without a question unless it is missing or has changed.
    void joinNext();
    void joinAgain(const Joined& wanted, const std::shared_ptr<const LabelTable>& table);
    void askWhere(const Joined& wanted, const QString& why, const std::shared_ptr<const LabelTable>& table);
    void take(std::shared_ptr<const ui::CacheOverview> overview, const std::string& chosen, Joined joined);

    Study& m_study;
    QPointer<ui::JoinDialog> m_dialog;
    std::shared_ptr<const LabelTable> m_table;
    QString m_file; ///< of m_table
    QString m_hash;
    std::vector<Joined> m_joined; ///< in their order
    std::deque<Joined> m_again;   ///< of a work that is being restored
    std::string m_labelWanted;    ///< label column of that work
    std::string m_colorWanted;    ///< and its colours
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
