// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <array>

class QPushButton;

namespace headscope::ui
{

/// The two documents that are compared, each a button that takes another one, and a third that exchanges them.
class PairRow : public QWidget
{
    Q_OBJECT

public:
    explicit PairRow(QWidget* parent = nullptr);

    void setTitles(const QString& first, const QString& second);
    /// Whether there is a document that can be taken.
    void setDocumentAllowed(bool allowed);

Q_SIGNALS:
    void firstRequested();
    void secondRequested();
    void swapRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Gives the documents as much of their titles as their buttons have room for.
    void fitTitles();

    std::array<QPushButton*, 2> m_documents = {};
    std::array<QString, 2> m_titles;
};

} // namespace headscope::ui
