import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInstallation } from '../../runner/installation.ts'
import { type Attack, assertPrecondition } from '../attack.ts'
import { startPatiently } from './sites.ts'

/** Attacks by another user account of the machine on the data. */

const NOBODY = 65_534
const ANOTHER = 54_321
const isRoot = process.getuid?.() === 0

/** Runs `work` as another user of this machine; only root can do this. */
const runAsUser = <T>(uid: number, work: () => T): T => {
  if (!isRoot) return work()
  const groups = process.getgroups?.() ?? []
  process.setgroups?.([uid])
  process.setegid?.(uid)
  process.seteuid?.(uid)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
    process.setgroups?.(groups)
  }
}

/** Message code of PostgreSQL that accepts a connection as its superuser. */
const ENTERED = 0
const connectAsUser = (uid: number, path: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    // connect() opens the path synchronously, under the user id that is set at that moment.
    const socket = runAsUser(uid, () => connect(path))
    const words = Buffer.from('user\0quizaine\0database\0postgres\0\0')
    const head = Buffer.alloc(8)
    head.writeInt32BE(words.length + 8)
    head.writeInt32BE(196_608, 4)
    socket.write(Buffer.concat([head, words]))
    socket.setTimeout(5_000, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      resolve(String.fromCharCode(data[0] ?? 0) === 'R' ? data.readInt32BE(5) : undefined)
      socket.destroy()
    })
    socket.once('close', () => resolve(undefined))
  })

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const canRead = (uid: number, path: string): boolean => {
  try {
    runAsUser(uid, () => readFileSync(path))
    return true
  } catch {
    return false
  }
}

/** Returns true if PostgreSQL itself reads or writes a file with its own user account. */
const isOfPostgres = (path: string): boolean => {
  const [first = ''] = path.split('/')
  return ['postgres', 'postgres-libraries', 'socket', 'postgres.log'].includes(first)
}

const openDatabaseAsOtherUser = async (): Promise<string[]> => {
  const above = mkdtempSync(join(tmpdir(), 'quizaine-machine-'))
  chmodSync(above, 0o711)
  const folder = join(above, 'data')
  const installation = await openInstallation({ engine: 'embedded', folder })
  const got: string[] = []
  try {
    await startPatiently(installation)
    const socket = join(folder, 'socket', '.s.PGSQL.5432')
    assertPrecondition(
      (await connectAsUser(0, socket)) !== undefined,
      'the database is not at its socket',
    )
    for (const uid of isRoot ? [NOBODY, ANOTHER] : [0])
      if ((await connectAsUser(uid, socket)) === ENTERED)
        got.push(`superuser of the database without a password, as account ${uid}`)
    const mode = statSync(join(folder, 'socket')).mode & 0o777
    if (mode & 0o077) got.push(`the folder of the socket is ${mode.toString(8)}`)
    const kept = filesOf(folder)
    const secret = kept.filter((path) => !isOfPostgres(path.slice(folder.length + 1)))
    const read = [
      ...kept.filter((path) => canRead(ANOTHER, path)),
      ...secret.filter((path) => canRead(NOBODY, path)),
    ]
    if (isRoot && read.length > 0) got.push(`another account reads ${read.join(', ')}`)
    got.push(...(await startInWorldWritableFolder(above)))
  } finally {
    await installation.cleanUp()
    rmSync(above, { recursive: true, force: true, maxRetries: 20 })
  }
  return got
}

/** Attack that places files in a world-writable data folder before the first start. */
const startInWorldWritableFolder = async (above: string): Promise<string[]> => {
  const folder = mkdtempSync(join(above, 'open-'))
  chmodSync(folder, 0o777)
  const installation = await openInstallation({ engine: 'embedded', folder })
  try {
    const isReady = await startPatiently(installation).then(
      () => true,
      () => false,
    )
    if (isReady) return ['a data folder that all may write is used']
    const product = installation.product()
    assertPrecondition(product.hasExited(), 'it neither starts nor ends')
    const [code] = await product.exited
    const lines = product.readOutput().trim().split('\n')
    assertPrecondition(
      lines.some((line) => line.includes(folder)),
      `it ended with: ${lines.at(-1)}`,
    )
    return code === 0 ? ['it ends as if all were well where all may write its data folder'] : []
  } finally {
    await installation.cleanUp()
  }
}

/** Attacks by another user account of the machine. */
export const machine: Attack[] = [
  {
    name: 'another account of the machine opens the database or reads its files',
    run: openDatabaseAsOtherUser,
  },
]
