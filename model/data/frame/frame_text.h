// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/text/csv_text.h"
#include "model/base/text/latex_text.h"
#include "model/data/frame/frame.h"

#include <string>
#include <vector>

namespace headscope
{

/// A table as people read it, cell by cell.
struct ShownTable
{
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> isNumeric; ///< of columns
};

/// Every cell as texts show it: "-" where there is none.
[[nodiscard]] ShownTable shownTable(const std::vector<FrameCell>& cells);

/// Columns under each other, numbers to the right.
[[nodiscard]] std::string frameText(const Frame& frame, Slots slots);
/// All the texts of a frame, with an empty line between.
[[nodiscard]] std::string frameText(const Frame& frame);

/// What columns are, a line each, for below a table: "sd: standard deviation ... . A caution."
/// @param slots  named by their header, else by their column's key
[[nodiscard]] std::string columnWords(const FrameInfo& about, Slots slots);
/// The definition of a column and its caution, as sentences.
[[nodiscard]] std::string columnSentences(const ColumnInfo& info);

/// RFC 4180, real numbers as short as they read back the same; an empty field where there is none.
/// @param leading  columns of one value before those of the frame: numbers and texts ("measure", "documents")
/// @param header   false: rows alone, below those of another frame
[[nodiscard]] CsvText frameCsv(const Frame& frame, CsvTexts texts = CsvTexts::Safe, const Members& leading = {},
                               bool header = true);

/// A tabular of LaTeX with the rules of booktabs.
[[nodiscard]] LatexText frameLatex(const Frame& frame);
/// The same as a file of its own: no wider than the text it stands in, with the packages it needs in a comment.
[[nodiscard]] LatexText frameLatexFile(const Frame& frame);

} // namespace headscope
