// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace headscope::ui
{

/// "among 10", or "among 10 (all 8 topics)" where there are no more topics to be among; topics 0: not known.
[[nodiscard]] QString amongText(std::int64_t k, std::int64_t topics);

/// A sentence of the programs without options of the shell: those of an extraction by their names in its dialog, the
/// advice that speaks of others left out.
[[nodiscard]] QString withoutOptions(const QString& sentence);

} // namespace headscope::ui
