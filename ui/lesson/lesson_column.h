// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lesson/lesson_page.h"

#include <QWidget>

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace headscope::ui
{

/// What is read of a lesson, on the right of the views: the step's title and text, what to try, the question with its
/// hidden answer, and the ways to the other steps.
class LessonColumn : public QWidget
{
    Q_OBJECT

public:
    explicit LessonColumn(QWidget* parent = nullptr);

    /// Another lesson.
    void setLesson(const QString& title, const QStringList& steps);
    /// Another step; its answer is hidden again.
    /// @param live  whether the view of the step is in front, else its picture
    void setPage(const LessonPage& page, int step, bool live);
    void setLive(bool live);
    [[nodiscard]] bool answerShown() const;
    void showAnswer();
    [[nodiscard]] const LessonPage& page() const { return m_page; }
    /// What went wrong without ending the lesson; empty: nothing.
    void setProblem(const QString& sentence);
    /// What is still being measured of what the text speaks of; empty: nothing.
    void setWaiting(const QString& job);

Q_SIGNALS:
    void stepAsked(int step);
    void nextAsked();
    void backAsked();
    void endAsked();
    void presentAsked();
    void handoutAsked();
    /// The picture, or the view.
    void liveAsked(bool live);
    /// An option of the question was chosen.
    void guessed(int option);
    /// The answer is shown.
    void answerRead();

private:
    void buildHead();
    void buildBody(QWidget* body);
    void buildFoot();
    /// The options of the question, or how the guess came out.
    void showOptions();
    /// Scrolls to the answer, with how the guess came out where both have room.
    void keepAnswerInView();
    QToolButton* addTool(const char* name, const QString& text, const QString& tip);

    LessonPage m_page;
    int m_step = 0;
    QStringList m_steps;
    QLabel* m_lesson = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_list = nullptr;
    QMenu* m_menu = nullptr;
    QScrollArea* m_scroll = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    QWidget* m_choice = nullptr; ///< picture or view
    QToolButton* m_picture = nullptr;
    QToolButton* m_live = nullptr;
    QLabel* m_problem = nullptr;
    QLabel* m_waiting = nullptr;
    QLabel* m_attempt = nullptr;
    QLabel* m_question = nullptr;
    QVBoxLayout* m_options = nullptr;
    QLabel* m_outcome = nullptr; ///< of the guess, with the score
    QPushButton* m_reveal = nullptr;
    QLabel* m_answer = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
};

} // namespace headscope::ui
