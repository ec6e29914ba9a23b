import type { NamedCall } from './statistics-calls.ts'

const id = 'Q'
const hook = { id, webhookId: 'W' }

/** Calls of deliveries, automations and webhooks, each with its method and path. */
export const outboxCalls: NamedCall[] = [
  [
    'deliveries.list',
    ({ deliveries }) => deliveries.list({ id, status: 'pending' }),
    'GET /quizzes/Q/deliveries?status=pending',
  ],
  [
    'deliveries.retry',
    ({ deliveries }) => deliveries.retry({ id, body: { provider: 'brevo' } }),
    'POST /quizzes/Q/deliveries/retry',
  ],
  [
    'deliveries.earlier',
    ({ deliveries }) => deliveries.earlier({ id }),
    'GET /quizzes/Q/deliveries/earlier',
  ],
  [
    'deliveries.sendEarlier',
    ({ deliveries }) => deliveries.sendEarlier({ id, body: { provider: 'brevo' } }),
    'POST /quizzes/Q/deliveries/earlier',
  ],
  [
    'deliveries.test',
    ({ deliveries }) => deliveries.test({ id, body: { provider: 'brevo', email: 'a@b.fr' } }),
    'POST /quizzes/Q/deliveries/test',
  ],
  ['deliveries.summary', ({ deliveries }) => deliveries.summary(), 'GET /deliveries/summary'],
  ['automations.list', ({ automations }) => automations.list({ id }), 'GET /quizzes/Q/automations'],
  [
    'automations.add',
    ({ automations }) =>
      automations.add({ id, body: { provider: 'brevo', result_id: id, label_name: 'A' } }),
    'POST /quizzes/Q/automations',
  ],
  [
    'automations.remove',
    ({ automations }) => automations.remove({ id, automationId: 'A' }),
    'DELETE /quizzes/Q/automations/A',
  ],
  [
    'automations.kitLabels',
    ({ automations }) => automations.kitLabels({}),
    'POST /integrations/convertkit/labels',
  ],
  [
    'automations.systemioLabels',
    ({ automations }) => automations.systemioLabels({}),
    'POST /integrations/systemio/labels',
  ],
  [
    'automations.brevoLabels',
    ({ automations }) => automations.brevoLabels(),
    'POST /integrations/brevo/labels',
  ],
  ['textViews.get', ({ textViews }) => textViews.get({ id }), 'GET /quizzes/Q/text-views'],
  ['dryRuns.get', ({ dryRuns }) => dryRuns.get({ id }), 'GET /quizzes/Q/dry-run'],
  [
    'fieldMappings.list',
    ({ fieldMappings }) => fieldMappings.list({ id }),
    'GET /quizzes/Q/field-mappings',
  ],
  [
    'fieldMappings.add',
    ({ fieldMappings }) =>
      fieldMappings.add({ id, body: { provider: 'brevo', source: 'score', field_name: 'A' } }),
    'POST /quizzes/Q/field-mappings',
  ],
  [
    'fieldMappings.update',
    ({ fieldMappings }) => fieldMappings.update({ id, mappingId: 'M', body: { source: 'result' } }),
    'PUT /quizzes/Q/field-mappings/M',
  ],
  [
    'fieldMappings.remove',
    ({ fieldMappings }) => fieldMappings.remove({ id, mappingId: 'M' }),
    'DELETE /quizzes/Q/field-mappings/M',
  ],
  [
    'fieldMappings.kitFields',
    ({ fieldMappings }) => fieldMappings.kitFields(),
    'POST /integrations/convertkit/fields',
  ],
  [
    'fieldMappings.systemioFields',
    ({ fieldMappings }) => fieldMappings.systemioFields(),
    'POST /integrations/systemio/fields',
  ],
  [
    'fieldMappings.brevoFields',
    ({ fieldMappings }) => fieldMappings.brevoFields(),
    'POST /integrations/brevo/fields',
  ],
  ['webhooks.list', ({ webhooks }) => webhooks.list({ id }), 'GET /quizzes/Q/webhooks'],
  [
    'webhooks.add',
    ({ webhooks }) => webhooks.add({ id, body: { url: 'https://a.fr' } }),
    'POST /quizzes/Q/webhooks',
  ],
  [
    'webhooks.update',
    ({ webhooks }) => webhooks.update({ ...hook, body: { is_paused: true } }),
    'PUT /quizzes/Q/webhooks/W',
  ],
  ['webhooks.remove', ({ webhooks }) => webhooks.remove(hook), 'DELETE /quizzes/Q/webhooks/W'],
  ['webhooks.rotate', ({ webhooks }) => webhooks.rotate(hook), 'POST /quizzes/Q/webhooks/W/secret'],
  ['webhooks.test', ({ webhooks }) => webhooks.test(hook), 'POST /quizzes/Q/webhooks/W/test'],
]
