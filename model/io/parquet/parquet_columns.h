// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/texts/record_reader.h"

#include <arrow/type_fwd.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parquet::arrow
{
struct SchemaManifest;
}

namespace headscope
{

/// Where a field of a record is in the columns of a table: a column, then members of structs and elements of lists.
struct CellPath
{
    std::string name;                ///< of the field
    bool inner = false;              ///< inside another (RecordOptions::inner)
    bool nested = false;             ///< its values are not kept: nothing of it is read
    int column = -1;                 ///< of a batch
    std::vector<std::int64_t> steps; ///< number of a struct's member, or of a list's element
};

/// Which fields records have, and which leaf columns of the file have to be read for them.
struct ParquetColumns
{
    std::vector<CellPath> fields; ///< to be placed in batches by placeColumns()
    std::vector<int> leaves;      ///< ascending
};

/// Chooses the columns that the options ask for; all where one of them is not there, so that the error can name those
/// there are. Names are different (checkNames).
[[nodiscard]] ParquetColumns chooseColumns(const parquet::arrow::SchemaManifest& manifest,
                                           const RecordOptions& options);

/// Refuses a file that has two columns, or a struct with two members, of one name.
/// @errors BadFormat, naming it
[[nodiscard]] Status checkNames(const parquet::arrow::SchemaManifest& manifest);

/// Finds the fields in batches that hold the chosen leaves alone.
/// @return  false if one is not there, which a sound file makes impossible
[[nodiscard]] bool placeColumns(const arrow::Schema& batches, std::vector<CellPath>& fields);

/// The value of a field in a row of a batch.
/// @param column  of the batch, where the path says which
/// @param field   gets name, kind and text
/// @return  whether something had to be repaired
[[nodiscard]] bool takeValue(const arrow::Array* column, std::int64_t row, const CellPath& path, bool joinLists,
                             RecordField& field);

} // namespace headscope
