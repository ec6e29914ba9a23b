import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const get = (url: string) => app.raw({ method: 'GET', url, headers: HTML })
const check = (typed: string) => get(`/attestation?numero=${encodeURIComponent(typed)}`)

/** Returns the number of a new certificate. */
const createNumber = async (): Promise<string> => {
  const quiz = await publishReportQuiz(client)
  const { documents } = await submitToReportQuiz(app.client, quiz)
  const words = await readPdf((await get(documents?.certificate ?? '')).rawPayload)
  return /Numéro : ([0-9A-Z-]{19})/.exec(words)?.[1] ?? ''
}

describe('the page that asks for the number of a certificate', () => {
  test('anybody can type a number there, without an account and without scripts', async () => {
    const { statusCode, body, headers } = await get('/attestation')
    assert.equal(statusCode, 200)
    assert.match(body, /<html lang="fr">/)
    assert.match(body, /<h1>Vérifier une attestation<\/h1>/)
    assert.match(body, /<form action="\/attestation"><label for="numero">/)
    assert.match(body, /<input id="numero" name="numero" required/)
    assert.doesNotMatch(body, /<script/)
    assert.match(String(headers['content-security-policy']), /form-action 'self'/)
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('a number leads to the page of its certificate, however it is typed', async () => {
    const number = await createNumber()
    for (const typed of [
      number,
      number.toLowerCase(),
      number.replaceAll('-', ''),
      ` ${number.replaceAll('-', ' ')} `,
      `${number}.`,
      `https://quiz.exemple/attestation/${number}`,
      `https://quiz.exemple/attestation/${number}/`,
    ]) {
      const { statusCode, headers } = await check(typed)
      assert.deepEqual([statusCode, headers.location], [303, `/attestation/${number}`], typed)
    }
    const { body } = await get(`/attestation/${number}`)
    assert.match(body, /Attestation authentique/)
    assert.match(body, /<a href="\/attestation">/)
  })

  test('a text that is no number, and a number without a certificate, are refused in place', async () => {
    const unknown = '0000-0000-0000-0000'
    for (const [typed, status, words] of [
      ['', 422, /seize lettres et chiffres\./],
      ['7K3M', 422, /seize lettres et chiffres\./],
      ['\ud800<"&>', 422, /seize lettres et chiffres\./],
      ['7K3M-'.repeat(9_00), 422, /seize lettres et chiffres\./],
      [unknown, 404, /Aucune attestation ne porte ce numéro/],
    ] as const) {
      const { statusCode, body } = await get(
        `/attestation?numero=${encodeURIComponent(typed.toWellFormed())}`,
      )
      assert.equal(statusCode, status, typed)
      assert.match(body, words, typed)
      assert.match(body, /aria-describedby="erreur aide" value="[^"<]*" aria-invalid="true"/)
      assert.match(body, /<title>Erreur\u00a0: Vérifier une attestation<\/title>/)
    }
    assert.match((await check(unknown)).body, /value="0000-0000-0000-0000"/)
    assert.equal((await get('/attestation?numero=a&numero=b')).statusCode, 422)
  })

  test('no address of visitors without its token leads to the sign-in page', async () => {
    for (const [url, status, location] of [
      ['/attestation/', 308, '/attestation'],
      ['/Attestation.', 308, '/attestation'],
      ['/attestation&utm_source=x', 308, '/attestation?utm_source=x'],
      ['/attestation/a/b', 404, undefined],
      ['/desinscription', 404, undefined],
      ['/desinscription/', 404, undefined],
      ['/statistiques', 404, undefined],
      ['/statistiques/', 404, undefined],
    ] as const) {
      const { statusCode, headers, body } = await get(url)
      assert.deepEqual([statusCode, headers.location], [status, location], url)
      if (status === 404)
        assert.match(body, /<h1>(?:Page introuvable|Ce lien n’est plus valable)</, url)
    }
  })
})
