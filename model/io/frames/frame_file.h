// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <string>

namespace headscope
{

/// Writes a table as a group of columns: a dataset of int64 (Index, Count), of float64, or of strings for each slot of
/// files, named by its header with underscores. Where a whole number is missing, its column is float64 with NaN. A
/// table without rows has no datasets.
/// @param group  "heads"; made if it is not there
[[nodiscard]] Status writeFrame(Hdf5Writer& file, const std::string& group, const Frame& frame);

/// Writes a matrix as a float64 dataset.
[[nodiscard]] Status writeMatrix(Hdf5Writer& file, const std::string& dataset, const MatrixD& matrix);

/// Writes facts as attributes of a group or of the root ("/"): texts, whole and real numbers, flags as 0 and 1.
[[nodiscard]] Status writeFacts(Hdf5Writer& file, const std::string& group, const Members& facts);

/// Reads what writeFrame wrote: the columns of the description that are there. What is of the run alone (columns one a
/// topic) is not read.
/// @errors BadFormat (no such group, columns of different length, of another kind), Resource
[[nodiscard]] Result<Frame> readFrame(const Hdf5Reader& file, const std::string& group, const FrameInfo& about);

} // namespace headscope
