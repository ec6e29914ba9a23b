import { api } from '#contract/api.ts'
import type { Endpoint, Group } from '#contract/kit/endpoint.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

/** Pairs of name and endpoint for every call of the contract. Example of a name: `quizzes.create`. */
export const contractCalls = Object.entries(api as Record<string, Group>).flatMap(
  ([group, members]) =>
    Object.entries(members).map(([name, endpoint]): [string, Endpoint] => [
      `${group}.${name}`,
      endpoint,
    ]),
)

const NO_PARTICIPANT = '33333333-3333-4333-8333-333333333333'
const NO_TOKEN = 'none'
const NO_ERASURE = '55555555-5555-4555-8555-555555555555'
const NO_AUTOMATION = '55555555-5555-4555-8555-555555555555'
const NO_CAMPAIGN = '77777777-7777-4777-8777-777777777777'
/** Words of a campaign. */
export const CAMPAIGN_WORDS = {
  invitation_subject: 'Votre avis',
  invitation_text: 'Bonjour {{prénom}}',
  reminder_subject: 'Rappel',
  reminder_text: 'Il reste quelques jours.',
}
const PEOPLE = [
  { email: 'camille@exemple.fr', first_name: 'Camille', last_name: 'Durand', group_name: 'Lille' },
]
const NO_ACCOUNT = '66666666-6666-4666-8666-666666666666'
const NO_WEBHOOK = '44444444-4444-4444-8444-444444444444'
/** Address without a listener. */
const NOWHERE = 'http://127.0.0.1:9998/hook'

/** Returns the address of a call with ids of this quiz and required query parameters. */
export const callUrl = (
  { path }: Endpoint,
  { id, question_id, open_id, answer_ids, result_ids }: SampleQuiz,
): string =>
  BASE_PATH +
  path
    .replace('/questions/{id}', `/questions/${question_id}`)
    .replace('{id}', id)
    .replace('{questionId}', open_id)
    .replace('{participantId}', NO_PARTICIPANT)
    .replace('{webhookId}', NO_WEBHOOK)
    .replace('{runId}', NO_PARTICIPANT)
    .replace('{token}', NO_TOKEN)
    .replace('{erasureId}', NO_ERASURE)
    .replace('{automationId}', NO_AUTOMATION)
    .replace('{mappingId}', NO_AUTOMATION)
    .replace('{accountId}', NO_ACCOUNT)
    .replace('{campaignId}', NO_CAMPAIGN)
    .replace('{personId}', NO_CAMPAIGN)
    .replace('{answerId}', answer_ids[0] ?? '')
    .replace('{resultId}', result_ids[0] ?? '')
    .replace('{version}', '1') +
  (path.endsWith('/crosstab') ? `?rows=result&columns=${question_id}` : '') +
  (path.endsWith('/dry-run') ? `?result_id=${result_ids[0]}` : '')

const NEW_ID = '22222222-2222-4222-8222-222222222222'
const COLORS = {
  bg_color: '#112233',
  text_color: '#112233',
  button_color: '#112233',
  button_text_color: '#112233',
  accent_color: '#112233',
  consent_mode: 'requested' as const,
  consent_text: 'Oui',
  sender_name: 'Camille Durand',
}

