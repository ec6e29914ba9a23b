/**
 * What a visitor on a phone waits for: the public page of ten questions beside the same ten questions
 * built with SurveyJS, on the same slowed network and processor, in turn; and Lighthouse's verdict on
 * the public page. The first run installs what it compares with, beside this file.
 */
import { chromium } from '@playwright/test'
import { findChromium } from '../../scripts/chromium.ts'
import { publishedQuizOf } from '../../src/server/testing/sized-quiz.ts'
import { signUpCreator } from '../creator.ts'
import { buildIfStale, startServer } from '../server.ts'
import { judge } from './lighthouse.ts'
import { installPeers, servePeer } from './peer-page.ts'
import { type Visit, visit } from './visit.ts'

const ROUNDS = 5
const JUDGEMENTS = 3

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const medians = (visits: readonly Visit[]): Visit => {
  const of = (figure: keyof Visit): number => Math.round(median(visits.map((one) => one[figure])))
  return {
    bytes: of('bytes'),
    requests: of('requests'),
    foreign_requests: of('foreign_requests'),
    cookies: of('cookies'),
    answerable_ms: of('answerable_ms'),
    loaded_ms: of('loaded_ms'),
  }
}

buildIfStale()
const peers = installPeers()
const server = await startServer()
try {
  const client = await signUpCreator(server.origin)
  const id = await publishedQuizOf(client, 10)
  const peer = await servePeer(client, id)
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  })
  const [ours, theirs]: Visit[][] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    ours?.push(await visit(browser, `${server.origin}/q/${id}`))
    theirs?.push(await visit(browser, peer.origin))
  }
  await browser.close()
  peer.stop()
  const [quizaine, surveyjs] = [medians(ours ?? []), medians(theirs ?? [])]
  console.log(`Slow 4G, processor 4× slower, nothing cached; medians of ${ROUNDS} visits in turn`)
  console.table({ quizaine, surveyjs })
  const times = (figure: 'bytes' | 'answerable_ms'): string =>
    (surveyjs[figure] / quizaine[figure]).toFixed(1)
  console.log(`Fewer bytes: ${times('bytes')}× (goal 20 or more)`)
  console.log(`Sooner answerable: ${times('answerable_ms')}× (goal 3.5 or more)`)
  const scores = Array.from({ length: JUDGEMENTS }, () =>
    judge(peers, findChromium(), `${server.origin}/q/${id}`),
  )
  console.log('Lighthouse, phone (goals: performance 98, accessibility 100)')
  console.table(scores)
} finally {
  await server.stop()
}
