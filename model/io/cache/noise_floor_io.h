// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/maps/noise_floor.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// Datasets of a map's group that hold shares by point: of its noise twins, and of the other maps of its set.
inline constexpr const char* kFloorByPoint = "/noise_floor_by_point";
inline constexpr const char* kOthersByPoint = "/others_by_point";

/// Writes a noise floor as attributes of a map's group and, where it is known, [P] float32 by point.
/// @errors those of Hdf5Writer
[[nodiscard]] Status writeNoiseFloor(Hdf5Writer& file, const std::string& group, const NoiseFloor& floor);

/// Nothing where a number is missing or cannot be: such a floor was never measured.
/// @errors those of Hdf5Reader, of the shares by point alone
[[nodiscard]] Result<std::optional<NoiseFloor>> readNoiseFloor(const Hdf5Reader& file, const std::string& group);

/// The same of a map's agreement with the other maps of its set.
[[nodiscard]] Status writeOthers(Hdf5Writer& file, const std::string& group, const MapAgreement& others,
                                 const std::vector<float>& byPoint);
[[nodiscard]] Result<std::optional<MapAgreement>> readOthers(const Hdf5Reader& file, const std::string& group,
                                                             std::vector<float>& byPoint);

} // namespace headscope
