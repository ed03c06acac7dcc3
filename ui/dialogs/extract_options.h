// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"
#include "ui/dialogs/extract_request.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

class QComboBox;
class QGridLayout;

namespace headscope::ui
{

class DialogService;
class PathField;

/// The options of `extract` that few people touch: a row each, with what it does and its default. All are made from
/// the fields of the command; here is only their order.
class ExtractOptions : public QWidget
{
    Q_OBJECT

public:
    /// Collects the options of the command, bound to a value that it keeps.
    using Declare = std::function<void(Fields&)>;

    /// @param dialogs  must outlive the form
    ExtractOptions(DialogService& dialogs, Declare declare, QWidget* parent);

    /// The words of a command line: what differs from the defaults.
    [[nodiscard]] QStringList arguments() const;
    /// The error that the command line would give for these values; "": none.
    [[nodiscard]] QString problem() const;
    /// How many options differ from their defaults.
    [[nodiscard]] int count() const;

    /// Names in the fields what the model's own values are.
    void setDefaults(const ModelDefaults& defaults);
    /// Whether the texts are plain: only then can each line be one.
    void setPlainText(bool isPlain);
    /// Whether each line of a plain text is a document.
    [[nodiscard]] bool lines() const;
    /// What separates the columns of a table, as the command line names it; "" where it is found in the rows.
    [[nodiscard]] QString separator() const;
    /// Largest number of documents to read; 0 = all.
    [[nodiscard]] std::int64_t limit() const;

Q_SIGNALS:
    void changed();

private:
    struct Row
    {
        const Field* field = nullptr;
        QWidget* control = nullptr;
    };

    struct Control
    {
        QWidget* whole = nullptr;
        QWidget* named = nullptr; ///< of it, what takes the keyboard
    };

    [[nodiscard]] Control makeControl(const Field& field, DialogService& dialogs);
    void add(const Field& field, DialogService& dialogs, QGridLayout* grid);
    [[nodiscard]] const Row& rowOf(std::string_view option) const;
    [[nodiscard]] QString value(const Row& row) const;
    [[nodiscard]] QString valueOf(std::string_view option) const { return value(rowOf(option)); }
    [[nodiscard]] QString refusal(const Row& row) const;
    void refresh();

    Declare m_declare;
    Fields m_options;
    std::vector<Row> m_rows;
    bool m_plainText = false;
};

} // namespace headscope::ui
