import type { Surrounding } from './surrounding.ts'

const VISITOR_PARTS = 'e2e/world/complete-runs.spec.ts'
const SCREENS = 'e2e/world/translated-presses.spec.ts'
const INVITED_PEOPLE = 'e2e/world/invited-runs.spec.ts'

/** Surroundings of pages and screens: browsers, devices, sites and networks. */
export const PAGE_SURROUNDINGS: readonly Surrounding[] = [
  {
    name: 'right to left',
    description: 'Texts in Arabic on the page of visitors and on the screens of their creator.',
    touches: ['visitor page', 'creator screen'],
    proofs: [
      {
        features: [
          'questionnaire, its edits',
          'statistics',
          'forwarding, confirmations',
          'public page, run',
        ],
        tests: ['e2e/visitor/right-to-left.spec.ts'],
      },
    ],
    gaps: [
      {
        features: [
          ...[
            'folders, trash',
            'publication, versions',
            'prefilled links',
            'quiz on another site',
            'odds',
          ],
          'images',
          ...['tags, webhooks, mails', 'fields of email tools', 'dry runs', 'contact data'],
          ...['erasure of a person', 'dimensions', 'conditional texts', 'labels, « tu », pace'],
          ...['reports, certificates', 'pages of participants', 'trial runs'],
          ...['campaigns, invitations', 'before and after', 'file for the audit'],
          ...['text, file, templates', 'imports, assistants', 'accounts, API keys'],
          'administration',
        ],
        reason: 'Their texts use the same elements, but no journey opens them in Arabic.',
      },
    ],
  },
  {
    name: 'frames',
    description:
      'Pages of other sites: sandboxes, tag managers, optimisers, code elements, dialogs, long pages.',
    touches: ['framed page'],
    proofs: [
      { features: 'all', tests: ['e2e/visitor/embedding-sandboxes.spec.ts', VISITOR_PARTS] },
      { features: ['prefilled links'], tests: ['e2e/visitor/prefilled-links.spec.ts'] },
      {
        features: ['quiz on another site'],
        tests: [
          'e2e/visitor/embedding-scripts.spec.ts',
          'e2e/visitor/embedding-host-page.spec.ts',
          'e2e/engines/embedded.journey.ts',
        ],
      },
    ],
  },
  {
    name: 'older engines',
    description: 'Browsers of spring 2021: interfaces and styles that they lack are taken away.',
    touches: ['visitor page'],
    proofs: [
      { features: 'all', tests: [VISITOR_PARTS] },
      { features: ['campaigns, invitations'], tests: [INVITED_PEOPLE] },
      {
        features: ['public page, run'],
        tests: ['e2e/visitor/older-engines.spec.ts', 'e2e/visitor/older-styles.spec.ts'],
      },
    ],
  },
  {
    name: 'Firefox, WebKit',
    description: 'The engines of Firefox and Safari.',
    touches: ['visitor page', 'framed page', 'creator screen'],
    proofs: [
      {
        features: 'all',
        tests: [
          'e2e/engines/visitor.journey.ts',
          'e2e/engines/embedded.journey.ts',
          'e2e/engines/screens.journey.ts',
        ],
      },
      { features: ['questionnaire, its edits'], tests: ['e2e/engines/creator.journey.ts'] },
    ],
  },
  {
    name: 'no scripts',
    description: 'Browsers whose scripts are blocked.',
    touches: ['visitor page', 'typed reply'],
    proofs: [
      { features: 'all', tests: [VISITOR_PARTS] },
      { features: ['campaigns, invitations'], tests: [INVITED_PEOPLE] },
      { features: ['public page, run'], tests: ['e2e/visitor/without-javascript.spec.ts'] },
    ],
  },
  {
    name: 'translated',
    description:
      'A browser that translates pages. Every control of every screen is pressed, and the words stay those of a page that is not translated.',
    touches: ['visitor page', 'creator screen'],
    proofs: [
      { features: 'all', tests: [VISITOR_PARTS, SCREENS] },
      { features: ['campaigns, invitations'], tests: [INVITED_PEOPLE] },
      { features: ['public page, run'], tests: ['e2e/visitor/visitor-translated.spec.ts'] },
      {
        features: ['questionnaire, its edits', 'statistics', 'accounts, API keys'],
        tests: ['e2e/accessibility/translated-screens.spec.ts'],
      },
      { features: ['administration'], tests: ['e2e/accounts/administration.spec.ts'] },
    ],
  },
  {
    name: 'shared devices',
    description: 'Several persons on one device, saved and restored pages.',
    touches: ['typed reply'],
    proofs: [
      {
        features: 'all',
        tests: [
          'e2e/visitor/shared-devices.spec.ts',
          'src/server/public-quiz/foreign-runs.test.ts',
        ],
      },
    ],
  },
  {
    name: 'networks',
    description: 'Lost, slow and captive networks, and a second file that does not arrive.',
    touches: ['visitor page'],
    proofs: [
      { features: 'all', tests: [VISITOR_PARTS] },
      { features: ['campaigns, invitations'], tests: [INVITED_PEOPLE] },
      {
        features: ['public page, run', 'dimensions'],
        tests: ['e2e/visitor/submission-recovery.spec.ts', 'e2e/visitor/second-file.spec.ts'],
      },
      { features: ['contact data'], tests: ['e2e/visitor/phone-file.spec.ts'] },
    ],
  },
]
