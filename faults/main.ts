/**
 * Runs the fault scenarios: `npm run faults -- F1 F4 --rounds 5 --engine embedded`. Each scenario breaks something while
 * clients use the product, then compares the acknowledged requests with the database. docs/faults.md describes all faults.
 */
import { parseArgs } from 'node:util'
import { buildIfStale } from '../bench/server.ts'
import { cleanUpAll, type Engine } from './runner/installation.ts'
import { stopAllProducts } from './runner/product.ts'
import { createResult, formatReportLine, hasPassed, type Scenario } from './runner/scenario.ts'
import { DEFAULT_SCENARIOS, ON_DEMAND_SCENARIOS } from './scenario-list.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Rounds of each scenario; by default the number in the scenario. */
    rounds: { type: 'string' },
    /** Database engine, `embedded` or `external`; by default each engine of the scenario. */
    engine: { type: 'string' },
    /** Runs only the rounds that every change must pass. */
    short: { type: 'boolean', default: false },
    /** Lists the scenarios without running them. */
    list: { type: 'boolean', default: false },
    /** Duration of the scenarios `soak` and `overload`. */
    seconds: { type: 'string', default: '60' },
    /** Minutes after which no further round starts. */
    minutes: { type: 'string', default: '600' },
  },
})

const isSelected = ({ fault, rounds }: Scenario): boolean =>
  positionals.length > 0 ? positionals.includes(fault) : !values.short || rounds.short > 0

const countRounds = ({ rounds }: Scenario): number =>
  Number(values.rounds ?? (values.short ? rounds.short : rounds.full))

const selectedScenarios =
  positionals.length > 0
    ? [...DEFAULT_SCENARIOS, ...ON_DEMAND_SCENARIOS].filter(isSelected)
    : DEFAULT_SCENARIOS.filter(isSelected)
if (values.list) {
  for (const { fault, name, engines } of selectedScenarios)
    console.log(`${fault} ${name} (${engines.join(', ')})`)
  process.exit(0)
}
if (selectedScenarios.length === 0) {
  console.error(`No scenario has the name ${positionals.join(', ')}. --list prints all names.`)
  process.exit(1)
}

/** Runs a scenario on one engine. An exception becomes a failure of the result. */
const runScenario = async (scenario: Scenario, engine: Engine) => {
  const options = {
    engine,
    rounds: countRounds(scenario),
    seconds: Number(values.seconds),
    max_recovery_ms,
    deadline,
  }
  try {
    return await scenario.run(options)
  } catch (error) {
    await stopAllProducts()
    return {
      ...createResult(),
      failures: [error instanceof Error ? (error.stack ?? '') : String(error)],
    }
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    await cleanUpAll()
    process.exit(1)
  })

/** Maximum recovery time; longer in a short run, because the machine that checks changes may be busy. */
const max_recovery_ms = values.short ? 180_000 : 30_000
const deadline = performance.now() + Number(values.minutes) * 60_000
buildIfStale()
let nb_run = 0
let nb_passed = 0
let nb_lost = 0
for (const scenario of selectedScenarios)
  for (const engine of scenario.engines) {
    if (values.engine && values.engine !== engine) continue
    const result = await runScenario(scenario, engine)
    console.log(formatReportLine(scenario, engine, result))
    nb_run++
    nb_passed += hasPassed(result) ? 1 : 0
    nb_lost += result.nb_lost
  }
await stopAllProducts()
console.log(`${nb_passed}/${nb_run} scenarios passed, ${nb_lost} submissions lost`)
process.exit(nb_run > 0 && nb_passed === nb_run ? 0 : 1)
