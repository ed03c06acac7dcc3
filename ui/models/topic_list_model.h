// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"

#include <QAbstractListModel>
#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::ui
{

/// The topics of a label column, to be checked and put into order: the columns of a heatmap.
class TopicListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    /// Topics of the default choice: the most frequent ones, in label order.
    static constexpr std::size_t kDefault = 8;

    /// Another label column: the default topics are checked, all are in label order.
    void setLabels(const LabelColumn& labels);
    /// Codes of the checked topics in their order; empty where that is the default choice.
    [[nodiscard]] std::vector<std::int32_t> chosen() const;
    /// Names in the order in which they get letters: the checked ones as they are, then the others.
    [[nodiscard]] std::vector<std::string> inLetterOrder() const;
    [[nodiscard]] std::int64_t checkedCount() const;
    /// Documents of the checked topics, each at most `most`.
    [[nodiscard]] std::int64_t documentCount(std::int64_t most) const;

    /// Checks these codes; they are in this order among each other. Codes that are no topic are ignored.
    void choose(const std::vector<std::int32_t>& codes);
    void checkDefault();
    void checkAll();
    void checkNone();
    void sortByCode();
    void sortByFrequency();
    /// Moves a topic up (-1) or down (1) by one place.
    /// @return its new row
    int moveTopic(int row, int by);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    /// Another choice, or another order of the chosen ones.
    void choiceChanged();

private:
    struct Topic
    {
        std::int32_t code = 0;
        QString name;
        std::int64_t documents = 0;
        bool checked = false;
    };
    void check(const std::vector<std::int32_t>& codes);
    template <class Before>
    void sort(Before before);

    std::vector<Topic> m_topics;
    std::vector<std::int32_t> m_default; ///< codes, ascending
};

} // namespace headscope::ui
