// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tab_strip.h"

#include "ui/theme/theme.h"

#include <QAction>
#include <QEvent>
#include <QFontMetrics>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <vector>

namespace headscope::ui
{
namespace
{

constexpr int kMinTabPadding = 4;
constexpr int kTabBorders = 4;

/// Tabs as wide as their bold words and a padding, so that choosing one moves none.
class FittedTabs : public QTabBar
{
public:
    using QTabBar::QTabBar;

    [[nodiscard]] static int widthOf(const QString& text, int padding)
    {
        return QFontMetrics(Theme::bodyFont(true)).horizontalAdvance(text) + 2 * padding + kTabBorders;
    }
    void setPadding(int padding)
    {
        m_tabPadding = padding;
        setElideMode(elideMode()); // lays the tabs out anew, which nothing else that is public does
    }

    [[nodiscard]] QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override
    {
        return {widthOf(tabText(index), m_tabPadding), QTabBar::tabSizeHint(index).height()};
    }
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }

private:
    int m_tabPadding = kMinTabPadding;
};

} // namespace

TabStrip::TabStrip(const QString& name, int padding, QWidget* parent) : QWidget(parent), m_padding(padding)
{
    m_tabs = new FittedTabs(this);
    m_tabs->setObjectName(name);
    m_tabs->setUsesScrollButtons(false);
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setFocusPolicy(Qt::TabFocus);
    m_more = new QToolButton(this);
    m_more->setObjectName(name % QStringLiteral("More"));
    m_more->setText(tr("More ▾"));
    m_more->setAccessibleName(tr("More tabs"));
    m_more->setToolTip(tr("Tabs that do not fit here"));
    m_more->setProperty("flat", true);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->hide();
    connect(m_more, &QToolButton::clicked, this, &TabStrip::showMenu);
    connect(m_tabs, &QTabBar::currentChanged, this, &TabStrip::fit);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

int TabStrip::widthOf(int index, int padding) const
{
    return FittedTabs::widthOf(m_tabs->tabText(index), padding);
}

QSize TabStrip::sizeHint() const
{
    int width = 0;
    for (int index = 0; index < m_tabs->count(); ++index)
        width += widthOf(index, m_padding);
    return {width, m_tabs->sizeHint().height()};
}

QSize TabStrip::minimumSizeHint() const
{
    int widest = 0;
    for (int index = 0; index < m_tabs->count(); ++index)
        widest = std::max(widest, widthOf(index, kMinTabPadding));
    return {widest + (m_tabs->count() > 1 ? m_more->sizeHint().width() : 0), m_tabs->sizeHint().height()};
}

void TabStrip::fit()
{
    const auto widthWith = [this](int padding) {
        int width = 0;
        for (int index = 0; index < m_tabs->count(); ++index)
            width += widthOf(index, padding);
        return width;
    };
    const bool all = widthWith(kMinTabPadding) <= width();
    int padding = kMinTabPadding;
    while (all && padding < m_padding && widthWith(padding + 1) <= width())
        ++padding;
    std::vector<bool> seen(static_cast<std::size_t>(m_tabs->count()), all);
    int room = width() - m_more->sizeHint().width();
    const int chosen = m_tabs->currentIndex();
    if (!all && chosen >= 0)
    {
        seen[static_cast<std::size_t>(chosen)] = true;
        room -= widthOf(chosen, padding);
    }
    for (int index = 0; !all && index < m_tabs->count(); ++index)
    {
        if (index == chosen)
            continue;
        room -= widthOf(index, padding);
        if (room < 0)
            break; // and none behind it: the order of the tabs stays
        seen[static_cast<std::size_t>(index)] = true;
    }
    for (int index = 0; index < m_tabs->count(); ++index)
        m_tabs->setTabVisible(index, seen[static_cast<std::size_t>(index)]);
    static_cast<FittedTabs*>(m_tabs)->setPadding(padding);
    m_more->setVisible(!all);
    int used = 0;
    for (int index = 0; index < m_tabs->count(); ++index)
        used += seen[static_cast<std::size_t>(index)] ? widthOf(index, padding) : 0;
    m_tabs->setGeometry(0, 0, std::min(used, width()), height());
    const QSize size = m_more->sizeHint();
    m_more->setGeometry(std::min(used, width() - size.width()), (height() - size.height()) / 2, size.width(),
                        size.height());
    updateGeometry();
}

void TabStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void TabStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        fit();
}

void TabStrip::showMenu()
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("moreTabs"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int index = 0; index < m_tabs->count(); ++index)
        if (!m_tabs->isTabVisible(index))
        {
            QAction* action = menu->addAction(m_tabs->tabText(index));
            connect(action, &QAction::triggered, this, [this, index] {
                m_tabs->setTabVisible(index, true); // one that is not seen cannot be chosen
                m_tabs->setCurrentIndex(index);
                m_tabs->setFocus(Qt::TabFocusReason);
            });
        }
    menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

} // namespace headscope::ui
