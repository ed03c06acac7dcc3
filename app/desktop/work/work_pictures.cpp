// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/work_pictures.h"

#include "model/base/output/output_file.h"
#include "ui/words/wording.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QImageReader>

namespace headscope::desktop
{
namespace
{

constexpr int kScale = 2;
constexpr qint64 kMaxBytes = qint64{1} << 20;

} // namespace

QString WorkPictures::fileOf(const QString& work) const
{
    const QByteArray hash = QCryptographicHash::hash(work.toUtf8(), QCryptographicHash::Sha1).toHex();
    return m_folder + QLatin1Char('/') + QString::fromLatin1(hash) + QStringLiteral(".png");
}

void WorkPictures::keep(const QString& work, const QImage& window) const
{
    if (m_folder.isEmpty() || window.isNull() || !QDir().mkpath(m_folder))
        return;
    // The upper left part of the window's shape: what is seen first.
    const QSize size(kWidth * kScale, kHeight * kScale);
    const QImage small = window.scaled(size, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation).copy({{}, size});
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!small.save(&buffer, "png") ||
        !writeFileAtomically(ui::toStdString(fileOf(work)),
                             std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))))
        return;
    const QFileInfoList all = QDir(m_folder).entryInfoList({QStringLiteral("*.png")}, QDir::Files, QDir::Time);
    for (qsizetype i = kMost; i < all.size(); ++i)
        QFile::remove(all[i].filePath());
}

QImage WorkPictures::of(const QString& work) const
{
    if (m_folder.isEmpty())
        return {};
    const QFileInfo file(fileOf(work));
    constexpr qint64 kSaving = 60; // seconds between a work and its picture
    if (!file.isFile() || file.size() > kMaxBytes ||
        QFileInfo(work).lastModified() > file.lastModified().addSecs(kSaving))
        return {};
    QImageReader reader(file.filePath(), "png");
    if (reader.size() != QSize(kWidth * kScale, kHeight * kScale))
        return {};
    return reader.read();
}

} // namespace headscope::desktop
