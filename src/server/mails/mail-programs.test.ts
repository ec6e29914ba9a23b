import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caniemail } from 'caniemail'
import { parseRichText } from '#contract/parse-rich-text.ts'
import type { Letter } from '#domain/mail-letters/letter.ts'
import { renderLetterHtml } from '#domain/mail-letters/letter-html.ts'
import { resultLetter } from '#domain/mail-letters/result-letter.ts'
import { IMAGE_IDS } from '#domain/testing/drafts.ts'
import { confirmationLetter } from '#server/confirmations/confirmation-letter.ts'
import { accountLetters } from './account-letters.ts'
import { campaignLetter } from './campaign-letters.ts'
import { digestLetter } from './quiz-letters.ts'

/** Mail programs of participants and creators. */
const PROGRAMS = [
  ...(['gmail.*', 'outlook.*', 'apple-mail.*', 'orange.*'] as const),
  ...(['sfr.*', 'yahoo.*', 'protonmail.*', 'samsung-email.*'] as const),
]
/** Features whose absence changes only the look of a mail, because each text also has a form that every program reads. */
const DECORATIONS = [
  '<body> element',
  'border-radius',
  'color-scheme meta tag',
  'display:none',
  'lang attribute',
  'max-height property',
  'overflow',
  'role attribute',
  'text-decoration',
  'word-break',
  // A picture that a program cannot show has its alternative text in its place.
  'webP image format',
  'height property',
  // A program without rules for dark colours shows the light ones, or inverts them.
  '!important keyword',
  '<style> element',
  '@media',
  'Attribute selector',
  'Chaining selectors',
  'Class selector',
  'Descendant combinator',
  'Type selector',
  'color-scheme CSS property',
]

const LETTERS: Record<string, Letter> = {
  result: resultLetter({
    subject: 'Votre résultat',
    quiz: { name: 'Les fruits', address_form: 'vous' },
    body: parseRichText('Bonjour **Léa**,\n\n- [le guide](https://exemple.fr)\n- *demain*'),
    unsubscribe_url: 'https://a.fr/desinscription/1',
    public_url: 'https://a.fr',
    parts: [
      { kind: 'heading', text: 'La cerise', note: 'Ex æquo' },
      { kind: 'picture', image_id: IMAGE_IDS[0], alt: 'Un cerisier' },
      { kind: 'text', text: parseRichText('Vous êtes **mûre**.') },
      { kind: 'button', label: 'Cueillir', url: 'https://exemple.fr' },
    ],
  }),
  digest: digestLetter({
    quizzes: [{ quiz_id: 'Q', name: 'Votre avis', nb_participants: 2, results: [] }],
    public_url: 'https://a.fr',
  }),
  invitation: campaignLetter({
    subject: 'Votre avis',
    body: parseRichText('Bonjour **Léa**,\n\n- [le guide](https://exemple.fr)'),
    quiz: { name: 'Les fruits' },
    is_anonymous: true,
    link: { answer_url: 'https://a.fr/q/1/i/2', refusal_url: 'https://a.fr/q/1/i/2/refus' },
  }),
  confirmation: confirmationLetter({
    ...{ subject: 'Confirmez', email: 'lea@exemple.fr', sender_name: 'Camille', is_mailed: true },
    ...{ quiz: { name: 'Les fruits' }, is_reminder: false, consent_text: 'J’accepte' },
    ...{ url: 'https://a.fr/c/1', unsubscribe_url: 'https://a.fr/desinscription/1' },
  }),
  deletion: accountLetters.account_deleted({ email: 'lea@exemple.fr' }),
  webhook: accountLetters.webhook_blocked({
    email: 'lea@exemple.fr',
    tool: 'exemple.fr',
    nb_waiting: 2,
  }),
}

for (const [name, letter] of Object.entries(LETTERS))
  test(`the mail « ${name} » needs nothing that a mail program lacks`, () => {
    const { issues } = caniemail({ clients: PROGRAMS, html: renderLetterHtml(letter) })
    const missing = [...(issues.errors?.values() ?? [])].flat().map(({ title }) => title)
    assert.deepEqual(
      [...new Set(missing)].filter((title) => !DECORATIONS.includes(title)),
      [],
    )
  })

test('a feature that no program may lack is found', () => {
  const html = '<p style="display:flex">Bonjour</p>'
  const { issues } = caniemail({ clients: PROGRAMS, html })
  const titles = [...(issues.errors?.values() ?? [])].flat().map(({ title }) => title)
  assert.ok(titles.some((title) => title.includes('flex')))
})
