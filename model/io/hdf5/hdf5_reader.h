// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_objects.h"
#include "model/io/hdf5/hdf5_open.h"
#include "model/io/hdf5/number_type.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

class CacheDraft;
struct VectorsInfo;

/// Receives rows of a dataset in order, as raw numbers.
using RowVisitor = std::function<Status(std::int64_t begin, std::int64_t count, std::span<const std::byte> raw)>;

/// An HDF5 file opened for reading, which hands out nothing that it has not verified.
///
/// A dataset that has a checksum, in the file's own table or from expect(), is compared with it when any of it is first
/// read, and not again. What a seal covers was verified before the file was opened; numbers that it leaves out and that
/// have no checksum are refused. Of a file without seal and checksums, which another program wrote, nobody knows.
/// @threads any
class Hdf5Reader : public Hdf5Objects
{
public:
    /// Through openHdf5ForReading, whose errors and cost are those of this. Attributes that have checksums are
    /// verified, but for those of the root and of /model, which a newer version may have more of: whoever reads them
    /// asks for the version first.
    /// @errors BadFormat too (a table of checksums that does not fit together, other attributes)
    [[nodiscard]] static Result<Hdf5Reader> open(const std::filesystem::path& path, JobContext& job);
    /// A part file of this process, as it is: openOwnPart.
    [[nodiscard]] static Result<Hdf5Reader> openOwn(const std::filesystem::path& part);
    Hdf5Reader(Hdf5Reader&&) noexcept = default;
    Hdf5Reader& operator=(Hdf5Reader&&) = delete;
    ~Hdf5Reader() = default;

    /// Whether a seal was verified when the file was opened.
    [[nodiscard]] SealState seal() const { return m_seal.state; }
    /// The table of checksums that the file carries; empty when it has none.
    [[nodiscard]] const ChecksumTable& checksums() const { return m_known->table; }
    /// Adds checksums that stand elsewhere, before anything is read.
    void expect(const ChecksumTable& checksums);

    /// Compares a dataset, or the attributes of a name that ends in '@', with its checksum unless that was done.
    /// Reading does it by itself; this is for what is copied, and for jobs that may be stopped.
    /// @errors BadFormat (other data, damaged; missing), Resource, Cancelled
    /// @cost   one read of the dataset
    [[nodiscard]] Status verify(const std::string& name, JobContext& job) const;
    /// The digest of a dataset, or of attributes for a name that ends in '@', whatever its checksum is.
    /// @errors BadFormat, Unsupported (neither numbers nor text), Resource, Cancelled
    [[nodiscard]] Result<std::string> digest(const std::string& name, JobContext& job) const;

    /// Rows [begin, begin + count) of a dataset of numbers, converted to `as` in memory, verified.
    /// @param into  count * rowSize numbers of type `as`
    /// @errors BadFormat (damaged, no such rows), Unsupported, Resource
    [[nodiscard]] Status readRows(const std::string& dataset, std::int64_t begin, std::int64_t count, NumberType as,
                                  std::span<std::byte> into) const;
    /// Rows [begin, begin + count) of a one-dimensional dataset of strings, verified.
    /// @param mostBytes  of all strings together: a file of few bytes may name one long string many times
    /// @errors BadFormat (missing, damaged, longer than that), OutOfMemory
    [[nodiscard]] Result<std::vector<std::string>>
    readStrings(const std::string& dataset, std::int64_t begin, std::int64_t count,
                std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max()) const;

private:
    friend class CacheDatasets;
    friend Status copyChecked(const Hdf5Reader& file, const VectorsInfo& vectors, std::int64_t begin,
                              CacheDraft& target, JobContext& job);

    /// What is known of the file, and what of it was verified.
    struct Known
    {
        ChecksumTable table;
        std::mutex mutex;               ///< guards the one below
        std::set<std::string> verified; ///< datasets, and attributes as "PATH@"
    };

    Hdf5Reader(std::filesystem::path path, OpenHdf5 opened, bool own);

    [[nodiscard]] Status readTable();
    [[nodiscard]] Status verifyAttributes() const;
    /// What a dataset has still to be compared with; nothing: it was, or nothing is known of it.
    /// @errors BadFormat (numbers that neither seal nor checksum protects, of a sealed file)
    [[nodiscard]] Result<std::optional<std::string>> expected(const std::string& name) const;
    /// Remembers a digest that is right.
    [[nodiscard]] Status accept(const std::string& name, const std::string& expected, const std::string& found) const;
    /// Reads rows [begin, end) of numbers in pieces of some 8 MB.
    /// @param place  room for all of them; empty: each piece takes the place of the one before
    [[nodiscard]] Status readPieces(const std::string& dataset, std::int64_t begin, std::int64_t end,
                                    std::span<std::byte> place, const RowVisitor& visit, JobContext& job) const;
    [[nodiscard]] Result<std::string> digestOfNumbers(const std::string& dataset, std::span<std::byte> place,
                                                      const RowVisitor& visit, JobContext& job) const;

    /// Shows rows [begin, end) of a dataset in pieces of some 8 MB, and rows beside them where all have to be read for
    /// the checksum. For whoever drops what was shown when this fails: only then are they known to be damaged.
    /// @param place  room for the bytes of all rows, for whoever wants them all as they lie: they are read there. Else
    ///               empty
    /// @errors BadFormat, Resource, Cancelled, and those of visit
    [[nodiscard]] Status visitRows(const std::string& dataset, std::int64_t begin, std::int64_t end,
                                   const RowVisitor& visit, JobContext& job, std::span<std::byte> place = {}) const;

    CheckedSeal m_seal;
    bool m_own = false;
    std::unique_ptr<Known> m_known;
};

/// All numbers of a dataset, converted to T (float, double, int32, int64, uint8, uint16), verified.
template <class T>
[[nodiscard]] Result<std::vector<T>> readNumbers(const Hdf5Reader& file, const std::string& dataset);

} // namespace headscope
