// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/inks.h"

#include <array>
#include <cstddef>

namespace headscope::viz
{
namespace
{

struct PaletteWords
{
    PaletteKind palette;
    const char* id;
    const char* name;
};

constexpr std::array<PaletteWords, kPaletteKinds> kPaletteWords = {{
    {PaletteKind::Standard, "standard", "Standard"},
    {PaletteKind::ColorBlind, "colorblind", "Colour-blind safe"},
    {PaletteKind::HighContrast, "contrast", "High contrast"},
    {PaletteKind::Grey, "grey", "Greyscale"},
}};

} // namespace

QString paletteId(PaletteKind palette)
{
    return QString::fromLatin1(kPaletteWords[static_cast<std::size_t>(palette)].id);
}

QString paletteName(PaletteKind palette)
{
    return QString::fromLatin1(kPaletteWords[static_cast<std::size_t>(palette)].name);
}

PaletteKind paletteFromId(const QString& id)
{
    for (const PaletteWords& words : kPaletteWords)
        if (id == QLatin1StringView(words.id))
            return words.palette;
    return PaletteKind::Standard;
}

const Inks& inks(InkTheme theme)
{
    static const Inks light{QColor(0xff, 0xff, 0xff), QColor(0xff, 0xff, 0xff), QColor(0x1f, 0x23, 0x28),
                            QColor(0x6a, 0x73, 0x7d), QColor(0xd8, 0xdc, 0xe1), QColor(0xd5, 0xd9, 0xde),
                            QColor(0xc9, 0xcd, 0xd2), QColor(0x2f, 0x6f, 0xde)};
    static const Inks dark{QColor(0x16, 0x18, 0x1c), QColor(0x22, 0x25, 0x2a), QColor(0xe8, 0xea, 0xed),
                           QColor(0x9a, 0xa2, 0xab), QColor(0x3a, 0x3f, 0x46), QColor(0x3d, 0x42, 0x49),
                           QColor(0x4a, 0x4f, 0x57), QColor(0x6a, 0x9f, 0xff)};
    return theme == InkTheme::Light ? light : dark;
}

} // namespace headscope::viz
