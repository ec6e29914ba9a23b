import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createReports } from '#server/reports/create-reports.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { createOwnPages, keepPages, wordsOf } from '#server/testing/app/own-pages.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createBuiltApp()
after(() => app.close())
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
const { client } = await app.signUp()
const { open, post, submit } = createOwnPages(app)
const EMAIL = 'lea.martin@exemple.fr'

const publishWithPages = async () => {
  const quiz = await publishedScoreQuiz(client)
  await keepPages(client, quiz)
  return quiz
}
const quiz = await publishWithPages()
const { path, participant_uuid } = await submit(quiz, EMAIL)
/** Answer to an invalid token. */
const MISSING = await open(`/q/${quiz.id}/ma-page/x`)

const pageOfKey = (secretKey: string): string => {
  const { links } = createReports({
    db: app.db,
    compiled,
    secretKey,
    heavyWork,
    public_url: 'http://x',
  })
  return links.page({ quiz_id: quiz.id, participant_uuid })
}

describe('the address of a page', () => {
  test('a submission returns no address of a page if the quiz keeps no pages', async () => {
    const plain = await publishedScoreQuiz(client)
    const answers = { [plain.question_id]: plain.answer_ids[0] ?? '', [plain.open_id]: EMAIL }
    const answer = await app.client.publicQuiz.submit({ id: plain.id, body: { answers } })
    assert.deepEqual(Object.keys(answer), ['participant_uuid', 'result'])
  })

  test('the token has 128 bits of the participant and 128 bits of signature', () => {
    const token = path.split('/').at(-1) ?? ''
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    assert.equal(path, pageOfKey('a secret that only tests know of'))
  })

  testInAll('every invalid token gets the same 404 page, for GET and POST', async () => {
    const other = await publishWithPages()
    const foreign = await submit(other, EMAIL)
    const erased = await submit(quiz, 'effacee@exemple.fr')
    const off = await publishWithPages()
    const switched = await submit(off, EMAIL)
    await client.participants.remove({ id: quiz.id, participantId: erased.participant_uuid })
    await keepPages(client, off, { keeps_page: false })
    const token = path.split('/').at(-1) ?? ''
    const [report = ''] = (
      await submitToReportQuiz(app.client, await publishReportQuiz(client))
    ).documents?.report
      ?.split('/')
      .slice(-1) ?? ['']
    const bad = {
      cut: path.slice(0, -1),
      longer: `${path}A`,
      // The last letter has two spare bits, which a decoder ignores.
      respelled: `${path.slice(0, -1)}${String.fromCharCode((path.codePointAt(-1) ?? path.charCodeAt(path.length - 1)) + 1)}`,
      foreign: `/q/${quiz.id}/ma-page/${foreign.path.split('/').at(-1)}`,
      'of another quiz': `/q/${other.id}/ma-page/${token}`,
      'of no quiz': `/q/${randomUUID()}/ma-page/${token}`,
      'of a document': `/q/${quiz.id}/ma-page/${report}`,
      'of an erased participant': erased.path,
      'of a quiz that keeps no pages any more': switched.path,
      'of a former key': pageOfKey('a key from before the rotation'),
      'of a participant who never existed': createPath(randomUUID()),
    }
    for (const [name, url] of Object.entries(bad)) {
      for (const reply of [await open(url), await post(url, 'confirmer'), await post(url, '?')]) {
        assert.equal(reply.statusCode, 404, name)
        assert.equal(reply.body, MISSING.body, name)
        const { date: _, ...headers } = reply.headers
        const { date: __, ...expected } = MISSING.headers
        assert.deepEqual(
          { ...headers, 'x-request-id': '' },
          { ...expected, 'x-request-id': '' },
          name,
        )
      }
    }
    assert.equal((await open(path)).statusCode, 200)
  })

  test('a token with a sign after it leads to its page, and its forms are not accepted there', async () => {
    const padded = `${path}=`
    const { statusCode, headers } = await open(padded)
    assert.deepEqual([statusCode, headers.location], [308, path])
    for (const reply of [await post(padded, 'confirmer'), await post(padded, '?')]) {
      assert.equal(reply.statusCode, 404)
      assert.equal(reply.body, MISSING.body)
    }
    assert.equal((await open(path)).statusCode, 200)
  })

  test('the page comes back when the creator switches pages on again', async () => {
    const again = await publishWithPages()
    const { path: kept } = await submit(again, EMAIL)
    await keepPages(client, again, { keeps_page: false })
    assert.equal((await open(kept)).statusCode, 404)
    await keepPages(client, again)
    assert.equal((await open(kept)).statusCode, 200)
  })

  test('the page of a withdrawn quiz stays', async () => {
    const withdrawn = await publishWithPages()
    const { path: kept } = await submit(withdrawn, EMAIL)
    await client.quizzes.update({ id: withdrawn.id, body: { status: 'Brouillon' } })
    assert.equal((await open(kept)).statusCode, 200)
  })
})

