/**
 * Attacks the product as in production, without any right to it: `npm run attack -- [pattern of names]`. Prints a line
 * for each attack: « held » or the successes of the attacker, with measured figures (docs/security-tools.md). The
 * pattern `largest` selects the largest inputs of every call.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startOpenidProvider } from '#server/testing/people/openid-provider.ts'
import { buildIfStale } from '../../bench/server.ts'
import { allowances } from './accounts/allowances.ts'
import { downloads } from './accounts/downloads.ts'
import { guesses } from './accounts/guesses.ts'
import { hijacks, sessions } from './accounts/hijacks.ts'
import { machine } from './accounts/machine.ts'
import { requests } from './accounts/requests.ts'
import { openSites } from './accounts/sites.ts'
import { waysIn } from './accounts/ways-in.ts'
import type { Attack, AttackContext } from './attack.ts'
import { largest } from './largest/attacks.ts'
import { bodies } from './loads/bodies.ts'
import { leaks } from './loads/leaks.ts'
import { mailboxes } from './loads/mailboxes.ts'
import { neighbours } from './loads/neighbours.ts'
import { pictures } from './loads/pictures.ts'
import { texts } from './loads/texts.ts'
import { type MeasuredSite, openMeasuredSite } from './measured-site.ts'

const ATTACKS: Attack[] = [
  ...pictures,
  ...texts,
  ...mailboxes,
  ...bodies,
  ...neighbours,
  ...leaks,
  ...largest,
  ...hijacks,
  ...waysIn,
  ...sessions,
  ...guesses,
  ...allowances,
  ...requests,
  ...downloads,
  ...machine,
]
/** Time limit of one attack; a busy machine takes several times as long as a quiet one. */
const MAX_ATTACK_MS = 900_000
const MAX_SETTLE_MS = 60_000
const SETTLE_EVERY_MS = 1_000

const wanted = new RegExp(process.argv[2] ?? '')
buildIfStale()
const provider = await startOpenidProvider()
const sites = await openSites(provider)
let opening: Promise<MeasuredSite> | undefined
let figures: string[] = []
const context: AttackContext = {
  ...sites,
  provider,
  measured: () => {
    opening ??= openMeasuredSite()
    return opening
  },
  note: (figure) => figures.push(figure),
}
const close = async (): Promise<void> => {
  const measured = await opening?.catch(() => undefined)
  await measured?.close()
  await sites.close()
  await provider.close()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await close()
    process.exit(1)
  })

/** Waits until the measured site takes calls again, so that one attack is not blamed for the attack before. */
const settle = async (): Promise<void> => {
  const site = await opening
  const deadline = performance.now() + MAX_SETTLE_MS
  while (site && performance.now() < deadline) {
    const isCalm = await site.creator().then(
      ({ access_token }) => access_token !== undefined,
      () => false,
    )
    if (isCalm) return
    await pause(SETTLE_EVERY_MS)
  }
}

/** Gives what an attack got. An attack that could not be made or does not end counts as got, not as held. */
const attempt = async ({ run }: Attack): Promise<string[]> => {
  const over = pause(MAX_ATTACK_MS, ['the attack does not end'], { ref: false })
  try {
    return await Promise.race([run(context), over])
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

let nb_made = 0
let nb_held = 0
for (const attack of ATTACKS) {
  if (!wanted.test(attack.name)) continue
  await settle()
  figures = []
  const began = performance.now()
  const got = await attempt(attack)
  nb_made += 1
  nb_held += got.length === 0 ? 1 : 0
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  const verdict = got.length === 0 ? 'held' : `GOT ${got.join('; ')}`
  const measured = figures.length > 0 ? ` [${figures.join('; ')}]` : ''
  console.log(`${attack.name} (${seconds} s): ${verdict}${measured}`)
}
await close()
console.log(`${nb_held}/${nb_made} held`)
process.exit(nb_made > 0 && nb_held === nb_made ? 0 : 1)
