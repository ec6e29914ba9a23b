import { randomUUID } from 'node:crypto'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  CAMILLE,
  choose,
  enterEmail,
  expectParticipants,
  expectResult,
  interceptSubmissions,
} from '../support/visitor-steps.ts'

test.use({ creatorIs: 'away' })

/** The specified public page, subject by subject; each step tests one rule. */

const { step } = test

/** Publishes a quiz with a choice on page 1, a field of each kind on page 2, two results and no mode. */
const publishEveryKind = async (client: Client): Promise<string> => {
  const { id } = await readyScoreQuiz(client, 'Tout un quiz')
  const typed = (['text', 'textarea', 'email', 'phone', 'number'] as const).map((type, rank) => ({
    id: randomUUID(),
    text: `Champ ${type}`,
    type,
    page_number: 4,
    global_position: 3 + rank,
  }))
  await client.quizzes.resetMode({ id })
  await client.questions.saveDraft({
    id,
    body: {
      text_blocks: [
        { id: randomUUID(), content: 'Bienvenue.', page_number: 2, global_position: 1 },
        { id: randomUUID(), content: 'Presque fini.', page_number: 4, global_position: 9 },
      ],
      questions: [
        ...typed,
        {
          id: randomUUID(),
          text: 'Votre agenda ?',
          type: 'multiple_choice',
          page_number: 2,
          global_position: 2,
          answers: [
            { id: randomUUID(), text: 'Rempli' },
            { id: randomUUID(), text: 'Libre' },
          ],
        },
      ],
    },
  })
  await client.quizzes.publish({ id })
  return id
}

test('the public page says why there is no quiz to take (product 8.2)', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await step('a missing quiz is reported as not found', async () => {
    const answer = await visitor.goto('/q/00000000-0000-4000-8000-000000000000')
    expect(answer?.status()).toBe(404)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Quiz introuvable')
    await expect(
      visitor.getByText("Ce quiz n'existe pas ou n'est plus disponible.", { exact: true }),
    ).toBeVisible()
  })
  await step("a quiz with a status other than 'Publié' is reported as not published", async () => {
    await visitor.goto(`/q/${id}`)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Quiz non disponible')
    await expect(
      visitor.getByText("Ce quiz n'est pas encore publié.", { exact: true }),
    ).toBeVisible()
  })
  await step('a quiz without pages is reported as empty', async () => {
    await creator.client.quizzes.publish({ id })
    await visitor.route(`**/q/${id}`, async (route) => {
      const answer = await route.fetch()
      const html = await answer.text()
      const body = html
        .replace(/(<main id="player">).*?(<\/main>)/s, '$1$2')
        .replace(/({"quiz_id.*?})(<\/script>)/s, (_, json, end) => {
          const taken = JSON.parse(json)
          return JSON.stringify({ ...taken, snapshot: { ...taken.snapshot, questions: [] } }) + end
        })
      await route.fulfill({ response: answer, body })
    })
    await visitor.goto(`/q/${id}`)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Aucune page disponible')
    await expect(visitor.getByRole('progressbar')).toHaveCount(0)
  })
  await step("the page contains the quiz, so it never shows 'Chargement...'", async () => {
    await visitor.unroute(`**/q/${id}`)
    const html = await (await visitor.goto(`/q/${id}`))?.text()
    expect(html).toContain('Votre agenda')
    expect(html).not.toContain('Chargement')
  })
})

test('the public page shows the pages, input kinds and placeholders of the specification (product 8.3, 8.6)', async ({
  creator,
  visitor,
}) => {
  const id = await publishEveryKind(creator.client)
  await visitor.goto(`/q/${id}`)
  await step('a thin progress bar shows the progress', async () => {
    const bar = visitor.getByRole('progressbar')
    expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(6)
    await expect(bar).toHaveJSProperty('value', 50)
  })
  await step('the page shows its items in the order of global_position', async () => {
    const texts = await visitor.locator('.q-item').allInnerTexts()
    expect(texts.map((text) => text.split('\n')[0])).toEqual(['Bienvenue.', 'Votre agenda\u202f?'])
  })
  await step("a counter shows 'current / total'", () =>
    expect(visitor.getByText('1 / 2', { exact: true })).toBeVisible(),
  )
  await step(
    'Précédent and Suivant are shown, and Précédent is disabled on the first page',
    async () => {
      await expect(visitor.getByRole('button', { name: 'Précédent', exact: true })).toBeDisabled()
      await expect(visitor.getByRole('button', { name: 'Suivant', exact: true })).toBeVisible()
    },
  )
  await step(
    'Suivant is enabled only when every question has a non-blank answer (product 8.5)',
    async () => {
      await expect(visitor.getByRole('button', { name: 'Suivant' })).toBeDisabled()
      await visitor.getByRole('radio', { name: 'Libre' }).check()
      await visitor.getByRole('button', { name: 'Suivant' }).click()
    },
  )
  await step('each kind of input has its type and placeholder', async () => {
    const kinds = [
      ['text', 'text', 'Votre réponse...'],
      ['email', 'email', 'nom@exemple.fr'],
      ['phone', 'tel', '06 12 34 56 78'],
      ['number', 'number', '123'],
    ] as const
    for (const [kind, type, placeholder] of kinds) {
      const field = visitor.getByLabel(`Champ ${kind}`, { exact: true })
      await expect(field).toHaveAttribute('type', type)
      await expect(field).toHaveAttribute('placeholder', placeholder)
    }
    const area = visitor.getByLabel('Champ textarea')
    await expect(area).toHaveJSProperty('tagName', 'TEXTAREA')
    await expect(area).toHaveAttribute('rows', '4')
    await expect(area).toHaveAttribute('placeholder', 'Votre réponse...')
  })
  await step(
    "'Voir le résultat' on the last page is disabled while an answer is blank",
    async () => {
      const end = visitor.getByRole('button', { name: 'Voir le résultat', exact: true })
      for (const kind of ['text', 'textarea', 'phone']) {
        await visitor.getByLabel(`Champ ${kind}`, { exact: true }).fill('06 12 34 56 78')
        await expect(end).toBeDisabled()
      }
      await visitor.getByLabel('Champ email').fill(CAMILLE)
      await visitor.getByLabel('Champ number').fill('12.5')
      await expect(end).toBeEnabled()
      await visitor.getByLabel('Champ text', { exact: true }).fill(' \t ')
      await expect(end).toBeDisabled()
      await visitor.getByLabel('Champ text', { exact: true }).fill('Camille')
    },
  )
  await step('the answers stay when the visitor goes back and forward', async () => {
    await visitor.getByRole('button', { name: 'Précédent' }).click()
    await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()
    await visitor.getByRole('button', { name: 'Suivant' }).click()
    await expect(visitor.getByLabel('Champ text', { exact: true })).toHaveValue('Camille')
  })
  await step(
    'without a mode, the first result is shown with its name and description',
    async () => {
      await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Pas à pas')
      await expect(visitor.getByText('Une étape à la fois.')).toBeVisible()
    },
  )
  await step("only the preview has 'Recommencer'", () =>
    expect(visitor.getByRole('button', { name: 'Recommencer' })).toHaveCount(0),
  )
})

