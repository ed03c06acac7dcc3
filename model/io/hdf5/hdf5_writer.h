// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/output/output_file.h"
#include "model/base/result.h"
#include "model/io/hdf5/hdf5_handle.h"
#include "model/io/hdf5/hdf5_open.h"
#include "model/io/hdf5/number_type.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Writes an HDF5 file under a part name and publishes it whole, or leaves nothing.
///
/// The first failure is kept: after it every function returns it, and publish() removes the part
/// file. That is necessary: after a full disk HDF5 closes a file with success and the file opens
/// again, with wrong numbers in it.
/// @threads one at a time
class Hdf5Writer
{
public:
    /// Starts a new file that will become `target`.
    /// @errors those of OutputFile::create
    [[nodiscard]] static Result<Hdf5Writer> create(const std::filesystem::path& target);
    /// Starts a new file in an empty part file.
    [[nodiscard]] static Result<Hdf5Writer> create(OutputFile output);
    /// Goes on with a part file that another writer has handed over.
    [[nodiscard]] static Result<Hdf5Writer> goOn(OutputFile output);
    /// Starts from a copy of `target` that will replace it.
    /// @errors those of checkHdf5, which tries it first
    [[nodiscard]] static Result<Hdf5Writer> copyOf(const std::filesystem::path& target, JobContext& job);
    Hdf5Writer(Hdf5Writer&&) noexcept = default;
    Hdf5Writer& operator=(Hdf5Writer&&) = delete;
    /// Removes the part file unless it was published.
    ~Hdf5Writer();

    [[nodiscard]] const std::filesystem::path& target() const { return m_output.target(); }

    /// Creates a group and those above it, where they are missing.
    Status makeGroup(const std::string& group);
    /// Removes a group or dataset where it exists (its space in the file is not given back).
    Status remove(const std::string& object);
    /// Creates a contiguous dataset and the groups above it; its numbers are undefined until written.
    Status createDataset(const std::string& dataset, std::span<const std::int64_t> shape, NumberType type);
    /// The same, with its place in the file fixed now: its numbers may be written there while no writer has the file.
    /// @return  the byte at which it begins; 0 where it has no numbers
    [[nodiscard]] Result<std::uint64_t> reserveDataset(const std::string& dataset, std::span<const std::int64_t> shape,
                                                       NumberType type);
    /// Writes rows [begin, begin + count) of a dataset made by createDataset.
    /// @param from  raw numbers as they lie in memory; their type is that of createDataset
    Status writeRows(const std::string& dataset, std::int64_t begin, std::int64_t count,
                     std::span<const std::byte> from);
    /// Creates and fills a dataset.
    Status write(const std::string& dataset, std::span<const std::int64_t> shape, NumberType type,
                 std::span<const std::byte> from);
    /// Creates and fills a dataset of variable-length UTF-8 strings. A string ends at a NUL in HDF5:
    /// NUL is written as U+2400, the symbol for it.
    Status writeStrings(const std::string& dataset, std::span<const std::string> values);

    Status setAttribute(const std::string& object, const std::string& name, const std::string& value);
    Status setAttribute(const std::string& object, const std::string& name, std::int64_t value);
    Status setAttribute(const std::string& object, const std::string& name, double value);
    /// A list of UTF-8 strings, which may be empty.
    Status setListAttribute(const std::string& object, const std::string& name, std::span<const std::string> values);

    /// Flushes and closes the part file without making it visible.
    /// @return  its path, for a check of what was written
    [[nodiscard]] Result<std::filesystem::path> finish();
    /// finish(), then hands the part file over: this writer is of no use any more.
    [[nodiscard]] Result<OutputFile> handOver();
    /// Opens the part file again after finish().
    Status reopen();
    /// finish(), then renames the part file over the target.
    /// @param beforeRename  sees the closed part file last (may be empty)
    [[nodiscard]] Status publish(const std::function<Status(const std::filesystem::path&)>& beforeRename = {});

private:
    struct OpenDataset
    {
        Hdf5Handle handle;
        std::vector<std::int64_t> shape;
        NumberType type = NumberType::F32;
    };

    Hdf5Writer(OutputFile output, Hdf5Handle file);
    static Result<Hdf5Writer> openIn(OutputFile output, OwnPart how, const char* doing);
    Status addDataset(const std::string& dataset, std::span<const std::int64_t> shape, NumberType type,
                      const Hdf5Handle& properties);
    [[nodiscard]] Status fail(const std::string& place, const char* doing);
    /// One value, or (count) a list of so many.
    Status writeAttribute(const std::string& object, const std::string& name, Hdf5Id type, const void* value,
                          std::optional<std::size_t> count = {});
    void dropHandles();
    /// false: HDF5 could not write what it still held of them.
    [[nodiscard]] bool closeDatasets();

    OutputFile m_output; ///< the part file goes with it, after the handles
    Hdf5Handle m_file;
    std::map<std::string, OpenDataset> m_datasets;
    std::optional<Error> m_failed;
};

} // namespace headscope
