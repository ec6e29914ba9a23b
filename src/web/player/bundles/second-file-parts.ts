import { dimensionInsertions, dimensionScores } from '#domain/run/dimensions.ts'
import { resultDetail } from '#domain/run/result-detail.ts'
import { Picture } from '#web/player/content/picture.tsx'
import { PageSummary, QuestionCorrection } from '#web/player/corrections/correction.tsx'
import { freezeReplies } from '#web/player/corrections/freeze-replies.ts'
import {
  describeRefusal,
  EndExtras,
  Explanation,
  ShareLink,
} from '#web/player/ending/end-extras.tsx'
import { emailProps } from '#web/player/fields/email-field.ts'
import { currentReading, updateReading } from '#web/player/fields/phone-reading.ts'
import { completeYears } from '#web/player/fields/short-years.ts'
import { parts, type SecondFileParts } from '#web/player/parts.ts'
import { offerSavedRun } from '#web/player/run/offer-saved-run.tsx'
import { protectTexts } from '#web/player/run/protect-typed-texts.ts'
import { createRedirect } from '#web/player/run/redirect.ts'

/** Parts of the second file, which every public page loads after its first page is shown. */
const SECOND_FILE_PARTS: SecondFileParts = {
  Picture,
  completeYears,
  emailProps,
  updateReading,
  currentReading,
  Explanation,
  EndExtras,
  freezeReplies,
  PageSummary,
  QuestionCorrection,
  ShareLink,
  describeRefusal,
  dimensionInsertions,
  resultDetail,
  dimensionScores,
  createRedirect,
  offerSavedRun,
  protectTexts,
}
Object.assign(parts, SECOND_FILE_PARTS)
