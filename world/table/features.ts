/** Part of a feature that meets surroundings. */
export type Surface =
  | 'visitor page'
  | 'framed page'
  | 'typed reply'
  | 'creator screen'
  | 'stored text'
  | 'document'
  | 'export'
  | 'import'
  | 'mail'
  | 'email tool'
  | 'address'
  | 'immediate save'

/** Feature of the product with its parts. */
export type Feature = {
  /** Name in the table of features in ARCHITECTURE.md. */
  name: string
  surfaces: readonly Surface[]
  /** Groups of calls in the contract. */
  calls?: readonly string[]
  /** Screens whose first subject is this feature: paths of the router. Journeys open all of them. */
  screens?: readonly string[]
}

/** Features that a surrounding may break. A test compares them with ARCHITECTURE.md, the contract and the router. */
export const FEATURES: readonly Feature[] = [
  {
    name: 'questionnaire, its edits',
    surfaces: ['creator screen', 'stored text'],
    calls: ['quizzes', 'drafts', 'questions', 'results'],
    screens: [
      '/dashboard',
      '/quiz/create',
      '/quiz/:id/edit',
      '/quiz/:id/questions',
      '/quiz/:id/settings',
    ],
  },
  {
    name: 'folders, trash',
    surfaces: ['creator screen', 'stored text', 'immediate save'],
    calls: ['folders', 'trash'],
    screens: ['/corbeille'],
  },
  {
    name: 'publication, versions',
    surfaces: ['creator screen'],
    calls: ['versions', 'replay'],
  },
  {
    name: 'public page, run',
    surfaces: ['visitor page', 'framed page', 'typed reply', 'stored text', 'address'],
    calls: ['publicQuiz'],
    screens: ['/quiz/:id/preview'],
  },
  {
    name: 'prefilled links',
    surfaces: ['visitor page', 'framed page', 'creator screen', 'address'],
  },
  { name: 'quiz on another site', surfaces: ['framed page', 'creator screen', 'address'] },
  { name: 'odds', surfaces: ['creator screen'] },
  {
    name: 'statistics',
    surfaces: ['creator screen', 'stored text', 'address'],
    calls: [
      'statistics',
      'statisticsLinks',
      'sharedStatistics',
      'questionQuality',
      'textViews',
      'retention',
    ],
    screens: ['/quiz/:id/statistics', '/statistiques/:token'],
  },
  { name: 'exports', surfaces: ['export'], calls: ['exports'] },
  {
    name: 'forwarding, confirmations',
    surfaces: ['creator screen', 'stored text', 'email tool', 'mail', 'address'],
    calls: ['deliveries', 'integrations'],
    screens: ['/quiz/:id/envois'],
  },
  {
    name: 'tags, webhooks, mails',
    surfaces: ['creator screen', 'stored text', 'email tool', 'mail', 'immediate save'],
    calls: ['automations', 'webhooks', 'quizMails', 'mailSender'],
  },
  {
    name: 'fields of email tools',
    surfaces: ['creator screen', 'stored text', 'email tool', 'immediate save'],
    calls: ['fieldMappings'],
  },
  { name: 'dry runs', surfaces: ['creator screen', 'email tool'], calls: ['dryRuns'] },
  { name: 'contact data', surfaces: ['visitor page', 'typed reply', 'email tool'] },
  {
    name: 'erasure of a person',
    surfaces: ['creator screen', 'stored text'],
    calls: ['erasures', 'participants'],
  },
  { name: 'dimensions', surfaces: ['visitor page', 'creator screen', 'stored text', 'document'] },
  { name: 'conditional texts', surfaces: ['visitor page', 'creator screen', 'stored text'] },
  { name: 'labels, « tu », pace', surfaces: ['visitor page', 'creator screen', 'stored text'] },
  {
    name: 'reports, certificates',
    surfaces: ['framed page', 'document', 'address', 'creator screen', 'stored text'],
    calls: ['documents'],
    screens: ['/quiz/:id/results'],
  },
  {
    name: 'campaigns, invitations',
    surfaces: ['visitor page', 'creator screen', 'stored text', 'import', 'mail', 'address'],
    calls: ['campaigns', 'invitedRuns'],
    screens: [
      '/quiz/:id/campagnes',
      '/quiz/:id/campagnes/nouvelle',
      '/quiz/:id/campagnes/:campaignId',
    ],
  },
  {
    name: 'before and after',
    surfaces: ['creator screen', 'document', 'export'],
    calls: ['progress'],
    screens: ['/quiz/:id/campagnes/:campaignId/evolution'],
  },
  {
    name: 'file for the audit',
    surfaces: ['creator screen', 'stored text', 'document', 'export'],
    calls: ['evidence'],
    screens: ['/quiz/:id/campagnes/:campaignId/preuves'],
  },
  { name: 'pages of participants', surfaces: ['visitor page', 'framed page', 'address'] },
  {
    name: 'trial runs',
    surfaces: ['creator screen', 'stored text'],
    calls: ['trialRuns'],
    screens: ['/quiz/:id/essais'],
  },
  {
    name: 'text, file, templates',
    surfaces: ['import', 'creator screen', 'stored text'],
    calls: ['quizFiles'],
  },
  { name: 'imports, assistants', surfaces: ['import', 'creator screen'] },
  { name: 'crashes of screens', surfaces: ['stored text'], calls: ['crashes'] },
  { name: 'images', surfaces: ['visitor page', 'creator screen'], calls: ['images'] },
  {
    name: 'accounts, API keys',
    surfaces: ['creator screen', 'stored text', 'mail', 'address', 'immediate save'],
    calls: ['apiKeys', 'account', 'preferences'],
    screens: [
      '/login',
      '/login/phone',
      '/signup',
      '/confirmation',
      '/forgot-password',
      '/new-password',
      '/second-factor',
      '/settings',
    ],
  },
  {
    name: 'administration',
    surfaces: ['creator screen', 'stored text'],
    calls: ['admin'],
    screens: ['/admin'],
  },
]
