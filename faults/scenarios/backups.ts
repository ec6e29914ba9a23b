import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { openInstallation, TEST_SECRET_KEY } from '../runner/installation.ts'
import { root } from '../runner/product.ts'
import { runProgram } from '../runner/run-program.ts'
import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import { addFailure, BOTH_ENGINES, type Scenario } from '../runner/scenario.ts'

/** Runs a script of the product. */
const runScript = (name: string, file: string, env: Record<string, string>): Promise<string> =>
  runProgram(process.execPath, [join(root, `scripts/${name}.ts`), file], {
    cwd: root,
    env: { ...process.env, ...env },
  })

const backUp = async ({ installation, load, quiz, result }: FaultContext): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-restored-'))
  const file = join(folder, 'one.backup')
  const restored_data_dir = join(folder, 'data')
  try {
    const acknowledged_before = [...load.log.submissions].filter(
      ([, submission]) => submission.is_acknowledged,
    )
    await runScript('backup', file, installation.env)
    const restored = await openInstallation({ engine: 'embedded', folder: restored_data_dir })
    try {
      await runScript('restore', file, { DATA_DIR: restored_data_dir })
      await restored.start({ env: { SECRET_KEY: TEST_SECRET_KEY } })
      const client = new pg.Client(restored.connection)
      await client.connect()
      const { rows } = await client.query<{ participant_uuid: string }>(
        'select participant_uuid from responses where quiz_id = $1',
        [quiz.id],
      )
      const restored_ids = new Set(rows.map(({ participant_uuid }) => participant_uuid))
      const missing = acknowledged_before.filter(([id]) => !restored_ids.has(id)).length
      result.nb_lost += missing
      if (missing > 0)
        addFailure(result, `${missing} submissions acknowledged before the backup are missing`)
      if ((await findDifferences(client)).length > 0)
        addFailure(result, 'restored counters differ from a recount')
      await client.end()
    } finally {
      await restored.cleanUp()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** Scenario G10: backups under load. */
export const backups: Scenario[] = [
  {
    fault: 'G10',
    name: 'a backup is made under load, restored into another data folder and started',
    engines: BOTH_ENGINES,
    rounds: { full: 10, short: 0 },
    run: runUnderLoad({ env: { SECRET_KEY: TEST_SECRET_KEY }, injectFault: backUp }),
  },
]
