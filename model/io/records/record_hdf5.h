// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/records/record_fields.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <string>

namespace headscope
{

/// Writes a record into a group, which is made: attributes as writeFields writes them, numbers as datasets of their
/// type, texts as datasets of strings, names as attributes of a group, records as groups and tables.
/// @param who  of the attributes those that nobody of these looks at are left out
/// @errors those of the file
[[nodiscard]] Status writeRecord(Hdf5Writer& file, const std::string& group, const RecordFields& record,
                                 unsigned who = kRecordUse);

/// Reads a record from a group. What is missing stays as it is, but for what is required.
/// @errors BadFormat (an attribute that is required is missing or unfit; a dataset of another kind or shape; a damaged
///         one), Resource
[[nodiscard]] Status readRecord(const Hdf5Reader& file, const std::string& group, const RecordFields& record,
                                unsigned who = kRecordUse);

/// What a file of its own kind says of itself in the attributes of its root.
struct FileFormat
{
    std::string_view name;     ///< "headscope-work"
    std::int64_t version = 1;  ///< that is written, and the newest that is read
    std::string_view contents; ///< "the work kept beside a cache"
};

/// Writes name, version and the program that writes it.
Status writeFormat(Hdf5Writer& file, const FileFormat& format);
/// Asks for name, version and seal.
/// @errors BadFormat (a file of another kind, without its seal), Unsupported (of a newer version)
[[nodiscard]] Status checkFormat(const Hdf5Reader& file, const FileFormat& format);
/// Seals a file and puts it into its place. Nothing stops this: it is also written because others were asked to stop.
[[nodiscard]] Status publishSealed(Hdf5Writer& file);

} // namespace headscope
