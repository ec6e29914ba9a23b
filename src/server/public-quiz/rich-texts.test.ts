import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import Fastify from 'fastify'
import { setSecurityHeaders } from '#server/http/edge/fast-path.ts'
import { createCurrentVersions } from '#server/published-versions/current-versions.ts'
import { createVersionReader } from '#server/published-versions/published-versions.ts'
import { createSubmissionQueue } from '#server/responses/submission-queue.ts'
import { createTrialLinks, createTrialRuns } from '#server/responses/trial-links.ts'
import { createVisits } from '#server/responses/visits.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { registerNoscriptRuns } from './noscript-runs.ts'
import { createPublicPages } from './public-pages.ts'
import { registerQuizPage } from './quiz-page.ts'
import { createTrialPage } from './trial-pages.ts'

const app = await createTestApp()
const { client } = await app.signUp()
const { player_folder, remove } = buildPlayer()
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
const { public_url } = app.config
const versionReader = createVersionReader(app.db, {
  compiled,
  versions: createCurrentVersions(app.db, { trusted_ms: 0 }),
})
const submissions = createSubmissionQueue(app.pool)
const visits = createVisits(app.pool, app.app.log)
const server = Fastify()
setSecurityHeaders(server, public_url)
const pages = createPublicPages({ versionReader, heavyWork, public_url, player_folder })
const trials = createTrialRuns(app.db, createTrialLinks('a secret that only tests know of'))
const answerTrial = createTrialPage({ trials, versionReader, pages, public_url })
registerQuizPage(server, { versionReader, pages, answerTrial })
registerNoscriptRuns(server, { versionReader, submissions, pages, visits, public_url })
after(async () => {
  await server.close()
  await Promise.all([submissions.close(), visits.close()])
  await app.close()
  remove()
})

const save = async (id: string, changes: object) => {
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({ id, body: { based_on: revision, ...changes } })
}
/** Publishes a score quiz whose first page begins with this text block. */
const quizSaying = async (content: string) => {
  const ready = await readyScoreQuiz(client)
  const { id, question_id, open_id } = ready
  await save(id, {
    text_blocks: [{ id: randomUUID(), content, page_number: 1, global_position: 0 }],
    questions: [
      { id: question_id, global_position: 1 },
      { id: open_id, global_position: 2 },
    ],
  })
  return ready
}
const published = async (content: string) => {
  const ready = await quizSaying(content)
  await client.quizzes.publish({ id: ready.id })
  return ready
}
const open = async (id: string) => (await server.inject(`/q/${id}`)).body
/** Returns the markup of a page before the data of its script, with plain spaces. */
const markupOf = (body: string): string =>
  (/<main.*?<\/main>/s.exec(body)?.[0] ?? '').replaceAll(/[\u00a0\u202f]/g, ' ')
const dataOf = (body: string) =>
  JSON.parse(
    /<script type="application\/json" id="taken-quiz">(.*?)<\/script>/s.exec(body)?.[1] ?? '',
  )

const WRITTEN = 'Un **mot** et *un autre*\n- [ici](https://exemple.fr/a?b=1&c=2)\n- là'

