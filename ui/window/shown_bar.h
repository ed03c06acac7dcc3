// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

class QLabel;
class QPushButton;

namespace headscope::ui
{

class Choices;
class SelectionHub;

/// A bar over the views that says that only some of the documents are shown, with a button that shows all again.
/// Hidden while all are shown.
class ShownBar : public QFrame
{
    Q_OBJECT

public:
    /// @param hub, choices  must outlive the bar
    ShownBar(SelectionHub& hub, Choices& choices, QWidget* parent = nullptr);

    /// What is shown: "Only “A”: 30 of 192 documents"; empty: everything.
    [[nodiscard]] QString sentence() const;

Q_SIGNALS:
    /// The map is to be fitted to what is shown.
    void fitRequested();

private:
    void refresh();
    void setShown(const QString& sentence);

    SelectionHub& m_hub;
    Choices& m_choices;
    QLabel* m_sentence = nullptr;
    QPushButton* m_fit = nullptr;
    QPushButton* m_end = nullptr;
};

} // namespace headscope::ui
