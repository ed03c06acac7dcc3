// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/latex_text.h"
#include "app/shell/common_options.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/io/results/csv_text.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headscope::results
{

using shell::CommonOptions;
class Provenance;

/// A matrix that goes beside a table's columns into an HDF5 file.
struct NamedMatrix
{
    std::string name;
    const MatrixD* values = nullptr;
};

/// Results in columns, for people, for spreadsheets, for papers and for HDF5. A cell that is not a
/// finite number is "-" for people and empty in CSV.
class ResultTable
{
public:
    using Cell = std::variant<std::string, std::int64_t, double>;

    explicit ResultTable(std::vector<std::string> header) : m_header(std::move(header)) {}
    /// A row of as many cells as the header; cells of one column are of one kind.
    void add(std::vector<Cell> cells);
    [[nodiscard]] std::int64_t rowCount() const { return std::ssize(m_rows); }
    [[nodiscard]] std::int64_t columnCount() const { return std::ssize(m_header); }

    /// Columns under each other, real numbers with four digits.
    [[nodiscard]] std::string text() const;
    /// The header and then every row, as text() writes them.
    [[nodiscard]] std::vector<std::vector<std::string>> shownCells() const;
    /// Which columns hold numbers, by the first row.
    [[nodiscard]] std::vector<bool> numericColumns() const;
    /// RFC 4180, real numbers as short as they read back the same.
    [[nodiscard]] CsvText csv(CsvTexts texts = CsvTexts::Safe) const;
    /// A tabular of LaTeX with the rules of booktabs.
    [[nodiscard]] LatexText latex() const;
    /// The same as a file of its own: no wider than the text it stands in, with the packages it needs in a comment.
    [[nodiscard]] LatexText latexFile() const;
    /// Puts the rows in the order of a column, equal ones in the order they have: numbers from the
    /// largest, texts by their bytes; what is not finite comes last.
    /// @errors WrongUse (no such column, with the names)
    [[nodiscard]] Status sortBy(const std::string& column);
    /// These columns alone, in this order. A name that no column has is a mistake of the caller.
    [[nodiscard]] ResultTable columns(std::span<const std::string_view> names) const;
    /// Writes .csv, .tex or .h5 by the ending. In HDF5 every column of numbers is /GROUP/NAME (blanks
    /// as underscores), a column of texts a dataset of strings, the matrices stand beside them, and
    /// what made them is in the group's attributes (LaTeX: in comments).
    /// @errors Resource
    [[nodiscard]] Status write(const std::filesystem::path& target, const std::string& group,
                               const Provenance& provenance, std::span<const NamedMatrix> matrices = {},
                               CsvTexts texts = CsvTexts::Safe) const;

private:
    [[nodiscard]] Status writeHdf5(const std::filesystem::path& target, const std::string& group,
                                   const Provenance& provenance, std::span<const NamedMatrix> matrices) const;

    std::vector<std::string> m_header;
    std::vector<std::vector<Cell>> m_rows;
};

/// Whether a file of this name is a table as text: .csv or .tex, in any case.
[[nodiscard]] bool isTextTable(const std::filesystem::path& target);

/// What --plain-csv asks for.
[[nodiscard]] inline CsvTexts csvTexts(bool plain)
{
    return plain ? CsvTexts::Plain : CsvTexts::Safe;
}

/// Refuses an output that ResultTable cannot write, before any work is done; "" is none.
/// @errors WrongUse (another ending, exists), Resource
[[nodiscard]] Status checkTableOutput(const std::string& output, const CommonOptions& common);

} // namespace headscope::results
