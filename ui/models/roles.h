// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace headscope::ui
{

/// What item models offer besides Qt's own roles.
enum ItemRole
{
    SortRole = Qt::UserRole + 1, ///< the raw number, for sorting proxies
    DocumentRole,                ///< document number, qint64
};

} // namespace headscope::ui
