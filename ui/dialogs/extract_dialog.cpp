// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_dialog.h"

#include "ui/dialogs/documents_table.h"
#include "ui/dialogs/extract_options.h"
#include "ui/dialogs/model_asks.h"
#include "ui/dialogs/note_area.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QToolButton>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kScreenEdge = 48; ///< frame and panels around a dialog that fills the screen

} // namespace

void ExtractDialog::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    refresh(); // files may have come since it was filled
    if (std::exchange(m_isFitted, true) || screen() == nullptr)
        return;
    const QSize room = screen()->availableSize() - QSize(kScreenEdge, kScreenEdge);
    resize(size().boundedTo(room).expandedTo(minimumSize()));
}

void ExtractDialog::setModel(const QString& path)
{
    m_model->setPath(path);
}

void ExtractDialog::setTexts(const QString& path)
{
    m_texts->setPath(path);
}

void ExtractDialog::setModelOffers(const QList<PathField::OfferGroup>& groups)
{
    m_model->setOffers(groups);
}

void ExtractDialog::askCard()
{
    const QString model = m_model->path();
    if (model == m_cardOf)
        return;
    m_cardOf = model;
    const bool isMissing = !model.isEmpty() && !QFileInfo::exists(model);
    setModelCard(isMissing ? missingText(model) : QString(), isMissing); // at the field that it is about
    setModelAsks({});
    setModelDefaults({});
    if (!model.isEmpty() && !isMissing)
        Q_EMIT modelChosen(model);
}

QString ExtractDialog::missingText(const QString& path)
{
    return tr("%1 does not exist.").arg(path);
}

/// What decides which rows are shown; "" for none.
QString ExtractDialog::previewKey() const
{
    const QString texts = m_texts->path();
    if (texts.isEmpty() || !QFileInfo::exists(texts))
        return {};
    return QStringLiteral("%1 %2 %3 %4")
        .arg(m_options->lines())
        .arg(m_options->limit())
        .arg(m_options->separator(), texts);
}

void ExtractDialog::askPreview()
{
    const QString wanted = previewKey();
    if (wanted == m_previewOf && !wanted.isEmpty())
        return refresh(); // typing has paused
    m_previewOf = wanted;
    if (wanted.isEmpty() && !m_texts->path().isEmpty())
        return m_documents->setFault({ErrorCode::FileNotFound, toStdString(missingText(m_texts->path())), {}, {}});
    if (wanted.isEmpty())
        return m_documents->clear();
    m_documents->setReading(m_texts->path());
    Q_EMIT previewWanted(m_texts->path(), m_options->lines(), m_options->limit(), m_options->separator());
}

void ExtractDialog::setPreview(std::shared_ptr<const DocumentPreview> preview)
{
    if (m_previewOf.isEmpty() || toQString(preview->file) != m_texts->path())
        return; // of texts that were named before
    m_options->setPlainText(preview->plainText && QFileInfo(m_texts->path()).isFile());
    m_documents->setPreview(std::move(preview));
}

void ExtractDialog::setPreviewFault(const Error& error)
{
    if (!m_previewOf.isEmpty())
        m_documents->setFault(error);
}

void ExtractDialog::setModelCard(const QString& card, bool isProblem)
{
    m_card->setText(card, isProblem);
}

void ExtractDialog::setModelAsks(const FactLines& asks)
{
    m_asks->setLines(asks);
    m_asksShown->setVisible(!asks.empty());
    m_asks->setVisible(!asks.empty() && m_asksShown->isChecked());
}

QString ExtractDialog::modelCard() const
{
    return m_card->text();
}

void ExtractDialog::setModelDefaults(const ModelDefaults& defaults)
{
    m_defaults = defaults;
    m_options->setDefaults(defaults);
    refresh();
}

void ExtractDialog::proposeOutput()
{
    if (!m_outputIsProposal || m_texts->path().isEmpty())
        return;
    const QFileInfo texts(m_texts->path());
    QString name = texts.completeBaseName();
    if (const QFileInfo model(m_model->path()); !m_model->path().isEmpty())
        name += u'-' % (model.isDir() ? model.fileName() : model.completeBaseName());
    m_output->setPath(texts.absoluteDir().filePath(name % QStringLiteral(".h5")));
}

