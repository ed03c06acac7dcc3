// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/check/hdf5_reason.h"

#include "model/io/hdf5/error_stack.h"

namespace headscope::check
{

Finding findingOf(const std::string& place, const std::string& doing)
{
    const ErrorStack stack = readErrorStack();
    Finding finding;
    finding.kind = stack.systemNumber != 0 ? Finding::Kind::System
                   : stack.outOfMemory     ? Finding::Kind::Memory
                                           : Finding::Kind::Damaged;
    finding.systemNumber = stack.systemNumber;
    finding.place = place;
    finding.reason = doing + " failed: " + (stack.innermost.empty() ? "HDF5 gives no reason" : stack.innermost);
    return finding;
}

} // namespace headscope::check
