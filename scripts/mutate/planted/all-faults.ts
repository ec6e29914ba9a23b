import { ACCESS_FAULTS } from './access-faults.ts'
import { DATABASE_FAULTS } from './database-faults.ts'
import { DELIVERY_FAULTS } from './delivery-faults.ts'
import { DOCUMENT_FAULTS } from './document-faults.ts'
import { EDITOR_FAULTS } from './editor-faults.ts'
import type { PlantedFault } from './planted-fault.ts'
import { RUN_FAULTS } from './run-faults.ts'
import { SCORING_FAULTS } from './scoring-faults.ts'
import { SCREEN_FAULTS } from './screen-faults.ts'
import { STATISTICS_FAULTS } from './statistics-faults.ts'
import { SUBMISSION_FAULTS } from './submission-faults.ts'

const BY_AREA: Record<string, PlantedFault[]> = {
  scoring: SCORING_FAULTS,
  run: RUN_FAULTS,
  statistics: STATISTICS_FAULTS,
  submission: SUBMISSION_FAULTS,
  delivery: DELIVERY_FAULTS,
  access: ACCESS_FAULTS,
  editor: EDITOR_FAULTS,
  document: DOCUMENT_FAULTS,
  database: DATABASE_FAULTS,
  screen: SCREEN_FAULTS,
}

/** Planted faults of all areas, with the name of the area. */
export const PLANTED_FAULTS = Object.entries(BY_AREA).flatMap(([area, faults]) =>
  faults.map((fault) => ({ area, ...fault })),
)
