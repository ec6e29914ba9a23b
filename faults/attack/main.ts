/**
 * Attacks the product, which runs as in production: `npm run attack -- [pattern of names]`. Prints a line for each
 * attack: « held » or the successes of the attacker, with measured figures (docs/security-tools.md). The pattern
 * `largest` selects the attacks with the largest inputs.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startOpenidProvider } from '#server/testing/people/openid-provider.ts'
import { buildIfStale } from '../../bench/server.ts'
import { accountTakeovers, copiedTokens } from './accounts/account-takeover.ts'
import { openAttackedSites } from './accounts/attacked-sites.ts'
import { damagedLinks } from './accounts/damaged-links.ts'
import { formulaInjection } from './accounts/formula-injection.ts'
import { guessedSecrets } from './accounts/guessed-secrets.ts'
import { httpRequestAttacks } from './accounts/http-requests.ts'
import { localUserAttacks } from './accounts/local-users.ts'
import { loginCsrf } from './accounts/login-csrf.ts'
import { rateLimitAttacks } from './accounts/rate-limits.ts'
import type { Attack, AttackContext } from './attack.ts'
import { documentQueues } from './heavy/documents.ts'
import { downloadQueues } from './heavy/downloads.ts'
import { statisticsLoads } from './heavy/statistics.ts'
import { largestInputs } from './largest/largest-inputs.ts'
import { shapedTexts } from './largest/shapes.ts'
import { linksAndRights } from './links/links-and-rights.ts'
import { anonymousFloods } from './loads/anonymous-floods.ts'
import { coldVersions } from './loads/cold-versions.ts'
import { costlyTexts } from './loads/costly-texts.ts'
import { documentTexts } from './loads/document-texts.ts'
import { imageAttacks } from './loads/images.ts'
import { leakedSecrets } from './loads/leaked-secrets.ts'
import { mailFloods } from './loads/mail-floods.ts'
import { requestBodies } from './loads/request-bodies.ts'
import { sharedResources } from './loads/shared-resources.ts'
import { type MeasuredSite, openMeasuredSite } from './measured-site.ts'
import { certificateAttacks } from './world/certificates.ts'
import { dateAttacks } from './world/dates.ts'
import { embeddedPages } from './world/embedded-pages.ts'
import { importedFiles } from './world/imported-files.ts'
import { publicAddresses } from './world/public-addresses.ts'
import { settingsAttacks } from './world/settings.ts'
import { storedRuns } from './world/stored-runs.ts'

const ATTACKS: Attack[] = [
  ...imageAttacks,
  ...costlyTexts,
  ...documentTexts,
  ...anonymousFloods,
  ...coldVersions,
  ...mailFloods,
  ...requestBodies,
  ...sharedResources,
  ...documentQueues,
  ...downloadQueues,
  ...statisticsLoads,
  ...leakedSecrets,
  ...largestInputs,
  ...shapedTexts,
  ...accountTakeovers,
  ...loginCsrf,
  ...copiedTokens,
  ...guessedSecrets,
  ...rateLimitAttacks,
  ...httpRequestAttacks,
  ...formulaInjection,
  ...damagedLinks,
  ...localUserAttacks,
  ...linksAndRights,
  ...publicAddresses,
  ...embeddedPages,
  ...storedRuns,
  ...certificateAttacks,
  ...settingsAttacks,
  ...importedFiles,
  ...dateAttacks,
]
/** Maximum duration of one attack; long, because other programs may slow the machine down. */
const MAX_ATTACK_MS = 900_000
const MAX_SETTLE_MS = 60_000
const SETTLE_INTERVAL_MS = 1_000

const selected = new RegExp(process.argv[2] ?? '')
buildIfStale()
const provider = await startOpenidProvider()
const sites = await openAttackedSites(provider)
let measuredSite: Promise<MeasuredSite> | undefined
let figures: string[] = []
const context: AttackContext = {
  ...sites,
  provider,
  measured: () => {
    measuredSite ??= openMeasuredSite()
    return measuredSite
  },
  note: (figure) => figures.push(figure),
}
const close = async (): Promise<void> => {
  const measured = await measuredSite?.catch(() => undefined)
  await measured?.close()
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
  const site = await measuredSite
  const deadline = performance.now() + MAX_SETTLE_MS
  while (site && performance.now() < deadline) {
    const isReady = await site.creator().then(
      ({ access_token }) => access_token !== undefined,
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

let nb_run = 0
let nb_held = 0
for (const attack of ATTACKS) {
  if (!selected.test(attack.name)) continue
  await waitUntilReady()
  figures = []
  const began = performance.now()
  const successes = await runAttack(attack)
  nb_run += 1
  nb_held += successes.length === 0 ? 1 : 0
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  const outcome = successes.length === 0 ? 'held' : `SUCCEEDED: ${successes.join('; ')}`
  const measured = figures.length > 0 ? ` [${figures.join('; ')}]` : ''
  console.log(`${attack.name} (${seconds} s): ${outcome}${measured}`)
}
await close()
console.log(`${nb_held}/${nb_run} held`)
process.exit(nb_run > 0 && nb_held === nb_run ? 0 : 1)
