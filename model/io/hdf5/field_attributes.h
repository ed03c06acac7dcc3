// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <string>

namespace headscope
{

/// Writes fields as attributes of an object, each under its key: whole numbers and flags (0, 1) as int64, other
/// numbers as float64, choices and lists as text. What is unset gets none.
/// @param who  fields that nobody of these looks at are left out
/// @errors those of the file
Status writeFields(Hdf5Writer& file, const std::string& object, const Fields& fields, unsigned who = kRecordUse);

/// Reads them back, and asks of those that are required whether they are there, and of those that are checked whether
/// they fit.
/// @errors BadFormat (a required one is missing or of another kind; a checked one holds what the field does not take)
[[nodiscard]] Status readNeededFields(const Hdf5Reader& file, const std::string& object, const Fields& fields,
                                      unsigned who = kRecordUse);

/// Reads them back. A field keeps the value it has where its attribute is missing, of another kind, or holds a word or
/// a whole number that the field does not take: the file of another version. Other numbers are as they are stored.
void readFields(const Hdf5Reader& file, const std::string& object, const Fields& fields, unsigned who = kRecordUse);

} // namespace headscope
