/** Takes the pictures of the help from the demo, in light and dark mode, as WebP files (src/server/site/help/pictures). */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Client } from '#contract/client/client.ts'
import { clientOf } from './http-client.ts'
import { ROOT } from './imports.ts'
import { DEMO, signIn } from './seed/creator.ts'
import { scoreQuiz } from './seed/score-quiz.ts'
import { wheel } from './seed/wheel.ts'
import { prepareChromium } from './test/chromium.ts'
import {
  journeyEnvironment,
  readPort,
  SERVERS_MODULE,
  type ServersModule,
} from './test/journey-environment.ts'

const FOLDER = join(ROOT, 'src/server/site/help/pictures')
const SIZE = { width: 1200, height: 750 }
const PHONE = { width: 480, height: 860 }
/** Largest picture in bytes; its quality is lowered until it fits. */
const MAX_BYTES = 60 * 1_024
const QUALITIES = [80, 65, 50, 35]
const BREVO_KEY = 'xkeysib-demo'

type Quizzes = { score: string; wheel: string }
type Picture = {
  name: string
  /** Prepares the page; the picture shows what is in sight. */
  prepare: (page: Page, quizzes: Quizzes) => Promise<unknown>
  /** True for the page of visitors, which has the colours of the creator in both modes. */
  is_public?: boolean
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first()

const PICTURES: Picture[] = [
  {
    name: 'questions',
    prepare: async (page, { score }) => {
      await page.goto(`/quiz/${score}/questions`)
      await page.getByRole('button', { name: 'Ajouter une réponse' }).first().waitFor()
    },
  },
  {
    name: 'apparence',
    prepare: async (page, { score }) => {
      await page.goto(`/quiz/${score}/settings`)
      await heading(page, 'Thèmes').waitFor()
    },
  },
  {
    name: 'partager',
    prepare: async (page, { score }) => {
      await page.goto(`/quiz/${score}/questions`)
      await page.getByRole('button', { name: 'Partager' }).first().click()
      await page.getByRole('img', { name: 'Code QR du lien public' }).waitFor()
    },
  },
  {
    name: 'automatisations',
    prepare: async (page, { score }) => {
      await page.goto(`/quiz/${score}/settings`)
      await page.getByRole('tab', { name: 'Automatisations' }).click()
      await heading(page, 'Tags, listes et inscriptions').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'envois',
    prepare: async (page, { score }) => {
      await page.goto(`/quiz/${score}/envois`)
      await page.getByRole('table').first().waitFor()
    },
  },
  {
    name: 'statistiques',
    prepare: async (page, { score }) => {
      await page.goto(`/quiz/${score}/statistics`)
      await heading(page, 'Participants dans le temps').waitFor()
    },
  },
  {
    name: 'dimensions',
    is_public: true,
    prepare: async (page, { wheel: id }) => {
      await page.goto(`/q/${id}`)
      await page.getByRole('button', { name: 'Commencer' }).click()
      await answerWheel(page)
      await page.locator('.q-radar').scrollIntoViewIfNeeded()
    },
  },
]

/** Answers the wheel with different numbers, so that its chart has a shape. */
const answerWheel = async (page: Page): Promise<void> => {
  let rank = 0
  const finish = page.getByRole('button', { name: 'Voir le résultat' })
  for (;;) {
    const name = page.getByLabel('Quel est votre prénom ?')
    if (await name.isVisible()) await name.fill('Camille')
    for (const question of await page.locator('.q-scale').all()) {
      const score = [8, 4, 6, 9, 7, 5, 3, 8][rank++ % 8]
      await question.getByText(String(score), { exact: true }).click()
    }
    if (await finish.isVisible()) return finish.click()
    await page.getByRole('button', { name: 'Suivant' }).click()
  }
}

/** Connects Brevo to the demo, with a rule, and sends the participants there. */
const connectTool = async (client: Client, quiz_id: string): Promise<void> => {
  await client.integrations.saveBrevo({ body: { api_key: BREVO_KEY } })
  await client.integrations.setBrevo({ id: quiz_id, body: { enabled: true } })
  const { results } = await client.results.list({ id: quiz_id })
  for (const { id: result_id, name } of results)
    await client.automations.add({
      id: quiz_id,
      body: { provider: 'brevo', result_id, label_name: name },
    })
  await client.deliveries.sendEarlier({ id: quiz_id, body: { provider: 'brevo' } })
}

const writePicture = async (name: string, png: Buffer): Promise<void> => {
  for (const quality of QUALITIES) {
    const bytes = await sharp(png).removeAlpha().webp({ quality, effort: 6 }).toBuffer()
    if (bytes.length > MAX_BYTES) continue
    writeFileSync(join(FOLDER, `${name}.webp`), bytes)
    console.log(`${name}.webp: ${Math.round(bytes.length / 1_024)} KB`)
    return
  }
  throw new Error(`${name} is larger than ${MAX_BYTES} bytes at every quality`)
}

const takePictures = async (
  browser: Browser,
  { origin, quizzes, is_dark }: { origin: string; quizzes: Quizzes; is_dark: boolean },
): Promise<void> => {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: SIZE,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    colorScheme: is_dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill(DEMO.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(DEMO.password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await heading(page, 'Mes quiz').waitFor()
  for (const { name, prepare, is_public = false } of PICTURES) {
    if (is_public && is_dark) continue
    await page.setViewportSize(is_public ? PHONE : SIZE)
    await prepare(page, quizzes)
    await page
      .getByText(/^Chargement|Calcul en cours/)
      .first()
      .waitFor({ state: 'hidden' })
    await page.evaluate(
      'document.fonts.ready.then(() => Promise.all([...document.images].map((image) => image.decode())))',
    )
    await writePicture(is_dark ? `${name}-sombre` : name, await page.screenshot())
  }
  await context.close()
}

mkdirSync(FOLDER, { recursive: true })
const environment = journeyEnvironment(
  readPort(),
  mkdtempSync(join(tmpdir(), 'quizaine-pictures-')),
)
const { origin } = environment
const { startServers } = (await import(SERVERS_MODULE)) as ServersModule
const stopServers = await startServers(environment)
try {
  execFileSync(process.execPath, ['scripts/seed.ts', origin], { cwd: ROOT, stdio: 'inherit' })
  const client = clientOf(origin, await signIn(origin))
  const list = (await client.quizzes.list()).quizzes
  const idOf = (name: string): string => {
    const quiz = list.find((entry) => entry.name === name)
    if (!quiz) throw new Error(`The demo has no questionnaire ${name}`)
    return quiz.id
  }
  const quizzes = { score: idOf(scoreQuiz.name), wheel: idOf(wheel.name) }
  await connectTool(client, quizzes.score)
  const packaged = await prepareChromium()
  const browser = await chromium.launch({
    executablePath: packaged?.CHROMIUM_PATH,
    env: { ...process.env, ...packaged },
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    for (const is_dark of [false, true]) await takePictures(browser, { origin, quizzes, is_dark })
  } finally {
    await browser.close()
  }
} finally {
  await stopServers()
}
