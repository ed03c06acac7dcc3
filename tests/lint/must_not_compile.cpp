// SPDX-License-Identifier: GPL-3.0-or-later
// Each CASE_ macro switches on one line that the types must forbid; see CMakeLists.txt.
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/base/text/csv_text.h"
#include "model/base/text/latex_text.h"
#include "model/data/head_vectors.h"
#include "model/io/hdf5/hdf5_reader.h"

#include <array>

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
    csv += headscope::latexSentence(name);
#endif
#ifdef CASE_RAW_TABLE
    static_cast<void>(headscope::writeCsvFile("a.csv", name));
#endif
    // Numbers and texts of an HDF5 file come verified, or not at all.
    [[maybe_unused]] const auto reads = [](const headscope::Hdf5Reader& file, headscope::JobContext& job) {
        std::array<std::byte, 8> into{};
        bool read = file.readRows("/maps/m/xy", 0, 1, headscope::NumberType::F32, into).has_value();
#ifdef CASE_UNVERIFIED_ROWS
        read = file.rowsAsTheyLie("/maps/m/xy", 0, 1, headscope::NumberType::F32, into).has_value();
#endif
#ifdef CASE_UNVERIFIED_TEXTS
        read = file.stringsAsTheyLie("/documents/id", 0, 1).has_value();
#endif
#ifdef CASE_ROWS_ON_THE_WAY
        read = file.visitRows("/maps/m/xy", 0, 1, {}, job).has_value();
#endif
#ifdef CASE_FILE_WITHOUT_READER
        const headscope::Hdf5Objects& objects = file;
        read = objects.readRows("/maps/m/xy", 0, 1, headscope::NumberType::F32, into).has_value();
#endif
        return read && file.verify("/maps/m/xy", job).has_value();
    };
    return makeNumber().has_value() && doWork().has_value() && head.value() == 1 ? 0 : 1;
}
