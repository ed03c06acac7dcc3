// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/frame_output.h"

#include "app/results/provenance.h"
#include "app/shell/wrong_use.h"
#include "model/base/file_ending.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/frame_text.h"
#include "model/io/frames/frame_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace headscope
{
namespace
{

/// ".csv" of X.csv and of X.CSV.
std::string endingOf(const std::filesystem::path& target)
{
    std::string ending = target.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

Status writeHdf5(const std::filesystem::path& target, const std::string& group, const Frame& frame,
                 const Provenance& provenance, std::span<const NamedMatrix> matrices)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(writeFrame(file, group, frame));
    for (const NamedMatrix& matrix : matrices)
        HEADSCOPE_CHECK(writeMatrix(file, fmt::format("/{}/{}", group, matrix.name), *matrix.values));
    Members facts = provenance.facts();
    if (!provenance.inputHash().empty())
        facts.emplace_back("input_hash", provenance.inputHash());
    HEADSCOPE_CHECK(writeFacts(file, group, facts));
    return file.publish();
}

} // namespace

Status writeFrameFile(const std::filesystem::path& target, const Frame& frame, const Provenance& provenance,
                      std::span<const NamedMatrix> matrices, CsvTexts texts, const std::string& group)
{
    const std::string ending = endingOf(target);
    if (ending == ".csv")
        return writeCsvFile(target, frameCsv(frame, texts));
    if (ending != ".tex")
        return writeHdf5(target, group.empty() ? std::string(frame.about().key) : group, frame, provenance, matrices);
    LatexText comments;
    for (const std::string& line : provenance.lines())
        comments += latexComment(line);
    return writeLatexFile(target, frameLatexFile(frame) + comments);
}

bool isTextTable(const std::filesystem::path& target)
{
    const std::string ending = endingOf(target);
    return ending == ".csv" || ending == ".tex";
}

Status checkTableOutput(const std::string& output, const CommonOptions& common, OutputKinds kinds)
{
    if (output.empty())
        return {};
    const auto ending = std::filesystem::path(output).extension();
    if (ending != ".csv" && ending != ".tex" && !hasHdf5Ending(output))
        return shell::wrongUse("-o", fmt::format("expected a name ending in {}, found \"{}\"",
                                                 kinds == OutputKinds::Tables ? ".csv, .tex or .h5"
                                                                              : ".csv, .tex, .h5, .png, .pdf or .svg",
                                                 output));
    return checkOutputPath(output, common.overwrite);
}

} // namespace headscope
