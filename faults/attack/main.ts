/**
 * Attacks the product, which runs as in production: `npm run attack -- [pattern of names] [--list]`. Prints a line for
 * each attack: « held » or the successes of the attacker, with measured figures (docs/security-tools.md). `--list` prints
 * the names of the attacks without running them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startOpenidProvider } from '#server/testing/people/openid-provider.ts'
import { buildIfStale } from '../../bench/server.ts'
import { ATTACKS } from './attack-list.ts'
import type { Attack, AttackContext } from './runner/attack.ts'
import { openConfiguredSites } from './runner/configured-sites.ts'
import { type MeasuredSite, openMeasuredSite } from './runner/measured-site.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
})
const pattern = new RegExp(positionals[0] ?? '')
const selectedAttacks = ATTACKS.filter(({ name }) => pattern.test(name))
if (values.list) {
  for (const { name } of selectedAttacks) console.log(name)
  console.log(`${selectedAttacks.length} attacks`)
  process.exit(0)
}

/** Maximum duration of one attack; long, because other programs may slow the machine down. */
const MAX_ATTACK_MS = 900_000
const MAX_SETTLE_MS = 60_000
const SETTLE_INTERVAL_MS = 1_000

buildIfStale()
const provider = await startOpenidProvider()
const sites = await openConfiguredSites(provider)
let openingSite: Promise<MeasuredSite> | undefined
let figures: string[] = []
const context: AttackContext = {
  ...sites,
  provider,
  measuredSite: () => {
    openingSite ??= openMeasuredSite()
    return openingSite
  },
  openAccount: async () => (await context.measuredSite()).openAccount(),
  note: (figure) => figures.push(figure),
}
const close = async (): Promise<void> => {
  const site = await openingSite?.catch(() => undefined)
  await site?.close()
  await sites.close()
  await provider.close()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await close()
    process.exit(1)
  })

/** Waits until the measured site works again, so that an attack is not affected by the attack before. */
const waitUntilReady = async (): Promise<void> => {
  const site = await openingSite
  const deadline = performance.now() + MAX_SETTLE_MS
  while (site && performance.now() < deadline) {
    const isReady = await site.openAccount().then(
      () => true,
      () => false,
    )
    if (isReady) return
    await pause(SETTLE_INTERVAL_MS)
  }
}

/** Returns the successes of an attack. An attack that fails or does not end counts as a success of the attacker. */
const runAttack = async ({ run }: Attack): Promise<string[]> => {
  const timeout = pause(MAX_ATTACK_MS, ['the attack did not end in time'], { ref: false })
  try {
    return await Promise.race([run(context), timeout])
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

let nb_held = 0
for (const attack of selectedAttacks) {
  await waitUntilReady()
  figures = []
  const began = performance.now()
  const successes = await runAttack(attack)
  nb_held += successes.length === 0 ? 1 : 0
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  const outcome = successes.length === 0 ? 'held' : `SUCCEEDED: ${successes.join('; ')}`
  const measured = figures.length > 0 ? ` [${figures.join('; ')}]` : ''
  console.log(`${attack.name} (${seconds} s): ${outcome}${measured}`)
}
await close()
const nb_run = selectedAttacks.length
console.log(`${nb_held}/${nb_run} held`)
process.exit(nb_run > 0 && nb_held === nb_run ? 0 : 1)
