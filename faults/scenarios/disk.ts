import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openInstallation } from '../installation.ts'
import {
  addFailure,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../scenario.ts'
import { underLoad } from '../under-load.ts'

/** F11, F12: full disks. */

const DISK_MB = 220
const FULL_MS = 8_000

const mount = (...args: string[]): void => {
  const { status, stderr } = spawnSync(args[0] ?? '', args.slice(1), { encoding: 'utf8' })
  if (status !== 0) throw new Error(`A disk of our own needs root: ${stderr.trim()}`)
}

/** Runs a scenario on a small temporary disk. */
const onSmallDisk = async (
  run: (folder: string) => Promise<ScenarioResult>,
): Promise<ScenarioResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-disk-'))
  mount('mount', '-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder)
  try {
    mkdirSync(join(folder, 'data'), { mode: 0o711 })
    return await run(folder)
  } finally {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fills the disk with a file and returns its path. */
const fill = (folder: string): string => {
  const path = join(folder, 'ballast')
  const { bavail, bsize } = statfsSync(folder)
  spawnSync('fallocate', ['-l', String(bavail * bsize), path])
  const file = openSync(path, 'a')
  try {
    for (;;) writeFileSync(file, Buffer.alloc(4_096))
  } catch {
    // It is full now.
  } finally {
    closeSync(file)
  }
  return path
}

const fullDisk = (options: ScenarioOptions): Promise<ScenarioResult> =>
  onSmallDisk((folder) =>
    underLoad({
      folder: () => join(folder, 'data'),
      disturb: async ({ load, result }) => {
        const ballast = fill(folder)
        const statuses = new Map(load.record.statuses)
        await pause(FULL_MS)
        const during = [...load.record.statuses].map(
          ([key, count]) => `${key} ×${count - (statuses.get(key) ?? 0)}`,
        )
        result.notes.push(`while full: ${during.filter((text) => !text.endsWith('×0')).join(' ')}`)
        rmSync(ballast)
      },
    })(options),
  )

const fullLog = async (options: ScenarioOptions): Promise<ScenarioResult> => {
  const output = openSync('/dev/full', 'w')
  try {
    return await underLoad({
      env: { LOG_LEVEL: 'trace' },
      launch: { output },
      // The log is full from the start; a lost database causes the most log lines.
      disturb: async ({ installation }) => {
        if (installation.engine === 'embedded') process.kill(installation.databasePid(), 'SIGKILL')
      },
    })(options)
  } finally {
    closeSync(output)
  }
}

/** Checks that the product does not start on a full disk, and logs the reason. */
const noRoomToStart = async ({ engine }: ScenarioOptions): Promise<ScenarioResult> =>
  onSmallDisk(async (folder) => {
    const result: ScenarioResult = {
      ...{ rounds: 1, acknowledged: 0, lost: 0, doubled: 0 },
      ...{ recoveries: [], wrong: [], notes: [] },
    }
    const ballast = fill(folder)
    const installation = await openInstallation({ engine, folder: join(folder, 'data') })
    try {
      const [code] = await installation.launch().exited
      if (code !== 1) addFailure(result, `ended with ${code}`)
      rmSync(ballast)
      const began = performance.now()
      await installation.start()
      result.recoveries.push(performance.now() - began)
    } finally {
      await installation.cleanUp()
    }
    return result
  })

/** Scenarios F11 and F12: a full disk of the data or of the log. */
export const disk: Scenario[] = [
  {
    fault: 'F11',
    name: 'the data disk is full',
    engines: ['embedded'],
    rounds: { whole: 3, short: 0 },
    run: fullDisk,
  },
  {
    fault: 'F11',
    name: 'the data disk is full at the first start',
    engines: ['embedded'],
    rounds: { whole: 1, short: 0 },
    run: noRoomToStart,
  },
  {
    fault: 'F12',
    name: 'the log’s disk is full',
    engines: ['embedded'],
    rounds: { whole: 3, short: 0 },
    run: fullLog,
  },
]
