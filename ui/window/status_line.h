// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>
#include <QString>

class QLabel;

namespace headscope::ui
{

/// The line at the bottom of the window: what the program is doing, and passing lines that are in the same place.
class StatusLine : public QStatusBar
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// Something at its right end that may hide itself; the line keeps its height.
    void addAtEnd(QWidget* widget);
    /// The steady line.
    void setSteady(const QString& text);
    /// A passing line over it, for a few seconds.
    void showPassing(const QString& text);
    /// Removes a passing line before its time, if it is still shown.
    void endPassing(const QString& text);
    [[nodiscard]] QString text() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_label = nullptr;
    QString m_steady; ///< its text while no passing line is shown
};

} // namespace headscope::ui