/** Returns the path of the page of a participant, stored or not, signed with the key of the app. */
function createPath(uuid: string): string {
  const secretKey = 'a secret that only tests know of'
  const { links } = createReports({
    db: app.db,
    compiled,
    secretKey,
    heavyWork,
    public_url: 'http://x',
  })
  return links.page({ quiz_id: quiz.id, participant_uuid: uuid })
}

describe('the page', () => {
  test('it is private: not cached, not indexed, without referrer, frames and scripts', async () => {
    const { headers } = await open(path)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    // Browsers refuse other policies in a tab that the sandbox of a frame opens.
    assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none')
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.match(String(headers['content-security-policy']), /script-src 'none'/)
  })

  test('it shows the result of the version taken, and no replies', async () => {
    const changed = await publishWithPages()
    const taken = await submit(changed, EMAIL)
    const [first = ''] = changed.result_ids
    await client.results.update({ resultId: first, body: { name: 'Autre nom' } })
    await client.questions.update({ id: changed.question_id, body: { text: 'Autre question ?' } })
    await client.quizzes.publish({ id: changed.id })
    const words = wordsOf(await open(taken.path))
    assert.match(words, /Pas à pas/)
    assert.doesNotMatch(words, /Autre nom|Rempli|Votre agenda|exemple\.fr/)
    const shown = wordsOf(await post(taken.path, 'reponses', { email: EMAIL }))
    assert.match(shown, /Votre agenda \? Rempli/)
  })

  test('it links to the documents of the run', async () => {
    const documented = await publishReportQuiz(client)
    await keepPages(client, documented)
    const { documents } = await submitToReportQuiz(app.client, documented)
    const { body } = await open(documents?.own_page ?? '')
    assert.ok(body.includes(`href="${documents?.report}"`))
    assert.ok(body.includes(`href="${documents?.certificate}"`))
    assert.doesNotMatch(body, /Ouvrir ma page/)
  })

  test('the end page without scripts links to it', async () => {
    const { body } = await open(
      `/q/${quiz.id}/resultat?participant=${participant_uuid}&secret=secret-of-a-run-in-a-test`,
    )
    assert.ok(body.includes(`href="${path}"`))
    assert.match(body, />Ouvrir ma page</)
  })

  test('the page of a participant without an address explains why it shows no replies', async () => {
    const open_quiz = await publishWithPages()
    await client.questions.update({ id: open_quiz.open_id, body: { is_required: false } })
    await client.quizzes.publish({ id: open_quiz.id })
    const answers = { [open_quiz.question_id]: open_quiz.answer_ids[0] ?? '' }
    const { documents } = await app.client.publicQuiz.submit({
      id: open_quiz.id,
      body: { answers },
    })
    const words = wordsOf(await open(documents?.own_page ?? ''))
    assert.match(words, /Aucune adresse email n’a été donnée/)
    assert.doesNotMatch(words, /Adresse email donnée|Retirer mon accord/)
    assert.match(words, /Effacer mes réponses/)
    for (const email of ['', EMAIL])
      for (const action of ['reponses', 'donnees'])
        assert.equal((await post(documents?.own_page ?? '', action, { email })).statusCode, 422)
  })

  test('a sondage shows its day, and the replies after the address', async () => {
    const sondage = await publishWithPages()
    await client.quizzes.update({ id: sondage.id, body: { type: 'sondage' } })
    await client.quizzes.publish({ id: sondage.id })
    const taken = await submit(sondage, EMAIL)
    const words = wordsOf(await open(taken.path))
    assert.match(words, /Merci pour votre participation/)
    assert.match(words, /Questionnaire rempli le \d/)
    assert.doesNotMatch(words, /Rempli /)
    assert.match(
      wordsOf(await post(taken.path, 'reponses', { email: EMAIL })),
      /Votre agenda \? Rempli/,
    )
  })

  test('names and replies cannot write markup into it', async () => {
    const named = await publishReportQuiz(client)
    await keepPages(client, named)
    const given = await submitToReportQuiz(app.client, named, {
      name: '<img src=x onerror=alert(1)>',
    })
    const { body } = await post(given.documents?.own_page ?? '', 'reponses', {
      email: 'lea@exemple.fr',
    })
    assert.match(body, /&lt;img src=x/)
    assert.doesNotMatch(body, /<img src=x/)
  })
})

