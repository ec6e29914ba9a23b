import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { ConfigError } from '#server/config/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { createEmbeddedFolders } from '#server/testing/embedded-folders.ts'
import { startEmbedded } from './embedded.ts'
import { giveTo } from './postgres-account.ts'
import { clusterFolder } from './postgres-folder.ts'

// Runs in test:all, because it starts or restores databases.

const log = pino({ level: 'silent' })
const { newFolder, cleanUp } = createEmbeddedFolders()
after(cleanUp)

test('the database of another version of PostgreSQL is refused in one line that names both versions', async () => {
  const data_dir = newFolder()
  await (await startEmbedded({ data_dir, log })).stop()
  writeFileSync(join(clusterFolder(data_dir), 'PG_VERSION'), '17\n')
  await assert.rejects(startEmbedded({ data_dir, log }), {
    name: 'OperatorError',
    message: /^PostgreSQL did not start: .*incompatible with server .*version 17, .*version 18.*$/,
  })
})

describe('a data folder that other accounts can write', () => {
  for (const mode of [0o777, 0o1777, 0o702, 0o770, 0o775])
    test(`a data folder with the mode ${mode.toString(8)} is refused with a one-line error`, async () => {
      const data_dir = newFolder()
      chmodSync(data_dir, mode)
      const message = `DATA_DIR: other accounts may write ${data_dir}; take that right away (chmod go-w ${data_dir}) or choose another`
      await assert.rejects(startEmbedded({ data_dir, log }), new ConfigError(message))
      assert.deepEqual(readdirSync(data_dir), [])
    })

  test('an unsafe data folder is refused before an external database is contacted', async () => {
    const data_dir = newFolder()
    chmodSync(data_dir, 0o777)
    const config = { data_dir, database_url: 'postgres://localhost:1/none' }
    await assert.rejects(openDatabase({ config, log }), {
      name: 'ConfigError',
      message: /chmod go-w/,
    })
  })

  test('a data folder of another account is refused unless the process runs as root', {
    skip: process.getuid?.() !== 0,
  }, () => {
    const data_dir = newFolder()
    giveTo({ uid: 12_345, gid: 12_345 }, data_dir)
    const script = `
      import { refuseSharedFolder } from '${join(import.meta.dirname, 'embedded.ts')}'
      refuseSharedFolder('${data_dir}')`
    const refusal = (uid: number): string =>
      spawnSync('/proc/self/exe', ['--input-type=module-typescript', '--eval', script], {
        uid,
        encoding: 'utf8',
        cwd: import.meta.dirname,
        argv0: process.execPath,
      }).stderr
    assert.equal(refusal(12_345), '')
    assert.match(refusal(54_321), /belongs to another account/)
  })

  test('a data folder is accepted after other accounts can only read it', async () => {
    const data_dir = newFolder()
    chmodSync(data_dir, 0o755)
    const { stop } = await startEmbedded({ data_dir, log })
    await stop()
  })
})
