// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "app/views/grid/make_grid.h"

#include <QString>

#include <cstdint>

namespace headscope::ui
{
class GridBar;
}

namespace headscope::desktop
{

/// Before the names of sets that are in the cache, where others have what they were computed of.
inline const QString kStoredKey = QStringLiteral("stored ");

/// The grid that is chosen now: by its bar, the data panel and the settings of maps.
/// @threads GUI thread
class GridPlan
{
public:
    /// Both must outlive the plan.
    GridPlan(Study& study, const ui::GridBar& bar) : m_study(study), m_bar(bar) {}

    /// What its maps would be made of. A cache must be open.
    [[nodiscard]] GridRequest request() const;
    /// A name of the choice, for people and for finding what was made of it: "stages of layer 3".
    [[nodiscard]] QString key() const;
    /// Maps, that of the full vector included. A cache must be open.
    [[nodiscard]] std::int64_t cells() const;

private:
    Study& m_study;
    const ui::GridBar& m_bar;
};

} // namespace headscope::desktop
