// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view/head_source.h"

#include "ui/view/view.h"

namespace headscope::ui
{
namespace
{

/// What the part or something around it says, as far as the view.
std::optional<viz::ItemHead> headAround(const View& view, const QWidget* part)
{
    for (; part != nullptr && part != &view; part = part->parentWidget())
        if (const auto* source = dynamic_cast<const HeadSource*>(part))
            if (const auto head = source->headMeant())
                return head;
    return std::nullopt;
}

} // namespace

std::optional<viz::ItemHead> headMeant(const View& view, const QWidget* part)
{
    if (part != nullptr)
    {
        const auto head = headAround(view, part);
        return head ? head : view.headShown();
    }
    for (const QWidget* each : view.findChildren<const QWidget*>())
        if (each->isVisible() && each->underMouse())
            if (const auto head = headAround(view, each))
                return head;
    const QWidget* const focus = view.window()->focusWidget();
    return headMeant(view, view.isAncestorOf(focus) ? focus : &view);
}

} // namespace headscope::ui
