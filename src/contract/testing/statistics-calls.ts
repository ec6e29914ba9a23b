import type { Client } from '#contract/client/client.ts'

/** Call with its name and its expected HTTP method and path. */
export type NamedCall = [name: string, call: (client: Client) => Promise<unknown>, line: string]

const id = 'Q'

/** Calls of statistics and statistics links, each with its method and path. */
export const statisticsCalls: NamedCall[] = [
  [
    'statistics.responses',
    ({ statistics }) => statistics.responses({ id }),
    'GET /quizzes/Q/responses',
  ],
  [
    'statistics.texts',
    ({ statistics }) => statistics.texts({ id, questionId: 'U' }),
    'GET /quizzes/Q/questions/U/texts',
  ],
  [
    'statistics.keyFigures',
    ({ statistics }) => statistics.keyFigures({ id, from: '2026-03-01' }),
    'GET /quizzes/Q/key-figures?from=2026-03-01',
  ],
  [
    'statistics.crosstab',
    ({ statistics }) => statistics.crosstab({ id, rows: 'result', columns: 'U' }),
    'GET /quizzes/Q/crosstab?rows=result&columns=U',
  ],
  ['statistics.overview', ({ statistics }) => statistics.overview(), 'GET /statistics/overview'],
  [
    'statisticsLinks.get',
    ({ statisticsLinks }) => statisticsLinks.get({ id }),
    'GET /quizzes/Q/statistics-link',
  ],
  [
    'statisticsLinks.create',
    ({ statisticsLinks }) => statisticsLinks.create({ id }),
    'POST /quizzes/Q/statistics-link',
  ],
  [
    'statisticsLinks.revoke',
    ({ statisticsLinks }) => statisticsLinks.revoke({ id }),
    'DELETE /quizzes/Q/statistics-link',
  ],
  [
    'sharedStatistics.get',
    ({ sharedStatistics }) => sharedStatistics.get({ token: 'T' }),
    'GET /shared-statistics/T',
  ],
]
