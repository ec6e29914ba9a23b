import assert from 'node:assert/strict'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { poll } from './drivers/child-process.ts'
import { journey } from './fixtures.ts'
import { button, field, heading, type Page } from './page.ts'

/** Waits until the quiz has this many participants, and returns the answers of the newest as « question: answer ». */
const newestAnswers = async (client: Client, id: string, participants: number) => {
  await poll(
    async () =>
      (await client.quizzes.get({ id })).quiz.nb_responses === participants ? true : undefined,
    () => `There are not ${participants} participants`,
  )
  const [newest] = (await client.statistics.responses({ id })).details
  return newest?.answers.map(({ question_text, answer_text }) => `${question_text}: ${answer_text}`)
}

/** Opens a quiz and waits until its script handles presses. */
const openLive = async (page: Page, id: string): Promise<void> => {
  await page.open(`/q/${id}`)
  await page.waitFor({ css: '.q-page[novalidate]' })
}

const answerScoreQuiz = async (page: Page): Promise<void> => {
  await page.click(field('Libre'))
  await page.click(button('Suivant'))
  await page.expectText('2 / 2')
  await page.fill(field('Où vous écrire ?'), 'camille@exemple.fr')
  await page.click(button('Voir le résultat'))
  await page.waitFor(heading('Grand saut'))
}

journey('a visitor takes a quiz by score to the result', async ({ creator, openPage }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const page = await openPage('phone')
  await openLive(page, id)
  await page.waitFor(button('Suivant'), ({ is_disabled }) => is_disabled)
  await answerScoreQuiz(page)
  assert.deepEqual(await newestAnswers(creator.client, id, 1), [
    'Votre agenda ?: Libre',
    'Où vous écrire ?: camille@exemple.fr',
  ])
})

journey(
  'a tap on an answer leads to the next page if the quiz advances',
  async ({ creator, openPage }) => {
    const { id } = await publishedScoreQuiz(creator.client)
    await creator.client.quizzes.update({ id, body: { auto_advance: true, address_form: 'tu' } })
    await creator.client.quizzes.publish({ id })
    const page = await openPage('phone')
    await openLive(page, id)
    await page.click(field('Libre'))
    await page.expectText('2 / 2')
  },
)

journey('a visitor answers a question of each type', async ({ creator, openPage }) => {
  const { client } = creator
  const { quiz } = await client.quizzes.create({ body: { name: 'Votre séjour', type: 'sondage' } })
  const { id } = quiz
  const questions = [
    {
      type: 'multiple_choice' as const,
      text: 'Venu par ?',
      answers: [{ text: 'Le train' }, { text: 'Un ami' }],
    },
    {
      type: 'multiple_choice' as const,
      text: 'Et ensuite ?',
      max_choices: 2,
      has_other: true,
      answers: [{ text: 'La mer' }, { text: 'La montagne' }],
    },
    { type: 'scale' as const, text: 'Content ?', scale_min: 1 as const, scale_max: 5 as const },
    { type: 'text' as const, text: 'Votre prénom ?', page_number: 2 },
    { type: 'textarea' as const, text: 'Que garder ?', page_number: 2 },
    { type: 'email' as const, text: 'Où vous écrire ?', page_number: 2 },
    { type: 'phone' as const, text: 'Votre téléphone ?', page_number: 2 },
    { type: 'number' as const, text: 'Votre note ?', page_number: 2 },
    { type: 'date' as const, text: 'Arrivé le ?', page_number: 2 },
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })

  const page = await openPage('phone')
  await openLive(page, id)
  await page.click(field('Un ami'))
  await page.click(field('La mer'))
  await page.click(field('Autre…'))
  await page.fill(field('Autre : précisez'), 'Le désert')
  await page.click(field('4'))
  await page.click(button('Suivant'))
  await page.expectText('2 / 2')
  await page.fill(field('Votre prénom ?'), 'Zoé')
  await page.fill(field('Que garder ?'), 'Les exemples')
  await page.fill(field('Où vous écrire ?'), 'zoe@exemple.fr')
  await page.fill(field('Votre téléphone ?'), '06 12 34 56 78')
  await page.fill(field('Votre note ?'), '9.5')
  await page.pick(field('Arrivé le ?'), '2026-12-24')
  await page.click(button('Envoyer'))
  await page.waitFor(heading('Merci pour votre participation !'))
  assert.deepEqual(await newestAnswers(client, id, 1), [
    'Venu par ?: Un ami',
    'Et ensuite ?: La mer, Autre : Le désert',
    'Content ?: 4',
    'Votre prénom ?: Zoé',
    'Que garder ?: Les exemples',
    'Où vous écrire ?: zoe@exemple.fr',
    'Votre téléphone ?: 06 12 34 56 78',
    'Votre note ?: 9.5',
    'Arrivé le ?: 24/12/2026',
  ])
})

