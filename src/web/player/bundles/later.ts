import { dimensionInsertions, dimensionScores } from '#domain/run/dimensions.ts'
import { resultDetail } from '#domain/run/result-detail.ts'
import { Picture } from '#web/player/content/picture.tsx'
import { Continuation, Explanation, ShareLink } from '#web/player/ending/extras.tsx'
import { type LateParts, parts } from '#web/player/parts.ts'
import { createRedirect } from '#web/player/run/redirect.ts'

/** The second file of every public page, which it loads after its first page is shown. */
const LATER: LateParts = {
  Picture,
  Explanation,
  Continuation,
  ShareLink,
  dimensionInsertions,
  resultDetail,
  dimensionScores,
  createRedirect,
}
Object.assign(parts, LATER)
