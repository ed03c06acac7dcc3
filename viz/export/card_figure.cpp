// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/card_figure.h"

#include "model/data/results/card/card_text.h"
#include "viz/card/card_page.h"
#include "viz/export/figure_text.h"

#include <QPainter>

#include <algorithm>
#include <memory>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr QSizeF kPageInches{8.27, 11.69}; ///< A4
constexpr double kPageMargin = 22;         ///< points

/// What the card says of its cache, for those who find the file.
QString captionOf(const HeadCard& card)
{
    return QStringLiteral("%1 of %2, stage 1, over %3.")
        .arg(wordsOf(cardTitle(card)), modelName(card.model), counted(card.documents, QStringLiteral("document")));
}

} // namespace

Figure figureOfCard(HeadCard card)
{
    const auto kept = std::make_shared<const HeadCard>(std::move(card));
    return [kept](FigureOptions options) -> Result<FigureSpec> {
        fillIn(options, captionOf(*kept), {{QStringLiteral("model"), modelName(kept->model)}});
        options.lower = QStringLiteral("a card fits a page of A4, without --preset");
        const bool isPage = options.sizeInches == FigureOptions{}.sizeInches && options.scale == 1;
        const double margin = isPage ? kPageMargin : 0;
        if (isPage)
            options.sizeInches.setWidth(kPageInches.width());
        const auto page = std::make_shared<const CardPage>(*kept, options.theme.palette());
        const double height = page->height(contentWidth(options) - 2 * margin) + 2 * margin;
        if (isPage)
            options.sizeInches.setHeight(0);
        followContent(options, height);
        if (isPage)
            options.sizeInches.setHeight(std::max(options.sizeInches.height(), kPageInches.height()));
        return FigureSpec{[page, margin](QPainter& painter, const QRectF& box, double) {
                              page->paint(painter, box.adjusted(margin, margin, -margin, -margin));
                          },
                          std::move(options)};
    };
}

} // namespace headscope::viz
