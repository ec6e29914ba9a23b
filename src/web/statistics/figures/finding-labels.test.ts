import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { percentageOf } from '#domain/common/numbers.ts'
import type { Finding } from '#domain/statistics/findings.ts'
import { findingText } from './key-figure-labels.ts'

const loss = (kind: 'opened' | 'began' | 'page', page: number | null = null): Finding => ({
  kind: 'loss',
  step: { kind, page },
  count: 30,
  total: 120,
})
const change = (
  now: number,
  before: number,
  days_earlier = 30,
  is_without_today = false,
): Finding => ({
  kind: 'change',
  counted: 'participants',
  now,
  before,
  comparison: { days_earlier, is_without_today },
})
const result = (count: number): Finding => ({
  kind: 'result',
  result_name: 'Prêt',
  count,
  total: 1_200,
  percentage: percentageOf(count, 1_200),
})

describe('the sentences of findings', () => {
  const cases: [finding: Finding, expected: string][] = [
    [loss('page', 3), 'La page 3 perd 25 % des visiteurs (30 sur 120).'],
    [loss('began'), 'La première page perd 25 % des visiteurs (30 sur 120).'],
    [loss('opened'), '25 % des visiteurs partent sans donner de réponse (30 sur 120).'],
    [change(472, 400), '18 % de participants de plus que 30 jours plus tôt.'],
    [change(300, 400, 1), '25 % de participants de moins que la veille.'],
    [
      change(344, 400, 7, true),
      'Hors aujourd’hui, 14 % de participants de moins que 7 jours plus tôt.',
    ],
    [
      { ...change(4_000, 100), counted: 'opened' } as Finding,
      '3 900 % de visites de plus que 30 jours plus tôt.',
    ],
    [result(1_150), '95,8 % des participants obtiennent « Prêt » (1 150 sur 1 200).'],
    [result(0), 'Personne n’obtient « Prêt », sur 1 200 participants.'],
    [result(3), 'Presque personne n’obtient « Prêt » : 0,3 % des participants (3 sur 1 200).'],
    [
      { kind: 'skipped', question_text: 'Votre téléphone ?', count: 54, total: 120 },
      '« Votre téléphone ? » est laissée vide par 45 % des participants qui la voient (54 sur 120).',
    ],
    [
      { kind: 'slow', median_seconds: 750 },
      'La moitié des participants mettent 12 min 30 s ou plus à finir.',
    ],
    [
      { kind: 'slow', median_seconds: 7_200 },
      'La moitié des participants mettent 2 h ou plus à finir.',
    ],
  ]
  for (const [finding, expected] of cases)
    test(`a finding is written as « ${expected} »`, () =>
      assert.equal(findingText(finding).replaceAll(/[\u00a0\u202f]/g, ' '), expected))
})
