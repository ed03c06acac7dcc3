// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "ui/theme/box_names.h"
#include "ui/theme/button_keys.h"
#include "ui/theme/drawn_icon.h"
#include "ui/theme/plain_texts.h"
#include "ui/theme/portal.h"
#include "ui/theme/resources.h"
#include "ui/theme/style_sheet.h"
#include "ui/theme/window_keys.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <QToolTip>

namespace headscope::ui
{
namespace
{

constexpr int kBodyPx = 13;
constexpr int kSmallPx = 12;
constexpr int kSectionPx = 11;

const Colors& lightColors()
{
    static const Colors colors{
        .frame = QColor(0xf7f8f9),
        .canvas = QColor(0xffffff),
        .text = QColor(0x1b1f24),
        .muted = QColor(0x69717c),
        .section = QColor(0x58606b),
        .hairline = QColor(0xdcdfe4),
        .hover = QColor(0xeff1f4),
        .accent = QColor(0x2a6fdb),
        .accentPale = QColor(0xe7effb),
        .accentText = QColor(0x1c55b3),
        .track = QColor(0xe1e4e9),
        .warning = QColor(0xa8331f),
    };
    return colors;
}

const Colors& darkColors()
{
    static const Colors colors{
        .frame = QColor(0x1f2227),
        .canvas = QColor(0x17191d),
        .text = QColor(0xe7e9ec),
        .muted = QColor(0x9aa2ad),
        .section = QColor(0x9aa2ad),
        .hairline = QColor(0x353a42),
        .hover = QColor(0x2a2e35),
        .accent = QColor(0x5a95ee),
        .accentPale = QColor(0x25354f),
        .accentText = QColor(0xa9c8f9),
        .track = QColor(0x343941),
        .warning = QColor(0xf0907c),
    };
    return colors;
}

QPalette paletteOf(const Colors& colors)
{
    QPalette palette;
    palette.setColor(QPalette::Window, colors.frame);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.canvas);
    palette.setColor(QPalette::AlternateBase, colors.frame);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.muted);
    palette.setColor(QPalette::Button, colors.canvas);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, colors.warning);
    palette.setColor(QPalette::ToolTipBase, colors.canvas);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::Highlight, colors.accent);
    palette.setColor(QPalette::HighlightedText, colors.canvas);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.accent);
    palette.setColor(QPalette::Light, colors.canvas);
    palette.setColor(QPalette::Midlight, colors.hover);
    palette.setColor(QPalette::Mid, colors.hairline);
    palette.setColor(QPalette::Dark, colors.hairline);
    palette.setColor(QPalette::Shadow, colors.hairline);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    {
        QColor pale = colors.muted;
        pale.setAlpha(140);
        palette.setColor(QPalette::Disabled, role, pale);
    }
    palette.setColor(QPalette::Disabled, QPalette::Base, colors.frame);
    palette.setColor(QPalette::Disabled, QPalette::Button, colors.frame);
    return palette;
}

/// Fusion, with mnemonics that work but are not drawn under every menu.
class QuietStyle : public QProxyStyle
{
public:
    QuietStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returnData) const override
    {
        return hint == SH_UnderlineShortcut ? 0 : QProxyStyle::styleHint(hint, option, widget, returnData);
    }
};

