import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Transport } from './transport.ts'

/** Links in old mails have ended; only so many files are kept. */
const KEPT = 100

const removeOldest = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  const oldest = names.slice(0, Math.max(0, names.length - KEPT))
  await Promise.all(oldest.map((name) => rm(join(folder, name), { force: true })))
}

/**
 * Writes mails as .eml files that their owner alone may read, into `data_dir`/mail, and logs where, with
 * their link (decisions « Configuration »): without a mail server, whoever reads the log is who runs it.
 */
export const openMailFolder = ({
  data_dir,
  from,
  log,
}: {
  data_dir: string
  from: string
  log: { info: (fields: object, text: string) => void }
}): Transport => {
  const folder = join(data_dir, 'mail')
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  let written = 0
  return {
    send: async ({ to, link, ...mail }) => {
      const { message } = await writer.sendMail({ from, to: { name: '', address: to }, ...mail })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      written += 1
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const file = join(folder, `${stamp}-${process.pid}-${written}.eml`)
      await writeFile(file, message, { mode: 0o600 })
      await removeOldest(folder)
      log.info({ file, link }, 'no SMTP_URL: a mail was written instead of being sent')
    },
    close: () => writer.close(),
  }
}
