// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/join_probe_view.h"

#include "app/views/probe/probe_view.h"
#include "ui/state/linked_selection.h"
#include "ui/window/main_window.h"
#include "ui/words/translate.h"

namespace headscope::ui
{

void joinProbeView(ProbeView& view, MainWindow& window)
{
    linkHeads(&view, window.selection(), window.choices());
    window.actions().add({.id = QStringLiteral("actionProbe"),
                          .text = tr("Train probe"),
                          .tip = tr("Train a linear probe to predict the head or segment of a vector, for every stage"),
                          .keys = QKeySequence(QStringLiteral("Ctrl+P")),
                          .place = {MenuId::Analyse, 0},
                          .act =
                              [&view, &window] {
                                  window.setView(kProbeView);
                                  Q_EMIT view.trainRequested();
                              },
                          .enabled = [&window] { return window.overview() != nullptr; },
                          .toolBar = 21});
}

} // namespace headscope::ui
