// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/keep_choice.h"

#include "ui/state/selection_hub.h"
#include "ui/words/wording.h"

#include <QCoreApplication>

#include <iterator>
#include <utility>

namespace headscope::desktop
{

QString keepChoice(ui::SelectionHub& hub, const QString& name)
{
    const auto tr = [](const char* text) {
        return QCoreApplication::translate("headscope::desktop::KeepChoice", text);
    };
    const Selection& chosen = hub.selection();
    if (chosen.documents.empty())
        return {};
    const QString documents = ui::countText(std::ssize(chosen.documents), tr("document"), tr("documents"));
    const bool points = chosen.points != nullptr;
    ui::NamedSets sets = hub.sets();
    const QString kept = sets.at(sets.keep(name, chosen.documents)).name;
    hub.setSets(std::move(sets));
    return points ? tr("Saved as “%1”. A set holds documents with all their points (here %2). See Find › Sets.")
                        .arg(kept, documents)
                  : tr("Saved as “%1”. See Find › Sets.").arg(kept);
}

} // namespace headscope::desktop
