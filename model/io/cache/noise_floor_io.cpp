// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/noise_floor_io.h"

#include <array>
#include <span>

namespace headscope
{
namespace
{

bool isShare(const std::optional<double>& value)
{
    return value && *value >= 0 && *value <= 1;
}

/// Nothing where the file has none, or a number that is no share.
std::optional<double> readShare(const Hdf5Reader& file, const std::string& group, const std::string& name)
{
    const auto value = file.numberAttribute(group, name);
    return isShare(value) ? value : std::nullopt;
}

std::optional<MapAgreement> readAgreement(const Hdf5Reader& file, const std::string& group, const std::string& prefix)
{
    const auto neighbors = file.integerAttribute(group, prefix + "_neighbors");
    const auto kept = file.numberAttribute(group, prefix + "_kept");
    const auto correlation = file.numberAttribute(group, prefix + "_correlation");
    if (!neighbors || *neighbors < 0 || !isShare(kept) || !isShare(correlation))
        return std::nullopt;
    return MapAgreement{*neighbors, *kept, *correlation, readShare(file, group, prefix + "_kept_within_heads"),
                        readShare(file, group, prefix + "_correlation_shuffled")};
}

/// Writes a number that may not be known.
Status writeKnown(Hdf5Writer& file, const std::string& group, const std::string& name,
                  const std::optional<double>& value)
{
    return value ? file.setAttribute(group, name, *value) : Status();
}

Status writeAgreement(Hdf5Writer& file, const std::string& group, const std::string& prefix,
                      const MapAgreement& agreement)
{
    HEADSCOPE_CHECK(file.setAttribute(group, prefix + "_neighbors", agreement.neighbors));
    HEADSCOPE_CHECK(file.setAttribute(group, prefix + "_kept", agreement.kept));
    HEADSCOPE_CHECK(file.setAttribute(group, prefix + "_correlation", agreement.correlation));
    HEADSCOPE_CHECK(writeKnown(file, group, prefix + "_kept_within_heads", agreement.keptWithin));
    return writeKnown(file, group, prefix + "_correlation_shuffled", agreement.shuffledCorrelation);
}

Status writeShares(Hdf5Writer& file, const std::string& dataset, const std::vector<float>& shares)
{
    if (shares.empty())
        return {};
    const std::array shape = {static_cast<std::int64_t>(shares.size())};
    return file.write(dataset, shape, NumberType::F32, std::as_bytes(std::span(shares)));
}

/// Empty where the file has none, or numbers that are no shares.
Result<std::vector<float>> readShares(const Hdf5Reader& file, const std::string& dataset)
{
    if (!file.has(dataset))
        return std::vector<float>();
    HEADSCOPE_TRY(auto shares, readNumbers<float>(file, dataset));
    for (const float share : shares)
        if (!(share >= 0 && share <= 1))
            return std::vector<float>();
    return shares;
}

} // namespace

Status writeNoiseFloor(Hdf5Writer& file, const std::string& group, const NoiseFloor& floor)
{
    HEADSCOPE_CHECK(file.setAttribute(group, "noise_floor", floor.noise));
    HEADSCOPE_CHECK(file.setAttribute(group, "noise_floor_twins", floor.twins));
    HEADSCOPE_CHECK(file.setAttribute(group, "noise_floor_seed", static_cast<std::int64_t>(floor.noiseSeed)));
    HEADSCOPE_CHECK(file.setAttribute(group, "noise_floor_least", floor.leastKept));
    HEADSCOPE_CHECK(file.setAttribute(group, "noise_floor_most", floor.mostKept));
    HEADSCOPE_CHECK(writeAgreement(file, group, "noise_floor", floor.mean));
    HEADSCOPE_CHECK(writeKnown(file, group, "noise_floor_sd", floor.keptSd));
    HEADSCOPE_CHECK(writeKnown(file, group, "noise_floor_correlation_least", floor.leastCorrelation));
    HEADSCOPE_CHECK(writeKnown(file, group, "noise_floor_correlation_most", floor.mostCorrelation));
    return writeShares(file, group + kFloorByPoint, floor.keptByPoint);
}

Result<std::optional<NoiseFloor>> readNoiseFloor(const Hdf5Reader& file, const std::string& group)
{
    const auto mean = readAgreement(file, group, "noise_floor");
    const auto twins = file.integerAttribute(group, "noise_floor_twins");
    const auto noise = file.numberAttribute(group, "noise_floor");
    if (!mean || !twins || *twins < 1 || !noise || !(*noise > 0))
        return std::optional<NoiseFloor>();
    NoiseFloor floor;
    floor.mean = *mean;
    floor.leastKept = file.numberAttribute(group, "noise_floor_least").value_or(mean->kept);
    floor.mostKept = file.numberAttribute(group, "noise_floor_most").value_or(mean->kept);
    floor.twins = *twins;
    floor.noise = *noise;
    floor.noiseSeed = static_cast<std::uint64_t>(file.integerAttribute(group, "noise_floor_seed").value_or(0));
    floor.keptSd = readShare(file, group, "noise_floor_sd");
    floor.leastCorrelation = readShare(file, group, "noise_floor_correlation_least");
    floor.mostCorrelation = readShare(file, group, "noise_floor_correlation_most");
    HEADSCOPE_TRY(floor.keptByPoint, readShares(file, group + kFloorByPoint));
    return std::optional<NoiseFloor>(std::move(floor));
}

Status writeOthers(Hdf5Writer& file, const std::string& group, const MapAgreement& others,
                   const std::vector<float>& byPoint)
{
    HEADSCOPE_CHECK(writeAgreement(file, group, "others", others));
    return writeShares(file, group + kOthersByPoint, byPoint);
}

Result<std::optional<MapAgreement>> readOthers(const Hdf5Reader& file, const std::string& group,
                                               std::vector<float>& byPoint)
{
    HEADSCOPE_TRY(byPoint, readShares(file, group + kOthersByPoint));
    return readAgreement(file, group, "others");
}

} // namespace headscope