describe('the address of the participant', () => {
  test('it is compared as everywhere: case, white space and invisible characters are ignored', async () => {
    for (const email of [EMAIL, ' LEA.Martin@Exemple.FR ', 'lea.martin\u200b@exemple.fr']) {
      const reply = await post(path, 'reponses', { email })
      assert.equal(reply.statusCode, 200, email)
      assert.match(wordsOf(reply), /Rempli/)
    }
  })

  test('another address is refused in French, without a reply', async () => {
    const one = await submit(quiz, EMAIL)
    for (const email of [
      'autre@exemple.fr',
      'lea.martin@exemple.frr',
      'lea',
      '',
      `${'a'.repeat(300)}@b.fr`,
    ]) {
      const reply = await post(one.path, 'reponses', { email })
      assert.equal(reply.statusCode, 422, email)
      const words = wordsOf(reply)
      assert.match(words, /Cette adresse n’est pas celle qui a été donnée/)
      assert.doesNotMatch(words, /Rempli|lea\.martin@exemple\.fr(?!r)/)
      assert.match(reply.body, /aria-invalid="true"/)
      assert.match(reply.body, /<title>Erreur/)
    }
  })

  test('the data are downloaded as JSON with French names, only after the address', async () => {
    const refused = await post(path, 'donnees', { email: 'autre@exemple.fr' })
    assert.equal(refused.statusCode, 422)
    assert.doesNotMatch(refused.body, /Votre agenda/)
    const reply = await post(path, 'donnees', { email: EMAIL })
    assert.equal(reply.statusCode, 200)
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    assert.match(
      String(reply.headers['content-disposition']),
      /^attachment; filename="Mes donnees - /,
    )
    const { date, durée_en_secondes: _, ...data } = reply.json()
    assert.match(date, /^\d{4}-\d\d-\d\dT/)
    assert.deepEqual(data, {
      questionnaire: { nom: 'Quel rythme ?', version: 1 },
      coordonnées: { email: EMAIL, prénom: null, nom: null, téléphone: null },
      résultat: 'Pas à pas',
      score: 1,
      dimensions: [],
      réponses: [
        { question: 'Votre agenda ?', réponses: ['Rempli'] },
        { question: 'Où vous écrire ?', réponses: [EMAIL] },
      ],
      accord: { état: 'envoi annoncé, sans case à cocher', texte: null, retiré_le: null },
      accord_pour_la_mesure: null,
      confirmation_de_l_adresse: null,
      paramètres: {},
      envoyé_à: [],
    })
  })

  test('unknown actions, other bodies and posts of other sites are refused', async () => {
    assert.equal((await post(path, 'supprimer')).statusCode, 422)
    const json = { method: 'POST', url: path, body: { action: 'confirmer' } } as const
    assert.equal((await app.raw(json)).statusCode, 415)
    const large = { email: 'a'.repeat(5_000) }
    assert.equal((await post(path, 'reponses', large)).statusCode, 413)
    const cross = await post(path, 'confirmer', {}, { 'sec-fetch-site': 'cross-site' })
    assert.equal(cross.statusCode, 403)
    assert.equal((await open(path)).statusCode, 200)
  })
})
