// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/extract_request.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <vector>

class QComboBox;
class QGridLayout;

namespace headscope::ui
{

class DialogService;
class PathField;
struct OptionRow;

/// The options of `extract` that few people touch: a row each, with what it does and its default. All are made from
/// one table.
class ExtractOptions : public QWidget
{
    Q_OBJECT

public:
    /// @param dialogs  must outlive the form
    ExtractOptions(DialogService& dialogs, QWidget* parent);

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
    struct Field
    {
        std::size_t row = 0; ///< of the table of options
        QWidget* control = nullptr;
    };

    struct Control
    {
        QWidget* whole = nullptr;
        QWidget* named = nullptr; ///< of it, what takes the keyboard
    };

    [[nodiscard]] Control makeControl(const OptionRow& option, DialogService& dialogs);
    void add(std::size_t row, DialogService& dialogs, QGridLayout* grid);
    [[nodiscard]] QString value(std::size_t row) const;
    [[nodiscard]] QString valueOf(const char* option) const;
    [[nodiscard]] QString refusal(std::size_t row) const;
    void refresh();

    std::vector<Field> m_fields; ///< as many as the table has rows
    bool m_plainText = false;
};

} // namespace headscope::ui
