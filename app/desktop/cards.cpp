// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/cards.h"

#include "ui/wording.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::desktop
{
namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("headscope::desktop::Cards", text);
}

} // namespace

ui::HoverContent documentCard(const Study& study, std::int64_t document, std::optional<std::int64_t> head, Stage stage)
{
    ui::HoverContent content;
    const ui::CacheOverview& overview = *study.cache()->overview;
    const DocumentSet& documents = *overview.documents;
    const auto index = static_cast<std::size_t>(document);
    if (head)
    {
        content.color = study.palette().color(HeadIndex(*head));
        content.title = ui::unitText(stage, HeadIndex(*head));
        content.detail = tr("KV%1").arg(shownNumber(overview.model.groupOf(HeadIndex(*head))));
    }
    if (const LabelColumn* column = documents.label(study.labelColumn()))
        content.subtitle = ui::toQString(column->category(index));
    content.text =
        documents.texts.empty() ? ui::toQString(documents.ids[index]) : ui::firstLine(documents.texts[index]);
    return content;
}

ui::HoverContent headVectorCard(const Study& study, std::int64_t document, std::int64_t head, Stage stage)
{
    ui::HoverContent content = documentCard(study, document, head, stage);
    if (study.source().strengths != nullptr && stage == study.stage())
    {
        const float strength = study.source().strengths->values(document, head);
        content.detail +=
            tr(" · strength %1, top %2 %")
                .arg(ui::numberText(static_cast<double>(strength)))
                .arg(std::max(1, static_cast<int>(std::ceil(100 * study.source().strengths->topShare(strength)))));
    }
    return content;
}

} // namespace headscope::desktop
