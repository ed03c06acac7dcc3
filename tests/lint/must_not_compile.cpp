// SPDX-License-Identifier: GPL-3.0-or-later
// Each CASE_ macro switches on one line that the types must forbid; see CMakeLists.txt.
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/head_vectors.h"

namespace
{

headscope::Result<int> makeNumber()
{
    return 1;
}

headscope::Status doWork()
{
    return {};
}

} // namespace

int main()
{
    const headscope::HeadIndex head(1);
    [[maybe_unused]] headscope::LayerIndex layer(2);
#ifdef CASE_MIXED_INDICES
    layer = head;
#endif
#ifdef CASE_INDEX_FROM_NUMBER
    layer = 3;
#endif
#ifdef CASE_SWAPPED_INDICES
    [[maybe_unused]] const auto vector = headscope::HeadVectors().vector(head, headscope::DocumentIndex(0));
#endif
#ifdef CASE_DISCARDED_RESULT
    makeNumber();
#endif
#ifdef CASE_DISCARDED_STATUS
    doWork();
#endif
    return makeNumber().has_value() && doWork().has_value() && head.value() == 1 ? 0 : 1;
}
