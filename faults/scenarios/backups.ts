import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { openInstallation, SECRET } from '../installation.ts'
import { root } from '../product.ts'
import { addFailure, BOTH_ENGINES, type Scenario } from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'

/** G10: backup under load, restored elsewhere. */

/** Runs a command of the product. Returns its output if it failed. */
const command = async (
  name: string,
  file: string,
  env: Record<string, string>,
): Promise<string> => {
  const child = spawn(process.execPath, [join(root, `scripts/${name}.ts`), file], {
    cwd: root,
    env: { ...process.env, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said += text
    })
  const [code] = await once(child, 'exit')
  return code === 0 ? '' : `${name}: ${said}`
}

const backUp = async ({ installation, load, quiz, result }: FaultContext): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-restored-'))
  const file = join(folder, 'one.backup')
  const elsewhere = join(folder, 'data')
  try {
    const before = [...load.record.sent].filter(([, one]) => one.is_acknowledged)
    addFailure(result, ...[await command('backup', file, installation.env)].filter(Boolean))
    const restored = await openInstallation({ engine: 'embedded', folder: elsewhere })
    try {
      addFailure(
        result,
        ...[await command('restore', file, { DATA_DIR: elsewhere })].filter(Boolean),
      )
      await restored.start({ env: { SECRET_KEY: SECRET } })
      const client = new pg.Client(restored.connection)
      await client.connect()
      const { rows } = await client.query<{ participant_uuid: string }>(
        'select participant_uuid from responses where quiz_id = $1',
        [quiz.id],
      )
      const there = new Set(rows.map(({ participant_uuid }) => participant_uuid))
      const missing = before.filter(([id]) => !there.has(id)).length
      result.lost += missing
      if (missing > 0) addFailure(result, `${missing} acknowledged before are not in the backup`)
      if ((await findDifferences(client)).length > 0) addFailure(result, 'restored figures differ')
      await client.end()
    } finally {
      await restored.cleanUp()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** Scenarios G10: backups under load. */
export const backups: Scenario[] = [
  {
    fault: 'G10',
    name: 'backed up under load, restored elsewhere and started',
    engines: BOTH_ENGINES,
    rounds: { whole: 10, short: 0 },
    run: underLoad({ env: { SECRET_KEY: SECRET }, disturb: backUp }),
  },
]
