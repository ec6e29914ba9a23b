import type { Call } from './initial-endpoints.ts'

/** Calls that the browser loads together with rare screens. */
export const lazyEndpoints = {
  crashes: {
    report: { method: 'POST', path: '/crashes' },
  },
  trash: {
    restore: { method: 'POST', path: '/quizzes/{id}/restore' },
    empty: { method: 'DELETE', path: '/trash' },
  },
  documents: {
    link: { method: 'POST', path: '/quizzes/{id}/documents' },
  },
  automations: {
    list: { method: 'GET', path: '/quizzes/{id}/automations' },
    add: { method: 'POST', path: '/quizzes/{id}/automations' },
    remove: { method: 'DELETE', path: '/quizzes/{id}/automations/{automationId}' },
    kitLabels: { method: 'POST', path: '/integrations/convertkit/labels' },
    systemioLabels: { method: 'POST', path: '/integrations/systemio/labels' },
    brevoLabels: { method: 'POST', path: '/integrations/brevo/labels' },
  },
  dryRuns: {
    get: { method: 'GET', path: '/quizzes/{id}/dry-run' },
  },
  statisticsLinks: {
    get: { method: 'GET', path: '/quizzes/{id}/statistics-link' },
    create: { method: 'POST', path: '/quizzes/{id}/statistics-link' },
    revoke: { method: 'DELETE', path: '/quizzes/{id}/statistics-link' },
  },
  sharedStatistics: {
    get: { method: 'GET', path: '/shared-statistics/{token}' },
  },
  questionQuality: {
    get: { method: 'GET', path: '/quizzes/{id}/question-quality' },
  },
  exports: {
    link: { method: 'POST', path: '/quizzes/{id}/exports' },
  },
  retention: {
    get: { method: 'GET', path: '/quizzes/{id}/retention' },
    set: { method: 'PUT', path: '/quizzes/{id}/retention' },
  },
  textViews: {
    get: { method: 'GET', path: '/quizzes/{id}/text-views' },
  },
  fieldMappings: {
    list: { method: 'GET', path: '/quizzes/{id}/field-mappings' },
    add: { method: 'POST', path: '/quizzes/{id}/field-mappings' },
    update: { method: 'PUT', path: '/quizzes/{id}/field-mappings/{mappingId}' },
    remove: { method: 'DELETE', path: '/quizzes/{id}/field-mappings/{mappingId}' },
    kitFields: { method: 'POST', path: '/integrations/convertkit/fields' },
    systemioFields: { method: 'POST', path: '/integrations/systemio/fields' },
    brevoFields: { method: 'POST', path: '/integrations/brevo/fields' },
  },
  erasures: {
    list: { method: 'GET', path: '/quizzes/{id}/erasures' },
    retry: { method: 'POST', path: '/quizzes/{id}/erasures/{erasureId}/retry' },
  },
  quizMails: {
    get: { method: 'GET', path: '/quizzes/{id}/mails' },
    set: { method: 'PUT', path: '/quizzes/{id}/mails' },
    test: { method: 'POST', path: '/quizzes/{id}/mails/test' },
  },
  webhooks: {
    list: { method: 'GET', path: '/quizzes/{id}/webhooks' },
    add: { method: 'POST', path: '/quizzes/{id}/webhooks' },
    update: { method: 'PUT', path: '/quizzes/{id}/webhooks/{webhookId}' },
    remove: { method: 'DELETE', path: '/quizzes/{id}/webhooks/{webhookId}' },
    rotate: { method: 'POST', path: '/quizzes/{id}/webhooks/{webhookId}/secret' },
    test: { method: 'POST', path: '/quizzes/{id}/webhooks/{webhookId}/test' },
  },
  trialRuns: {
    link: { method: 'POST', path: '/quizzes/{id}/test-link' },
    submit: { method: 'POST', path: '/quizzes/{id}/test/{token}/submit' },
    list: { method: 'GET', path: '/quizzes/{id}/test-runs' },
    get: { method: 'GET', path: '/quizzes/{id}/test-runs/{runId}' },
  },
  mailSender: {
    get: { method: 'GET', path: '/account/mail-sender' },
    set: { method: 'PUT', path: '/account/mail-sender' },
    addAddress: { method: 'POST', path: '/account/reply-addresses' },
    confirmAddress: { method: 'POST', path: '/account/reply-addresses/confirm' },
    removeAddress: { method: 'DELETE', path: '/account/reply-addresses/{id}' },
  },
  campaigns: {
    list: { method: 'GET', path: '/quizzes/{id}/campaigns' },
    create: { method: 'POST', path: '/quizzes/{id}/campaigns' },
    test: { method: 'POST', path: '/quizzes/{id}/campaign-test' },
    get: { method: 'GET', path: '/quizzes/{id}/campaigns/{campaignId}' },
    update: { method: 'PUT', path: '/quizzes/{id}/campaigns/{campaignId}' },
    remove: { method: 'DELETE', path: '/quizzes/{id}/campaigns/{campaignId}' },
    people: { method: 'GET', path: '/quizzes/{id}/campaigns/{campaignId}/people' },
    addPeople: { method: 'POST', path: '/quizzes/{id}/campaigns/{campaignId}/people' },
    removePerson: {
      method: 'DELETE',
      path: '/quizzes/{id}/campaigns/{campaignId}/people/{personId}',
    },
    correctAddress: {
      method: 'PUT',
      path: '/quizzes/{id}/campaigns/{campaignId}/people/{personId}',
    },
  },
  progress: {
    get: { method: 'GET', path: '/quizzes/{id}/campaigns/{campaignId}/progress' },
    people: { method: 'POST', path: '/quizzes/{id}/campaigns/{campaignId}/progress' },
    setBefore: { method: 'PUT', path: '/quizzes/{id}/campaigns/{campaignId}/before' },
  },
  evidence: {
    get: { method: 'GET', path: '/quizzes/{id}/campaigns/{campaignId}/evidence' },
    setActions: { method: 'PUT', path: '/quizzes/{id}/campaigns/{campaignId}/evidence' },
    create: { method: 'POST', path: '/quizzes/{id}/campaigns/{campaignId}/evidence' },
    remove: { method: 'DELETE', path: '/quizzes/{id}/campaigns/{campaignId}/evidence' },
    link: { method: 'POST', path: '/quizzes/{id}/campaigns/{campaignId}/evidence/link' },
  },
  invitedRuns: {
    submit: { method: 'POST', path: '/quizzes/{id}/i/{token}/submit' },
    visit: { method: 'POST', path: '/quizzes/{id}/i/{token}/visit' },
    resume: { method: 'POST', path: '/quizzes/{id}/i/{token}/resume' },
  },
  apiKeys: {
    list: { method: 'GET', path: '/account/keys' },
    create: { method: 'POST', path: '/account/keys' },
    revoke: { method: 'DELETE', path: '/account/keys/{id}' },
  },
  account: {
    sessions: { method: 'GET', path: '/account/sessions' },
    exportData: { method: 'GET', path: '/account/export' },
    remove: { method: 'POST', path: '/account/delete' },
  },
} as const satisfies Record<string, Record<string, Call>>
