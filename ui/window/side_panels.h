// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace headscope::ui
{

class TabStrip;

/// The pages on the right of the views: the document first, then what controllers add. A single
/// page has no tabs.
class SidePanels : public QWidget
{
    Q_OBJECT

public:
    explicit SidePanels(QWidget* parent = nullptr);

    /// Adds a page; the widget becomes this one's.
    /// @param id  a name for show() and for the layout that is kept, without blanks
    void addPage(const QString& id, const QString& title, QWidget* page);
    /// Brings a page to the front; nothing happens for an unknown one.
    void showPage(const QString& id);
    [[nodiscard]] QString currentPage() const;
    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }

Q_SIGNALS:
    void currentChanged(const QString& id);

private:
    TabStrip* m_strip = nullptr;
    QTabBar* m_tabs = nullptr; ///< of the strip
    QStackedWidget* m_pages = nullptr;
};

} // namespace headscope::ui
