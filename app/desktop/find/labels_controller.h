// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"

#include <QJsonObject>
#include <QString>

#include <deque>
#include <map>
#include <string>

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
    void leave() override { m_again.clear(); }
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] bool busy() const override { return m_runner.running(); }

    /// Merges the chosen label column as a label map says.
    void applyLabelMap(const QString& path);

Q_SIGNALS:
    void merged();

private:
    /// A column of labels of the cache, merged.
    struct Merged
    {
        std::string column;
        QString file; ///< "": by hand
        std::map<std::string, std::string> names;
    };

    void askLabelMap();
    /// What was merged into a column: labels that changed, old to new.
    [[nodiscard]] std::map<std::string, std::string> namesOf(const std::string& merged) const;
    void mergeNext();

    Study& m_study;
    std::deque<Merged> m_again; ///< of a work that is being restored
    std::string m_labelWanted;  ///< label column of that work
    std::string m_colorWanted;  ///< and its colours
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
