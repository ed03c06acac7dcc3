// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/choices.h"
#include "ui/state/selection_hub.h"

#include <QObject>

namespace headscope::ui
{

/// Connects a view of documents to the window's one Selection, in both directions: clicks, picks and hovers of the
/// view change it, and its changes reach the view.
/// @param view  has the signals documentClicked, documentsPicked and documentHovered, and setChosen, setPrimary and
///              setHovered; where it has them also choiceCleared, setShownOnly, and pointsPicked, for a view in which
///              single points can be picked, whose setChosen takes them
/// @threads GUI thread; the connections last as long as both live
template <class View>
void linkSelection(View* view, SelectionHub& hub)
{
    constexpr bool kPoints = requires
    {
        &View::pointsPicked;
    };
    QObject::connect(view, &View::documentClicked, &hub, &SelectionHub::showDocument);
    QObject::connect(view, &View::documentsPicked, &hub, &SelectionHub::pickInView);
    if constexpr (kPoints)
        QObject::connect(view, &View::pointsPicked, &hub, &SelectionHub::pickPointsInView);
    QObject::connect(view, &View::documentHovered, &hub, &SelectionHub::setHovered);
    if constexpr (requires { &View::choiceCleared; })
        QObject::connect(view, &View::choiceCleared, &hub, &SelectionHub::clearStep);
    QObject::connect(&hub, &SelectionHub::documentsChanged, view, [view, &hub] {
        if constexpr (kPoints)
            view->setChosen(hub.selection().documents, hub.selection().points);
        else
            view->setChosen(hub.selection().documents);
    });
    QObject::connect(&hub, &SelectionHub::primaryChanged, view,
                     [view, &hub] { view->setPrimary(hub.selection().primary, hub.selection().primaryHead); });
    if constexpr (requires { view->setShownOnly(hub.shownDocuments()); })
        QObject::connect(&hub, &SelectionHub::shownChanged, view,
                         [view, &hub] { view->setShownOnly(hub.shownDocuments()); });
    QObject::connect(&hub, &SelectionHub::hoveredChanged, view,
                     [view, &hub] { view->setHovered(hub.selection().hovered); });
}

/// Connects a view of heads, in both directions: heads hovered in it, and heads hovered or marked anywhere.
/// @param view  whichever of these it has is connected: the signals headHovered and allHeadsRequested, setHoveredHead
///              and setLitHeads
/// @threads GUI thread; the connections last as long as all live
template <class View>
void linkHeads(View* view, SelectionHub& hub, Choices& choices)
{
    if constexpr (requires { &View::headHovered; })
        QObject::connect(view, &View::headHovered, &hub, &SelectionHub::setHoveredHead);
    if constexpr (requires { &View::allHeadsRequested; })
        QObject::connect(view, &View::allHeadsRequested, &choices, &Choices::chooseAllHeads);
    if constexpr (requires { view->setHoveredHead(hub.hoveredHead()); })
        QObject::connect(&hub, &SelectionHub::hoveredHeadChanged, view,
                         [view, &hub] { view->setHoveredHead(hub.hoveredHead()); });
    if constexpr (requires { view->setLitHeads(hub.litHeads()); })
        QObject::connect(&hub, &SelectionHub::litHeadsChanged, view,
                         [view, &hub] { view->setLitHeads(hub.litHeads()); });
}

/// Heads that are clicked in a view are chosen alone; clicked again, all are.
/// @param view  has the signal headClicked or headsClicked
template <class View>
void linkHeadChoice(View* view, Choices& choices)
{
    if constexpr (requires { &View::headsClicked; })
        QObject::connect(view, &View::headsClicked, &choices, &Choices::isolateHeads);
    else
        QObject::connect(view, &View::headClicked, &choices,
                         [&choices](HeadIndex head) { choices.isolateHeads({head.value()}); });
}

} // namespace headscope::ui
