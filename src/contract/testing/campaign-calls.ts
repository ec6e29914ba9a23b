import type { NamedCall } from './statistics-calls.ts'

const id = 'Q'
const campaignId = 'C'
const personId = 'P'
const token = 'T'
const words = {
  invitation_subject: 'A',
  invitation_text: 'B',
  reminder_subject: 'C',
  reminder_text: 'D',
}
const ends_at = '2027-01-31T08:00:00Z'
const people = { people: [{ email: 'camille@exemple.fr' }], may_write: true as const }

/** Calls of campaigns and of the pages of invited people. */
export const campaignCalls: NamedCall[] = [
  ['campaigns.list', (c) => c.campaigns.list({ id }), 'GET /quizzes/Q/campaigns'],
  [
    'campaigns.create',
    (c) => c.campaigns.create({ id, body: { name: 'A', ...words, ends_at, ...people } }),
    'POST /quizzes/Q/campaigns',
  ],
  [
    'campaigns.test',
    (c) => c.campaigns.test({ id, body: { ...words, kind: 'invitation', ends_at } }),
    'POST /quizzes/Q/campaign-test',
  ],
  ['campaigns.get', (c) => c.campaigns.get({ id, campaignId }), 'GET /quizzes/Q/campaigns/C'],
  [
    'campaigns.update',
    (c) => c.campaigns.update({ id, campaignId, body: {} }),
    'PUT /quizzes/Q/campaigns/C',
  ],
  [
    'campaigns.remove',
    (c) => c.campaigns.remove({ id, campaignId }),
    'DELETE /quizzes/Q/campaigns/C',
  ],
  [
    'campaigns.people',
    (c) => c.campaigns.people({ id, campaignId }),
    'GET /quizzes/Q/campaigns/C/people',
  ],
  [
    'campaigns.addPeople',
    (c) => c.campaigns.addPeople({ id, campaignId, body: people }),
    'POST /quizzes/Q/campaigns/C/people',
  ],
  [
    'campaigns.removePerson',
    (c) => c.campaigns.removePerson({ id, campaignId, personId }),
    'DELETE /quizzes/Q/campaigns/C/people/P',
  ],
  [
    'campaigns.correctAddress',
    (c) =>
      c.campaigns.correctAddress({ id, campaignId, personId, body: { email: 'a@exemple.fr' } }),
    'PUT /quizzes/Q/campaigns/C/people/P',
  ],
  [
    'invitedRuns.submit',
    (c) => c.invitedRuns.submit({ id, token, body: { answers: {} } }),
    'POST /quizzes/Q/i/T/submit',
  ],
  [
    'invitedRuns.visit',
    (c) => c.invitedRuns.visit({ id, token, body: { step: 'opened' } }),
    'POST /quizzes/Q/i/T/visit',
  ],
  ['invitedRuns.resume', (c) => c.invitedRuns.resume({ id, token }), 'POST /quizzes/Q/i/T/resume'],
]
