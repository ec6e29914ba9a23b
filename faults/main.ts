/**
 * Injects faults into the running product under load, then compares the records of acknowledged requests with the
 * database. `npm run faults -- F1 F4 --rounds 5 --engine embedded`; `npm run faults -- soak --seconds 120`. Each
 * fault is described in docs/faults.md.
 */
import { parseArgs } from 'node:util'
import { buildIfStale } from '../bench/server.ts'
import { cleanUpAll, type Engine } from './installation.ts'
import { endAll } from './product.ts'
import { createResult, formatResult, hasSurvived, type Scenario } from './scenario.ts'
import { MEASURES, SCENARIOS } from './table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Rounds per fault; by default those of the table. */
    rounds: { type: 'string' },
    /** Database engine: embedded or external; both by default. */
    engine: { type: 'string' },
    /** Runs only the few rounds that every change must pass. */
    short: { type: 'boolean', default: false },
    /** Lists the faults. */
    list: { type: 'boolean', default: false },
    /** Duration of a soak or an overload. */
    seconds: { type: 'string', default: '60' },
    /** Minutes after which no round begins. */
    minutes: { type: 'string', default: '600' },
  },
})

const isWanted = ({ fault, rounds }: Scenario): boolean =>
  positionals.length > 0 ? positionals.includes(fault) : !values.short || rounds.short > 0

const roundsOf = ({ rounds }: Scenario): number =>
  Number(values.rounds ?? (values.short ? rounds.short : rounds.whole))

const wanted =
  positionals.length > 0 ? [...SCENARIOS, ...MEASURES].filter(isWanted) : SCENARIOS.filter(isWanted)
if (values.list) {
  for (const { fault, name, engines } of wanted)
    console.log(`${fault} ${name} (${engines.join(', ')})`)
  process.exit(0)
}
if (wanted.length === 0) {
  console.error(`There is no fault ${positionals.join(', ')}: --list says which there are.`)
  process.exit(1)
}

/** Runs one scenario on one engine. An exception counts as a failure. */
const runOne = async (scenario: Scenario, engine: Engine) => {
  const options = {
    engine,
    rounds: roundsOf(scenario),
    seconds: Number(values.seconds),
    patience_ms,
    until,
  }
  try {
    return await scenario.run(options)
  } catch (error) {
    await endAll()
    return {
      ...createResult(),
      wrong: [error instanceof Error ? (error.stack ?? '') : String(error)],
    }
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    await cleanUpAll()
    process.exit(1)
  })

/** Short runs have a long timeout, because the machine may be busy; losses count, not durations. */
const patience_ms = values.short ? 180_000 : 30_000
const until = performance.now() + Number(values.minutes) * 60_000
buildIfStale()
let nb_run = 0
let nb_survived = 0
let nb_lost = 0
for (const scenario of wanted)
  for (const engine of scenario.engines) {
    if (values.engine && values.engine !== engine) continue
    const result = await runOne(scenario, engine)
    console.log(formatResult(scenario, engine, result))
    nb_run++
    nb_survived += hasSurvived(result) ? 1 : 0
    nb_lost += result.lost
  }
await endAll()
console.log(`${nb_survived}/${nb_run} survived, ${nb_lost} lost`)
process.exit(nb_run > 0 && nb_survived === nb_run ? 0 : 1)
