// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"

#include <QCoreApplication>
#include <QString>

#include <string_view>

namespace headscope::colorings
{

/// A sentence of a colouring in the user's language.
inline QString tr(const char* text)
{
    return QCoreApplication::translate("colorings", text);
}

/// UTF-8 of the model as Qt's text.
inline QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// "topic" -> "Topic", for titles.
inline QString capitalised(const QString& word)
{
    return word.left(1).toUpper() + word.mid(1);
}

/// "head" or "segment", as the stage demands.
inline QString unitText(Stage stage)
{
    return text(unitName(stage));
}

} // namespace headscope::colorings
