// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/map_pair.h"

#include <QCoreApplication>
#include <QString>

namespace headscope::ui
{

/// Two compared maps in words.
class PairWords
{
    Q_DECLARE_TR_FUNCTIONS(PairWords)

public:
    /// "3,947 points · 12 only in A · r 0.91"; documents where the heads differ.
    [[nodiscard]] static QString match(const MapPair& pair);
    /// "41% changed": of the neighbours.
    [[nodiscard]] static QString changed(const MapPair& pair);
    /// "noise alone 53%: within noise"; empty where no noise floor of the pair is known.
    [[nodiscard]] static QString floor(const MapPair& pair);
    /// What the share of changed neighbours is, and what chance and noise alone change.
    [[nodiscard]] static QString differenceTip(const MapPair& pair);
};

} // namespace headscope::ui