test('the public page resets everything if the id of the quiz changes (product 8.8)', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const one = await publishedScoreQuiz(creator.client, 'Un')
  const other = await publishedScoreQuiz(creator.client, 'Deux')
  await visitor.goto(`/q/${one.id}`)
  await choose(visitor, 'Libre')
  await visitor.goto(`/q/${other.id}`)
  await expect(visitor.getByText('1 / 2', { exact: true })).toBeVisible()
  await expect(visitor.getByRole('radio', { checked: true })).toHaveCount(0)
})

test('the public page computes the result and sends the answers as specified (product 4.4, 9.1)', async ({
  creator,
  visitor,
}) => {
  const { id, result_ids, question_id, answer_ids, open_id } = await publishedScoreQuiz(
    creator.client,
  )
  const sent = await interceptSubmissions(visitor, 0, (route) => route.continue())
  await step(
    'the score selects the first result with min_score <= total <= max_score',
    async () => {
      await visitor.goto(`/q/${id}`)
      await choose(visitor, 'Libre')
      await enterEmail(visitor)
      await expectResult(visitor, 'Grand saut')
    },
  )
  await step('the answers, the email and participant_uuid are sent (product 9.1)', async () => {
    await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
    expect(sent).toEqual([
      {
        answers: { [question_id]: answer_ids[1], [open_id]: CAMILLE },
        email: CAMILLE,
        participant_uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        version: 1,
        elapsed_seconds: expect.any(Number),
        is_trapped: false,
        parameters: '',
        run_secret: expect.stringMatching(/^\d+(,\d+){21}$/),
      },
    ])
  })
  await step('a score that matches no result selects the first result', async () => {
    const [low = '', high = ''] = result_ids
    const draft = await creator.client.questions.unified({ id })
    await creator.client.questions.saveDraft({
      id,
      body: {
        questions: draft.questions,
        text_blocks: draft.text_blocks,
        score_thresholds: {
          [low]: { min_score: 50, max_score: 60 },
          [high]: { min_score: 70, max_score: 80 },
        },
      },
    })
    await creator.client.quizzes.publish({ id })
    await visitor.goto(`/q/${id}`)
    await choose(visitor, 'Libre')
    await enterEmail(visitor)
    await expectResult(visitor, 'Pas à pas')
    await expect.poll(() => sent.length).toBe(2)
    expect(sent[1]?.participant_uuid).not.toBe(sent[0]?.participant_uuid)
  })
  await step('a failed submission is logged, and the visitor still sees the result', async () => {
    const { id: failing } = await publishedScoreQuiz(creator.client)
    const logged: string[] = []
    visitor.on('console', (message) => logged.push(`${message.type()} ${message.text()}`))
    await visitor.context().route('**/submit', (route) => route.fulfill({ status: 500 }))
    await visitor.goto(`/q/${failing}`)
    await choose(visitor, 'Rempli')
    await enterEmail(visitor)
    await expectResult(visitor, 'Pas à pas')
    await expect.poll(() => logged.join('\n')).toContain('warning 500')
    await expect(visitor.getByRole('alert')).toHaveCount(0)
  })
})

test('the public page has the specified default colours (product 1.6)', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await visitor.getByRole('radio', { name: 'Libre' }).check()
  await expect(visitor.locator('.q')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(visitor.locator('.q')).toHaveCSS('color', 'rgb(55, 53, 47)')
  const next = visitor.getByRole('button', { name: 'Suivant' })
  await expect(next).toHaveCSS('background-color', 'rgb(23, 195, 178)')
  await expect(next).toHaveCSS('color', 'rgb(255, 255, 255)')
  const accent = await visitor
    .locator('.q')
    .evaluate((element) => getComputedStyle(element).getPropertyValue('--q-accent'))
  expect(accent.trim().toUpperCase()).toBe('#FF8C61')
})
