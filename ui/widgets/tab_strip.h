// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QTabBar;
class QToolButton;

namespace headscope::ui
{

/// A row of tabs that are never cut. Where there is not enough room the padding around their titles shrinks; where
/// that does not suffice the last tabs move into a menu, "More", except the current one, which is always visible.
class TabStrip : public QWidget
{
    Q_OBJECT

public:
    /// @param name     of the QTabBar, which the style sheet knows
    /// @param padding  at both sides of the words where there is room
    TabStrip(const QString& name, int padding, QWidget* parent = nullptr);

    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }
    [[nodiscard]] QToolButton* more() const { return m_more; }
    /// Lays out all tabs, after some were added, renamed or chosen.
    void fit();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] int widthOf(int index, int padding) const;
    void showMenu();

    QTabBar* m_tabs = nullptr;
    QToolButton* m_more = nullptr;
    int m_padding;
};

} // namespace headscope::ui
