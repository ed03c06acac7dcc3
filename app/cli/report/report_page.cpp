// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_page.h"

#include "app/cli/report/joined_documents.h"
#include "app/cli/report/report_numbers.h"
#include "app/cli/verbs/map_comparison.h"
#include "app/report/page/page.h"
#include "app/results/trust_text.h"
#include "app/shell/quoted_command.h"
#include "model/base/file.h"
#include "model/base/text/fixed_text.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"
#include "model/data/maps/map_text.h"
#include "viz/color/category_palette.h"
#include "viz/color/head_palette.h"
#include "viz/export/pixels/indexed_pixels.h"
#include "viz/export/pixels/svg_pixels.h"

#include <QBuffer>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headscope::cli
{
namespace
{

constexpr std::uint64_t kMaxPicture = std::uint64_t{64} << 20;
constexpr int kScreenPixels = 1400; ///< across: two a point of the widest column

std::uint32_t rgbOf(const QColor& color)
{
    return color.rgb() & 0xFFFFFFU;
}

report::MapColor colorOf(const QColor& light, const QColor& dark)
{
    return {rgbOf(light), rgbOf(dark)};
}

/// The chosen colours on light and on dark screens.
struct Looks
{
    viz::InkTheme light = viz::InkTheme::Light;
    viz::InkTheme dark = viz::InkTheme::Dark;
};

Looks looksOf(const std::string& palette)
{
    const viz::PaletteKind chosen = viz::paletteFromId(QString::fromStdString(palette));
    return {{viz::InkTheme::Light, chosen}, {viz::InkTheme::Dark, chosen}};
}

/// What the page knows of the documents: ids, beginnings of texts, the labels.
report::MapDocuments documentsOf(const DocumentSet& documents, const Looks& looks)
{
    report::MapDocuments all{documents.ids, {}, {}};
    for (const std::string& text : documents.texts)
        all.quotations.push_back(report::quotation(text));
    for (const LabelColumn& label : documents.labels)
    {
        report::MapColumn column{label.name, {}, label.codes};
        const viz::CategoryPalette light(std::ssize(label.categories), looks.light);
        const viz::CategoryPalette dark(std::ssize(label.categories), looks.dark);
        for (std::int64_t code = 0; code < std::ssize(label.categories); ++code)
            column.categories.push_back(
                {label.categories[static_cast<std::size_t>(code)], colorOf(light.color(code), dark.color(code))});
        all.columns.push_back(std::move(column));
    }
    return all;
}

/// The heads of a model, in their hues and shades; segments have the colours of heads and no KV groups.
void addHeads(report::LiveMap& map, const ModelInfo& model, Stage stage, const Looks& looks)
{
    const viz::HeadPalette light(model, looks.light);
    const viz::HeadPalette dark(model, looks.dark);
    for (std::int64_t head = 0; head < model.heads; ++head)
    {
        const HeadIndex index(head);
        map.heads.push_back({std::to_string(head + 1),
                             light.grouped() ? static_cast<std::int32_t>(model.groupOf(index).value()) : -1,
                             colorOf(light.color(index), dark.color(index))});
    }
    for (std::int64_t group = 0; light.grouped() && group < light.groups(); ++group)
        map.groups.push_back(
            {hasKvGroups(model, stage)
                 ? viz::groupName(GroupIndex(group), light.members()).toStdString()
                 : fmt::format("{}\u2013{}", group * light.members() + 1, (group + 1) * light.members()),
             colorOf(light.groupColor(GroupIndex(group)), dark.groupColor(GroupIndex(group)))});
}

/// The computed map that a picture shows, alive.
Result<report::LiveMap> liveMap(const HeadMap& from, const Json& quality, const ModelInfo& model, const Looks& looks)
{
    report::LiveMap map;
    map.title = fmt::format("Stage {}, layer {}", stageName(from.stage), from.layer.value());
    map.rowWord = unitName(from.stage);
    for (std::int64_t i = 0; i < from.xy.rows(); ++i)
    {
        map.x.push_back(static_cast<float>(from.xy(i, 0)));
        map.y.push_back(static_cast<float>(from.xy(i, 1)));
    }
    map.head = from.points->head;
    map.document = from.points->document;
    addHeads(map, model, from.stage, looks);
    map.numbers = {{"points", withCommas(from.xy.rows())},
                   {"perplexity", fmt::format("{:g}", from.options.perplexities.front())},
                   {"iterations", std::to_string(from.iteration)}};
    if (seedMatters(from))
        map.numbers.push_back({"seed", std::to_string(from.options.seed)});
    const Frame trust = frameOf(Json::array({quality}), kTrustFrame);
    for (const Column& column : trust.columns())
        if (column.info->shown == Shown::Share || column.info->shown == Shown::Real)
            if (const double value = column.at(Facet::Value, 0); std::isfinite(value))
                map.numbers.push_back({std::string(column.info->title), fixedText(value, 3)});
    return map;
}

/// A map as pixels: as a shape each, its points would be most of the page.
Result<std::string> pixelsOf(const std::string& svg, const std::filesystem::path& file)
{
    auto image = viz::pixelsOfSvg(QByteArray::fromStdString(svg), kScreenPixels);
    if (!image)
        return std::move(image).error().inFile(file.string());
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!viz::indexedPixels(*image).save(&buffer, "PNG"))
        return Error{ErrorCode::OutOfMemory, "not enough memory for the image", file.string(), {}};
    return buffer.data().toStdString();
}

std::string captionOf(const ReportPart& part)
{
    const std::string caption = textOf(partIfThere(*part.answer, "figure"), "caption");
    return caption.empty() ? part.item.id : caption;
}

report::PageTable tableOf(const ReportTable& table)
{
    report::PageTable shown;
    shown.caption = table.caption;
    const std::vector<FrameCell> cells = paperCells(table.rows);
    ShownTable texts = shownTable(cells);
    for (std::size_t column = 0; column < texts.header.size(); ++column)
        shown.columns.push_back({texts.header[column], texts.isNumeric[column]});
    for (std::size_t row = 0; row < texts.rows.size(); ++row)
    {
        std::vector<bool>& grey = shown.grey.emplace_back();
        for (const FrameCell& cell : cells)
            grey.push_back(isGrey(table, cell, row));
    }
    shown.rows = std::move(texts.rows);
    return shown;
}

/// Makes the page, with a map for each that was computed.
class PageMaker
{
public:
    PageMaker(std::span<const ReportSource> sources, const std::filesystem::path& folder, JobContext& job)
        : m_sources(sources), m_folder(folder), m_job(job),
          m_looks(looksOf(sources.empty() ? std::string("standard") : sources.front().subject.palette))
    {}

    Result<report::HtmlText> make(std::span<const ReportSection> sections, const std::string& title,
                                  const std::string& footer)
    {
        m_page.title = title;
        m_page.footer = footer;
        for (const ReportSource& source : m_sources)
        {
            addFacts(source);
            m_firstRow.push_back(m_documents.add(*source.input.documents));
        }
        m_page.documents = documentsOf(m_documents.all(), m_looks);
        for (const ReportSection& section : sections)
            HEADSCOPE_CHECK(addSection(section));
        return report::reportPage(m_page);
    }

private:
    void addFacts(const ReportSource& source)
    {
        const auto& [input, subject] = source;
        const ModelInfo& model = input.model();
        const std::string side = m_sources.size() == 1 ? "" : subject.number == 0 ? "A: " : "B: ";
        std::vector<report::PageFact> facts = {
            {side + "cache", std::filesystem::path(subject.cache).filename().string()},
            {"model", model.name},
            {"documents", withCommas(input.documents->count())},
            {"layer", std::to_string(subject.layer.value())},
            {"heads", std::to_string(model.heads)},
            {"KV groups", std::to_string(model.kvHeads)},
            {"origin", input.cache->origin().hash}};
        if (!subject.changed.empty())
            facts.push_back({"changed", subject.changed});
        (subject.number == 0 ? m_page.facts : m_page.otherFacts) = facts;
    }

    Status addSection(const ReportSection& section)
    {
        report::PageSection shown;
        shown.heading = section.heading;
        shown.id = section.id;
        shown.isPair = section.isPair;
        for (const std::string& claim : section.claims)
            shown.claims.push_back({claim, {}, {}, {}});
        for (const ReportPart* part : section.others)
        {
            if (!part->leftOut.empty())
                shown.notices.push_back(fmt::format("{} is omitted: {}", part->item.id, part->leftOut));
            if (part->item.topic == ReportTopic::Map && part->answer != nullptr)
                HEADSCOPE_CHECK(addMap(*part));
        }
        for (const ReportPart* part : section.figures)
            HEADSCOPE_CHECK(addFigure(*part, shown));
        for (const ReportTable& table : section.tables)
            shown.tables.push_back(tableOf(table));
        for (const auto* parts : {&section.others, &section.figures})
            for (const ReportPart* part : *parts)
            {
                for (const std::string& notice : part->notices)
                    if (std::ranges::find(shown.notices, notice) == shown.notices.end())
                        shown.notices.push_back(notice);
                shown.command += (shown.command.empty() ? "" : "\n") + commandOf(part->item, {});
            }
        m_page.sections.push_back(std::move(shown));
        return m_job.checkStop();
    }

    Status addMap(const ReportPart& part)
    {
        HEADSCOPE_TRY(const std::optional<HeadMap> map,
                      readNamedMap((m_folder / part.item.output).string() + ":/maps/map/xy", m_job));
        if (!map || map->points->head.empty())
            return Error{ErrorCode::BadFormat,
                         "expected the map that the report wrote before, found another array in its place",
                         (m_folder / part.item.output).string(),
                         {}};
        const ReportSource& source = m_sources[part.item.of];
        HEADSCOPE_TRY(report::LiveMap live,
                      liveMap(*map, partIfThere(*part.answer, "quality"), source.input.model(), m_looks));
        if (!source.subject.name.empty())
            live.title = source.subject.name + ": " + live.title;
        for (std::int32_t& document : live.document)
            document += m_firstRow[part.item.of];
        m_live.emplace_back(part.item.id.substr(0, part.item.id.rfind("-data")), m_page.maps.size());
        m_page.maps.push_back(std::move(live));
        return {};
    }

    Status addFigure(const ReportPart& part, report::PageSection& section)
    {
        report::PageFigure figure;
        figure.name = part.item.id;
        figure.caption = captionOf(part);
        if (m_sources.size() > 1)
            figure.caption = std::string(part.item.of == 0 ? "A. " : "B. ") + figure.caption;
        const auto picture = m_folder / std::filesystem::path(part.item.output).replace_extension(".svg");
        HEADSCOPE_TRY(figure.bytes, readTextFile(picture, kMaxPicture));
        if (part.item.topic == ReportTopic::MapPicture)
        {
            figure.kind = report::FigureKind::Png;
            HEADSCOPE_TRY(figure.bytes, pixelsOf(figure.bytes, picture));
        }
        const auto live = std::ranges::find(m_live, part.item.id, [](const auto& each) { return each.first; });
        if (live != m_live.end())
            figure.live = live->second;
        section.figures.push_back(std::move(figure));
        return {};
    }

    std::span<const ReportSource> m_sources;
    const std::filesystem::path& m_folder;
    JobContext& m_job;
    Looks m_looks;
    JoinedDocuments m_documents;
    std::vector<std::int32_t> m_firstRow; ///< of each source's documents among them
    report::Page m_page;
    std::vector<std::pair<std::string, std::size_t>> m_live; ///< figure that shows a map, its index in the page
};

} // namespace

Result<report::HtmlText> reportPageText(std::span<const ReportSection> sections, std::span<const ReportSource> sources,
                                        const std::filesystem::path& folder, const std::string& title,
                                        const std::string& footer, JobContext& job)
{
    return PageMaker(sources, folder, job).make(sections, title, footer);
}

std::string commandOf(const ReportItem& item, const std::filesystem::path& folder)
{
    std::vector<std::string> words = wordsOf(item, folder);
    if (folder.empty())
        words.front() = recordedPath(words.front(), {});
    words.insert(words.begin(), item.verb);
    return shell::quotedCommand("headscope", words);
}

} // namespace headscope::cli
