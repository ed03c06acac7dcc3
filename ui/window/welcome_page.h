// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace headscope::ui
{

/// A cache that comes with the program.
struct Demo
{
    QString title; ///< in the menu and on the welcome page
    QString path;
    QString line = {}; ///< one sentence: what is in it
};

/// What the window shows while nothing is open: what the program does, how to begin, the bundled
/// demos and the files opened last.
class WelcomePage : public QWidget
{
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);

    void setDemos(const QList<Demo>& demos);
    /// Where small pictures of files come from; a null one: there is none. Without it no file has one.
    void setPictures(std::function<QImage(const QString& path)> pictures) { m_pictures = std::move(pictures); }
    /// Newest first. Files that are gone are shown and cannot be opened.
    void setRecent(const QStringList& paths);
    /// Why the last file could not be opened; empty hides it.
    void setProblem(const QString& sentence);
    [[nodiscard]] QString problem() const;
    /// Offers work that a window left behind which did not end as it should: the question; empty: nothing.
    void setRecovery(const QString& question);
    /// Offers the way back to what is open; empty: nothing is.
    void setOpenFile(const QString& name);

Q_SIGNALS:
    void openAsked();
    void extractAsked();
    void lessonsAsked();
    void openRequested(const QString& path);
    void backAsked();
    void recoveryAsked();
    void recoveryDiscarded();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildStart(QVBoxLayout* layout);
    [[nodiscard]] QWidget* buildRecovery();
    QWidget* makeEntry(const QString& name, const QString& title, const QString& line, const QString& path,
                       bool enabled, const QImage& picture = {});

    QWidget* m_column = nullptr;
    QLabel* m_problem = nullptr;
    QWidget* m_recovery = nullptr;
    QLabel* m_question = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_back = nullptr;
    QLabel* m_demosTitle = nullptr;
    QVBoxLayout* m_demos = nullptr;
    QLabel* m_recentTitle = nullptr;
    QVBoxLayout* m_recent = nullptr;
    std::function<QImage(const QString& path)> m_pictures;
};

} // namespace headscope::ui