QFont sizedFont(int pixels, bool bold)
{
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

/// The picture of an icon with its strokes in one colour.
QPixmap tinted(const QString& name, const QColor& color, int side, qreal ratio)
{
    QFile file(QStringLiteral(":/headscope/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, side, side));
    return pixmap;
}

} // namespace

Theme::Theme(QObject* parent) : QObject(parent) {}

Theme& Theme::instance()
{
    static Theme theme;
    return theme;
}

void Theme::apply(QApplication& application)
{
    if (m_application == &application)
        return;
    registerResources();
    m_application = &application;
    if (m_ring == nullptr)
    {
        m_ring = new FocusRing(&application);
        new WindowKeys(&application); // which owns it
        new PlainTexts(&application); // the same
        new ButtonKeys(&application); // the same
        nameBoxesByLabel();
    }
    // The platform's own palette, read before ours covers it, tells what the system prefers.
    m_systemDark = systemIsDark();
    QApplication::setStyle(new QuietStyle);
    QFont font = application.font();
    if (const QString inter = QStringLiteral("Inter"); QFontDatabase::families().contains(inter))
        font.setFamily(inter);
    font.setPixelSize(kBodyPx);
    QApplication::setFont(font);
    refresh();
    listenToPortal();
}

void Theme::setScheme(Scheme scheme)
{
    m_scheme = scheme;
    refresh();
}

void Theme::setPalette(viz::PaletteKind palette)
{
    if (palette == m_palette)
        return;
    m_palette = palette;
    Q_EMIT paletteChanged();
    Q_EMIT changed();
}

Theme::Scheme Theme::schemeFromName(const QString& name)
{
    if (name == QLatin1StringView("light"))
        return Scheme::Light;
    return name == QLatin1StringView("dark") ? Scheme::Dark : Scheme::System;
}

const Colors& Theme::colors() const
{
    return isDark() ? darkColors() : lightColors();
}

QFont Theme::bodyFont(bool bold)
{
    return sizedFont(kBodyPx, bold);
}

QFont Theme::smallFont(bool bold)
{
    return sizedFont(kSmallPx, bold);
}

QFont Theme::sectionFont()
{
    QFont font = sizedFont(kSectionPx, true);
    font.setCapitalization(QFont::AllUppercase);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.6);
    return font;
}

QFont Theme::cellFont()
{
    return sizedFont(kSectionPx, true);
}

QFont Theme::monoFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(kSmallPx);
    return font;
}

QIcon Theme::icon(const QString& name) const
{
    constexpr int kSide = 16;
    QColor pale = colors().muted;
    pale =
        QColor::fromRgbF(0.5F * (pale.redF() + colors().frame.redF()), 0.5F * (pale.greenF() + colors().frame.greenF()),
                         0.5F * (pale.blueF() + colors().frame.blueF()));
    return drawnIcon(2 * kSide, [name, pale, text = colors().text, accent = colors().accentText] {
        QIcon icon;
        for (const qreal ratio : {1.0, 2.0})
        {
            icon.addPixmap(tinted(name, text, kSide, ratio), QIcon::Normal, QIcon::Off);
            icon.addPixmap(tinted(name, accent, kSide, ratio), QIcon::Normal, QIcon::On);
            icon.addPixmap(tinted(name, pale, kSide, ratio), QIcon::Disabled, QIcon::Off);
        }
        return icon;
    });
}

bool Theme::systemIsDark() const
{
    return QApplication::palette().color(QPalette::Window).lightness() < 128;
}

void Theme::listenToPortal()
{
    auto* portal = new ColorSchemePortal(this);
    connect(portal, &ColorSchemePortal::preferred, this, [this](bool dark) {
        m_systemDark = dark;
        refresh();
    });
}

void Theme::refresh()
{
    if (m_application == nullptr)
        return;
    const bool dark = m_scheme == Scheme::System ? m_systemDark : m_scheme == Scheme::Dark;
    const bool same = dark == m_dark && !m_application->styleSheet().isEmpty();
    m_dark = dark;
    if (same)
        return;
    // A sheet that is exchanged polishes each widget once for every widget it lies in (Qt 6.4: repolish() goes down
    // from each of them); one that is taken away and given anew polishes each twice.
    m_application->setStyleSheet({});
    QApplication::setPalette(paletteOf(colors()));
    QToolTip::setPalette(paletteOf(colors()));
    m_application->setStyleSheet(styleSheet(colors(), m_dark));
    Q_EMIT changed();
}

StyleSheetPause::StyleSheetPause() : m_sheet(qApp->styleSheet())
{
    if (!m_sheet.isEmpty())
        qApp->setStyleSheet({});
}

StyleSheetPause::~StyleSheetPause()
{
    if (!m_sheet.isEmpty())
        qApp->setStyleSheet(m_sheet);
}

} // namespace headscope::ui
