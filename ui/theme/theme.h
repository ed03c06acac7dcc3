// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/focus_ring.h"
#include "viz/color/category_palette.h"
#include "viz/color/inks.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPointer>
#include <QString>

class QApplication;

namespace headscope::ui
{

/// Measures of the window, in logical pixels: everything lies on a grid of 4.
struct Metrics
{
    static constexpr int kGrid = 4;
    static constexpr int kRelated = 8;  ///< between things that belong together
    static constexpr int kPanel = 12;   ///< inside panels
    static constexpr int kGroups = 16;  ///< between groups
    static constexpr int kControl = 26; ///< height of a control
    static constexpr int kRadius = 4;   ///< corners of controls and cards
};

/// The greys of the program and its one accent (ui/README.md, The look).
struct Colors
{
    QColor frame;      ///< window, panels
    QColor canvas;     ///< views, cards, controls
    QColor text;       ///< names
    QColor muted;      ///< second lines
    QColor section;    ///< section titles
    QColor hairline;   ///< borders and separators
    QColor hover;      ///< a control under the pointer
    QColor accent;     ///< what is chosen
    QColor accentPale; ///< behind what is chosen
    QColor accentText; ///< text on accentPale
    QColor track;      ///< empty part of bars
    QColor warning;    ///< error text
};

/// How the window looks: Fusion style with palettes of our own, so that every desktop shows the
/// same, light or dark as the user or the system chooses.
/// @threads GUI thread
class Theme : public QObject
{
    Q_OBJECT

public:
    enum class Scheme
    {
        System,
        Light,
        Dark,
    };

    explicit Theme(QObject* parent = nullptr);

    /// The window's theme. There is one application, and so one theme.
    [[nodiscard]] static Theme& instance();

    /// Gives the application its style, palette, font and style sheet, before any window. A second time does nothing.
    void apply(QApplication& application);
    void setScheme(Scheme scheme);
    /// "light", "dark"; everything else follows the system.
    [[nodiscard]] static Scheme schemeFromName(const QString& name);
    [[nodiscard]] Scheme scheme() const { return m_scheme; }

    [[nodiscard]] bool isDark() const { return m_dark && s_papers == 0; }
    [[nodiscard]] viz::InkTheme vizTheme() const
    {
        return {isDark() ? viz::InkTheme::Dark : viz::InkTheme::Light, m_palette};
    }
    /// Of figures.
    [[nodiscard]] viz::InkTheme paperTheme() const { return {viz::InkTheme::Light, m_palette}; }
    [[nodiscard]] const Colors& colors() const;

    /// The colours that labels and heads are shown in, in every view.
    void setPalette(viz::PaletteKind palette);
    [[nodiscard]] viz::PaletteKind palette() const { return m_palette; }

    /// Body text; `bold` for names.
    [[nodiscard]] static QFont bodyFont(bool bold = false);
    /// Second lines and cards: one pixel smaller than the body.
    [[nodiscard]] static QFont smallFont(bool bold = false);
    /// Section titles: small, bold, spaced capitals.
    [[nodiscard]] static QFont sectionFont();
    /// Numbers inside small coloured cells.
    [[nodiscard]] static QFont cellFont();
    /// Ids and logs.
    [[nodiscard]] static QFont monoFont();

    /// An icon of resources/icons in the text colour of the theme (pale when disabled, accent when on).
    [[nodiscard]] QIcon icon(const QString& name) const;

Q_SIGNALS:
    /// Light became dark or the other way round, or labels and heads have other colours; every custom-painted
    /// widget repaints.
    void changed();
    /// Before changed(): labels and heads have other colours.
    void paletteChanged();

private:
    friend class PaperColors;
    [[nodiscard]] bool systemIsDark() const;
    void refresh();
    void listenToPortal();

    QApplication* m_application = nullptr;
    Scheme m_scheme = Scheme::System;
    bool m_systemDark = false;
    bool m_dark = false;
    inline static int s_papers = 0; ///< PaperColors that live
    viz::PaletteKind m_palette = viz::PaletteKind::Standard;
    QPointer<FocusRing> m_ring; ///< of the application
};

/// While it lives the theme's colours are those of paper: for widgets that are made and painted for a figure, and
/// never shown. No signal is emitted, and the screen does not change.
class PaperColors
{
public:
    PaperColors() { ++Theme::s_papers; }
    ~PaperColors() { --Theme::s_papers; }
    PaperColors(const PaperColors&) = delete;
    PaperColors& operator=(const PaperColors&) = delete;
};

/// While it lives the application has no style sheet, which it gets back at the end: widgets that are made meanwhile
/// are styled once. Under a sheet, Qt styles a tree of widgets anew each time that it gets a parent (the window of the
/// demo began 0.13 s later). May be nested.
class StyleSheetPause
{
public:
    StyleSheetPause();
    ~StyleSheetPause();
    StyleSheetPause(const StyleSheetPause&) = delete;
    StyleSheetPause& operator=(const StyleSheetPause&) = delete;

private:
    QString m_sheet;
};

/// Calls `update` now and whenever the theme changes, as long as `context` lives.
template <class F>
void onThemeChange(QObject* context, F update)
{
    QObject::connect(&Theme::instance(), &Theme::changed, context, update);
    update();
}

} // namespace headscope::ui
