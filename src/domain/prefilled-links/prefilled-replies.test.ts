import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { QuestionType } from '#domain/common/vocabulary.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { replyErrors } from '#domain/run/submission-checks.ts'
import { prefilledReplies } from './prefilled-replies.ts'
import { splitQuery } from './read-link.ts'

const ask = (
  id: string,
  type: QuestionType,
  {
    answers = [],
    ...options
  }: Partial<Omit<SnapshotQuestion, 'answers'>> & { answers?: string[] } = {},
): SnapshotQuestion => ({
  id,
  type,
  text: id,
  position: 0,
  global_position: 0,
  page_number: 1,
  is_required: false,
  ...options,
  answers: answers.map((text, rank) => ({
    id: `${id}-${rank + 1}`,
    text,
    position: rank,
    score: null,
    associations: [],
  })),
})

const QUESTIONS = [
  ask('first', 'text', { label: 'Prénom', contact_role: 'first_name' }),
  ask('last', 'text', { contact_role: 'last_name' }),
  ask('mail', 'email'),
  ask('tel', 'phone', { contact_role: 'phone' }),
  ask('score', 'scale', { label: 'note', scale_min: 0, scale_max: 10 }),
  ask('size', 'number', { label: '2' }),
  ask('born', 'date', { text: 'Votre date de naissance' }),
  ask('when', 'date', { label: 'rendez vous' }),
  ask('one', 'multiple_choice', { answers: ['Un coach', 'L’équipe', '3', 'Été'], label: 'choix' }),
  ask('many', 'multiple_choice', {
    answers: ['Yoga', 'Sport', 'C++'],
    max_choices: 3,
    has_other: true,
    label: 'plusieurs',
  }),
  ask('story', 'textarea', { label: 'récit' }),
  ask('row', 'scale', { grid_title: 'Grille', label: 'ligne', scale_max: 5 }),
]

const fill = (query: string, questions = QUESTIONS) =>
  prefilledReplies(questions, splitQuery(query).values, 2026)

const CASES: [query: string, replies: object][] = [
  // Roles, in every spelling that mail tools and people write.
  ['?prénom=Zoé', { first: 'Zoé' }],
  ['?pr%C3%A9nom=Zo%C3%A9', { first: 'Zoé' }],
  ['?pre%CC%81nom=Zoe%CC%81', { first: 'Zoé' }],
  ['?pr%E9nom=Zo%E9', { first: 'Zoé' }],
  ['?PRENOM=Zo%C3%A9', { first: 'Zoé' }],
  [
    '?nom=Dupont&email=a%40b.fr&telephone=0612345678',
    { last: 'Dupont', mail: 'a@b.fr', tel: '0612345678' },
  ],
  ['?t%C3%A9l%C3%A9phone=06+12+34+56+78', { tel: '06 12 34 56 78' }],
  ['utm_source=x&amp;prenom=Jean', { first: 'Jean' }],
  ['?prenom=Jean%20%20', { first: 'Jean' }],
  ['?prenom=Jean+Paul', { first: 'Jean Paul' }],
  // A plus stays where tools write it without an escape.
  ['?email=jean+quiz@exemple.fr', { mail: 'jean+quiz@exemple.fr' }],
  ['?email=jean%2Bquiz@exemple.fr', { mail: 'jean+quiz@exemple.fr' }],
  ['?email=jean+quiz@exemple.fr%20', { mail: 'jean+quiz@exemple.fr' }],
  ['?telephone=+33612345678', { tel: '+33612345678' }],
  ['?telephone=%2B33+6+12+34+56+78', { tel: '+33 6 12 34 56 78' }],
  // Merge tags that a tool did not fill in, and blank values.
  ['?prenom={{ subscriber.first_name }}', {}],
  ['?prenom=%7B%7B%20subscriber.first_name%20%7D%7D', {}],
  ['?prenom=%257B%257Bsubscriber.first_name%257D%257D', {}],
  ['?prenom={{subscriber.first_name|url_encode}}', {}],
  ['?prenom={first_name}', {}],
  ['?prenom={prenom}', {}],
  ['?prenom=%7Bfirst_name%7D', {}],
  ['?prenom=%FIRSTNAME%', {}],
  ['?prenom=%FAMILY%', {}],
  ['?prenom=%25FIRSTNAME%25', {}],
  ['?prenom={{contact.PRENOM}}', {}],
  ['?prenom=*|FNAME|*', {}],
  ['?prenom=[PRENOM]', {}],
  ['?prenom=%23firstname%23', {}],
  ['?prenom=', {}],
  ['?prenom', {}],
  ['?prenom=%20%E2%80%8B', {}],
  ['?email={{ contact.EMAIL }}', {}],
  // Short names and numbers.
  ['?q.Pr%C3%A9nom=A', { first: 'A' }],
  ['?Q.PR%C3%89NOM=A', { first: 'A' }],
  ['?q.1=A&q.3=a@b.fr', { first: 'A', mail: 'a@b.fr' }],
  ['?q.2=A', { last: 'A' }],
  ['?q.rendez+vous=2026-12-31', { when: '2026-12-31' }],
  ['?q.rendez%20vous=2026-12-31', { when: '2026-12-31' }],
  ['?q.0=A&q.13=B&q.99999=C&q.=D&q=E&q.gone=F&q.1.5=G', {}],
  ['?q.1=A&q.1=B', { first: 'B' }],
  ['?q.1=A&prenom=B', { first: 'B' }],
  // Scales, numbers and days.
  ['?q.note=0', { score: '0' }],
  ['?q.note=10', { score: '10' }],
  ['?q.note=08', { score: '8' }],
  ['?q.note=11', {}],
  ['?q.note=-1', {}],
  ['?q.note=1.5', {}],
  ['?q.ligne=5', { row: '5' }],
  ['?q.ligne=6', {}],
  ['?q.6=12,5', { size: '12.5' }],
  ['?q.6=1%C2%A0234', { size: '1234' }],
  ['?q.6=-3', { size: '-3' }],
  ['?q.6=abc', {}],
  ['?q.8=31/12/2026', { when: '2026-12-31' }],
  ['?q.8=1.2.2026', { when: '2026-02-01' }],
  ['?q.8=31/12/26', { when: '2026-12-31' }],
  ['?q.8=2026-12-31T00:00:00Z', { when: '2026-12-31' }],
  ['?q.7=1/2/84', { born: '1984-02-01' }],
  ['?q.8=30/02/2026', {}],
  ['?q.8=12/31/2026', {}],
  ['?q.8=31/12/1500', {}],
  // Choices by words or number.
  ['?q.choix=Un+coach', { one: 'one-1' }],
  ['?q.choix=un%20coach', { one: 'one-1' }],
  ["?q.choix=l'equipe", { one: 'one-2' }],
  ['?q.choix=E%CC%81te%CC%81', { one: 'one-4' }],
  ['?q.choix=2', { one: 'one-2' }],
  ['?q.choix=3', { one: 'one-3' }],
  ['?q.choix=5', {}],
  ['?q.choix=Un+coach|2', {}],
  ['?q.plusieurs=Yoga|2', { many: ['many-1', 'many-2'] }],
  ['?q.plusieurs=Yoga%7Cyoga|', { many: 'many-1' }],
  ['?q.plusieurs=C%2B%2B', { many: 'many-3' }],
  ['?q.plusieurs=Yoga|perdu', { many: 'many-1' }],
  ['?q.plusieurs=1|Autre : La marche', { many: ['many-1', 'other:La marche'] }],
  ['?q.plusieurs=Autre:', {}],
  ['?q.plusieurs=1|2|3|Autre : x', {}],
  // Texts.
  ['?q.r%C3%A9cit=Un%0D%0Adeux%0A', { story: 'Un\ndeux' }],
  ['?q.1=Un%0D%0Adeux', { first: 'Un deux' }],
  ['?q.1=a%00b%1B%E2%80%AEc', { first: 'a b c' }],
  ['?q.1=<b>%22gras%22', { first: '<b>"gras"' }],
  ['?email=pas+une+adresse', {}],
  ['?telephone=12', {}],
  // Other parts of the link do not change.
  ['?consent=1&consent_version=1&run_secret=x&participant_uuid=y&r=1&test=t&embed=1', {}],
  ['?q.consent=1&q.__proto__=1&__proto__=x&q.constructor=1&constructor=x', {}],
]

