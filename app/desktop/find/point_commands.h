// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"

#include <QList>
#include <QObject>

#include <cstdint>
#include <optional>
#include <vector>

class QAction;
class QMenu;
class QPoint;

namespace headscope::ui
{
class MapView;
class SelectionHub;
} // namespace headscope::ui

namespace headscope::desktop
{

/// What can be done with a point of the map, in the menu over it and as commands for the one clicked last: choose its
/// document or label, show its head or KV group alone.
/// @threads GUI thread
class PointCommands : public QObject
{
    Q_OBJECT

public:
    /// @param map   whose menu it is; must outlive this
    /// @param more  commands at the end of the menu
    PointCommands(Study& study, ui::MapView& map, QList<QAction*> more, QObject* parent);

    /// Says which commands can be given, for another choice, stage or cache.
    void refresh();

Q_SIGNALS:
    /// The menu over a point is made: what can be done with any document goes in here.
    void menuMade(QMenu* menu, headscope::DocumentIndex document);

private:
    void addCommands();
    void showMenu(QPoint place);
    void fill(QMenu& menu, DocumentIndex document, std::optional<HeadIndex> head);
    void showHeads(const std::vector<std::int64_t>& heads);
    [[nodiscard]] std::vector<std::int64_t> groupHeads(HeadIndex head) const;
    [[nodiscard]] ui::SelectionHub& hub() const { return m_study.window().selection(); }

    Study& m_study;
    ui::MapView& m_map;
    QList<QAction*> m_more;
    QAction* m_chooseDocument = nullptr;
    QAction* m_headAlone = nullptr;
    QAction* m_groupAlone = nullptr;
};

} // namespace headscope::desktop
