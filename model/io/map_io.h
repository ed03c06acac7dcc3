// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/head_map.h"
#include "model/io/hdf5_reader.h"
#include "model/io/hdf5_writer.h"

#include <string>

namespace headscope
{

/// Writes /maps/NAME: xy [P, 2] float32, document [P] and head [P] int32, parameters as attributes.
Status writeMapGroup(Hdf5Writer& file, const HeadMap& map);

/// Reads /maps/NAME back; attributes that are missing keep their defaults.
/// @errors BadFormat (no such map, shapes that do not fit together)
[[nodiscard]] Result<HeadMap> readMapGroup(const Hdf5Reader& file, const std::string& name);

} // namespace headscope
