import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { createEmbeddedFolders, query } from '#server/testing/embedded-folders.ts'
import { describeInAll, testInAll } from '#server/testing/test-in-all.ts'
import { FolderInUse, startEmbedded } from './embedded.ts'
import { connectForCommand, embeddedConnection, passwordFile } from './postgres-access.ts'
import { chooseAccount, giveTo } from './postgres-account.ts'
import { clusterFolder } from './postgres-folder.ts'
import { findRunning, stopPostgres } from './postgres-process.ts'
import { type Connection, PasswordRefused } from './postgres-session.ts'

// Starts early, because its tests take more than 15 s.
// Runs in test:all, because it starts or restores databases.

const log = pino({ level: 'silent' })
const { newFolder, startProcess, spawnOn, cleanUp } = createEmbeddedFolders()
after(cleanUp)

const rulesOf = (data_dir: string): string => join(clusterFolder(data_dir), 'pg_hba.conf')
const TRUST = 'local all all trust\nhost all all 127.0.0.1/32 trust\n'

/** Returns the errors of connections with a wrong password and without one. */
const refusals = async (connection: Connection): Promise<(string | undefined)[]> => {
  const answers = [
    { ...connection, password: 'another' },
    { ...connection, password: '' },
  ]
  return Promise.all(
    answers.map((given) =>
      query(given, 'select 1').then(
        () => undefined,
        (error: unknown) => (error instanceof pg.DatabaseError ? error.code : String(error)),
      ),
    ),
  )
}
/** Asserts that a server starts with its data, refuses connections without the password, and stops. */
const isGuarded = async (data_dir: string, kept: unknown[]): Promise<void> => {
  const { connection, stop } = await startEmbedded({ data_dir, log })
  try {
    assert.deepEqual(await query(connection, 'select n from kept'), kept)
    assert.equal((await refusals(connection))[0], '28P01')
    assert.notEqual((await refusals(connection))[1], undefined)
    const [role] = (await query(
      connection,
      "select rolpassword from pg_authid where rolname = 'quizaine'",
    )) as { rolpassword: string }[]
    assert.match(role?.rolpassword ?? '', /^SCRAM-SHA-256\$/)
    const rules = readFileSync(rulesOf(data_dir), 'utf8').split('\n')
    assert.deepEqual(
      rules.filter((line) => line !== '' && !line.startsWith('#')),
      ['local all all scram-sha-256'],
    )
    const left = readdirSync(clusterFolder(data_dir)).filter((name) => /^pg_hba\.conf\./.test(name))
    assert.deepEqual(left, [])
  } finally {
    await stop()
  }
}
/** Creates a data folder as versions without a password left it. */
const ofBefore = async (): Promise<string> => {
  const data_dir = newFolder()
  const { connection, stop } = await startEmbedded({ data_dir, log })
  await query(connection, 'create table kept as select 7 as n')
  await query(connection, 'alter role quizaine password null')
  await stop()
  writeFileSync(rulesOf(data_dir), TRUST)
  rmSync(passwordFile(data_dir))
  return data_dir
}
const KEPT = [{ n: 7 }]

describe('the password of the embedded database', () => {
  test('the password is created in the data folder for its owner only and never changes', async () => {
    const data_dir = newFolder()
    const first = await startEmbedded({ data_dir, log })
    await query(first.connection, 'create table kept as select 7 as n')
    await first.stop()
    const password = readFileSync(passwordFile(data_dir), 'utf8')
    assert.match(password, /^[\w-]{43}$/)
    assert.equal(statSync(passwordFile(data_dir)).mode & 0o777, 0o600)
    assert.equal(statSync(passwordFile(data_dir)).uid, process.getuid?.())
    await isGuarded(data_dir, KEPT)
    assert.equal(readFileSync(passwordFile(data_dir), 'utf8'), password)
    const rules = readFileSync(rulesOf(data_dir), 'utf8')
    assert.ok(!rules.includes(password))
    assert.ok(rules.includes(createHash('sha256').update(password).digest('base64url')))
    assert.ok(!readFileSync(join(data_dir, 'postgres.log'), 'utf8').includes(password))
  })

  test('the socket is in a folder that other accounts cannot enter, even if the folder was open before', async () => {
    const data_dir = newFolder()
    mkdirSync(join(data_dir, 'socket'))
    chmodSync(join(data_dir, 'socket'), 0o777)
    const { connection, stop } = await startEmbedded({ data_dir, log })
    assert.equal(statSync(connection.host).mode & 0o777, 0o700)
    await stop()
  })

  test('the database requires the password also from processes of its own account', {
    skip: process.getuid?.() !== 0,
  }, async () => {
    const data_dir = newFolder()
    chmodSync(data_dir, 0o711)
    const { connection, stop } = await startEmbedded({ data_dir, log })
    const script = `
      import { connect } from 'node:net'
      const user = 'user\\0quizaine\\0database\\0postgres\\0\\0'
      const head = Buffer.alloc(8)
      head.writeInt32BE(8 + user.length)
      head.writeInt32BE(196608, 4)
      const socket = connect('${connection.host}/.s.PGSQL.5432')
      socket.write(Buffer.concat([head, Buffer.from(user)]))
      socket.once('data', (data) => { console.log(data.toString('latin1', 0, 1), data.readInt32BE(5)); socket.destroy() })`
    const account = chooseAccount(clusterFolder(data_dir))
    const { stdout, stderr } = spawnSync(
      '/proc/self/exe',
      ['--input-type=module', '--eval', script],
      { ...account, encoding: 'utf8', cwd: '/', argv0: process.execPath },
    )
    // Authentication request of type SASL.
    assert.equal(stdout.trim(), 'R 10', stderr)
    await stop()
  })
})