journey('a visitor without JavaScript reaches the result', async ({ creator, openPage }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const page = await openPage('phone', { has_javascript: false })
  await page.open(`/q/${id}`)
  await answerScoreQuiz(page)
  await page.expectPath(/\/resultat$/)
  assert.deepEqual(await newestAnswers(creator.client, id, 1), [
    'Votre agenda ?: Libre',
    'Où vous écrire ?: camille@exemple.fr',
  ])
})

journey(
  'without JavaScript, a reload after another publication chooses no other answer',
  async ({ creator, openPage }) => {
    const { client } = creator
    const { id } = (await client.quizzes.create({ body: { name: 'Séjour', type: 'sondage' } })).quiz
    const { questions } = await client.questions.saveDraft({
      id,
      body: {
        questions: [
          {
            type: 'multiple_choice',
            text: 'Venu par ?',
            answers: [{ text: 'Le train' }, { text: 'Un ami' }],
          },
          {
            type: 'multiple_choice',
            text: 'Et ensuite ?',
            max_choices: 2,
            answers: [{ text: 'La mer' }, { text: 'La montagne' }],
          },
        ],
      },
    })
    await client.quizzes.publish({ id })
    const page = await openPage('phone', { has_javascript: false })
    await page.open(`/q/${id}`)
    const first = await page.waitFor(field('Le train'))
    await page.click(field('Le train'))
    await page.click(field('La mer'))
    for (const answer of ['Le train', 'La mer'])
      await page.waitFor(field(answer), ({ is_checked }) => is_checked)

    const turned = questions.map(({ answers, ...question }) => ({
      ...question,
      answers: answers.toReversed().map(({ position: _, ...answer }) => answer),
    }))
    await client.questions.saveDraft({ id, body: { questions: turned } })
    await client.quizzes.publish({ id })
    await page.reload()
    await page.waitFor(field('Le train'), ({ y }) => y > first.y)
    for (const answer of ['Le train', 'Un ami', 'La mer', 'La montagne'])
      await page.waitFor(field(answer), ({ is_checked }) => !is_checked)
  },
)

journey('answers stay when a visitor leaves and comes back', async ({ creator, openPage }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const page = await openPage('phone')
  await openLive(page, id)
  await page.click(field('Libre'))
  await page.click(button('Suivant'))
  await page.expectText('2 / 2')
  await page.fill(field('Où vous écrire ?'), 'camille@')
  await page.reload()
  await page.click(button('Reprendre'))
  await page.waitFor(field('Où vous écrire ?'), ({ value }) => value === 'camille@')
  // A page with the opener policy of the quiz, because WebKit's driver loses pages of other policies.
  await page.open('/q/questionnaire-inconnu')
  await page.waitFor(heading('Quiz introuvable'))
  await page.goBack()
  await page.click(button('Reprendre'))
  await page.waitFor(field('Où vous écrire ?'), ({ value }) => value === 'camille@')
  await page.click(button('Précédent'))
  await page.waitFor(field('Libre'), ({ is_checked }) => is_checked)
  assert.equal((await creator.client.quizzes.get({ id })).quiz.nb_responses, 0)
})

journey('an invalid reply leads to its field', async ({ creator, openPage }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const body = { text: 'Votre téléphone ?', type: 'phone' as const, page_number: 2 }
  await creator.client.questions.create({ id, body })
  await creator.client.quizzes.publish({ id })
  const page = await openPage('phone')
  await openLive(page, id)
  await page.click(field('Libre'))
  await page.click(button('Suivant'))
  await page.fill(field('Votre téléphone ?'), '06 12 3')
  await page.fill(field('Où vous écrire ?'), 'camille@exemple.fr')
  await page.click(button('Voir le résultat'))
  await page.waitFor(field('Votre téléphone ?'), ({ is_focused }) => is_focused)
  await page.expectText('Saisissez un numéro d’au moins six chiffres, par exemple 06 12 34 56 78.')
  assert.equal((await creator.client.quizzes.get({ id })).quiz.nb_responses, 0)
  await page.fill(field('Votre téléphone ?'), '06 12 34')
  await page.click(button('Voir le résultat'))
  await page.waitFor(heading('Grand saut'))
  assert.equal((await newestAnswers(creator.client, id, 1))?.length, 3)
})
