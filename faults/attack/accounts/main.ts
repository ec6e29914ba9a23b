/**
 * Attacks accounts of the product as it runs in production, on this machine, as who has no right to them:
 * `npm run attack:accounts -- [pattern of names]`. Each attack has a line: held, or what the attacker got
 * (docs/security-tools.md).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startOpenidProvider } from '#server/testing/openid-provider.ts'
import { buildIfStale } from '../../../bench/server.ts'
import { allowances } from './allowances.ts'
import type { Attack, Scene } from './attack.ts'
import { downloads } from './downloads.ts'
import { guesses } from './guesses.ts'
import { hijacks } from './hijacks.ts'
import { machine } from './machine.ts'
import { requests } from './requests.ts'
import { sessions } from './sessions.ts'
import { openSites } from './sites.ts'
import { waysIn } from './ways-in.ts'

const ATTACKS: Attack[] = [
  ...hijacks,
  ...waysIn,
  ...sessions,
  ...guesses,
  ...allowances,
  ...requests,
  ...downloads,
  ...machine,
]
/** What an attack may take at most; a machine that is busy takes several times as long as another. */
const LONGEST_MS = 400_000

const wanted = new RegExp(process.argv[2] ?? '')
buildIfStale()
const provider = await startOpenidProvider()
const sites = await openSites(provider)
const scene: Scene = { ...sites, provider }
const close = async (): Promise<void> => {
  await sites.close()
  await provider.close()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await close()
    process.exit(1)
  })

/** What an attack got; one that could not be made, or does not end, has not shown that anything holds. */
const attempt = async ({ run }: Attack): Promise<string[]> => {
  const over = pause(LONGEST_MS, ['it does not end'], { ref: false })
  try {
    return await Promise.race([run(scene), over])
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

let nb_made = 0
let nb_held = 0
for (const attack of ATTACKS) {
  if (!wanted.test(attack.name)) continue
  const began = performance.now()
  const got = await attempt(attack)
  nb_made += 1
  nb_held += got.length === 0 ? 1 : 0
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  const verdict = got.length === 0 ? 'held' : `GOT ${got.join('; ')}`
  console.log(`${attack.name} (${seconds} s): ${verdict}`)
}
await close()
console.log(`${nb_held}/${nb_made} held`)
process.exit(nb_made > 0 && nb_held === nb_made ? 0 : 1)
