// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/find/filter_page.h"
#include "ui/panels/find/search_page.h"
#include "ui/panels/find/sets_page.h"

#include <QList>
#include <QWidget>

class QStackedWidget;
class QToolButton;

namespace headscope::ui
{

class ViewState;

/// Finding documents: by their text, by conditions, and by the sets they were kept in.
class FindPanel : public QWidget
{
    Q_OBJECT

public:
    enum class Page
    {
        Text,
        Filter,
        Sets,
    };

    explicit FindPanel(QWidget* parent = nullptr);

    void setPage(Page page);
    [[nodiscard]] Page page() const;
    /// What it remembers.
    [[nodiscard]] ViewState& state() const { return *m_state; }
    [[nodiscard]] SearchPage* search() const { return m_search; }
    [[nodiscard]] FilterPage* filter() const { return m_filter; }
    [[nodiscard]] SetsPage* sets() const { return m_sets; }

private:
    ViewState* m_state = nullptr; ///< before the controls it is bound to
    QList<QToolButton*> m_switches;
    QStackedWidget* m_pages = nullptr;
    SearchPage* m_search = nullptr;
    FilterPage* m_filter = nullptr;
    SetsPage* m_sets = nullptr;
};

} // namespace headscope::ui
