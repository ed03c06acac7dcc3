// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/probe_frame.h"
#include "ui/models/probe_table_model.h"

namespace headscope::test
{

/// The frames of probes, as the application hands them to the window.
inline ui::ProbeFrames probeFrames()
{
    return {[](const ui::ProbeRow& row) {
                return probesFrame({row.result.get(), 1}, {&row.control, 1});
            },
            [](const ProbeResult& result) { return probedHeadsFrame(result); }};
}

} // namespace headscope::test
