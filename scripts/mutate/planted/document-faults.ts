import type { PlantedFault } from './planted-fault.ts'

/** Faults of images, documents and exports. */
export const DOCUMENT_FAULTS: PlantedFault[] = [
  {
    name: 'images of answers are deleted after thirty days',
    file: 'src/server/images/images.store.ts',
    from: '  or exists (select from answers where image_id = images.id)\n',
    to: '',
    test: 'src/server/images/kept-images.test.ts',
  },
  {
    name: 'the documents of a ZIP are numbered from 0',
    file: 'src/server/exports/documents-zip.ts',
    from: 'String(rank + 1)',
    to: 'String(rank)',
  },
  {
    name: 'an export for an API key contains the pages of participants',
    file: 'src/server/exports/exports.routes.ts',
    from: 'const has_pages = !is_api_key',
    to: 'const has_pages = is_api_key !== undefined',
    test: 'src/server/participant-pages/page-links.test.ts',
  },
  {
    name: 'the number of a certificate with a typed L is unknown',
    file: 'src/domain/reports/certificate.ts',
    from: "replace(/[IL]/g, '1')",
    to: "replace(/I/g, '1')",
  },
]