describeInAll('the upgrade of a data folder without a password', () => {
  test('a data folder is upgraded after a clean stop and keeps its data', async () => {
    await isGuarded(await ofBefore(), KEPT)
  })

  test('a data folder is upgraded if its server outlived its application', async () => {
    const data_dir = await ofBefore()
    const before = await startTrusting(data_dir)
    assert.deepEqual(await query(before, 'select n from kept'), KEPT)
    assert.ok(findRunning(data_dir))
    await isGuarded(data_dir, KEPT)
  })

  test('commands reach a running application, and a second application is refused', async () => {
    const data_dir = await ofBefore()
    const before = await startTrusting(data_dir)
    const session = new pg.Client(before)
    await session.connect()
    await session.query('select pg_advisory_lock(7305114)')
    const client = await connectForCommand({ database_url: undefined, data_dir })
    assert.ok(client)
    assert.deepEqual((await client.query('select n from kept')).rows, KEPT)
    await client.end()
    await assert.rejects(startEmbedded({ data_dir, log }), FolderInUse)
    assert.equal(readFileSync(rulesOf(data_dir), 'utf8'), TRUST)
    await session.end()
    await isGuarded(data_dir, KEPT)
  })

  test('an upgrade that is killed at any step can be completed', async () => {
    const data_dir = await ofBefore()
    const cluster = clusterFolder(data_dir)
    for (let round = 0; round < 8; round++) {
      const child = spawnOn(data_dir)
      const exited = once(child, 'exit')
      // The password file, the single-user process, the rules and the server come in this order.
      const steps = [
        () => existsSync(passwordFile(data_dir)),
        () => existsSync(join(cluster, 'postmaster.pid')),
        () => readFileSync(rulesOf(data_dir), 'utf8') !== TRUST,
        () => findRunning(data_dir) !== undefined,
      ]
      const hasCome = steps[round % steps.length] ?? (() => true)
      while (!hasCome()) await new Promise((resolve) => setImmediate(resolve))
      child.kill('SIGKILL')
      await exited
      await isGuarded(data_dir, KEPT)
      writeFileSync(rulesOf(data_dir), TRUST)
      if (round < 4) rmSync(passwordFile(data_dir))
    }
  })

  test('an upgrade that is killed between writing and renaming the rules can be completed', async () => {
    const data_dir = await ofBefore()
    const { pid } = spawnSync(process.execPath, ['--version'])
    writeFileSync(`${rulesOf(data_dir)}.${pid}`, 'local all')
    await isGuarded(data_dir, KEPT)
  })

  test('one of two applications that start together upgrades the data folder', async () => {
    const data_dir = await ofBefore()
    const both = await Promise.all([startProcess(data_dir), startProcess(data_dir)])
    const said = both.map((process) => process.said).sort()
    assert.match(said[0] ?? '', /^Another Quizaine is running on /)
    assert.equal(said[1], 'ready')
    const ready = both.find((process) => process.said === 'ready')
    ready?.child.kill('SIGTERM')
    await ready?.exited
    await isGuarded(data_dir, KEPT)
  })

  /** Starts the server as those versions ran it, with its application killed. */
  const startTrusting = async (data_dir: string): Promise<Connection> => {
    const program = join(import.meta.dirname, '../../testing/trusting-server.ts')
    const child = spawn(process.execPath, [program, data_dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await exited
    const { password: _, ...connection } = embeddedConnection(data_dir)
    for (;;)
      try {
        await query(connection, 'select 1')
        return connection
      } catch {
        await new Promise((resolve) => setImmediate(resolve))
      }
  }
})

describeInAll('the password file', () => {
  test('the password file is recreated if it was lost or damaged while no server ran', async () => {
    const data_dir = await ofBefore()
    await isGuarded(data_dir, KEPT)
    rmSync(passwordFile(data_dir))
    await isGuarded(data_dir, KEPT)
    writeFileSync(passwordFile(data_dir), 'half a pass')
    await assert.rejects(startEmbedded({ data_dir, log }), {
      name: 'ConfigError',
      message: `${passwordFile(data_dir)} is no key: remove it while nothing runs on the folder, for the next start to make another`,
    })
  })

  test('a password file of another server stops the start with a one-line error', async () => {
    const data_dir = newFolder()
    const { child, exited } = await startProcess(data_dir)
    child.kill('SIGKILL')
    await exited
    rmSync(passwordFile(data_dir))
    const began = performance.now()
    await assert.rejects(startEmbedded({ data_dir, log }), PasswordRefused)
    assert.ok(performance.now() - began < 20_000)
    assert.ok(!new PasswordRefused().message.includes('\n'))
    await stopPostgres(findRunning(data_dir) ?? 0)
    const { stop } = await startEmbedded({ data_dir, log })
    await stop()
  })
})

testInAll(
  'a command run as root gives the password file to the owner of the folder',
  {
    skip: process.getuid?.() !== 0,
  },
  async () => {
    const data_dir = newFolder()
    const owner = { uid: 12_345, gid: 12_345 }
    giveTo(owner, data_dir)
    const { stop } = await startEmbedded({ data_dir, log })
    await stop()
    assert.equal(statSync(passwordFile(data_dir)).uid, owner.uid)
  },
)
