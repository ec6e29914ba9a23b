import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import type { Client } from '#contract/client/client.ts'
import { clientOf } from '../../scripts/http-client.ts'
import { findChromium } from '../../scripts/test/chromium.ts'
import { quantile } from '../figures.ts'
import { buildIfStale, startServer } from '../server.ts'
import { type Figures, measureScreen } from './screen.ts'

/** Size of a measured quiz. Questions are distributed evenly over the pages. */
export type Size = { questions: number; answers: number; results: number; pages: number }

/** Quiz with one blank question: the baseline. */
export const EMPTY: Size = { questions: 1, answers: 2, results: 2, pages: 1 }
/** Large quiz, compared with EMPTY. */
export const LARGE: Size = { questions: 300, answers: 6, results: 6, pages: 60 }

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Creates a quiz of this size. Its mode is unset, so that scores and associations both show. */
export const makeQuiz = async (client: Client, size: Size): Promise<string> => {
  const name = `${size.questions} questions`
  const { quiz } = await client.quizzes.create({ body: { name, type: 'quiz' } })
  for (const rank of upTo(size.results))
    await client.results.create({ id: quiz.id, body: { name: `Résultat ${rank}` } })
  const isBlank = size === EMPTY
  await client.questions.saveDraft({
    id: quiz.id,
    body: {
      questions: upTo(size.questions).map((number) => ({
        id: randomUUID(),
        text: isBlank ? '' : `Que faites-vous le jour ${number} de votre lancement ?`,
        type: 'multiple_choice' as const,
        global_position: number - 1,
        page_number: Math.ceil((number * size.pages) / size.questions),
        answers: upTo(size.answers).map((rank) => ({
          id: randomUUID(),
          text: isBlank ? '' : `La réponse ${rank} de la question ${number}`,
          score: null,
          associations: [],
        })),
      })),
      text_blocks: [],
      score_thresholds: {},
      quiz_mode: null,
    },
  })
  return quiz.id
}

/**
 * Measures the questions screen of a large quiz on a slowed processor: opening time, latency of a key, size of a
 * save. An empty quiz is the baseline in the same run.
 */

type Creator = { email: string; password: string; client: Client }

const { values } = parseArgs({ options: { slowdown: { type: 'string', default: '4' } } })
const slowdown = Number(values.slowdown)

const signUp = async (origin: string): Promise<Creator> => {
  const account = { email: `mesure-${randomUUID()}@exemple.fr`, password: 'un mot de passe' }
  const response = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return { ...account, client: clientOf(origin, access_token) }
}

const measure = async (
  browser: Browser,
  { origin, creator, size }: { origin: string; creator: Creator; size: Size },
): Promise<Figures> => {
  const id = await makeQuiz(creator.client, size)
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'fr-FR',
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill(creator.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(creator.password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('heading', { name: 'Mes quiz & sondages' }).waitFor()
  const figures = await measureScreen(page, {
    url: `/quiz/${id}/questions`,
    questions: size.questions,
    slowdown,
  })
  await context.close()
  return figures
}

const print = (empty: Figures, large: Figures): void => {
  const rows: [string, (figures: Figures) => number][] = [
    ['first question shown, ms', ({ opened_ms }) => opened_ms],
    ['all questions shown, ms', ({ whole_ms }) => whole_ms],
    ['key median, ms', ({ keys_ms }) => quantile(keys_ms, 0.5)],
    ['key p95, ms', ({ keys_ms }) => quantile(keys_ms, 0.95)],
    ['CPU time per key, ms', ({ key_work_ms }) => key_work_ms],
    ['one save, bytes', ({ save_bytes }) => save_bytes],
  ]
  const { questions, answers, results, pages } = LARGE
  console.log(
    `Large: ${questions} questions × ${answers} answers × ${results} results, ${pages} pages; processor ${slowdown}× slower`,
  )
  console.table(
    Object.fromEntries(
      rows.map(([name, figure]) => {
        const [less, more] = [figure(empty), figure(large)]
        const ratio = Math.round((more / less) * 10) / 10
        return [name, { empty: Math.round(less), large: Math.round(more), ratio }]
      }),
    ),
  )
}

buildIfStale()
const server = await startServer()
try {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  })
  try {
    const creator = await signUp(server.origin)
    const given = { origin: server.origin, creator }
    print(
      await measure(browser, { ...given, size: EMPTY }),
      await measure(browser, { ...given, size: LARGE }),
    )
  } finally {
    await browser.close()
  }
} finally {
  await server.stop()
}
