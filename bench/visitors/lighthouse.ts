import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Scores = Record<(typeof CATEGORIES)[number], number>

/** Lighthouse's own verdict on a page, for a phone; each score is of 100. */
export const judge = (peers: string, chromium: string | undefined, url: string): Scores => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      join(peers, 'node_modules/lighthouse/cli/index.js'),
      url,
      '--output=json',
      '--quiet',
      '--chrome-flags=--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking',
    ],
    { encoding: 'utf8', maxBuffer: 64 << 20, env: { ...process.env, CHROME_PATH: chromium } },
  )
  if (status !== 0) throw new Error(`Lighthouse failed: ${stderr.slice(-500)}`)
  const { categories }: { categories: Record<string, { score: number | null }> } =
    JSON.parse(stdout)
  const scoreOf = (name: string): number =>
    Math.round((categories[name]?.score ?? Number.NaN) * 100)
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
    seo: scoreOf('seo'),
  }
}
