// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QTabBar;
class QToolButton;

namespace headscope::ui
{

/// A row of tabs that are never cut. Where the words have no room with much space around them they
/// stand closer; where not even that is enough the last ones go into a menu, "More", but for the chosen
/// one, which is always seen. With more room all come back.
class TabStrip : public QWidget
{
    Q_OBJECT

public:
    /// @param name     of the QTabBar, which the style sheet knows
    /// @param padding  at both sides of the words where there is room
    TabStrip(const QString& name, int padding, QWidget* parent = nullptr);

    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }
    [[nodiscard]] QToolButton* more() const { return m_more; }
    /// Tabs were added, named anew, or chosen: lays all of them out.
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
