// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace headscope
{
class Fields;
}

namespace headscope::ui
{

/// "among 10", or "among 10 (all 8 topics)" where there are fewer topics; topics 0: not known.
[[nodiscard]] QString amongText(std::int64_t k, std::int64_t topics);

/// What the window calls options of the engine: those of a declaration that have a label.
void nameOptions(const Fields& options);
/// Rewords a message for the window: options are named as nameOptions() says, advice about other
/// command-line options is removed.
[[nodiscard]] QString withoutOptions(const QString& sentence);

} // namespace headscope::ui
