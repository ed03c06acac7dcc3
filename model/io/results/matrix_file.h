// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Where a plain array lies: "FILE.h5:/path" or "FILE.npy".
struct ArraySource
{
    std::filesystem::path file;
    std::string dataset; ///< empty for .npy
};

/// @errors WrongUse (neither form)
[[nodiscard]] Result<ArraySource> parseArraySource(std::string_view text);

/// A matrix of real numbers as float32, [N, D]; float16, float32, float64 (rounded) and integers.
/// Where the file has a checksum of it, it is verified.
/// @errors BadFormat (no such dataset, another rank, no numbers, no row or no column,
///         damaged), WrongUse, those of Hdf5Reader::open
[[nodiscard]] Result<MatrixF> readMatrix(std::string_view source, JobContext& job);

/// A vector of integers, [N].
/// @errors as readMatrix; BadFormat for real numbers
[[nodiscard]] Result<std::vector<std::int64_t>> readIntegers(std::string_view source, JobContext& job);

/// The numbers of a NumPy file (versions 1 to 3, C or Fortran order), row-major. T is float or double.
template <class T>
struct NpyArray
{
    std::vector<std::int64_t> shape;
    bool integers = false;
    std::vector<T> values; ///< as doubles exact for integers up to 2^53; as floats those doubles rounded
};
/// @errors FileNotFound, BadFormat, Unsupported (big-endian, complex, objects)
/// @cost   no memory beside the result in C order; in Fortran order that of the file
template <class T>
[[nodiscard]] Result<NpyArray<T>> readNpy(const std::filesystem::path& path);

} // namespace headscope
