// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/example_model.h"

#include "app/views/head_corpus/token_words.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{

void ExampleModel::setExamples(HeadCorpusPtr corpus, ExampleKind kind)
{
    beginResetModel();
    m_corpus = std::move(corpus);
    m_rows.clear();
    if (m_corpus != nullptr && kind == ExampleKind::Strongest)
        for (const HeadExample& each : m_corpus->top)
            m_rows.push_back({{}, &each, {}, {}});
    if (m_corpus != nullptr && kind == ExampleKind::Deciles)
    {
        const auto bounds = decileBounds(m_corpus->activations);
        for (std::size_t decile = kDeciles; decile-- > 0;)
        {
            const auto& examples = m_corpus->deciles[decile];
            m_rows.push_back({tr("Decile %1 of 10: %2 to %3")
                                      .arg(decile + 1)
                                      .arg(numberText(bounds[decile]), numberText(bounds[decile + 1])) %
                                  (examples.empty() ? tr(" · none sampled") : QString()),
                              nullptr,
                              decile,
                              {}});
            for (const HeadExample& each : examples)
                m_rows.push_back({{}, &each, decile, {}});
        }
    }
    endResetModel();
}

const viz::ShadedText& ExampleModel::textOf(int row) const
{
    const Row& one = m_rows[static_cast<std::size_t>(row)];
    if (!one.text)
        one.text = one.example != nullptr ? shadedText(*m_corpus, one.example->token, one.example->weights)
                                          : viz::ShadedText();
    return *one.text;
}

std::optional<int> ExampleModel::rowOfDecile(std::size_t decile) const
{
    const auto found =
        std::ranges::find_if(m_rows, [&](const Row& row) { return row.example == nullptr && row.decile == decile; });
    return found == m_rows.end() ? std::nullopt : std::optional(static_cast<int>(found - m_rows.begin()));
}

int ExampleModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ExampleModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (row.example == nullptr)
        return role == Qt::DisplayRole || role == Qt::AccessibleTextRole ? QVariant(row.heading) : QVariant();
    const std::int64_t token = row.example->token;
    if (role == kTokenRole)
        return QVariant::fromValue<qint64>(token);
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
    {
        const HoverContent card = tokenCard(*m_corpus, token, {});
        return QString(card.title % u' ' % tr("in “%1”").arg(card.text) % QStringLiteral(", ") %
                       tokenLine(*m_corpus, token));
    }
    return {};
}

Qt::ItemFlags ExampleModel::flags(const QModelIndex& index) const
{
    if (!index.isValid() || isHeading(index.row()))
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

} // namespace headscope::ui
