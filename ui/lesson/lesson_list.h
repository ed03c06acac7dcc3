// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lesson/lesson_page.h"

#include <QWidget>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace headscope::ui
{

/// The lessons that there are, to be begun; in the place of the views.
class LessonList : public QWidget
{
    Q_OBJECT

public:
    explicit LessonList(QWidget* parent = nullptr);

    /// @param folder  where own lessons are looked for
    void setLessons(const QList<LessonEntry>& lessons, const QList<LessonFault>& faults, const QString& folder);

Q_SIGNALS:
    /// @param step  where it begins, from 0
    void chosen(const QString& key, int step);
    void leftAsked();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeEntry(const LessonEntry& lesson);
    void showFromTheTop();

    QScrollArea* m_scroll = nullptr;
    QWidget* m_column = nullptr;
    QVBoxLayout* m_entries = nullptr;
    QLabel* m_faults = nullptr;
    QLabel* m_own = nullptr;
};

} // namespace headscope::ui
