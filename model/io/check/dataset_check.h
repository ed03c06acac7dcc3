// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/check/file_walk.h"

#include <hdf5.h>

#include <map>
#include <string>
#include <vector>

namespace headscope::check
{

/// Reads every attribute that is a single text or number.
/// @return  false: `finding` says what is wrong
[[nodiscard]] bool checkAttributes(hid_t object, const std::string& place, Finding& finding);

/// Reads datasets one after another, and keeps where they lie.
class DatasetCheck
{
public:
    explicit DatasetCheck(std::uint64_t fileBytes) : m_fileBytes(fileBytes) {}

    /// @return  false: `finding` says what is wrong
    [[nodiscard]] bool check(hid_t file, const std::string& path, Finding& finding);
    /// Whether the numbers of two datasets lie in the same bytes.
    [[nodiscard]] bool checkPlaces(Finding& finding) const;

private:
    struct Opened;
    struct Region
    {
        std::uint64_t size = 0;
        std::string path;
        haddr_t object = 0; ///< two paths may lead to one dataset
    };

    [[nodiscard]] bool keepPlace(const Opened& dataset, Finding& finding);
    [[nodiscard]] bool readNumbers(const Opened& dataset, Finding& finding) const;
    [[nodiscard]] bool readStrings(const Opened& dataset, Finding& finding);
    [[nodiscard]] bool readChunks(const Opened& dataset, Finding& finding) const;
    /// One piece of a dataset as it lies.
    [[nodiscard]] bool readPiece(const Opened& dataset, const std::vector<hsize_t>& start,
                                 const std::vector<hsize_t>& extent, Finding& finding) const;
    /// The first and the last row, in every type of number that a program may ask for.
    [[nodiscard]] bool probe(const Opened& dataset, Finding& finding) const;

    std::uint64_t m_fileBytes;
    std::uint64_t m_textBytes = 0; ///< of all strings so far
    std::map<haddr_t, Region> m_regions;
};

} // namespace headscope::check
