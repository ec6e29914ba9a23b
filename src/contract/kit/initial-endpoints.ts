/** Method and path of a call. Names in braces are ids from the input. */
export type Call = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: `/${string}` }

/** Path prefix of all calls. */
export const BASE_PATH = '/api/v1'

/** Calls that the browser loads at the start: those of every screen and of the most visited screens. */
export const initialEndpoints = {
  preferences: {
    get: { method: 'GET', path: '/account/preferences' },
    set: { method: 'PUT', path: '/account/preferences' },
  },
  quizzes: {
    list: { method: 'GET', path: '/quizzes' },
    get: { method: 'GET', path: '/quizzes/{id}' },
    create: { method: 'POST', path: '/quizzes' },
    update: { method: 'PUT', path: '/quizzes/{id}' },
    remove: { method: 'DELETE', path: '/quizzes/{id}' },
    duplicate: { method: 'POST', path: '/quizzes/{id}/duplicate' },
    importText: { method: 'POST', path: '/quizzes/import' },
    text: { method: 'GET', path: '/quizzes/{id}/text' },
    publish: { method: 'POST', path: '/quizzes/{id}/publish' },
    hasChanges: { method: 'GET', path: '/quizzes/{id}/has-changes' },
    checkSlug: { method: 'GET', path: '/quizzes/{id}/slug' },
    mode: { method: 'GET', path: '/quizzes/{id}/mode' },
    resetMode: { method: 'POST', path: '/quizzes/{id}/mode/reset' },
  },
  folders: {
    list: { method: 'GET', path: '/folders' },
    create: { method: 'POST', path: '/folders' },
    rename: { method: 'PUT', path: '/folders/{id}' },
    remove: { method: 'DELETE', path: '/folders/{id}' },
    put: { method: 'PUT', path: '/quizzes/{id}/folder' },
  },
  quizFiles: {
    write: { method: 'GET', path: '/quizzes/{id}/export' },
    read: { method: 'POST', path: '/quizzes/import-file' },
  },
  drafts: {
    get: { method: 'GET', path: '/quizzes/{id}/draft' },
    save: { method: 'POST', path: '/quizzes/{id}/draft' },
  },
  versions: {
    list: { method: 'GET', path: '/quizzes/{id}/versions' },
    get: { method: 'GET', path: '/quizzes/{id}/versions/{version}' },
  },
  replay: {
    get: { method: 'GET', path: '/quizzes/{id}/replay' },
  },
  results: {
    list: { method: 'GET', path: '/quizzes/{id}/results' },
    create: { method: 'POST', path: '/quizzes/{id}/results' },
    update: { method: 'PUT', path: '/results/{resultId}' },
    remove: { method: 'DELETE', path: '/quizzes/{id}/results/{resultId}' },
    saveAll: { method: 'POST', path: '/quizzes/{id}/results/unified' },
  },
  questions: {
    list: { method: 'GET', path: '/quizzes/{id}/questions' },
    unified: { method: 'GET', path: '/quizzes/{id}/questions/unified' },
    saveDraft: { method: 'POST', path: '/quizzes/{id}/questions/unified/smart' },
    create: { method: 'POST', path: '/quizzes/{id}/questions' },
    update: { method: 'PUT', path: '/questions/{id}' },
    remove: { method: 'DELETE', path: '/questions/{id}' },
    addAnswer: { method: 'POST', path: '/questions/{id}/answers' },
    saveAnswers: { method: 'PUT', path: '/questions/{id}/answers' },
    removeAnswer: { method: 'DELETE', path: '/questions/{id}/answers/{answerId}' },
  },
  publicQuiz: {
    snapshot: { method: 'GET', path: '/quizzes/{id}/snapshot' },
    submit: { method: 'POST', path: '/quizzes/{id}/submit' },
  },
  statistics: {
    responses: { method: 'GET', path: '/quizzes/{id}/responses' },
    texts: { method: 'GET', path: '/quizzes/{id}/questions/{questionId}/texts' },
    keyFigures: { method: 'GET', path: '/quizzes/{id}/key-figures' },
    crosstab: { method: 'GET', path: '/quizzes/{id}/crosstab' },
    overview: { method: 'GET', path: '/statistics/overview' },
  },
  participants: {
    explain: { method: 'GET', path: '/quizzes/{id}/responses/{participantId}' },
    remove: { method: 'DELETE', path: '/quizzes/{id}/responses/{participantId}' },
    ofPerson: { method: 'POST', path: '/people/find' },
    removePerson: { method: 'POST', path: '/people/remove' },
  },
  deliveries: {
    list: { method: 'GET', path: '/quizzes/{id}/deliveries' },
    retry: { method: 'POST', path: '/quizzes/{id}/deliveries/retry' },
    test: { method: 'POST', path: '/quizzes/{id}/deliveries/test' },
    earlier: { method: 'GET', path: '/quizzes/{id}/deliveries/earlier' },
    sendEarlier: { method: 'POST', path: '/quizzes/{id}/deliveries/earlier' },
    summary: { method: 'GET', path: '/deliveries/summary' },
  },
  integrations: {
    kitStatus: { method: 'GET', path: '/integrations/convertkit/status' },
    connectKit: { method: 'POST', path: '/integrations/convertkit/connect' },
    disconnectKit: { method: 'POST', path: '/integrations/convertkit/disconnect' },
    checkKit: { method: 'POST', path: '/integrations/convertkit/check' },
    systemioStatus: { method: 'GET', path: '/integrations/systemio/status' },
    saveSystemio: { method: 'PUT', path: '/integrations/systemio' },
    removeSystemio: { method: 'DELETE', path: '/integrations/systemio' },
    checkSystemio: { method: 'POST', path: '/integrations/systemio/check' },
    brevoStatus: { method: 'GET', path: '/integrations/brevo/status' },
    saveBrevo: { method: 'PUT', path: '/integrations/brevo' },
    removeBrevo: { method: 'DELETE', path: '/integrations/brevo' },
    checkBrevo: { method: 'POST', path: '/integrations/brevo/check' },
    ofQuiz: { method: 'GET', path: '/quiz/{id}/integrations' },
    setConvertkit: { method: 'PUT', path: '/quiz/{id}/integrations/convertkit' },
    setSystemio: { method: 'PUT', path: '/quiz/{id}/integrations/systemio' },
    setBrevo: { method: 'PUT', path: '/quiz/{id}/integrations/brevo' },
  },
  images: {
    add: { method: 'POST', path: '/images' },
    usage: { method: 'GET', path: '/images/usage' },
  },
} as const satisfies Record<string, Record<string, Call>>
