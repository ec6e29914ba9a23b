import type { Surrounding } from './surrounding.ts'

/** Surroundings of texts, files, mails, addresses and saves. */
export const TEXT_SURROUNDINGS: readonly Surrounding[] = [
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
          'forwarding, confirmations',
          'fields of email tools',
          'contact data',
        ],
        tests: [
          'world/texts/alphabets-in-documents.test.ts',
          'src/server/reports/pdf/write-pdf.test.ts',
        ],
      },
      {
        features: ['campaigns, invitations', 'before and after', 'file for the audit'],
        tests: ['world/texts/alphabets-in-campaigns.test.ts'],
      },
      {
        features: ['dry runs'],
        tests: ['src/server/trial-runs/preview-payloads.test.ts'],
      },
      {
        features: ['accounts, API keys', 'forwarding, confirmations'],
        tests: ['src/server/mails/hostile-text.test.ts'],
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
          'e2e/world/complete-runs.spec.ts',
        ],
      },
      {
        features: [
          'forwarding, confirmations',
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
    proofs: [
      {
        features: ['text, file, templates', 'imports, assistants'],
        tests: ['world/files/encodings.test.ts'],
      },
      { features: ['campaigns, invitations'], tests: ['world/files/people-lists.test.ts'] },
    ],
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
      { features: ['before and after'], tests: ['src/server/progress/progress.test.ts'] },
      { features: ['file for the audit'], tests: ['src/server/evidence/evidence.test.ts'] },
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
      { features: ['file for the audit'], tests: ['src/server/evidence/evidence.test.ts'] },
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
        features: ['folders, trash', 'accounts, API keys'],
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
      { features: ['campaigns, invitations'], tests: ['src/server/campaigns/hard-cases.test.ts'] },
    ],
  },
]
