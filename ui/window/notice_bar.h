// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QFrame>
#include <QString>

#include <deque>
#include <functional>

class QLabel;
class QPushButton;
class QScrollArea;

namespace headscope::ui
{

struct JobRecord;

/// What went wrong in the background, and what it offers to do, as a bar that stays until it is closed: the newest in
/// front, all of them in a list that opens under it, each with its time and its job. A failure is removed when the same
/// job succeeds later. Hidden while there is none.
class NoticeBar : public QFrame
{
    Q_OBJECT

public:
    /// What a failure concerns.
    enum class About
    {
        Program,   ///< also a file that is not open
        OpenCache, ///< and nothing else: removed when another one opens
    };

    explicit NoticeBar(QWidget* parent = nullptr);

    /// Puts a failure in front. One that is there already comes to the front with its new time; of more
    /// than kMost the oldest goes.
    /// @param heading  what kind of failure: "File not found"
    /// @param sentence the whole of it
    /// @param job      what failed: "Saving map.pdf"; empty where it is not known (yet)
    void add(const QString& heading, const QString& sentence, const QString& job = {});
    /// Puts something in front that can be done now, or left. It stays until it is closed or settled.
    /// @param job     what made it possible: a name for settle()
    /// @param action  of its button
    void offer(const QString& heading, const QString& sentence, const QString& job, const QString& action,
               std::function<void()> act);
    /// What a failure that was added concerns; About::Program by default.
    void setAbout(const QString& sentence, About about);
    /// A job has ended. Failed: its title is added to the notice with its sentence. Done: the notices of its earlier
    /// failures are removed.
    void takeEnd(const JobRecord& job);
    /// What failed under this name works again: its notices are removed.
    void settle(const QString& job);
    /// Another cache replaces the open one: notices about the old one are removed.
    void leaveCache();
    /// Takes the one in front away, and shows the next.
    void closeFirst();
    void clear();
    /// Opens or closes the list of all.
    void setListShown(bool shown);

    [[nodiscard]] std::size_t count() const { return m_notices.size(); }
    /// The sentence in front; empty when there is none.
    [[nodiscard]] QString sentence() const;
    /// All of them, the newest first.
    [[nodiscard]] QStringList sentences() const;

    static constexpr std::size_t kMost = 20;

Q_SIGNALS:
    /// The user wants to know more: the log and command line of what failed.
    void detailsRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Notice
    {
        QString heading;
        QString sentence;
        QString job;
        QDateTime time;
        About about = About::Program;
        QString action = {}; ///< of an offer; "": it is a failure
        std::function<void()> act = {};
    };

    void put(Notice notice);
    void buildList();
    void refresh();
    void refreshList();
    void close(std::size_t place);
    [[nodiscard]] static QString placeOf(const Notice& notice);

    std::deque<Notice> m_notices; ///< the newest first
    QLabel* m_heading = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_place = nullptr;
    QPushButton* m_all = nullptr;
    QPushButton* m_act = nullptr;
    QPushButton* m_details = nullptr;
    QPushButton* m_close = nullptr;
    QWidget* m_listPart = nullptr;
    QScrollArea* m_scroll = nullptr;
};

} // namespace headscope::ui
