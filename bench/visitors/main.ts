/**
 * Measures how long a visitor on a phone waits for a page of ten questions. Rates each page with Lighthouse and compares
 * with SurveyJS, which the first run installs in `peers`. `--framed` instead measures our pages alone and in a frame of
 * another origin.
 */
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import type { Client } from '#contract/client/client.ts'
import { findChromium } from '../../scripts/test/chromium.ts'
import { addPictures, publishFullQuiz } from '../../src/server/testing/quizzes/full-quiz.ts'
import { publishSizedQuiz } from '../../src/server/testing/quizzes/sized-quiz.ts'
import { signUpCreator } from '../creator.ts'
import { median } from '../figures.ts'
import { buildIfStale, startServer } from '../server.ts'
import { measureFramed } from './framed-visits.ts'
import { installPeers, servePeer } from './peer-page.ts'
import { measureRuns } from './second-file-runs.ts'
import { auditWithLighthouse, type Visit, visit } from './visit.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** Number of Lighthouse runs per page; 0 for none. */
    judgements: { type: 'string', default: '3' },
    framed: { type: 'boolean', default: false },
  },
})
const [rounds, judgements] = [Number(values.rounds), Number(values.judgements)]

const KB = 1_024
const GOALS = { first_kb: 14, answerable_ms: 1_000, sooner: 3.5, later_percent: 5, performance: 98 }

const medianOf = <Figures extends Record<string, number>>(
  visits: readonly Figures[],
  figure: keyof Figures,
): number => Math.round(median(visits.map((visit) => visit[figure] ?? Number.NaN)))

const medians = (visits: readonly Visit[]): Visit => {
  const of = (figure: keyof Visit): number => medianOf(visits, figure)
  return {
    first_bytes: of('first_bytes'),
    later_bytes: of('later_bytes'),
    bytes: of('bytes'),
    requests: of('requests'),
    foreign_requests: of('foreign_requests'),
    cookies: of('cookies'),
    answerable_ms: of('answerable_ms'),
    alone_ms: of('alone_ms'),
    painted_ms: of('painted_ms'),
    loaded_ms: of('loaded_ms'),
    // The maximum counts, because no visit may have a layout shift.
    shift: Math.max(...visits.map(({ shift }) => shift)),
  }
}

const verdict = (isKept: boolean, goal: string): string => `${isKept ? 'goal' : 'MISSED'} ${goal}`

type Ids = Record<'plain' | 'parts' | 'pictures', string>
type Measured = { client: Client; ids: Ids; origin: string; browser: Browser }

const addressesOf = (origin: string, { plain, parts, pictures }: Ids): Ids => ({
  plain: `${origin}/q/${plain}`,
  parts: `${origin}/q/${parts}`,
  pictures: `${origin}/q/${pictures}`,
})

/** Prints the loading times of our pages alone and in a frame of another origin. */
const printFramed = async ({ browser, origin, ids }: Measured): Promise<void> => {
  const addresses = addressesOf(origin, ids)
  const framed = await measureFramed(browser, addresses, rounds)
  const rows: Record<string, Record<string, number>> = {}
  for (const name of ['plain', 'parts', 'pictures'] as const) {
    const alone: Visit[] = []
    for (let round = 0; round < rounds; round++) alone.push(await visit(browser, addresses[name]))
    rows[name] = {
      alone_ms: medianOf(alone, 'answerable_ms'),
      framed_ms: medianOf(framed[name], 'answerable_ms'),
      in_frame_ms: medianOf(framed[name], 'in_frame_ms'),
      sized_ms: medianOf(framed[name], 'sized_ms'),
      alone_bytes: medianOf(alone, 'bytes'),
      framed_bytes: medianOf(framed[name], 'bytes'),
      framed_requests: medianOf(framed[name], 'requests'),
    }
  }
  console.log(`Slow 4G, processor 4× slower, empty cache; medians of ${rounds} visits`)
  console.table(rows)
}

const compareWithPeer = async ({ client, ids, origin, browser }: Measured): Promise<void> => {
  const peers = installPeers()
  const peer = await servePeer(client, ids.plain)
  const addresses = {
    ...addressesOf(origin, ids),
    surveyjs: peer.origin,
  }
  const names = Object.keys(addresses) as (keyof typeof addresses)[]
  const visits: Record<keyof typeof addresses, Visit[]> = {
    plain: [],
    parts: [],
    pictures: [],
    surveyjs: [],
  }
  for (let round = 0; round < rounds; round++)
    for (const name of names) visits[name].push(await visit(browser, addresses[name]))
  const runs = await measureRuns(browser, { client, ids, origin, rounds })
  peer.stop()
  const of = (name: keyof typeof addresses): Visit => medians(visits[name])
  const [plain, parts, pictures, surveyjs] = [
    of('plain'),
    of('parts'),
    of('pictures'),
    of('surveyjs'),
  ]
  console.log(`Slow 4G, processor 4× slower, empty cache; medians of ${rounds} alternating visits`)
  console.table({ plain, parts, pictures, surveyjs })
  for (const [name, visit] of Object.entries({ plain, parts, pictures })) {
    const [first, later] = [visit.first_bytes / KB, visit.later_bytes / KB]
    const sooner = surveyjs.answerable_ms / visit.answerable_ms
    console.log(
      [
        `${name}: ${first.toFixed(1)} KB until it can be answered (${verdict(first <= GOALS.first_kb, '≤ 14')})`,
        `${later.toFixed(1)} KB behind it`,
        `${visit.answerable_ms} ms (${verdict(visit.answerable_ms <= GOALS.answerable_ms, '≤ 1000')}), ${visit.alone_ms} with the machine to itself`,
        `${sooner.toFixed(1)}× sooner than SurveyJS (${verdict(sooner >= GOALS.sooner, '≥ 3.5')})`,
        `CLS ${visit.shift} (${verdict(visit.shift === 0, '0')})`,
      ].join(', '),
    )
  }
  console.log(
    `SurveyJS transfers more bytes than the plain page: ${(surveyjs.bytes / plain.bytes).toFixed(1)}× (goal 20 or more)`,
  )
  for (const figure of ['answerable_ms', 'alone_ms', 'painted_ms'] as const) {
    const later = (pictures[figure] / parts[figure] - 1) * 100
    const isKept = later <= GOALS.later_percent
    console.log(
      `With pictures and a font, ${figure}: ${later.toFixed(1)} % later (${verdict(isKept, '≤ 5')})`,
    )
  }
  console.log(
    'Whole runs with the second file served, blocked and 30 s late; medians of alternating runs',
  )
  console.table(runs)
  if (judgements > 0) console.log('Lighthouse, phone (goals: performance 98, accessibility 100)')
  for (const name of ['plain', 'parts', 'pictures'] as const)
    for (let asked = 0; asked < judgements; asked++) {
      const scores = auditWithLighthouse(peers, findChromium(), addresses[name])
      const isKept = scores.performance >= GOALS.performance
      console.log(name, scores, verdict(isKept, '≥ 98'))
    }
}

buildIfStale()
const server = await startServer()
try {
  const client = await signUpCreator(server.origin)
  const ids = {
    plain: await publishSizedQuiz(client, 10),
    parts: await publishSizedQuiz(client, 10),
    pictures: await publishSizedQuiz(client, 10),
  }
  await publishFullQuiz(client, ids.parts)
  await publishFullQuiz(client, ids.pictures, await addPictures(client))
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  })
  const measured = { client, ids, origin: server.origin, browser }
  await (values.framed ? printFramed(measured) : compareWithPeer(measured))
  await browser.close()
} finally {
  await server.stop()
}
