// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/check/file_walk.h"

#include "model/io/check/dataset_check.h"
#include "model/io/check/hdf5_reason.h"
#include "model/io/check/time_limit.h"
#include "model/io/hdf5/external_links.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace headscope::check
{
namespace
{

constexpr std::size_t kDeepest = 64;
constexpr std::int64_t kMaxPaths = 1'000'000;
constexpr std::size_t kLongestTarget = std::size_t{1} << 16;

herr_t addLinkName(hid_t, const char* name, const H5L_info_t*, void* data)
{
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
}

class Walk
{
public:
    Walk(hid_t file, std::uint64_t fileBytes) : m_file(file), m_datasets(fileBytes) {}

    /// All below a group; false: m_finding says why not.
    [[nodiscard]] bool group(const std::string& path);
    /// What can be asked of all datasets together.
    [[nodiscard]] bool end() { return m_datasets.checkPlaces(m_finding); }
    [[nodiscard]] Finding& finding() { return m_finding; }

private:
    [[nodiscard]] bool link(const std::string& path);
    [[nodiscard]] bool object(const std::string& path);

    bool fails(const std::string& place, const std::string& doing)
    {
        m_finding = findingOf(place, doing);
        return false;
    }
    bool refuse(const std::string& place, const std::string& reason)
    {
        m_finding = {Finding::Kind::Damaged, 0, place, reason};
        return false;
    }

    hid_t m_file;
    DatasetCheck m_datasets;
    Finding m_finding;
    std::vector<haddr_t> m_above; ///< addresses of the groups on the path
    std::int64_t m_paths = 0;
};

bool Walk::group(const std::string& path)
{
    const std::string name = path.empty() ? "/" : path;
    const Closing group(H5Gopen2(m_file, name.c_str(), H5P_DEFAULT), H5Gclose);
    H5O_info_t info = {};
    if (!group.valid() || H5Oget_info2(group.id(), &info, H5O_INFO_BASIC) < 0)
        return fails(name, "opening the group");
    if (std::find(m_above.begin(), m_above.end(), info.addr) != m_above.end())
        return refuse(name, "expected nested groups, found a group that contains itself");
    if (m_above.size() == kDeepest)
        return refuse(name, "expected at most " + std::to_string(kDeepest) + " levels of nested groups, found more");
    if (!checkAttributes(group.id(), name, m_finding))
        return false;
    std::vector<std::string> names;
    if (H5Literate(group.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, addLinkName, &names) < 0)
        return fails(name, "listing the group");
    m_above.push_back(info.addr);
    const bool good =
        std::all_of(names.begin(), names.end(), [&](const std::string& step) { return link(path + "/" + step); });
    m_above.pop_back();
    return good;
}

bool Walk::link(const std::string& path)
{
    if (++m_paths > kMaxPaths)
        return refuse("", "expected at most " + std::to_string(kMaxPaths) + " objects, found more");
    H5L_info_t info = {};
    if (H5Lexists(m_file, path.c_str(), H5P_DEFAULT) <= 0 || H5Lget_info(m_file, path.c_str(), &info, H5P_DEFAULT) < 0)
        return fails(path, "reading the link");
    if (info.type == H5L_TYPE_HARD)
        return object(path);
    if (info.type != H5L_TYPE_SOFT) // into another file: never followed
        return true;
    if (info.u.val_size > kLongestTarget)
        return refuse(path,
                      "expected the path that a link leads to, found " + std::to_string(info.u.val_size) + " bytes");
    std::vector<char> target(info.u.val_size + 1, '\0');
    if (H5Lget_val(m_file, path.c_str(), target.data(), info.u.val_size, H5P_DEFAULT) < 0)
        return fails(path, "reading the link");
    return H5Oexists_by_name(m_file, path.c_str(), H5P_DEFAULT) <= 0 || object(path); // to nowhere, or into a file
}

bool Walk::object(const std::string& path)
{
    allowTime(0);
    const Closing object(H5Oopen(m_file, path.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.valid())
        return fails(path, "opening");
    switch (H5Iget_type(object.id()))
    {
    case H5I_GROUP:
        return group(path);
    case H5I_DATASET:
        return checkAttributes(object.id(), path, m_finding) && m_datasets.check(m_file, path, m_finding);
    default:
        return checkAttributes(object.id(), path, m_finding);
    }
}

} // namespace

Finding walkFile(const char* path, std::uint64_t fileBytes)
{
    constexpr hid_t kDefaultStack = 0; // H5E_DEFAULT, whose macro holds an old-style cast
    // What HDF5 keeps of a walk before would be used again.
    if (H5open() < 0 || !refuseExternalLinks() || H5garbage_collect() < 0)
        return {Finding::Kind::Memory, 0, "", "HDF5 does not start"};
    H5Eset_auto2(kDefaultStack, nullptr, nullptr);
    allowTime(0);
    Closing file(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.valid())
        return findingOf("", "opening");
    Walk walk(file.id(), fileBytes);
    if (walk.group("") && walk.end() && !file.close())
        return findingOf("", "closing");
    return walk.finding();
}

} // namespace headscope::check
