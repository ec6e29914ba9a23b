import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuizType } from '#domain/common/vocabulary.ts'
import { renderLetterHtml } from '#domain/mail-letters/letter-html.ts'
import { renderLetterText } from '#domain/mail-letters/letter-plain.ts'
import { resultLetter } from '#domain/mail-letters/result-letter.ts'
import { accountLetters } from './account-letters.ts'
import { digestLetter, noticeLetter } from './quiz-letters.ts'

const SETTINGS: [QuizType | undefined, string][] = [
  ['quiz', 'les réglages du quiz'],
  ['sondage', 'les réglages du sondage'],
]

for (const [type, settings] of SETTINGS)
  test(`the mail about a participant of a ${type} leads to ${settings}`, () => {
    const quiz = { name: 'Votre avis', type: type ?? 'quiz' }
    const letter = noticeLetter({
      quiz,
      result: null,
      email: 'lea@exemple.fr',
      url: 'https://a.fr',
    })
    assert.equal(letter.subject, 'Nouveau participant : Votre avis')
    assert.match(letter.closing.join(), new RegExp(`${settings}, onglet Automatisations`))
    const other = type === 'sondage' ? /\bquiz\b/i : /sondage/i
    for (const part of [renderLetterHtml(letter), renderLetterText(letter)])
      assert.doesNotMatch(part, other)
  })

for (const [type, settings] of [...SETTINGS, [undefined, 'les réglages du questionnaire'] as const])
  test(`the mail about a refused webhook ${type ? `of a ${type}` : 'queued by an earlier version'} leads to ${settings}`, () => {
    const { action } = accountLetters.webhook_blocked({
      email: 'lea@exemple.fr',
      tool: 'exemple.fr',
      nb_waiting: 2,
      ...(type && { quiz: { type } }),
    })
    assert.equal(action?.label, `Ouvrir ${settings}`)
  })

test('mails about quizzes and sondages together speak of questionnaires', () => {
  const digest = digestLetter({
    quizzes: [{ quiz_id: 'Q', name: 'Votre avis', nb_participants: 2, results: [] }],
    public_url: 'https://a.fr',
  })
  assert.match(digest.closing.join(), /pour les questionnaires où vous l’avez choisi/)
  const deleted = accountLetters.account_deleted({ email: 'lea@exemple.fr' })
  for (const { preview, paragraphs, closing } of [digest, deleted])
    assert.doesNotMatch([preview, ...paragraphs, ...closing].join(), /\b(quiz|sondage)\b/i)
  assert.match(deleted.preview, /Vos questionnaires/)
})

test('the result mail addresses the participant as its quiz does', () => {
  const letterOf = (address_form: 'vous' | 'tu') => {
    const quiz = { name: 'Les fruits', address_form }
    const letter = resultLetter({ subject: '', body: 'Mûr', quiz, unsubscribe_url: 'https://a.fr' })
    return renderLetterText(letter)
  }
  assert.match(letterOf('vous'), /Vous recevez cet email.*Si ce n’était pas vous, ignorez-le/s)
  assert.match(letterOf('tu'), /Tu reçois cet email.*Si ce n’était pas toi, ignore-le/s)
  assert.doesNotMatch(letterOf('tu'), /\b(?:vous|votre)\b/i)
})

test('Outlook for Windows gets a width and a padding that it reads', () => {
  const html = renderLetterHtml(
    noticeLetter({
      quiz: { name: 'Les fruits', type: 'quiz' },
      result: null,
      email: null,
      url: 'https://a.fr',
    }),
  )
  assert.match(html, /<!--\[if mso\]><table [^>]* width="560">/)
  assert.match(html, /<td [^>]*bgcolor="#0a5bc4" style="padding:12px 24px;/)
  // Outlook ignores padding of other elements than cells.
  assert.doesNotMatch(html, /<(?:a|p|div|span|ul)\b[^>]*style="[^"]*padding:[^0]/)
  assert.equal(html.match(/<!--\[if mso\]>/g)?.length, html.match(/<!\[endif\]-->/g)?.length)
})
