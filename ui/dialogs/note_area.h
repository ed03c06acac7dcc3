// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QString>

class QLabel;

namespace headscope::ui
{

/// A short text with reserved room: changing it moves nothing next to it. A longer text scrolls inside, by wheel and
/// keys.
class NoteArea : public QScrollArea
{
    Q_OBJECT

public:
    /// @param name   of the label that holds the text
    /// @param about  what the text speaks of, for screen readers
    /// @param lines  that are kept free
    NoteArea(const QString& name, const QString& about, int lines, QWidget* parent);

    void setText(const QString& text, bool isProblem = false);
    [[nodiscard]] QString text() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refreshFocus();
    QLabel* m_label = nullptr;
};

} // namespace headscope::ui
