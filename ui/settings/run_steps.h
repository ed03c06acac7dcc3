// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope
{
class Fields;
}

namespace headscope::ui
{

/// What a map that is there continues with.
struct RunSteps
{
    int moreIterations = 250;
    int noise = 10; ///< per cent of the map's spread
};

/// Declares what the run panel and the settings dialog ask for.
void fields(Fields& f, RunSteps& o);

} // namespace headscope::ui
