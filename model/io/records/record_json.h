// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/records/record_fields.h"
#include "model/formats/json.h"

#include <string>

namespace headscope
{

/// A record as an object of JSON on one line: attributes in the order of their declaration, then the larger parts:
/// arrays, objects of texts, objects and arrays of objects, rows and tables as arrays of numbers. What is unset or
/// empty is left out as in HDF5; a number that is not finite is null.
[[nodiscard]] std::string recordJson(const RecordFields& record);

/// Reads a record from an object. Keys that it does not know are passed over; what is missing stays as it is, but for
/// what is required.
/// @errors BadFormat (no object; a required key is missing; a value of another kind, or one that is not taken)
[[nodiscard]] Status readRecord(JsonView object, const RecordFields& record);

} // namespace headscope