describe('a formatted text', () => {
  test('a formatted text is rendered as elements on the page, and is unchanged everywhere else', async () => {
    const { id } = await published(WRITTEN)
    const body = await open(id)
    assert.ok(
      markupOf(body).includes(
        '<p>Un <strong>mot</strong> et <em>un autre</em></p><ul><li><a href="https://exemple.fr/a?b=1&amp;c=2" target="_blank" rel="noopener">ici</a></li><li>là</li></ul>',
      ),
      markupOf(body),
    )
    assert.deepEqual(dataOf(body).snapshot.text_blocks[0].content, [
      ['Un ', { strong: ['mot'] }, ' et ', { em: ['un autre'] }],
      { list: [[[{ a: ['ici'], href: 'https://exemple.fr/a?b=1&c=2' }]], [['là']]] },
    ])
    const { snapshot } = await client.publicQuiz.snapshot({ id })
    assert.equal(snapshot.text_blocks[0]?.content, WRITTEN)
    const { rows } = await app.pool.query<{ content: string }>(
      'select content from text_blocks where quiz_id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ content: WRITTEN }])
  })
  test('a text without formatting is the unchanged text in one element', async () => {
    const { id } = await published('Une ligne\n\n\nUne autre * <b>')
    const body = await open(id)
    assert.ok(
      markupOf(body).includes(
        '<p class="q-item q-text" dir="auto">Une ligne\n\n\nUne autre * &lt;b&gt;</p>',
      ),
    )
    assert.equal(dataOf(body).snapshot.text_blocks[0].content, 'Une ligne\n\n\nUne autre * <b>')
  })

  const hostile = [
    '<img src=x onerror=alert(1)> **a**',
    '**<script>alert(1)</script>**',
    '</script><script>alert(1)</script> **a**',
    '[**x**](https://a.fr/"onmouseover="alert(1))',
    '[<img src=x onerror=alert(1)>](https://a.fr)',
    '- <svg onload=alert(1)>',
    '![x](https://a.fr/x.png"onerror="alert(1)) **a**',
    '<javascript:alert(1)> **a**',
    '[x](\tjava\nscript:alert(1)) **a**',
    '[x](java&#115;cript:alert(1)) **a**',
    '[x](https://a.fr "><img src=x onerror=alert(1)>")',
  ]
  for (const text of hostile)
    test(`the text ${JSON.stringify(text)} creates no element and no address`, async () => {
      const { id } = await published(text)
      const body = await open(id)
      const markup = markupOf(body)
      const [block = ''] = /<(p|div) class="q-item q-text".*?(?=<fieldset)/s.exec(markup) ?? []
      const elements = new Set(Array.from(block.matchAll(/<([a-z]+)/g), ([, name]) => name))
      for (const name of elements)
        assert.ok(['div', 'p', 'ul', 'li', 'strong', 'em', 'a', 'span'].includes(name ?? ''), name)
      // The text is inside double quotes and cannot end its attribute.
      for (const [, attributes = ''] of block.matchAll(/<[a-z]+((?: [a-z-]+="[^"]*")*)>/g))
        assert.doesNotMatch(attributes, /(?:^| )on|javascript:|data:/i)
      assert.equal(
        [...block.matchAll(/<[a-z]/g)].length,
        [...block.matchAll(/<[a-z]+(?: [a-z-]+="[^"]*")*>/g)].length,
      )
      assert.equal(body.match(/<\/script>/g)?.length, 2)
    })
})

describe('the refusals of a publication because of a text', () => {
  const refused: [text: string, reason: RegExp][] = [
    ['[x](javascript:alert(1))', /le lien vers « javascript:alert » n’est pas accepté/],
    ['[x](JaVaScRiPt:alert(1))', /le lien vers « JaVaScRiPt:alert » n’est pas accepté/],
    ['[x](data:text/html,x)', /le lien vers « data:text\/html,x » n’est pas accepté/],
    ['{{Ville}}', /\{\{Ville\}\} n’est le nom court d’aucune question/],
    ['{{écrire}}', /\{\{écrire\}\} est la réponse à une question qui ne vient pas avant/],
    ['{{score}}', /\{\{score\}\} n’est connu qu’à la page de résultat/],
  ]
  for (const [text, reason] of refused)
    test(`a publication with the text ${text} is refused in French and names the place`, async () => {
      const { id, open_id } = await quizSaying(text)
      await client.questions.update({ id: open_id, body: { label: 'Écrire' } })
      const { validation_errors } = await refusalOf(client.quizzes.publish({ id }))
      assert.equal(validation_errors.length, 1)
      assert.match(validation_errors[0] ?? '', reason)
      const { text_blocks } = await client.questions.unified({ id })
      assert.equal(text_blocks[0]?.content, text)
    })
  test('a publication with two questions of the same name is refused', async () => {
    const { id, open_id, question_id } = await quizSaying('Bonjour')
    await client.questions.update({ id: open_id, body: { label: 'Agenda' } })
    await client.questions.update({ id: question_id, body: { label: 'agenda ' } })
    const { validation_errors } = await refusalOf(client.quizzes.publish({ id }))
    assert.deepEqual(validation_errors, ['Le nom court « Agenda » est donné à plusieurs questions'])
  })
})

describe('insertions without scripts', () => {
  const post = (url: string, fields: Record<string, string>) => postForm(server, { url, fields })
  const ready = async () => {
    const quiz = await readyScoreQuiz(client)
    const [, high = ''] = quiz.result_ids
    await save(quiz.id, {
      questions: [
        { id: quiz.question_id, label: 'Agenda' },
        { id: quiz.open_id, text: 'Agenda {{agenda}} : où vous écrire ?' },
      ],
      text_blocks: [
        {
          id: randomUUID(),
          content: '**{{Agenda}}**, donc',
          page_number: 2,
          global_position: 2,
        },
      ],
      results: [{ id: high, description: 'Agenda *{{agenda}}*, {{score}} points : {{résultat}}' }],
    })
    await client.quizzes.publish({ id: quiz.id })
    return quiz
  }

  test('insertions show the replies of the form, and at the end the stored replies', async () => {
    const { id, question_id, answer_ids, open_id } = await ready()
    const choice = { [question_id]: answer_ids[1] ?? '' }
    const second = markupOf((await post(`/q/${id}?version=1&page=1`, choice)).body)
    assert.match(second, />Agenda Libre : où vous écrire \?</)
    assert.match(second, /<p><strong>Libre<\/strong>, donc<\/p>/)
    const key = { participant_uuid: randomUUID(), run_secret: RUN_SECRET }
    const all = { ...choice, [open_id]: 'a@b.fr', ...key }
    const sent = await post(`/q/${id}/resultat?version=1`, all)
    const end = await server.inject(String(sent.headers.location))
    assert.match(markupOf(end.body), /<p>Agenda <em>Libre<\/em>, 5 points : Grand saut<\/p>/)
  })
  test('insertions leave a readable text while the reply is missing', async () => {
    const { id } = await ready()
    const back = await post(`/q/${id}?version=1&page=1`, {})
    assert.equal(back.statusCode, 422)
    assert.match(back.body, /Votre agenda/)
  })
})
