// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_door.h"
#include "model/io/hdf5/hdf5_handle.h"
#include "model/io/hdf5/number_type.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// What a dataset holds, before any of it is read.
struct DatasetInfo
{
    std::vector<std::int64_t> shape;  ///< empty for a single value
    std::optional<NumberType> number; ///< none when it holds no numbers we know
    bool text = false;                ///< strings, of fixed or variable length

    [[nodiscard]] std::int64_t rows() const { return shape.empty() ? 1 : shape.front(); }
    /// Numbers in one row: the product of the other extents.
    [[nodiscard]] std::int64_t rowSize() const;
    /// "[192, 9, 64] float16", for sentences.
    [[nodiscard]] std::string describe() const;
};

/// An HDF5 file opened for reading. Each function is one guarded sequence of HDF5 calls; every
/// return code is checked and every failure is a sentence with file and place.
///
/// Data that is not in the file itself (external links, external storage, virtual datasets) is
/// refused: HDF5 would give zeros where such a source is missing.
/// @threads any, one HDF5 call sequence of the process at a time
class Hdf5Reader
{
public:
    /// Through openHdf5ForReading, whose errors and cost are those of this.
    [[nodiscard]] static Result<Hdf5Reader> open(const std::filesystem::path& path, JobContext& job);
    /// A part file of this process: openOwnPart.
    [[nodiscard]] static Result<Hdf5Reader> openOwn(const std::filesystem::path& part);
    Hdf5Reader(Hdf5Reader&&) noexcept = default;
    Hdf5Reader& operator=(Hdf5Reader&&) = delete;
    ~Hdf5Reader();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::uint64_t fileBytes() const { return m_fileBytes; }
    /// Whether a seal was verified when the file was opened.
    [[nodiscard]] SealState seal() const { return m_seal; }

    /// Whether there is a group or dataset of this path; false also behind external links.
    [[nodiscard]] bool has(const std::string& object) const;
    [[nodiscard]] bool isDataset(const std::string& object) const;
    /// Names of the links of a group in the order of their bytes; empty when there is no such group.
    [[nodiscard]] std::vector<std::string> names(const std::string& group) const;

    /// @errors BadFormat (missing, damaged, larger than the file can hold), Unsupported
    [[nodiscard]] Result<DatasetInfo> describe(const std::string& dataset) const;
    /// Rows [begin, begin + count) of a dataset of numbers, converted to `as` in memory. The halves
    /// come as they lie; other types are converted by HDF5.
    /// @param into  count * rowSize numbers of type `as`
    [[nodiscard]] Status readRows(const std::string& dataset, std::int64_t begin, std::int64_t count, NumberType as,
                                  std::span<std::byte> into) const;
    /// Rows [begin, begin + count) of a one-dimensional dataset of strings.
    /// @param mostBytes  of all strings together: a file of few bytes may name one long string many times
    /// @errors BadFormat (missing, damaged, longer than that), OutOfMemory
    [[nodiscard]] Result<std::vector<std::string>>
    readStrings(const std::string& dataset, std::int64_t begin, std::int64_t count,
                std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max()) const;

    /// Where the numbers of a contiguous dataset lie in the file; nothing for text, small sets (below
    /// 512 bytes) and chunked ones.
    [[nodiscard]] std::optional<FileRegion> region(const std::string& dataset) const;

    /// A scalar attribute of a group or dataset; nothing when it is absent or of another kind.
    [[nodiscard]] std::optional<std::string> textAttribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] std::optional<std::int64_t> integerAttribute(const std::string& object,
                                                               const std::string& name) const;
    [[nodiscard]] std::optional<double> numberAttribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] std::vector<std::string> attributeNames(const std::string& object) const;

private:
    Hdf5Reader(std::filesystem::path path, OpenHdf5 opened);

    [[nodiscard]] Result<Hdf5Handle> openDataset(const std::string& dataset) const;

    std::filesystem::path m_path;
    Hdf5Handle m_file;
    std::uint64_t m_fileBytes = 0;
    SealState m_seal = SealState::None;
};

/// All numbers of a dataset, converted to T (float, double, int32, int64, uint8, uint16).
template <class T>
[[nodiscard]] Result<std::vector<T>> readNumbers(const Hdf5Reader& file, const std::string& dataset);

} // namespace headscope
