import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInstallation } from '../../runner/installation.ts'
import { type Attack, assertPrecondition } from '../runner/attack.ts'
import { startAndWait } from '../runner/configured-sites.ts'

/** User ids of two other accounts of the machine. */
const NOBODY = 65_534
const OTHER_USER = 54_321
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

/** PostgreSQL authentication code: the connection is accepted without a password. */
const AUTHENTICATION_OK = 0
const connectAsUser = (uid: number, path: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    // connect() opens the path synchronously, under the user id that is set at that moment.
    const socket = runAsUser(uid, () => connect(path))
    const parameters = Buffer.from('user\0quizaine\0database\0postgres\0\0')
    const head = Buffer.alloc(8)
    head.writeInt32BE(parameters.length + 8)
    head.writeInt32BE(196_608, 4)
    socket.write(Buffer.concat([head, parameters]))
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

/** Returns true for files that PostgreSQL reads or writes with its own user account. */
const belongsToPostgres = (path: string): boolean => {
  const [first = ''] = path.split('/')
  return ['postgres', 'postgres-libraries', 'socket', 'postgres.log'].includes(first)
}

const openDatabaseAsOtherUser = async (): Promise<string[]> => {
  const parent = mkdtempSync(join(tmpdir(), 'quizaine-machine-'))
  chmodSync(parent, 0o711)
  const folder = join(parent, 'data')
  const installation = await openInstallation({ engine: 'embedded', folder })
  const successes: string[] = []
  try {
    await startAndWait(installation)
    const socket = join(folder, 'socket', '.s.PGSQL.5432')
    assertPrecondition(
      (await connectAsUser(0, socket)) !== undefined,
      'the socket of the database does not answer',
    )
    for (const uid of isRoot ? [NOBODY, OTHER_USER] : [0])
      if ((await connectAsUser(uid, socket)) === AUTHENTICATION_OK)
        successes.push(`the user ${uid} connects to the database without a password`)
    const mode = statSync(join(folder, 'socket')).mode & 0o777
    if (mode & 0o077) successes.push(`the folder of the socket has the mode ${mode.toString(8)}`)
    const files = filesOf(folder)
    const secretFiles = files.filter((path) => !belongsToPostgres(path.slice(folder.length + 1)))
    const readableFiles = [
      ...files.filter((path) => canRead(OTHER_USER, path)),
      ...secretFiles.filter((path) => canRead(NOBODY, path)),
    ]
    if (isRoot && readableFiles.length > 0)
      successes.push(`another user can read ${readableFiles.join(', ')}`)
    successes.push(...(await startInWorldWritableFolder(parent)))
  } finally {
    await installation.cleanUp()
    rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
  }
  return successes
}

/** Attack that places files in a world-writable data folder before the first start. */
const startInWorldWritableFolder = async (parent: string): Promise<string[]> => {
  const folder = mkdtempSync(join(parent, 'open-'))
  chmodSync(folder, 0o777)
  const installation = await openInstallation({ engine: 'embedded', folder })
  try {
    const isReady = await startAndWait(installation).then(
      () => true,
      () => false,
    )
    if (isReady) return ['the product starts in a world-writable data folder']
    const product = installation.product()
    assertPrecondition(product.hasExited(), 'the product neither starts nor exits')
    const [code] = await product.exited
    const lines = product.readOutput().trim().split('\n')
    assertPrecondition(
      lines.some((line) => line.includes(folder)),
      `the product exited with: ${lines.at(-1)}`,
    )
    return code === 0 ? ['the product exits with code 0 in a world-writable data folder'] : []
  } finally {
    await installation.cleanUp()
  }
}

/** Attacks by another user account of the machine. */
export const localUserAttacks: Attack[] = [
  {
    name: 'another account of the machine opens the database or reads its files',
    run: openDatabaseAsOtherUser,
  },
]
