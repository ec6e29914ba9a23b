import { correctionErrors } from './correction-check.ts'
import { dimensionErrors } from './dimension-check.ts'
import type { PublishCheckInput } from './insertable-names.ts'
import { commonPublishErrors } from './publish-check.ts'
import type { PublishError } from './publish-error.ts'
import { reportErrors } from './report-check.ts'
import { textErrors } from './text-check.ts'
import { textVariantErrors } from './text-variant-check.ts'

/** Returns all French reasons why the draft cannot be published; empty if it can (product 6.2). */
export const publishErrors = (draft: PublishCheckInput): PublishError[] => [
  ...commonPublishErrors(draft),
  ...textPublishErrors(draft),
]

/**
 * Returns the errors of texts, dimensions, right answers, conditional texts and the certificate. The editor loads this
 * file after its first screen.
 */
export const textPublishErrors = (draft: PublishCheckInput): PublishError[] => [
  ...textErrors(draft),
  ...dimensionErrors(draft),
  ...correctionErrors(draft),
  ...textVariantErrors(draft),
  ...reportErrors(draft),
]
