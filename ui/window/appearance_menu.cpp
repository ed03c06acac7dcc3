// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/appearance_menu.h"

#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/words/translate.h"
#include "viz/color/category_palette.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kColors = 25; ///< of the View menu

/// A command that is one of several, of which one is on.
void addChoice(MainWindow& window, QMenu* menu, QActionGroup* group, ActionSpec spec)
{
    QAction* action = window.actions().addTo(menu, std::move(spec));
    action->setCheckable(true);
    group->addAction(action);
}

void check(MainWindow& window, const QString& id)
{
    if (QAction* action = window.actions().find(id))
        action->setChecked(true);
}

void takeScheme(MainWindow& window)
{
    const QString name = window.settings().text(SettingKey::ColorScheme);
    check(window, QStringLiteral("actionScheme_") % name);
}

void takePalette(MainWindow& window)
{
    const viz::PaletteKind palette = viz::paletteFromId(window.settings().text(SettingKey::LabelColors));
    Theme::instance().setPalette(palette);
    check(window, QStringLiteral("actionLabelColors_") % viz::paletteId(palette));
}

void addSchemes(MainWindow& window)
{
    QMenu* colors = window.actions().addMenu({MenuId::View, kColors}, tr("Theme"), tr("Colours of the window"));
    auto* group = new QActionGroup(&window);
    const std::pair<QString, QString> schemes[] = {{QStringLiteral("system"), tr("System")},
                                                   {QStringLiteral("light"), tr("Light")},
                                                   {QStringLiteral("dark"), tr("Dark")}};
    for (const auto& [key, text] : schemes)
        addChoice(window, colors, group,
                  {.id = QStringLiteral("actionScheme_") % key,
                   .text = text,
                   .tip = tr("Colours of the window"),
                   .act = [&window, key = key] { window.settings().setText(SettingKey::ColorScheme, key); }});
}

void addPalettes(MainWindow& window)
{
    QMenu* colors = window.actions().addMenu({MenuId::View, kColors}, tr("Colours of labels and heads"),
                                             tr("Used in every view and in saved figures"));
    auto* group = new QActionGroup(&window);
    for (int i = 0; i < viz::kPaletteKinds; ++i)
    {
        const auto palette = static_cast<viz::PaletteKind>(i);
        addChoice(window, colors, group,
                  {.id = QStringLiteral("actionLabelColors_") % viz::paletteId(palette),
                   .text = viz::paletteName(palette),
                   .tip = tr("Colours and shapes of labels and heads"),
                   .act = [&window, palette] {
                       window.settings().setText(SettingKey::LabelColors, viz::paletteId(palette));
                   }});
    }
    // A legend asks the theme, which keeps nothing.
    QObject::connect(&Theme::instance(), &Theme::paletteChanged, &window, [&window] {
        window.settings().setText(SettingKey::LabelColors, viz::paletteId(Theme::instance().palette()));
    });
}

} // namespace

void addAppearanceMenus(MainWindow& window)
{
    addSchemes(window);
    addPalettes(window);
    takeScheme(window);
    takePalette(window);
    QObject::connect(&window.settings(), &Settings::changed, &window, [&window](SettingKey key) {
        if (key == SettingKey::ColorScheme)
        {
            Theme::instance().setScheme(Theme::schemeFromName(window.settings().text(key)));
            takeScheme(window);
        }
        if (key == SettingKey::LabelColors)
            takePalette(window);
    });
}

} // namespace headscope::ui
