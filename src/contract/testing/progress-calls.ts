import type { NamedCall } from './statistics-calls.ts'

const campaign = { id: 'Q', campaignId: 'C' }
const path = '/quizzes/Q/campaigns/C'

/** Calls that compare a campaign with an earlier one, and of its file for an audit, each with its method and path. */
export const progressCalls: NamedCall[] = [
  [
    'progress.get',
    ({ progress }) => progress.get({ ...campaign, before: 'B' }),
    `GET ${path}/progress?before=B`,
  ],
  [
    'progress.people',
    ({ progress }) => progress.people({ ...campaign, body: { format: 'csv' } }),
    `POST ${path}/progress`,
  ],
  [
    'progress.setBefore',
    ({ progress }) => progress.setBefore({ ...campaign, body: { before_campaign_id: null } }),
    `PUT ${path}/before`,
  ],
  ['evidence.get', ({ evidence }) => evidence.get(campaign), `GET ${path}/evidence`],
  [
    'evidence.setActions',
    ({ evidence }) =>
      evidence.setActions({ ...campaign, body: { actions_text: 'B', former_text: 'A' } }),
    `PUT ${path}/evidence`,
  ],
  ['evidence.create', ({ evidence }) => evidence.create(campaign), `POST ${path}/evidence`],
  ['evidence.remove', ({ evidence }) => evidence.remove(campaign), `DELETE ${path}/evidence`],
  ['evidence.link', ({ evidence }) => evidence.link(campaign), `POST ${path}/evidence/link`],
]
