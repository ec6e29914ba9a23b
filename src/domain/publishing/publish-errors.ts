import { dimensionErrors } from './dimension-check.ts'
import { commonPublishErrors } from './publish-check.ts'
import type { PublishError } from './publish-error.ts'
import type { PublishCheckInput } from './text-check.ts'
import { textVariantErrors } from './text-variant-check.ts'

/** Returns all French reasons why the draft cannot be published; empty if it can (spec §5). */
export const publishErrors = (draft: PublishCheckInput): PublishError[] => [
  ...commonPublishErrors(draft),
  ...rarePublishErrors(draft),
]

/** Returns the errors of parts that few drafts have. The editor loads this file when a draft has one. */
export const rarePublishErrors = (draft: PublishCheckInput): PublishError[] => [
  ...dimensionErrors(draft),
  ...textVariantErrors(draft),
]
