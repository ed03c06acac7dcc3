// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/head_corpus.h"
#include "viz/tokens/token_text.h"

#include <QAbstractListModel>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Which examples are listed.
enum class ExampleKind
{
    Strongest,
    Deciles, ///< highest first, each under a heading
};

/// Examples of a head, a row each, under headings that cannot be chosen.
class ExampleModel : public QAbstractListModel
{
    Q_OBJECT

public:
    static constexpr int kTokenRole = Qt::UserRole + 300; ///< qint64; none: a heading

    explicit ExampleModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    void setExamples(HeadCorpusPtr corpus, ExampleKind kind);
    [[nodiscard]] const HeadCorpusPtr& corpus() const { return m_corpus; }

    [[nodiscard]] bool isHeading(int row) const { return !m_rows[static_cast<std::size_t>(row)].example; }
    /// Null for a heading.
    [[nodiscard]] const HeadExample* exampleOf(int row) const { return m_rows[static_cast<std::size_t>(row)].example; }
    /// The text of an example, made when it is first asked for.
    [[nodiscard]] const viz::ShadedText& textOf(int row) const;
    /// The first row of a decile; none where its examples are not listed.
    [[nodiscard]] std::optional<int> rowOfDecile(std::size_t decile) const;
    /// The decile under whose heading a row stands.
    [[nodiscard]] std::optional<std::size_t> decileOf(int row) const
    {
        return m_rows[static_cast<std::size_t>(row)].decile;
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row
    {
        QString heading;
        const HeadExample* example = nullptr; ///< of the corpus
        std::optional<std::size_t> decile;
        mutable std::optional<viz::ShadedText> text;
    };

    HeadCorpusPtr m_corpus;
    std::vector<Row> m_rows;
};

} // namespace headscope::ui
