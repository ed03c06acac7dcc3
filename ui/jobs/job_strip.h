// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"

#include <QFrame>
#include <QHash>
#include <QString>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace headscope::ui
{

/// One running job: what it does, how far it is, how long it still takes, and its buttons.
class JobRow : public QWidget
{
    Q_OBJECT

public:
    JobRow(const QString& title, bool canPause, QWidget* parent = nullptr);

    void setProgress(const Progress& progress);
    void setPaused(bool paused);

Q_SIGNALS:
    void cancelRequested();
    void pauseRequested(bool pause);

private:
    QLabel* m_title = nullptr;
    QProgressBar* m_bar = nullptr;
    QLabel* m_numbers = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_cancel = nullptr;
    bool m_paused = false;
};

/// The strip at the bottom of the window: one row per running job, and a drawer with the log.
/// Takes no room while nothing runs and the drawer is shut.
class JobStrip : public QFrame
{
    Q_OBJECT

public:
    explicit JobStrip(QWidget* parent = nullptr);

    /// Shows a job. `key` names it; a second begin of the same key replaces the row.
    /// @param afterMs  the row appears after so long, so that short jobs do not move the views
    JobRow* begin(const QString& key, const QString& title, bool canPause = false, int afterMs = 0);
    /// The row of a running job, or null.
    [[nodiscard]] JobRow* row(const QString& key) const;
    void end(const QString& key);
    [[nodiscard]] qsizetype runningCount() const { return m_rows.size(); }

    /// Adds lines to the log; the newest 2,000 are kept.
    void addLog(const QString& lines);
    [[nodiscard]] QString logText() const;
    void setLogShown(bool shown);
    [[nodiscard]] bool logShown() const;

private:
    void refresh();

    QVBoxLayout* m_layout = nullptr;
    QWidget* m_drawer = nullptr;
    QPlainTextEdit* m_log = nullptr;
    QHash<QString, JobRow*> m_rows;
};

} // namespace headscope::ui
