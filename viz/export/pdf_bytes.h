// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace headscope::viz
{

/// What Qt writes as PDF, changed where it does not offer to. Each keeps the table of places at the end right, and
/// changes nothing where it does not find what it looks for.

/// Puts a date of ours into the place of now, which Qt writes in the zone of the machine.
void fixPdfDate(QByteArray& pdf);

/// Stores the recipe that a PDF carries as it is: Qt packs it, and what is not packed needs no trust to be read.
void unpackRecipe(QByteArray& pdf);

/// The bytes of the recipe that a PDF carries, where they are not packed.
struct PdfRecipe
{
    bool isThere = false;                  ///< the PDF carries a file of that name
    std::optional<QByteArrayView> bytes{}; ///< nothing: damaged, or stored in another way
};
[[nodiscard]] PdfRecipe recipeInPdf(const QByteArray& pdf);

} // namespace headscope::viz
