// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/selection_hub.h"

#include <QObject>

namespace headscope::desktop
{

/// Joins a view of documents' points to the one Selection, both ways: what is clicked, picked and hovered
/// there, and what is chosen anywhere.
/// @param view  has the signals documentClicked, documentsPicked, documentHovered and choiceCleared, and
///              setChosen, setShownOnly, setPrimary and setHovered; where single points can be picked in it,
///              pointsPicked, and setChosen takes them
/// @threads GUI thread; the joins last as long as both live
template <class View>
void linkSelection(View* view, ui::SelectionHub& hub)
{
    QObject::connect(view, &View::documentClicked, &hub, &ui::SelectionHub::showDocument);
    QObject::connect(view, &View::documentsPicked, &hub, &ui::SelectionHub::pickInView);
    constexpr bool kPoints = requires
    {
        &View::pointsPicked;
    };
    if constexpr (kPoints)
        QObject::connect(view, &View::pointsPicked, &hub, &ui::SelectionHub::pickPointsInView);
    QObject::connect(view, &View::documentHovered, &hub, &ui::SelectionHub::setHovered);
    QObject::connect(view, &View::choiceCleared, &hub, [&hub] {
        hub.setDocuments({});
        hub.setPrimary({});
    });
    const auto takeSelection = [view, &hub] {
        if constexpr (kPoints)
            view->setChosen(hub.selection().documents, hub.selection().points);
        else
            view->setChosen(hub.selection().documents);
        view->setPrimary(hub.selection().primary, hub.selection().primaryHead);
    };
    QObject::connect(&hub, &ui::SelectionHub::documentsChanged, view, takeSelection);
    QObject::connect(&hub, &ui::SelectionHub::primaryChanged, view, takeSelection);
    QObject::connect(&hub, &ui::SelectionHub::shownChanged, view,
                     [view, &hub] { view->setShownOnly(hub.shownDocuments()); });
    QObject::connect(&hub, &ui::SelectionHub::hoveredChanged, view,
                     [view, &hub] { view->setHovered(hub.selection().hovered); });
}

} // namespace headscope::desktop
