// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/cards.h"

#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headscope::desktop
{
namespace
{

using ui::tr;

/// The line around the first hit of the search in place of the first line. A card is made on every
/// move: no more than the beginning of a long text is looked at.
void showHit(const ui::TextQuery& query, std::string_view text, ui::HoverContent& content)
{
    constexpr std::size_t kLookedAt = 20'000;
    const QString beginning = ui::toQString(text.substr(0, kLookedAt));
    const ui::HitLine line = ui::lineAround(beginning, query.hitsIn(beginning));
    if (line.hits.empty())
        return;
    content.text = line.text;
    for (const ui::TextSpan& hit : line.hits)
        content.hits.emplace_back(static_cast<int>(hit.start), static_cast<int>(hit.start + hit.length));
}

} // namespace

ui::HoverContent documentCard(const Study& study, DocumentIndex document, std::optional<HeadIndex> head, Stage stage)
{
    ui::HoverContent content;
    const ui::CacheOverview& overview = *study.cache()->overview;
    const DocumentSet& documents = *overview.documents;
    const auto index = document.index();
    if (document.value() < 0 || document.value() >= documents.count())
        return content;
    if (head)
    {
        content.color = study.palette().color(*head);
        content.title = ui::unitText(stage, *head);
        content.detail = ui::groupTag(overview.model, stage, *head);
    }
    if (const LabelColumn* column = documents.label(study.labelColumn()))
        content.subtitle = ui::toQString(column->category(index));
    content.text =
        documents.texts.empty() ? ui::toQString(documents.ids[index]) : ui::firstLine(documents.texts[index]);
    if (const ui::TextQuery& query = study.window().selection().query(); !query.isEmpty() && !documents.texts.empty())
        showHit(query, documents.texts[index], content);
    return content;
}

ui::HoverContent headVectorCard(const Study& study, DocumentIndex document, HeadIndex head, Stage stage)
{
    ui::HoverContent content = documentCard(study, document, head, stage);
    const auto& strengths = study.source().strengths;
    if (strengths != nullptr && stage == study.stage() && document.value() < strengths->values.rows() &&
        head.value() < strengths->values.cols())
    {
        const float strength = strengths->values(document.value(), head.value());
        if (!content.detail.isEmpty())
            content.detail += QStringLiteral(" · ");
        content.detail += tr("norm %1, top %2%")
                              .arg(ui::numberText(static_cast<double>(strength)))
                              .arg(std::max(1, static_cast<int>(std::ceil(100 * strengths->topShare(strength)))));
    }
    return content;
}

} // namespace headscope::desktop
