// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/hdf5/file_seal.h"
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

/// What an open HDF5 file holds: its groups, datasets and attributes. Each function is one guarded sequence of HDF5
/// calls; every return code is checked and every failure is a sentence with file and place.
///
/// Data that is not in the file itself (external links, external storage, virtual datasets) is
/// refused: HDF5 would give zeros where such a source is missing. Numbers and texts as they lie in the file are for
/// Hdf5Reader alone, which verifies what it hands out.
/// @threads any, one HDF5 call sequence of the process at a time
class Hdf5Objects
{
public:
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::uint64_t fileBytes() const { return m_fileBytes; }

    /// Whether there is a group or dataset of this path; false also behind external links.
    [[nodiscard]] bool has(const std::string& object) const;
    [[nodiscard]] bool isDataset(const std::string& object) const;
    /// Names of the links of a group in the order of their bytes; empty when there is no such group.
    [[nodiscard]] std::vector<std::string> names(const std::string& group) const;

    /// @errors BadFormat (missing, damaged, larger than the file can hold), Unsupported
    [[nodiscard]] Result<DatasetInfo> describe(const std::string& dataset) const;

    /// Where the numbers of a contiguous dataset lie in the file; nothing for text, small sets (below
    /// 512 bytes) and chunked ones.
    [[nodiscard]] std::optional<FileRegion> region(const std::string& dataset) const;

    /// A scalar attribute of a group or dataset; nothing when it is absent or of another kind.
    [[nodiscard]] std::optional<std::string> textAttribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] std::optional<std::int64_t> integerAttribute(const std::string& object,
                                                               const std::string& name) const;
    [[nodiscard]] std::optional<double> numberAttribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] std::vector<std::string> attributeNames(const std::string& object) const;

protected:
    Hdf5Objects(std::filesystem::path path, Hdf5Handle file, std::uint64_t bytes);
    Hdf5Objects(Hdf5Objects&&) noexcept = default;
    Hdf5Objects& operator=(Hdf5Objects&&) = delete;
    ~Hdf5Objects();

    /// Rows [begin, begin + count) of a dataset of numbers, converted to `as` in memory. The halves
    /// come as they lie; other types are converted by HDF5.
    /// @param into  count * rowSize numbers of type `as`
    [[nodiscard]] Status rowsAsTheyLie(const std::string& dataset, std::int64_t begin, std::int64_t count,
                                       NumberType as, std::span<std::byte> into) const;
    /// Rows [begin, begin + count) of a one-dimensional dataset of strings.
    [[nodiscard]] Result<std::vector<std::string>>
    stringsAsTheyLie(const std::string& dataset, std::int64_t begin, std::int64_t count,
                     std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max()) const;

private:
    [[nodiscard]] Result<Hdf5Handle> openDataset(const std::string& dataset) const;

    std::filesystem::path m_path;
    Hdf5Handle m_file;
    std::uint64_t m_fileBytes = 0;
};

} // namespace headscope