/** Returns a valid body by name of the call, for each call that has a body. Each body has every field. */
export const validBodies = ({
  question_id,
  open_id,
  answer_ids,
  result_ids,
}: SampleQuiz): Record<string, unknown> => {
  const [answer_id] = answer_ids
  const [result_id = ''] = result_ids
  const association = { result_id, weight: 1, is_checked: true }
  const answer = { text: 'Rempli', score: 1, position: 0, associations: [association] }
  const question = { text: 'Votre agenda ?', global_position: 0, page_number: 1 }
  const choice = { ...question, type: 'multiple_choice', answers: [{ id: answer_id, ...answer }] }
  const result = { name: 'Élan', description: 'Oui.', priority_order: 0 }
  const bounds = { min_score: 0, max_score: 4 }
  const ties = { tie_rule: 'question', tie_question_id: question_id }
  return {
    // Raw bytes have no JSON body.
    'images.add': {},
    'quizFiles.read': {
      format: 'quizaine-quiz',
      schema_version: 2,
      quiz: { name: 'Neuf', type: 'quiz', ...COLORS },
      quiz_mode: 'score',
      results: [{ id: 'r1', name: 'Élan', ...bounds }],
      questions: [{ ...question, id: 'q1', type: 'text' }],
      text_blocks: [{ content: 'Bonjour', global_position: 1, page_number: 1 }],
    },
    'quizzes.create': { name: 'Neuf', type: 'quiz' },
    'quizzes.importText': { text: '# Neuf\nType : quiz' },
    'quizzes.update': {
      name: 'Autre',
      type: 'sondage',
      status: 'Brouillon',
      based_on: 2,
      ...COLORS,
      ...ties,
      kit_custom_field: 'Mon résultat',
      brevo_attribute_name: 'MON_RESULTAT',
    },
    'drafts.save': {
      based_on: 2,
      quiz: { name: 'Autre', type: 'quiz', ...COLORS, ...ties },
      quiz_mode: 'score',
      results: [{ id: result_id, ...result, ...bounds }],
      questions: [{ id: question_id, type: 'multiple_choice', ...question }],
      answers: [{ id: answer_id, question_id, text: 'Rempli', score: 1, position: 0 }],
      associations: [{ answer_id, ...association }],
      text_blocks: [{ id: NEW_ID, content: 'Bonjour', global_position: 1, page_number: 1 }],
      removed: [NEW_ID],
    },
    'results.create': result,
    'results.update': { ...result, ...bounds },
    'results.saveAll': { results: [{ id: result_id, ...result, ...bounds }], based_on: 2 },
    'questions.saveDraft': {
      questions: [{ id: question_id, ...choice }],
      text_blocks: [{ content: 'Bonjour', global_position: 1, page_number: 1 }],
      score_thresholds: { [result_id]: bounds },
      quiz_mode: 'score',
      based_on: 2,
    },
    'questions.create': { ...question, type: 'text' },
    'questions.update': question,
    'questions.addAnswer': answer,
    'questions.saveAnswers': { answers: [{ id: answer_id, ...answer }] },
    'participants.ofPerson': { email: 'camille@exemple.fr' },
    'participants.removePerson': {
      email: 'camille@exemple.fr',
      convertkit: 'unsubscribe',
      systemio: 'delete',
      brevo: 'unsubscribe',
    },
    'deliveries.retry': {
      provider: 'brevo',
      connection_id: '11111111-1111-4111-8111-111111111111',
      participant_uuid: '11111111-1111-4111-8111-111111111111',
    },
    'deliveries.test': {
      provider: 'brevo',
      email: 'camille@exemple.fr',
      automation_id: NO_AUTOMATION,
    },
    'deliveries.sendEarlier': { provider: 'brevo' },
    'automations.add': {
      provider: 'brevo',
      result_id,
      label_name: 'Audacieuses',
      vendor_id: '7',
    },
    'fieldMappings.add': {
      provider: 'brevo',
      source: 'question',
      question_id,
      field_name: 'AGENDA',
      field_key: 'AGENDA',
    },
    'fieldMappings.update': { source: 'question', question_id },
    'webhooks.add': { url: NOWHERE },
    'webhooks.update': { url: `${NOWHERE}-2`, is_paused: true },
    'quizMails.set': {
      sends_result: false,
      subject: 'Votre résultat',
      text: 'Bonjour',
      tells_creator: 'never',
      shows_result: false,
      reply_to: 'none',
    },
    'quizMails.test': { subject: 'Votre résultat', text: 'Bonjour', shows_result: true },
    'progress.people': { format: 'csv' },
    'progress.setBefore': { before_campaign_id: null },
    'evidence.setActions': { actions_text: 'Formation de rappel', former_text: '' },
    'mailSender.set': { sender_name: 'Camille Durand', reply_to: 'none' },
    'mailSender.addAddress': { email: 'atelier@exemple.fr' },
    'mailSender.confirmAddress': { email: 'atelier@exemple.fr', code: '042137' },
    'retention.set': { months: 12 },
    'documents.link': { file: 'report_preview' },
    'exports.link': {
      format: 'csv',
      email: 'camille@exemple.fr',
      result: result_id,
      answer: answer_id,
      from: '2026-01-01',
      to: '2026-12-31',
    },
    'integrations.saveSystemio': { api_key: 'a-key' },
    'integrations.saveBrevo': { api_key: 'a-key' },
    'integrations.setConvertkit': { enabled: false, tag_by_result: true, sends_parameters: true },
    'integrations.setSystemio': { enabled: false, tag_by_result: true, sends_parameters: true },
    'integrations.setBrevo': { enabled: false, tag_by_result: true, sends_parameters: true },
    'folders.create': { name: 'Clients' },
    'folders.rename': { name: 'Clients' },
    'folders.put': { folder_id: null },
    'crashes.report': {
      name: 'TypeError',
      message: 'x is undefined',
      screen: '/dashboard',
      position: 'index-a1b2c3d.js:1:2',
      release: 'index-a1b2c3d.js',
    },
    'apiKeys.create': { name: 'Tableur', scope: 'lecture', expires_in_days: 90 },
    'trialRuns.submit': { answers: { [question_id]: answer_id, [open_id]: 'camille@exemple.fr' } },
    'preferences.set': { time_zone: 'Pacific/Noumea' },
    'account.remove': { confirmation: 'SUPPRIMER' },
    'admin.invite': { email: 'camille@exemple.fr' },
    'admin.remove': { email: 'camille@exemple.fr' },
    'admin.setSignUp': { sign_up_mode: 'open' },
    'campaigns.create': {
      name: 'Avis',
      is_anonymous: false,
      ...CAMPAIGN_WORDS,
      reminder_days: [3, 7],
      starts_at: '2026-12-01T08:00:00Z',
      ends_at: '2027-01-31T08:00:00Z',
      people: PEOPLE,
      may_write: true,
    },
    'campaigns.update': {
      name: 'Avis',
      ...CAMPAIGN_WORDS,
      reminder_days: [3],
      ends_at: '2027-01-31T08:00:00Z',
      status: 'paused',
    },
    'campaigns.addPeople': { people: PEOPLE, may_write: true },
    'campaigns.correctAddress': { email: 'camille@exemple.fr' },
    'campaigns.test': { ...CAMPAIGN_WORDS, kind: 'invitation', ends_at: '2027-01-31T08:00:00Z' },
    'invitedRuns.visit': {
      step: 'started',
      progress: { version: 1, page_index: 0, replies: { [question_id]: answer_id } },
    },
    'invitedRuns.submit': { answers: { [question_id]: answer_id, [open_id]: 'ada@exemple.fr' } },
    'publicQuiz.submit': {
      answers: { [question_id]: answer_id, [open_id]: 'camille@exemple.fr' },
      email: 'camille@exemple.fr',
      participant_uuid: '11111111-1111-4111-8111-111111111111',
      version: 1,
      consent_version: 1,
      elapsed_seconds: 42,
      is_trapped: false,
    },
  }
}
