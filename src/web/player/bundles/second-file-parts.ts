import { dimensionInsertions, dimensionScores } from '#domain/run/dimensions.ts'
import { resultDetail } from '#domain/run/result-detail.ts'
import { Picture } from '#web/player/content/picture.tsx'
import { PageSummary, QuestionCorrection } from '#web/player/corrections/correction.tsx'
import { lockPage } from '#web/player/corrections/lock-page.ts'
import {
  Continuation,
  describeRefusal,
  Explanation,
  ShareLink,
} from '#web/player/ending/extras.tsx'
import { currentReading, updateReading } from '#web/player/fields/phone-reading.ts'
import { completeYears } from '#web/player/fields/short-years.ts'
import { type LateParts, parts } from '#web/player/parts.ts'
import { guardRun } from '#web/player/run/guard-run.ts'
import { createRedirect } from '#web/player/run/redirect.ts'
import { resumeKept } from '#web/player/run/resume-kept.tsx'

/** The second file of every public page, which it loads after its first page is shown. */
const LATER: LateParts = {
  Picture,
  completeYears,
  updateReading,
  currentReading,
  Explanation,
  Continuation,
  lockPage,
  PageSummary,
  QuestionCorrection,
  ShareLink,
  describeRefusal,
  dimensionInsertions,
  resultDetail,
  dimensionScores,
  createRedirect,
  resumeKept,
  guardRun,
}
Object.assign(parts, LATER)
