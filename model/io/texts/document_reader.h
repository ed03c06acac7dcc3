// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/extraction.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// What becomes of an id that an earlier document has.
enum class RepeatedIds
{
    Refuse,
    Suffix, ///< "x-2", "x-3", ...
};

/// A sample that was drawn.
struct DocumentSample
{
    std::int64_t documents = 0;
    std::int64_t of = 0; ///< documents up to the limit
    std::uint64_t seed = 1;

    /// "20 of 300 documents, seed 1"
    [[nodiscard]] std::string text() const;
};

/// Which documents to take from the inputs, and what their columns mean.
///
/// The name of a column may lead into nested JSON (RecordOptions::paths): "labels.section", "categories.0".
struct DocumentOptions
{
    std::string textColumn = "text";

    /// Column of the ids. Nothing: "id" where every document has it, else the number of the row
    /// (from 0, over all inputs). "": always that number.
    std::optional<std::string> idColumn;
    RepeatedIds repeatedIds = RepeatedIds::Refuse;

    /// Columns of the labels. Nothing: every column of text (none of its values a number) with at
    /// most 100 different values, fewer than there are documents with a value. So a column of titles
    /// is no label, and neither are text and id. An empty value is no label. An empty list: no labels.
    /// A list of texts is a label only where its column is named here.
    std::optional<std::vector<std::string>> labelColumns;
    /// In place of that choice, where `labelColumns` is nothing: those of these columns that are there.
    std::optional<std::vector<std::string>> labelsIfThere;
    bool joinLists = false; ///< the label of a list is all of its texts, with ", " between them; else the first

    /// Columns of numbers, which are kept as labels are, with a point in place of a decimal comma; "" and "nan" are no
    /// number. Nothing: those of `numbersIfThere` that are there. None of them is among the labels.
    std::optional<std::vector<std::string>> numberColumns;
    std::vector<std::string> numbersIfThere;

    std::optional<char> separator; ///< RecordOptions::separator
    bool lines = false;            ///< .txt: each line is a document
    std::int64_t limit = 0;        ///< only this many from the start; 0 = all
    std::int64_t sample = 0;       ///< this many of them, chosen by `seed`, in their order; 0 = all
    std::uint64_t seed = 1;

    /// JSON object, old label to new (null: no label); empty = none.
    std::filesystem::path labelMap;
};

/// Reads documents from files, folders and standard input in two passes: opening checks everything
/// (a broken line is named before any computing starts), counts the documents and finds ids and label
/// columns; then next() streams them. Memory: one batch, and the ids while opening.
///
/// A sample is the same rows of the same documents in every format. Where every input says how many rows it has
/// (Parquet), only those of the sample are read and checked: ids and label columns are those of the sample alone.
/// @threads one at a time
class DocumentReader
{
public:
    /// @param inputs  paths, or "-" for JSONL on standard input (kept in an unnamed temporary file)
    /// @errors FileNotFound, BadFormat (naming file and line), Unsupported, InvalidArgument (no such column,
    ///         with those there are), Resource, Cancelled
    [[nodiscard]] static Result<std::unique_ptr<DocumentReader>> open(const std::vector<std::filesystem::path>& inputs,
                                                                      DocumentOptions options, JobContext& job);
    ~DocumentReader();

    /// Documents that next() will give in all.
    [[nodiscard]] std::int64_t count() const;
    /// The sample, where not all documents are in it.
    [[nodiscard]] const std::optional<DocumentSample>& sample() const;
    /// Names of the label columns, then of those of numbers: the values of InputDocument::labels are in this order.
    [[nodiscard]] const std::vector<std::string>& labelColumns() const;
    /// Those of numbers among them: they have no names that a model could read.
    [[nodiscard]] std::vector<std::string> numberColumns() const;
    /// Sentences a user should see: repaired texts, row numbers for ids, ...
    [[nodiscard]] const std::vector<std::string>& notices() const;

    /// The next documents, at most `most`; none at the end.
    /// @errors those of open (a file that changed in between), Cancelled
    [[nodiscard]] Result<std::vector<InputDocument>> next(std::size_t most, JobContext& job);

private:
    struct State;
    explicit DocumentReader(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Reads a label map: one JSON object of old name to new.
/// @errors FileNotFound, BadFormat
[[nodiscard]] Result<std::map<std::string, std::string>> readLabelMap(const std::filesystem::path& path);

} // namespace headscope