describe('the replies of a prefilled link', () => {
  for (const [query, replies] of CASES)
    test(`${query} fills in ${JSON.stringify(replies)}`, () =>
      assert.deepEqual(fill(query), replies))

  test('a text longer than a reply is ignored', () => {
    assert.deepEqual(fill(`?q.1=${'a'.repeat(10_000)}`), { first: 'a'.repeat(10_000) })
    assert.deepEqual(fill(`?q.1=${'a'.repeat(10_001)}`), {})
  })

  test('words that two answers share choose neither of them', () => {
    const twice = [ask('x', 'multiple_choice', { answers: ['Pêche', 'peche'] })]
    assert.deepEqual(fill('?q.1=Pêche', twice), { x: 'x-1' })
    assert.deepEqual(fill('?q.1=PECHE', twice), {})
  })

  test('every filled reply is one that the server accepts, whatever the link says', () => {
    const names = fc.oneof(
      fc.constantFrom('prenom', 'nom', 'email', 'telephone', 'q.note', 'q.plusieurs', 'q.récit'),
      fc.integer({ min: 0, max: 14 }).map((number) => `q.${number}`),
      fc.string(),
    )
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('1', '7|2', 'Yoga|Autre : x', '31/12/2026', 'a+b@c.fr', '+33612345678'),
      fc.stringMatching(/^(?:%[0-9a-f]{2}|[+&=|{}]){0,12}$/),
    )
    const query = fc
      .array(fc.tuple(names, values, fc.boolean()))
      .map((pairs) =>
        pairs
          .map(([name, value, isEscaped]) =>
            isEscaped ? `${name}=${value}` : `${name}=${encodeURIComponent(value.toWellFormed())}`,
          )
          .join('&'),
      )
    fc.assert(
      fc.property(query, (text) => {
        const replies = fill(text)
        assert.deepEqual(replyErrors({ questions: QUESTIONS }, replies), [])
        assert.doesNotMatch(JSON.stringify(replies), /\{\{/)
      }),
    )
  })
})

describe('the other parameters of an address', () => {
  for (const [query, others] of [
    ['?utm_source=mail&prenom=A&q.1=B&ref=%C3%A9+x', '?utm_source=mail&ref=%C3%A9+x'],
    ['?prenom=A', ''],
    ['?q.note=1&embed=1&noscript=1', '?embed=1'],
    ['?Q%2E1=x&r=2', '?r=2'],
    ['?test=token&nom=x&&', '?test=token'],
    ['?quiz=1&query=2&q=3&nombre=4', '?quiz=1&query=2&q=3&nombre=4'],
    ['', ''],
  ] as const)
    test(`of ${query}, ${others} stays`, () => assert.equal(splitQuery(query).others, others))
})

test('a link of six hundred parameters is read, and further ones are left out', () => {
  const query = `${'q.note=1&'.repeat(599)}q.note=2&q.note=3&utm_source=a`
  assert.deepEqual(fill(query), { score: '2' })
  assert.equal(splitQuery(query).others, '')
})
