import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openInstallation } from '../runner/installation.ts'
import { runUnderLoad } from '../runner/run-under-load.ts'
import {
  addFailure,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'
import { fillDisk, mountSmallDisk, unmountDisk } from '../runner/small-disk.ts'

const DISK_MB = 220
const FULL_DURATION_MS = 8_000

/** Mounts a small disk, runs a scenario on it and unmounts it. */
const withSmallDisk = async (
  run: (folder: string) => Promise<ScenarioResult>,
): Promise<ScenarioResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-disk-'))
  mountSmallDisk(folder, DISK_MB)
  try {
    mkdirSync(join(folder, 'data'), { mode: 0o711 })
    return await run(folder)
  } finally {
    unmountDisk(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

const fillDataDisk = (options: ScenarioOptions): Promise<ScenarioResult> =>
  withSmallDisk((folder) =>
    runUnderLoad({
      folder: () => join(folder, 'data'),
      injectFault: async ({ load, result }) => {
        const filler_path = fillDisk(folder)
        const statuses = new Map(load.log.statuses)
        await pause(FULL_DURATION_MS)
        const during = [...load.log.statuses].map(
          ([key, count]) => `${key} ×${count - (statuses.get(key) ?? 0)}`,
        )
        result.notes.push(`while full: ${during.filter((text) => !text.endsWith('×0')).join(' ')}`)
        rmSync(filler_path)
      },
    })(options),
  )

const fillLogDisk = async (options: ScenarioOptions): Promise<ScenarioResult> => {
  const output = openSync('/dev/full', 'w')
  try {
    return await runUnderLoad({
      env: { LOG_LEVEL: 'trace' },
      launch_options: { output },
      // The log is full from the start; a lost database causes the most log lines.
      injectFault: async ({ installation }) => {
        if (installation.engine === 'embedded') process.kill(installation.databasePid(), 'SIGKILL')
      },
    })(options)
  } finally {
    closeSync(output)
  }
}

/** Checks that the product exits with code 1 on a full disk, and starts when there is room again. */
const startOnFullDisk = async ({ engine }: ScenarioOptions): Promise<ScenarioResult> =>
  withSmallDisk(async (folder) => {
    const result: ScenarioResult = {
      rounds: 1,
      nb_acknowledged: 0,
      nb_lost: 0,
      nb_duplicated: 0,
      recovery_times_ms: [],
      failures: [],
      notes: [],
    }
    const filler_path = fillDisk(folder)
    const installation = await openInstallation({ engine, folder: join(folder, 'data') })
    try {
      const [code] = await installation.startWithoutWaiting().exited
      if (code !== 1) addFailure(result, `the product exited with code ${code}`)
      rmSync(filler_path)
      const began = performance.now()
      await installation.start()
      result.recovery_times_ms.push(performance.now() - began)
    } finally {
      await installation.cleanUp()
    }
    return result
  })

/** Scenarios F11 and F12: the disk of the data folder or of the log is full. */
export const fullDisks: Scenario[] = [
  {
    fault: 'F11',
    name: 'the data disk is full for 8 s',
    engines: ['embedded'],
    rounds: { full: 3, short: 0 },
    run: fillDataDisk,
  },
  {
    fault: 'F11',
    name: 'the data disk is full at the first start; the product must exit with code 1',
    engines: ['embedded'],
    rounds: { full: 1, short: 0 },
    run: startOnFullDisk,
  },
  {
    fault: 'F12',
    name: 'no log line can be written, because the log disk is full',
    engines: ['embedded'],
    rounds: { full: 3, short: 0 },
    run: fillLogDisk,
  },
]
