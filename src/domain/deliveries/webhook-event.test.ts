import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { packReplies, readReplies } from '#domain/run/stored-replies.ts'
import { answerOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import { type EventResponse, eventOf, sampleEvent } from './webhook-event.ts'

const answers = [answerOf('oui', { text: 'Oui' }), answerOf('non', { text: 'Non' })]
const snapshot = takeSnapshot(
  draftOf({
    questions: [
      questionOf('nom', {
        type: 'text',
        label: 'Prénom',
        contact_role: 'first_name',
        global_position: 0,
      }),
      questionOf('choix', { answers, max_choices: 2, global_position: 1 }),
      questionOf('jour', { type: 'date', global_position: 2 }),
      questionOf('adresse', { type: 'email', global_position: 3 }),
      questionOf('numero', { type: 'phone', contact_role: 'phone', global_position: 4 }),
    ],
    results: [resultOf('Grand saut', { priority_order: 1 }), resultOf('Pas à pas')],
  }),
)
const replies = {
  nom: 'Camille',
  choix: ['oui', 'non'],
  adresse: 'camille@exemple.fr',
  numero: '06 12 34 56 78',
}
const response = (over: Partial<EventResponse> = {}): EventResponse => ({
  ...packReplies(snapshot, replies),
  participant_uuid: 'P',
  version: 3,
  created_at: '2026-03-09T12:05:00.000Z',
  email: 'camille@exemple.fr',
  first_name: 'Camille',
  last_name: null,
  phone: '06 12 34 56 78',
  result_position: 1,
  dimension_percents: null,
  score: 7,
  consent_version: null,
  measure_version: null,
  elapsed_seconds: 42,
  parameters: null,
  email_confirmation: null,
  email_confirmed_at: null,
  ...over,
})
const made = (over?: Partial<EventResponse>) =>
  eventOf(snapshot, { quiz_id: 'Q', response: response(over) })

test('a row of a grid is labelled with its grid, and its question is its text alone', () => {
  const row = { type: 'scale', text: 'Accueil' } as const
  const grids = takeSnapshot(
    draftOf({
      questions: [
        questionOf('hotel', { ...row, grid_title: 'Hôtel', position: 0, global_position: 0 }),
        questionOf('resto', { ...row, grid_title: 'Restaurant', position: 1, global_position: 1 }),
      ],
    }),
  )
  const { data } = eventOf(grids, {
    quiz_id: 'Q',
    response: { ...response(), ...packReplies(grids, { hotel: '4', resto: '5' }) },
  })
  assert.deepEqual(
    data.replies.map(({ question, label }) => [question, label]),
    [
      ['Accueil', 'Hôtel : Accueil'],
      ['Accueil', 'Restaurant : Accueil'],
    ],
  )
})

describe('the event of a participant', () => {
  test('the event has the questions that the participant saw, their replies as texts and ids, and the result', () => {
    const { type, timestamp, data } = made()
    assert.deepEqual([type, timestamp], ['response.created', '2026-03-09T12:05:00.000Z'])
    assert.deepEqual(
      data.replies.map(({ question_id, label, answer, answer_ids }) => [
        ...[question_id, label, answer, answer_ids],
      ]),
      [
        ['nom', 'Prénom', 'Camille', []],
        ['choix', 'choix ?', 'Oui, Non', ['oui', 'non']],
        ['adresse', 'adresse ?', 'camille@exemple.fr', []],
        ['numero', 'numero ?', '06 12 34 56 78', []],
      ],
    )
    assert.deepEqual(
      [data.participant_id, data.version, data.score, data.result?.name, data.duration_seconds],
      ['P', 3, 7, 'Grand saut', 42],
    )
    assert.equal(made({ result_position: null }).data.result, null)
  })

  const CONSENTS: [number | null, string, string | null][] = [
    [null, 'not_asked', 'camille@exemple.fr'],
    [2, 'agreed', 'camille@exemple.fr'],
    [0, 'declined', null],
  ]
  for (const [consent_version, state, email] of CONSENTS)
    test(`the event with the consent version ${consent_version} is ${state}, ${email ? 'with' : 'without'} the address`, () => {
      const event = made({ consent_version })
      assert.equal(event.data.consent.state, state)
      assert.equal(event.data.email, email)
      for (const given of ['camille@', 'Camille', '06 12'])
        assert.equal(JSON.stringify(event).includes(given), email !== null, given)
    })

  test('the event has the contact data, which are all null without consent', () => {
    const contact = {
      email: 'camille@exemple.fr',
      first_name: 'Camille',
      last_name: null,
      phone: '06 12 34 56 78',
    }
    assert.deepEqual(made().data.contact, contact)
    assert.deepEqual(made({ consent_version: 1 }).data.contact, contact)
    const nothing = { email: null, first_name: null, last_name: null, phone: null }
    const declined = made({ consent_version: 0 }).data
    assert.deepEqual(declined.contact, nothing)
    assert.deepEqual(
      declined.replies.map(({ question_id }) => question_id),
      ['choix'],
    )
  })

  test('the event keeps the reply to a question whose type does not fit its role', () => {
    const asked = snapshot.questions.map((question) =>
      question.id === 'nom' ? { ...question, contact_role: 'phone' as const } : question,
    )
    const event = eventOf(
      { ...snapshot, questions: asked },
      { quiz_id: 'Q', response: response({ consent_version: 0 }) },
    )
    assert.deepEqual(
      event.data.replies.map(({ question_id }) => question_id),
      ['nom', 'choix'],
    )
  })

  test('the event has the URL parameters, but without consent it has only the UTM parameters', () => {
    const parameters = { parrain: 'ada@exemple.fr', utm_source: 'lettre' }
    assert.deepEqual(made().data.parameters, {})
    assert.deepEqual(made({ parameters }).data.parameters, parameters)
    assert.deepEqual(made({ parameters, consent_version: 1 }).data.parameters, parameters)
    assert.deepEqual(made({ parameters, consent_version: 0 }).data.parameters, {
      utm_source: 'lettre',
    })
  })

  test('the event is equal at every call, for any run', () => {
    fc.assert(
      fc.property(versionsWithReplies(), (run) => {
        const stored = packReplies(run.snapshot, run.replies)
        const event = () => eventOf(run.snapshot, { quiz_id: 'Q', response: response(stored) })
        assert.deepEqual(event(), event())
        const said = readReplies(run.snapshot, stored).filter(({ answer_text }) => answer_text)
        assert.deepEqual(
          event().data.replies.map(({ question, answer }) => [question, answer]),
          said.map(({ question_text, answer_text }) => [question_text, answer_text]),
        )
      }),
    )
  })
})

test('a test event replies to every question and has its own type', () => {
  const event = sampleEvent(snapshot, { quiz_id: 'Q', version: 1, now: new Date(0) })
  assert.equal(event.type, 'test')
  assert.deepEqual(
    event.data.replies.map(({ answer }) => answer),
    ['Camille', 'Oui', '31/01/2026', 'camille@exemple.fr', '06 12 34 56 78'],
  )
  assert.deepEqual(event.data.contact, {
    email: 'camille@exemple.fr',
    first_name: 'Camille',
    last_name: null,
    phone: '06 12 34 56 78',
  })
  fc.assert(
    fc.property(versionsWithReplies(), ({ snapshot: taken }) => {
      const { data } = sampleEvent(taken, { quiz_id: 'Q', version: 1, now: new Date(0) })
      assert.equal(data.quiz.name, taken.quiz.name)
    }),
  )
})

test('a test event of a sondage has no result and no score, also if it kept results from before', () => {
  const sondage = { ...snapshot, quiz: { ...snapshot.quiz, type: 'sondage' as const } }
  assert.ok(sondage.results.length > 0)
  const { data } = sampleEvent(sondage, { quiz_id: 'Q', version: 1, now: new Date(0) })
  assert.deepEqual([data.quiz.type, data.score, data.result], ['sondage', null, null])
  const quiz = sampleEvent(snapshot, { quiz_id: 'Q', version: 1, now: new Date(0) })
  assert.notEqual(quiz.data.result, null)
})
