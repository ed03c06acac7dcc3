// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

#include <deque>

class QLabel;
class QPushButton;

namespace headscope::ui
{

/// What went wrong in the background, as a bar that stays until it is closed. Several wait in line, the
/// oldest in front; hidden while there is none.
class NoticeBar : public QFrame
{
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);

    /// Puts a failure at the end of the line. One that waits there already is not told twice; of more than
    /// kMost the oldest but the one shown go.
    /// @param heading  what kind of failure: "File not found"
    /// @param sentence the whole of it
    void add(const QString& heading, const QString& sentence);
    /// Takes the one in front away, and shows the next.
    void closeFirst();
    void clear();

    [[nodiscard]] std::size_t count() const { return m_waiting.size(); }
    /// The sentence in front; empty when there is none.
    [[nodiscard]] QString sentence() const;

    static constexpr std::size_t kMost = 20;

Q_SIGNALS:
    /// The user wants to know more: the log and command line of what failed.
    void detailsRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();

    struct Notice
    {
        QString heading;
        QString sentence;
        bool operator==(const Notice&) const = default;
    };
    std::deque<Notice> m_waiting;
    QLabel* m_heading = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_place = nullptr;
    QPushButton* m_details = nullptr;
    QPushButton* m_close = nullptr;
};

} // namespace headscope::ui
