import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { completeCounts } from '#domain/campaigns/campaign.ts'
import { documentTexts } from '#domain/reports/document.ts'
import { certificateSnapshot } from '#domain/testing/certificate-snapshot.ts'
import type { ResultCounts } from './count-results.ts'
import { type EvidenceFacts, evidenceDocument } from './evidence-document.ts'
import { journalOf, type SentMail, sentMailsOf } from './journal.ts'

const counted = (replied: number, invited: number) =>
  completeCounts([
    { state: 'replied', count: replied },
    { state: 'invited', count: invited },
  ])

const RESULTS: ResultCounts = {
  nb_replies: 7,
  score: { name: 'Score', mean: 62.4, count: 7 },
  results: [{ name: 'Acquis', count: 7 }],
  dimensions: [{ name: 'Écoute', mean: 80, count: 4 }],
  questions: [
    {
      text: 'Que faire ?',
      nb_answered: 7,
      nb_right: 5,
      answers: [
        { text: 'Alerter', count: 5, is_right: true },
        { text: 'Attendre', count: 2, is_right: false },
      ],
    },
    {
      text: 'Et ensuite ?',
      nb_answered: 3,
      nb_right: 1,
      answers: [{ text: 'Rassurer', count: 1, is_right: true }],
    },
  ],
}

const factsOf = (is_anonymous: boolean, results = RESULTS): EvidenceFacts => ({
  snapshot: certificateSnapshot([]),
  versions: [{ version: 2, published_on: '2 mars 2026', nb_replies: results.nb_replies }],
  campaign: {
    name: 'Session de mars',
    is_anonymous,
    starts_on: '2 mars 2026',
    ends_on: '9 mars 2026',
    has_ended: true,
    nb_deleted_replies: 0,
    reminder_days: [1, 3],
  },
  written_on: '10 mars 2026',
  counts: counted(7, 5),
  groups: [
    { group_name: 'Nord', counts: counted(5, 1) },
    { group_name: 'Léa Martin', counts: counted(1, 0) },
    { group_name: null, counts: counted(1, 4) },
  ],
  mails: [{ step: 1, count: 5, first_day: '3 mars 2026', last_day: '4 mars 2026' }],
  results,
  progress: null,
  actions_text: '',
})

const textOf = (facts: EvidenceFacts): string =>
  documentTexts(evidenceDocument(facts))
    .join('\n')
    .replaceAll(/[\u00a0\u202f]/g, ' ')

describe('the document of a campaign for an audit', () => {
  test('states dates, versions, people, rates by group, mails, results and right answers', () => {
    const text = textOf(factsOf(false))
    for (const words of [
      'Version 2, publiée le 2 mars 2026 : 7 réponses',
      'Début : 2 mars 2026. Fin : 9 mars 2026.',
      '12 personnes invitées.',
      'Toutes les personnes\n7 sur 12\nTaux de retour : 58 %',
      'Nord\n5 sur 6\nTaux de retour : 83 %',
      'Léa Martin\n1 sur 1',
      'Sans groupe\n1 sur 5',
      'Rappels prévus 1 jour, 3 jours après l’invitation',
      'Rappel 1\n5 emails\nDu 3 mars 2026 au 4 mars 2026',
      'Score\n62 %\n7 réponses',
      'Écoute\n80 %\n4 réponses',
      'Alerter\n5 (71 %)',
      'Que faire ?\n71 % de justes\nBonne réponse : Alerter',
      'Aucune action notée.',
    ])
      assert.ok(text.includes(words), `${words}\n---\n${text}`)
  })

  test('of an anonymous campaign joins small groups and hides figures of fewer than five replies', () => {
    const text = textOf(factsOf(true))
    assert.doesNotMatch(text, /Léa Martin|Écoute|Rassurer\n1/)
    assert.match(text, /Groupes de moins de cinq personnes\n1 sur 1/)
    assert.match(text, /Et ensuite \?\nMoins de cinq réponses/)
    assert.match(text, /Et ensuite \?\nNon montré\nBonne réponse : Rassurer/)
    const few = textOf(factsOf(true, { ...RESULTS, nb_replies: 4 }))
    assert.doesNotMatch(few, /62 %|Alerter/)
    assert.match(few, /Résultats\nMoins de cinq réponses/)
  })

  test('without replies says so', () => {
    const empty = { nb_replies: 0, score: null, results: [], dimensions: [], questions: [] }
    assert.match(textOf(factsOf(false, empty)), /Résultats\nAucune réponse\./)
  })
})

describe('the log of mails', () => {
  const mail = (at: string, step: number, email: string): SentMail => ({
    ...{ at, step, email, first_name: 'Léa', last_name: null, group_name: null },
    state: 'invited',
  })
  const mails = [
    mail('2026-03-01T22:30:00Z', 0, 'a@exemple.fr'),
    mail('2026-03-01T23:30:00Z', 0, 'b@exemple.fr'),
    mail('2026-03-04T08:00:00Z', 1, 'a@exemple.fr'),
  ]

  test('has a line for each mail, and for each local day in an anonymous campaign', () => {
    const zone = { time_zone: 'Europe/Paris' }
    const named = journalOf(mails, { ...zone, is_anonymous: false })
    assert.deepEqual(
      named.lines.map(({ cells }) => cells.slice(0, 2)),
      [
        ['Invitation', 'a@exemple.fr'],
        ['Invitation', 'b@exemple.fr'],
        ['Rappel 1', 'a@exemple.fr'],
      ],
    )
    const anonymous = journalOf(mails, { ...zone, is_anonymous: true })
    assert.deepEqual(
      anonymous.lines.map(({ created_at, cells }) => [created_at, ...cells]),
      [
        ['2026-02-28T23:00:00.000Z', 'Invitation', 1],
        ['2026-03-01T23:00:00.000Z', 'Invitation', 1],
        ['2026-03-03T23:00:00.000Z', 'Rappel 1', 1],
      ],
    )
  })

  test('is summed up by step with the first and the last day', () => {
    assert.deepEqual(
      sentMailsOf(mails, (at) => at.slice(0, 10)),
      [
        { step: 0, count: 2, first_day: '2026-03-01', last_day: '2026-03-01' },
        { step: 1, count: 1, first_day: '2026-03-04', last_day: '2026-03-04' },
      ],
    )
  })
})
