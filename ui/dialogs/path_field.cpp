// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/path_field.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

namespace headscope::ui
{
namespace
{

constexpr int kBrowseWidth = 94;

} // namespace

PathField::PathField(DialogService& dialogs, Kind kind, const QString& name, const QString& label, const QString& hint,
                     const QString& filter, QWidget* parent)
    : QWidget(parent), m_dialogs(dialogs), m_kind(kind), m_label(label), m_filter(filter)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Metrics::kRelated);
    m_line = new QLineEdit(this);
    m_line->setObjectName(name);
    m_line->setAccessibleName(label);
    m_line->setToolTip(hint);
    m_line->setPlaceholderText(hint);
    row->addWidget(m_line, 1);
    setFocusProxy(m_line);
    auto* browse = new QPushButton(tr("Browse…"), this);
    browse->setObjectName(name % QStringLiteral("Browse"));
    browse->setToolTip(tr("Open the file dialog"));
    browse->setAccessibleName(tr("Browse: %1").arg(label));
    browse->setAutoDefault(false);
    browse->setMinimumWidth(kBrowseWidth); // with a menu or without: fields below each other end alike
    row->addWidget(browse);
    if (kind == Kind::FileOrFolder)
    {
        m_menu = new QMenu(browse);
        m_menu->setToolTipsVisible(true);
        QAction* file = m_menu->addAction(tr("File…"), this, [this] { choose(false); });
        file->setObjectName(name % QStringLiteral("File"));
        QAction* folder = m_menu->addAction(tr("Folder…"), this, [this] { choose(true); });
        folder->setObjectName(name % QStringLiteral("Folder"));
        m_fixedActions = m_menu->actions().size();
        browse->setMenu(m_menu);
    }
    else
        connect(browse, &QPushButton::clicked, this, [this] { choose(false); });
    connect(m_line, &QLineEdit::textChanged, this, &PathField::changed);
    connect(m_line, &QLineEdit::textEdited, this, &PathField::edited);
}

void PathField::setPath(const QString& path)
{
    m_line->setText(path);
}

QString PathField::path() const
{
    return m_line->text().trimmed();
}

void PathField::take(const QString& path)
{
    m_line->setText(path);
    Q_EMIT edited();
}

void PathField::choose(bool folder)
{
    const auto then = [this](const QString& path) { take(path); };
    const QString from = path().isEmpty() ? QString() : QFileInfo(path()).absolutePath();
    if (m_kind == Kind::NewFile)
        m_dialogs.saveFile(this, m_label, path(), m_filter, then);
    else if (folder)
        m_dialogs.openFolder(this, m_label, from, then);
    else
        m_dialogs.openFile(this, m_label, from, m_filter, then);
}

void PathField::setOffers(const QList<OfferGroup>& groups)
{
    if (m_menu == nullptr)
        return;
    const QList<QAction*> actions = m_menu->actions();
    for (QAction* action : actions.mid(m_fixedActions))
    {
        m_menu->removeAction(action);
        action->deleteLater();
    }
    for (const OfferGroup& group : groups)
    {
        if (group.offers.isEmpty())
            continue;
        m_menu->addSeparator();
        QAction* title = m_menu->addAction(group.title);
        title->setEnabled(false);
        for (const Offer& offer : group.offers)
        {
            // An ampersand in a name is no key.
            QAction* action = m_menu->addAction(QString(offer.name).replace(u'&', QStringLiteral("&&")), this,
                                                [this, path = offer.path] { take(path); });
            action->setObjectName(m_line->objectName() % QStringLiteral("Suggestions"));
            action->setToolTip(offer.path);
            action->setData(offer.path);
        }
    }
}

} // namespace headscope::ui
