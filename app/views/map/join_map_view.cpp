// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/join_map_view.h"

#include "app/views/map/map_view.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/state/linked_selection.h"
#include "ui/window/main_window.h"
#include "ui/window/shown_bar.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

namespace headscope::ui
{
namespace
{

constexpr MenuPlace kCamera{MenuId::View, 10};
constexpr MenuPlace kParts{MenuId::View, 20};
constexpr MenuPlace kRun{MenuId::Map, 0};

void addCameraCommands(MapView& view, MainWindow& window)
{
    ScatterWidget* scatter = view.scatter();
    const auto onMap = [&window, scatter] { return window.view() == kMapView && scatter->map() != nullptr; };
    Actions& actions = window.actions();
    actions.add({.id = QStringLiteral("actionFit"),
                 .text = tr("Fit all points"),
                 .tip = tr("Show the whole map"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+0")),
                 .place = kCamera,
                 .act = [scatter] { scatter->fit(); },
                 .enabled = onMap});
    actions.add({.id = QStringLiteral("actionFitChosen"),
                 .text = tr("Fit selected points"),
                 .tip = tr("Zoom to the selection"),
                 .place = kCamera,
                 .act = [scatter] { scatter->fitChosen(); },
                 .enabled = [&window, onMap] { return onMap() && !window.selection().selection().documents.empty(); }});
    actions.add({.id = QStringLiteral("actionBack"),
                 .text = tr("Previous view"),
                 .tip = tr("Go back through the zoom history"),
                 .place = kCamera,
                 .act = [scatter] { scatter->back(); },
                 .enabled = [scatter, onMap] { return onMap() && scatter->canGoBack(); }});
    actions.add({.id = QStringLiteral("actionForward"),
                 .text = tr("Next view"),
                 .tip = tr("Go forward through the zoom history"),
                 .place = kCamera,
                 .act = [scatter] { scatter->forward(); },
                 .enabled = [scatter, onMap] { return onMap() && scatter->canGoForward(); }});
    actions.add({.id = QStringLiteral("actionShowLegend"),
                 .text = tr("Legend"),
                 .tip = tr("Show or hide the legend"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+G")),
                 .place = kParts,
                 .toggled = [scatter](bool on) { scatter->setLegendShown(on); },
                 .on = true,
                 .kept = true});
    actions.add({.id = QStringLiteral("actionShowTools"),
                 .text = tr("Map tools"),
                 .tip = tr("Show or hide the tools on the map"),
                 .place = kParts,
                 .toggled = [scatter](bool on) { scatter->setToolsShown(on); },
                 .on = true,
                 .kept = true});
}

void addRunCommands(MapView& view, MainWindow& window)
{
    const auto open = [&window] { return window.overview() != nullptr; };
    Actions& actions = window.actions();
    actions.add({.id = QStringLiteral("actionMap"),
                 .text = tr("Run map"),
                 .tip = tr("Compute a map of the selected heads"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+R")),
                 .place = kRun,
                 .act =
                     [&view, &window] {
                         window.setView(kMapView);
                         Q_EMIT view.runRequested();
                     },
                 .enabled = open,
                 .toolBar = 20});
    actions.add({.id = QStringLiteral("actionMapOptions"),
                 .text = tr("Map settings"),
                 .tip = tr("Show the Map run tab: parameters, curve, history and saved maps"),
                 .place = kRun,
                 .act = [&view] { Q_EMIT view.optionsRequested(); },
                 .enabled = open});
}

void joinCanvas(MapView& view, MainWindow& window)
{
    ScatterWidget* scatter = view.scatter();
    SelectionHub& hub = window.selection();
    Choices& choices = window.choices();
    linkSelection(scatter, hub);
    linkHeadChoice(scatter, choices);
    QObject::connect(scatter, &ScatterWidget::backgroundClicked, &hub, [&hub] {
        hub.setPrimary({});
        hub.setLitHeads({});
    });
    QObject::connect(scatter, &ScatterWidget::litCleared, &hub, [&hub] {
        hub.setHoveredHead({});
        hub.setLitHeads({});
    });
    QObject::connect(scatter, &ScatterWidget::viewChanged, &window.actions(), &Actions::refresh);
    QObject::connect(&view, &MapView::allHeadsRequested, window.dataPanel().headPicker(), &HeadPicker::chooseAll);
    const auto showHeads = [&choices, scatter] {
        if (choices.overview() != nullptr)
            scatter->setShownHeads(choices.now().heads);
    };
    QObject::connect(&choices, &Choices::opened, scatter, showHeads);
    QObject::connect(&choices, &Choices::headsChanged, scatter, showHeads);
    QObject::connect(&window.shownBar(), &ShownBar::fitRequested, scatter, [scatter] { scatter->fit(); });
    QObject::connect(&hub, &SelectionHub::documentsChanged, scatter, [scatter] { noteCanvasChanged(scatter); });
}

} // namespace

void joinMapView(MapView& view, MainWindow& window)
{
    joinCanvas(view, window);
    addRunCommands(view, window);
    addCameraCommands(view, window);
    setCanvasSummary(view.scatter(), [&view] {
        const auto map = view.scatter()->map();
        if (map == nullptr)
            return tr("No map yet.");
        const QString whole =
            tr("t-SNE map of layer %1, %2: %3.").arg(map->layer.value()).arg(stageTitle(map->stage), view.shownText());
        // The point that keys have stepped on comes first: it is what was asked for.
        const QString point = view.scatter()->pointText();
        return point.isEmpty() ? whole : QString(point % QStringLiteral(". ") % whole);
    });
}

} // namespace headscope::ui
