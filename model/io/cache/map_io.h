// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"
#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/records/record_fields.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <string>
#include <vector>

namespace headscope
{

/// The attributes of a map's group, and its shares by point. A floor, a trust or an agreement that lacks a number, or
/// has one that cannot be, was never measured.
void fields(RecordFields& record, MapTrust& trust);
void fields(RecordFields& record, NoiseFloor& floor);
void fields(RecordFields& record, MapAgreement& others); ///< with the other maps of a set
void fields(RecordFields& record, HeadMap& map);
void fields(RecordFields& record, MapOfSet& each); ///< what it has beside its map
void fields(RecordFields& record, HeadMapSet& set);

/// Writes /maps/NAME: xy [P, 2] float32, document [P] and head [P] int32, parameters and, where they
/// were measured, the numbers of its trust as attributes.
Status writeMapGroup(Hdf5Writer& file, const HeadMap& map);

/// Writes an aligned set: /maps/NAME/start [N, 2] float32, and each map below it as writeMapGroup
/// does, /maps/NAME/s1_h00/{xy, document, head}; the full vector's has no head. The set carries the
/// attributes aligned (its number of maps), hash and full, each map its correlation.
Status writeMapSetGroup(Hdf5Writer& file, const HeadMapSet& set);

/// The group of a map: /maps/NAME, or /maps/SET/MEMBER for the name "SET/MEMBER".
[[nodiscard]] std::string mapGroup(const Hdf5Reader& file, const std::string& name);

/// Whether a group below /maps is an aligned set, not a map.
[[nodiscard]] bool isMapSet(const Hdf5Reader& file, const std::string& group);

/// Reads /maps/NAME back; attributes that are missing keep their defaults, but for affinities: those are
/// what the versions made that did not name them. "SET/MEMBER" names a map
/// of a set.
/// @errors BadFormat (no such map, shapes that do not fit together)
[[nodiscard]] Result<HeadMap> readMapGroup(const Hdf5Reader& file, const std::string& name);

/// The maps of a set as "SET/MEMBER", that of the full vector first, then by name.
[[nodiscard]] std::vector<std::string> mapSetMembers(const Hdf5Reader& file, const std::string& name);

/// Reads an aligned set back.
/// @errors BadFormat (no map, one without documents, shapes that do not fit together)
[[nodiscard]] Result<HeadMapSet> readMapSetGroup(const Hdf5Reader& file, const std::string& name);

/// The options of a t-SNE as attributes of an object.
/// @param who  kRecordUse: what a map says; with kIdentityUse what the state of a run is known by, too
Status writeTsneOptions(Hdf5Writer& file, const std::string& object, const TsneOptions& options,
                        unsigned who = kRecordUse);

/// Those attributes back; what is missing keeps its default.
/// @param unnamed  the affinities where the object does not name them
[[nodiscard]] TsneOptions readTsneOptions(const Hdf5Reader& file, const std::string& object,
                                          TsneAffinities unnamed = TsneAffinities::Sparse, unsigned who = kRecordUse);

} // namespace headscope