void ExtractDialog::chooseAllLayers()
{
    m_layers->setCurrentIndex(1);
}

void ExtractDialog::setOptionsShown(bool shown)
{
    m_more->setChecked(shown);
    m_options->setVisible(shown);
    refresh();
}

ExtractRequest ExtractDialog::request() const
{
    ExtractRequest chosen;
    chosen.model = m_model->path();
    chosen.texts = m_texts->path();
    chosen.output = m_output->path();
    chosen.overwrite = m_overwrite->isChecked() && QFileInfo::exists(chosen.output);
    static const QStringList names{QStringLiteral("last"), QStringLiteral("all")};
    const int layers = m_layers->currentIndex();
    chosen.layers = layers < names.size() ? names.at(layers) : m_layerList->text().remove(u' ');
    QStringList stages;
    for (qsizetype i = 0; i < m_stages.size(); ++i)
        if (m_stages.at(i)->isChecked())
            stages << toQString(stageName(kStagesOffered[static_cast<std::size_t>(i)]));
    chosen.stages = stages.join(u',');
    chosen.options = m_documents->arguments() + m_options->arguments();
    return chosen;
}

/// Layers as the shell takes them, of those that the model has.
QString ExtractDialog::layersProblem(const QString& layers) const
{
    static const QRegularExpression list(QStringLiteral("^[0-9]{1,9}(-[0-9]{1,9})?(,[0-9]{1,9}(-[0-9]{1,9})?)*$"));
    if (!list.match(layers).hasMatch())
        return tr("Expected layers such as 0,15,20-31.");
    for (const QString& piece : layers.split(u','))
    {
        const qint64 first = piece.section(u'-', 0, 0).toLongLong();
        const qint64 last = piece.section(u'-', -1).toLongLong();
        if (last < first)
            return tr("Expected layers such as 0,15,20-31, found %1.").arg(piece);
        if (m_defaults.layers > 0 && last >= m_defaults.layers)
            return tr("Expected layers 0 to %1 (the model has %2 layers), found %3.")
                .arg(m_defaults.layers - 1)
                .arg(m_defaults.layers)
                .arg(last);
    }
    return {};
}

QString ExtractDialog::problem() const
{
    const ExtractRequest chosen = request();
    if (chosen.model.isEmpty())
        return tr("Select a model.");
    if (!QFileInfo::exists(chosen.model))
        return missingText(chosen.model);
    if (chosen.texts.isEmpty())
        return tr("Select texts.");
    if (!QFileInfo::exists(chosen.texts))
        return missingText(chosen.texts);
    if (m_previewDelay.isActive())
        return tr("Reading the first rows of %1…").arg(QFileInfo(chosen.texts).fileName());
    if (const QString why = m_documents->problem(); !why.isEmpty())
        return why;
    if (m_layers->currentIndex() == 2)
        if (const QString why = layersProblem(chosen.layers); !why.isEmpty())
            return why;
    if (chosen.stages.isEmpty())
        return tr("Select a stage.");
    if (const QString why = m_options->problem(); !why.isEmpty())
        return why;
    if (chosen.output.isEmpty())
        return tr("Enter the name of the cache file.");
    if (QFileInfo(chosen.output).isDir())
        return tr("%1 is a folder.").arg(QFileInfo(chosen.output).fileName());
    if (QFileInfo::exists(chosen.output) && !chosen.overwrite)
        return tr("%1 already exists.").arg(QFileInfo(chosen.output).fileName());
    return {};
}

void ExtractDialog::refresh()
{
    if (m_start == nullptr)
        return;
    m_layerList->setVisible(m_layers->currentIndex() == 2);
    m_overwrite->setVisible(QFileInfo(m_output->path()).isFile());
    const bool isShown = m_more->isChecked();
    m_more->setArrowType(isShown ? Qt::DownArrow : Qt::RightArrow);
    const int said = m_options->count();
    m_more->setText(said > 0 ? tr("More options (%1 changed)").arg(said) : tr("More options"));
    const QString why = problem();
    m_problem->setText(why);
    m_copy->setEnabled(why.isEmpty());
    m_start->setEnabled(why.isEmpty());
}

} // namespace headscope::ui
