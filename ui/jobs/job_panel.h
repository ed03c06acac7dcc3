// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/job_list_model.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <cstdint>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QTableView;
class QToolButton;
class QVBoxLayout;

namespace headscope::ui
{

class ElidedLabel;
class SectionLabel;

/// Every job of this session with its progress, and next to it the chosen one's log, error and
/// command line; without a chosen job, the log of all.
class JobPanel : public QWidget
{
    Q_OBJECT

public:
    /// @param jobs  must outlive the panel
    explicit JobPanel(JobListModel& jobs, QWidget* parent = nullptr);

    /// Adds lines to the log of all jobs; the newest 2,000 are kept.
    void addLog(const QString& lines);
    [[nodiscard]] QString logText() const;
    /// No job is chosen any more.
    void showWholeLog();
    [[nodiscard]] bool showsWholeLog() const;
    void choose(std::uint64_t id);
    /// Null when none is chosen.
    [[nodiscard]] const JobRecord* chosen() const;

    static constexpr int kDefaultHeight = 220;
    /// Height of the panel where the window has the room, in logical pixels; limited to its bounds.
    void setPanelHeight(int height);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] int panelHeight() const { return m_height; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    /// The keyboard goes to the jobs, the newest if none was selected.
    void takeFocus();

Q_SIGNALS:
    void cancelRequested(std::uint64_t id);
    void pauseRequested(std::uint64_t id, bool pause);
    void closeRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void buildHeader(QVBoxLayout* layout);
    void buildTable();
    void buildDetails();
    void fitColumns(int width);
    void refresh();
    void refreshButtons(const JobRecord* job);
    void refreshLog(const JobRecord* job);
    void refreshClock();

    JobListModel& m_jobs;
    QTimer m_clock; ///< runs while the panel is seen and a job runs
    int m_height = 0;
    bool m_squeezed = false;        ///< it is lower than that, because there is not enough room
    std::uint64_t m_loggedJob = 0;  ///< whose lines m_jobLog holds
    std::int64_t m_loggedLines = 0; ///< how many of them

    QPointer<QWidget> m_before; ///< had the keyboard
    SectionLabel* m_title = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_clear = nullptr;
    QToolButton* m_close = nullptr;
    QSplitter* m_splitter = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_empty = nullptr;
    ElidedLabel* m_heading = nullptr;
    QLabel* m_facts = nullptr;
    QLabel* m_error = nullptr;
    ElidedLabel* m_commandLine = nullptr;
    QPlainTextEdit* m_jobLog = nullptr;
    QPlainTextEdit* m_log = nullptr;
};

} // namespace headscope::ui
