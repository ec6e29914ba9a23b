import { accountCalls } from './account-calls.ts'
import { adminCalls } from './admin-calls.ts'
import { campaignCalls } from './campaign-calls.ts'
import { outboxCalls } from './outbox-calls.ts'
import { progressCalls } from './progress-calls.ts'
import { type NamedCall, statisticsCalls } from './statistics-calls.ts'

const id = 'Q'
const text = { type: 'text' } as const
const mail = { subject: 'A', text: 'B' }

/** Every call of the contract with its method and path (product 13.1). */
export const callTable: NamedCall[] = [
  ['quizzes.list', ({ quizzes }) => quizzes.list(), 'GET /quizzes'],
  ['quizzes.get', ({ quizzes }) => quizzes.get({ id }), 'GET /quizzes/Q'],
  ['quizzes.create', ({ quizzes }) => quizzes.create({ body: { type: 'quiz' } }), 'POST /quizzes'],
  ['quizzes.update', ({ quizzes }) => quizzes.update({ id, body: {} }), 'PUT /quizzes/Q'],
  ['quizzes.remove', ({ quizzes }) => quizzes.remove({ id }), 'DELETE /quizzes/Q'],
  [
    'crashes.report',
    ({ crashes }) =>
      crashes.report({
        body: {
          name: 'Error',
          message: 'A',
          screen: '/dashboard',
          position: null,
          release: 'index.js',
        },
      }),
    'POST /crashes',
  ],
  ['quizzes.duplicate', ({ quizzes }) => quizzes.duplicate({ id }), 'POST /quizzes/Q/duplicate'],
  [
    'quizzes.importText',
    ({ quizzes }) => quizzes.importText({ body: { text: '# A' } }),
    'POST /quizzes/import',
  ],
  ['quizzes.text', ({ quizzes }) => quizzes.text({ id }), 'GET /quizzes/Q/text'],
  ['quizFiles.write', ({ quizFiles }) => quizFiles.write({ id }), 'GET /quizzes/Q/export'],
  [
    'quizFiles.read',
    ({ quizFiles }) => quizFiles.read({ body: new Uint8Array([1]) }),
    'POST /quizzes/import-file',
  ],
  ['quizzes.publish', ({ quizzes }) => quizzes.publish({ id }), 'POST /quizzes/Q/publish'],
  [
    'quizzes.checkSlug',
    ({ quizzes }) => quizzes.checkSlug({ id, slug: 'mon-quiz' }),
    'GET /quizzes/Q/slug?slug=mon-quiz',
  ],
  ['quizzes.hasChanges', ({ quizzes }) => quizzes.hasChanges({ id }), 'GET /quizzes/Q/has-changes'],
  ['quizzes.mode', ({ quizzes }) => quizzes.mode({ id }), 'GET /quizzes/Q/mode'],
  ['quizzes.resetMode', ({ quizzes }) => quizzes.resetMode({ id }), 'POST /quizzes/Q/mode/reset'],
  ['results.list', ({ results }) => results.list({ id }), 'GET /quizzes/Q/results'],
  [
    'results.create',
    ({ results }) => results.create({ id, body: { name: 'Lune' } }),
    'POST /quizzes/Q/results',
  ],
  [
    'results.update',
    ({ results }) => results.update({ resultId: 'R', body: {} }),
    'PUT /results/R',
  ],
  [
    'results.remove',
    ({ results }) => results.remove({ id, resultId: 'R' }),
    'DELETE /quizzes/Q/results/R',
  ],
  [
    'results.saveAll',
    ({ results }) => results.saveAll({ id, body: { results: [] } }),
    'POST /quizzes/Q/results/unified',
  ],
  ['questions.list', ({ questions }) => questions.list({ id }), 'GET /quizzes/Q/questions'],
  [
    'questions.unified',
    ({ questions }) => questions.unified({ id }),
    'GET /quizzes/Q/questions/unified',
  ],
  [
    'questions.saveDraft',
    ({ questions }) => questions.saveDraft({ id, body: { questions: [] } }),
    'POST /quizzes/Q/questions/unified/smart',
  ],
  [
    'questions.create',
    ({ questions }) => questions.create({ id, body: text }),
    'POST /quizzes/Q/questions',
  ],
  ['folders.list', ({ folders }) => folders.list(), 'GET /folders'],
  ['folders.create', ({ folders }) => folders.create({ body: { name: 'A' } }), 'POST /folders'],
  [
    'folders.rename',
    ({ folders }) => folders.rename({ id, body: { name: 'A' } }),
    'PUT /folders/Q',
  ],
  ['folders.remove', ({ folders }) => folders.remove({ id }), 'DELETE /folders/Q'],
  [
    'folders.put',
    ({ folders }) => folders.put({ id, body: { folder_id: null } }),
    'PUT /quizzes/Q/folder',
  ],
  ...accountCalls,
  ['trash.restore', ({ trash }) => trash.restore({ id }), 'POST /quizzes/Q/restore'],
  ['trash.empty', ({ trash }) => trash.empty(), 'DELETE /trash'],
  ['drafts.get', ({ drafts }) => drafts.get({ id }), 'GET /quizzes/Q/draft'],
  [
    'drafts.save',
    ({ drafts }) => drafts.save({ id, body: { based_on: 0 } }),
    'POST /quizzes/Q/draft',
  ],
  ['versions.list', ({ versions }) => versions.list({ id }), 'GET /quizzes/Q/versions'],
  [
    'versions.get',
    ({ versions }) => versions.get({ id, version: '3' }),
    'GET /quizzes/Q/versions/3',
  ],
  [
    'questionQuality.get',
    ({ questionQuality }) => questionQuality.get({ id }),
    'GET /quizzes/Q/question-quality',
  ],
  ['replay.get', ({ replay }) => replay.get({ id }), 'GET /quizzes/Q/replay'],
  ['questions.update', ({ questions }) => questions.update({ id, body: {} }), 'PUT /questions/Q'],
  ['questions.remove', ({ questions }) => questions.remove({ id }), 'DELETE /questions/Q'],
  [
    'questions.addAnswer',
    ({ questions }) => questions.addAnswer({ id, body: {} }),
    'POST /questions/Q/answers',
  ],
  [
    'questions.saveAnswers',
    ({ questions }) => questions.saveAnswers({ id, body: { answers: [] } }),
    'PUT /questions/Q/answers',
  ],
  [
    'questions.removeAnswer',
    ({ questions }) => questions.removeAnswer({ id, answerId: 'A' }),
    'DELETE /questions/Q/answers/A',
  ],
  ['publicQuiz.snapshot', (c) => c.publicQuiz.snapshot({ id }), 'GET /quizzes/Q/snapshot'],
  [
    'publicQuiz.submit',
    (c) => c.publicQuiz.submit({ id, body: { answers: {} } }),
    'POST /quizzes/Q/submit',
  ],
  ['trialRuns.link', (c) => c.trialRuns.link({ id }), 'POST /quizzes/Q/test-link'],
  [
    'trialRuns.submit',
    (c) => c.trialRuns.submit({ id, token: 'T', body: { answers: {} } }),
    'POST /quizzes/Q/test/T/submit',
  ],
  ['trialRuns.list', (c) => c.trialRuns.list({ id }), 'GET /quizzes/Q/test-runs'],
  ['trialRuns.get', (c) => c.trialRuns.get({ id, runId: 'R' }), 'GET /quizzes/Q/test-runs/R'],
  ...campaignCalls,
  ...statisticsCalls,
  [
    'participants.explain',
    ({ participants }) => participants.explain({ id, participantId: 'P' }),
    'GET /quizzes/Q/responses/P',
  ],
  [
    'participants.remove',
    ({ participants }) => participants.remove({ id, participantId: 'P', brevo: 'delete' }),
    'DELETE /quizzes/Q/responses/P?brevo=delete',
  ],
  [
    'participants.ofPerson',
    ({ participants }) => participants.ofPerson({ body: { email: 'a@b' } }),
    'POST /people/find',
  ],
  [
    'participants.removePerson',
    ({ participants }) => participants.removePerson({ body: { email: 'a@b' } }),
    'POST /people/remove',
  ],
  ['retention.get', ({ retention }) => retention.get({ id }), 'GET /quizzes/Q/retention'],
  [
    'retention.set',
    ({ retention }) => retention.set({ id, body: { months: null } }),
    'PUT /quizzes/Q/retention',
  ],
  ['erasures.list', ({ erasures }) => erasures.list({ id }), 'GET /quizzes/Q/erasures'],
  [
    'erasures.retry',
    ({ erasures }) => erasures.retry({ id, erasureId: 'E' }),
    'POST /quizzes/Q/erasures/E/retry',
  ],
  [
    'exports.link',
    ({ exports }) => exports.link({ id, body: { format: 'csv' } }),
    'POST /quizzes/Q/exports',
  ],
  [
    'documents.link',
    ({ documents }) => documents.link({ id, body: { file: 'zip' } }),
    'POST /quizzes/Q/documents',
  ],
  ['images.add', ({ images }) => images.add({ body: new Uint8Array([1]) }), 'POST /images'],
  ['images.usage', ({ images }) => images.usage(), 'GET /images/usage'],
  [
    'integrations.kitStatus',
    ({ integrations }) => integrations.kitStatus(),
    'GET /integrations/convertkit/status',
  ],
  [
    'integrations.connectKit',
    ({ integrations }) => integrations.connectKit({}),
    'POST /integrations/convertkit/connect',
  ],
  [
    'integrations.disconnectKit',
    ({ integrations }) => integrations.disconnectKit(),
    'POST /integrations/convertkit/disconnect',
  ],
  [
    'integrations.checkKit',
    ({ integrations }) => integrations.checkKit(),
    'POST /integrations/convertkit/check',
  ],
  [
    'integrations.checkSystemio',
    ({ integrations }) => integrations.checkSystemio(),
    'POST /integrations/systemio/check',
  ],
  [
    'integrations.checkBrevo',
    ({ integrations }) => integrations.checkBrevo(),
    'POST /integrations/brevo/check',
  ],
  [
    'integrations.systemioStatus',
    ({ integrations }) => integrations.systemioStatus(),
    'GET /integrations/systemio/status',
  ],
  [
    'integrations.saveSystemio',
    ({ integrations }) => integrations.saveSystemio({ body: { api_key: 'k' } }),
    'PUT /integrations/systemio',
  ],
  [
    'integrations.removeSystemio',
    ({ integrations }) => integrations.removeSystemio(),
    'DELETE /integrations/systemio',
  ],
  [
    'integrations.brevoStatus',
    ({ integrations }) => integrations.brevoStatus(),
    'GET /integrations/brevo/status',
  ],
  [
    'integrations.saveBrevo',
    ({ integrations }) => integrations.saveBrevo({ body: { api_key: 'k' } }),
    'PUT /integrations/brevo',
  ],
  [
    'integrations.removeBrevo',
    ({ integrations }) => integrations.removeBrevo(),
    'DELETE /integrations/brevo',
  ],
  [
    'integrations.ofQuiz',
    ({ integrations }) => integrations.ofQuiz({ id }),
    'GET /quiz/Q/integrations',
  ],
  [
    'integrations.setConvertkit',
    ({ integrations }) => integrations.setConvertkit({ id, body: { enabled: true } }),
    'PUT /quiz/Q/integrations/convertkit',
  ],
  [
    'integrations.setSystemio',
    ({ integrations }) => integrations.setSystemio({ id, body: { enabled: true } }),
    'PUT /quiz/Q/integrations/systemio',
  ],
  [
    'integrations.setBrevo',
    ({ integrations }) => integrations.setBrevo({ id, body: { enabled: true } }),
    'PUT /quiz/Q/integrations/brevo',
  ],
  ['quizMails.get', ({ quizMails }) => quizMails.get({ id }), 'GET /quizzes/Q/mails'],
  ['quizMails.set', ({ quizMails }) => quizMails.set({ id, body: {} }), 'PUT /quizzes/Q/mails'],
  ['quizMails.test', (c) => c.quizMails.test({ id, body: mail }), 'POST /quizzes/Q/mails/test'],
  ...adminCalls,
  ...outboxCalls,
  ...progressCalls,
]
