import type { Surface } from './features.ts'

/** Tests that use features in a surrounding. */
type Proof = {
  /** Names of the features; `all` means every feature with a part that the surrounding touches. */
  features: 'all' | readonly string[]
  /** Test files from the root of the repository. */
  tests: readonly string[]
}

/** Circumstances in which every feature must work. */
export type Surrounding = {
  /** Short name, which heads a column of docs/world.md. */
  name: string
  description: string
  /** Parts of features that the surrounding touches. */
  touches: readonly Surface[]
  proofs: readonly Proof[]
  /** Features that are not tried in this surrounding, with the reason. */
  gaps?: readonly { features: readonly string[]; reason: string }[]
}

const VISITOR_PARTS = 'e2e/world/complete-runs.spec.ts'
const SCREENS = 'e2e/world/translated-presses.spec.ts'

/** Surroundings of the product. Each part of a feature that one touches needs a proof or a gap. */
export const SURROUNDINGS: readonly Surrounding[] = [
  {
    name: 'texts',
    description:
      'Texts of strangers in every field of every call: marks, white space, control characters, opening signs, scripts.',
    touches: ['stored text'],
    proofs: [{ features: 'all', tests: ['world/texts/every-field.test.ts'] }],
  },
  {
    name: 'alphabets',
    description:
      'Names and replies in every alphabet, in documents, exports, mails and what tools receive.',
    touches: ['document', 'export', 'mail', 'email tool'],
    proofs: [
      {
        features: [
          'reports, certificates',
          'dimensions',
          'exports',
          'tags, webhooks, mails',
          'forwarding',
          'fields of email tools',
          'contact data',
        ],
        tests: [
          'world/texts/alphabets-in-documents.test.ts',
          'src/server/reports/pdf/write-pdf.test.ts',
        ],
      },
      {
        features: ['dry runs'],
        tests: ['src/server/trial-runs/preview-payloads.test.ts'],
      },
      { features: ['accounts, API keys'], tests: ['src/server/mails/hostile-text.test.ts'] },
    ],
  },
  {
    name: 'right to left',
    description: 'Texts in Arabic on the page of visitors and on the screens of their creator.',
    touches: ['visitor page', 'creator screen'],
    proofs: [
      {
        features: ['questionnaire, its edits', 'statistics', 'forwarding', 'public page, run'],
        tests: ['e2e/visitor/right-to-left.spec.ts'],
      },
    ],
    gaps: [
      {
        features: [
          ...['folders', 'publication, versions', 'quiz on another site', 'odds', 'images'],
          ...['tags, webhooks, mails', 'fields of email tools', 'dry runs', 'contact data'],
          ...['erasure of a person', 'dimensions', 'conditional texts', 'labels, « tu », pace'],
          ...['reports, certificates', 'pages of participants', 'trial runs'],
          ...['text, file, templates', 'imports, assistants', 'accounts, API keys'],
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
      { features: ['public page, run'], tests: ['e2e/visitor/visitor-translated.spec.ts'] },
      {
        features: ['questionnaire, its edits', 'statistics', 'accounts, API keys'],
        tests: ['e2e/accessibility/translated-screens.spec.ts'],
      },
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
      {
        features: ['public page, run', 'dimensions'],
        tests: ['e2e/visitor/submission-recovery.spec.ts', 'e2e/visitor/second-file.spec.ts'],
      },
    ],
  },
  {
    name: 'places',
    description: 'Phone numbers, days, years and time zones of other countries.',
    touches: ['typed reply', 'email tool'],
    proofs: [
      {
        features: ['public page, run', 'contact data'],
        tests: [
          'src/domain/common/days.test.ts',
          'e2e/visitor/visitor-fields.spec.ts',
          'e2e/visitor/phone-reading.spec.ts',
          VISITOR_PARTS,
        ],
      },
      {
        features: [
          'forwarding',
          'tags, webhooks, mails',
          'fields of email tools',
          'dry runs',
          'contact data',
        ],
        tests: ['src/server/integrations/providers/phone-numbers.test.ts'],
      },
    ],
  },
  {
    name: 'encodings',
    description:
      'Files in UTF-8, UTF-16, Windows-1252, Mac Roman and others, with every separator.',
    touches: ['import'],
    proofs: [{ features: 'all', tests: ['world/files/encodings.test.ts'] }],
  },
  {
    name: 'spreadsheets',
    description:
      'Excel, LibreOffice and Google Sheets: long cells, formulas, escapes, equal labels.',
    touches: ['export'],
    proofs: [
      {
        features: 'all',
        tests: [
          'src/server/exports/write-xlsx.test.ts',
          'src/server/exports/csv.test.ts',
          'src/server/exports/grid-exports.test.ts',
        ],
      },
    ],
  },
  {
    name: 'paper',
    description: 'PDF documents: one page is one page, long words, missing letters.',
    touches: ['document'],
    proofs: [
      {
        features: 'all',
        tests: [
          'src/server/reports/pdf/certificate-page.test.ts',
          'src/domain/reports/report-document.test.ts',
          'src/server/reports/pdf/write-pdf.test.ts',
        ],
      },
    ],
  },
  {
    name: 'mail programs',
    description: 'Outlook for Windows, Gmail’s cut, plain text, markup in texts.',
    touches: ['mail'],
    proofs: [
      {
        features: 'all',
        tests: [
          'src/server/mails/mail-programs.test.ts',
          'src/server/mails/quiz-letters.test.ts',
          'src/server/mails/account-letters.test.ts',
          'src/server/mails/hostile-text.test.ts',
        ],
      },
    ],
  },
  {
    name: 'two people',
    description: 'Saves outside the draft from a page that another tab has overtaken.',
    touches: ['immediate save'],
    proofs: [
      {
        features: ['tags, webhooks, mails', 'fields of email tools'],
        tests: [
          'src/server/quizzes/changed-elsewhere.test.ts',
          'e2e/integrations/changed-elsewhere.spec.ts',
        ],
      },
      {
        features: ['folders', 'accounts, API keys'],
        tests: ['src/server/quizzes/changed-elsewhere.test.ts'],
      },
    ],
  },
  {
    name: 'addresses',
    description: 'Addresses with a final point, capitals, line breaks or parts of other people.',
    touches: ['address'],
    proofs: [
      {
        features: 'all',
        tests: [
          'src/server/odd-addresses.test.ts',
          'src/server/public-quiz/damaged-addresses.test.ts',
          'src/server/public-quiz/malformed-addresses.test.ts',
        ],
      },
    ],
  },
]
