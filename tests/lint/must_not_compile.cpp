// SPDX-License-Identifier: GPL-3.0-or-later
// Each CASE_ macro switches on one line that the types must forbid; see CMakeLists.txt.
#include "app/results/latex_text.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/head_vectors.h"
#include "model/io/results/csv_text.h"

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
    const std::string name = "of anybody";
    headscope::CsvText csv = "a," + headscope::csvField(name, headscope::CsvTexts::Safe);
    csv.append(",{},{}", csv, 1.5);
#ifdef CASE_UNESCAPED_TEXT
    csv += name.c_str();
#endif
#ifdef CASE_UNESCAPED_PIECE
    csv.append(",{}", name);
#endif
#ifdef CASE_UNESCAPED_CHARACTER
    csv.append(",{}", name.front());
#endif
#ifdef CASE_UNESCAPED_START
    csv = headscope::CsvText(name);
#endif
#ifdef CASE_OTHER_LANGUAGE
    csv += headscope::results::latexSentence(name);
#endif
#ifdef CASE_RAW_TABLE
    static_cast<void>(headscope::writeCsvFile("a.csv", name));
#endif
    return makeNumber().has_value() && doWork().has_value() && head.value() == 1 ? 0 : 1;
}
