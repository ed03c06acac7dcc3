// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"
#include "model/data/documents/document_filter.h"
#include "model/data/neighbor_options.h"
#include "ui/models/hit_list_model.h"

#include <QHash>
#include <QJsonObject>

#include <cstdint>
#include <memory>
#include <vector>

class QAction;
class QMenu;

namespace headscope::ui
{
class FindPanel;
class MapView;
} // namespace headscope::ui

namespace headscope::desktop
{

class PointCommands;

/// Finding and keeping documents: search of the texts, filters, named sets, and the growing of a choice to
/// its neighbours.
/// @threads GUI thread
class FindController : public Controller
{
    Q_OBJECT

public:
    /// @param map  shows rings around the points of sets, and the menu over a point; must outlive the controller
    FindController(Study& study, ui::MapView& map, QObject* parent = nullptr);

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_growRunner.running(); }

    void addWork(ResultStore& work) const override;
    void forgetWork() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;

    [[nodiscard]] ui::FindPanel& panel() const { return *m_panel; }
    [[nodiscard]] bool searching() const { return m_searchRunner.running() || m_filterRunner.running(); }
    /// Adds the nearest documents of every chosen one to the choice; by one head: the one that was clicked last.
    void grow(const GrowOptions& options);

Q_SIGNALS:
    void searched();
    void filtered();
    void choiceGrown();
    /// The menu over a point of the map is made: what can be done with any document goes in here.
    void pointMenuMade(QMenu* menu, headscope::DocumentIndex document);

private:
    void addFindCommands();
    void connectPanel();
    void connectSets();
    void onCacheOpened();
    /// The named sets of the open cache, as they were kept.
    [[nodiscard]] ui::NamedSets::FromJson setsOfLastTime() const;
    /// Whether the open cache has what a condition looks at.
    [[nodiscard]] bool isThere(const FilterCondition& condition) const;
    void filterAsWanted();
    void search(const ui::TextQuery& query);
    void filter();
    void refreshFields();
    void refreshChoice();
    void refreshSets();
    void showPage(int page);
    [[nodiscard]] FilterTable filterTable() const;
    [[nodiscard]] ui::SelectionHub& hub() const { return m_study.window().selection(); }

    Study& m_study;
    ui::MapView& m_map;
    ui::FindPanel* m_panel = nullptr; ///< of the window
    QAction* m_grow = nullptr;
    QAction* m_keep = nullptr;
    PointCommands* m_points = nullptr;
    std::vector<FilterCondition> m_conditions;
    std::vector<FilterCondition> m_wanted;      ///< of a work that is being restored, until all of it is there
    std::vector<FilterCondition> m_setAsWanted; ///< what of it is there
    bool m_filtersAsWanted = false;             ///< it is being set, row by row
    std::vector<std::int64_t> m_found;          ///< documents of the last search
    std::shared_ptr<const ui::SearchResult> m_lastSearch; ///< null: nothing is looked for
    QString m_setsPath;                                   ///< the cache that the named sets belong to
    std::shared_ptr<const DocumentSet> m_setsDocuments;
    QHash<QString, QJsonObject> m_setsOf; ///< named sets of the caches that were open before
    ui::JobRunner m_searchRunner;
    ui::JobRunner m_filterRunner;
    ui::JobRunner m_growRunner;
};

} // namespace headscope::desktop
