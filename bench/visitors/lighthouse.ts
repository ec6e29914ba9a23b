import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Scores = Record<(typeof CATEGORIES)[number], number>

/** Lighthouse misses the start of a navigation now and then on a loaded machine (NO_NAVSTART). */
const MOST_TRIES = 3

/** Lighthouse's own verdict on a page, for a phone; each score is of 100. */
export const judge = (peers: string, chromium: string | undefined, url: string): Scores => {
  for (let tries = 1; ; tries++) {
    const { stdout, stderr, status } = runLighthouse(peers, chromium, url)
    if (status === 0) return scoresOf(stdout)
    if (tries === MOST_TRIES || !stderr.includes('NO_NAVSTART'))
      throw new Error(`Lighthouse failed: ${stderr.slice(-500)}`)
  }
}

const runLighthouse = (peers: string, chromium: string | undefined, url: string) =>
  spawnSync(
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

const scoresOf = (report: string): Scores => {
  const { categories }: { categories: Record<string, { score: number | null }> } =
    JSON.parse(report)
  const scoreOf = (name: string): number =>
    Math.round((categories[name]?.score ?? Number.NaN) * 100)
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
    seo: scoreOf('seo'),
  }
}
