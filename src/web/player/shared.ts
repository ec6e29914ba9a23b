import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { isBlankText, trimText } from '#domain/common/text.ts'
import { linkButtonOf } from '#domain/questionnaire/pages.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { inResultOrder } from '#domain/questionnaire/snapshot.ts'
import { createIsPageSkipped, visitedQuestions } from '#domain/run/path.ts'
import {
  canChooseSeveral,
  formatReply,
  maxChoicesOf,
  OTHER,
  OTHER_NAME,
  otherField,
  otherText,
  scaleOf,
} from '#domain/run/replies.ts'
import { pointsOf, profileTotals, totalScore } from '#domain/run/scoring.ts'
import { PlaceOfPicture } from './content/place-of-picture.tsx'
import { CreatorText } from './content/texts.tsx'
import { ChoiceGroup } from './fields/choices.tsx'
import { partId } from './fields/field-props.ts'
import { isInput } from './fields/page-fields.ts'
import { Fragment, jsx, jsxs } from './jsx-runtime.ts'
import { parts } from './parts.ts'

/**
 * Exports that other bundles take from the script of the page, so that a page never has a rule twice. The build replaces
 * their imports of these modules (scripts/player-bundles.ts).
 */
export const SHARED = {
  Fragment,
  jsx,
  jsxs,
  parts,
  PlaceOfPicture,
  CreatorText,
  ChoiceGroup,
  partId,
  isInput,
  tiePunctuation,
  isBlankText,
  trimText,
  linkButtonOf,
  isChoice,
  inResultOrder,
  createIsPageSkipped,
  visitedQuestions,
  canChooseSeveral,
  formatReply,
  maxChoicesOf,
  OTHER,
  OTHER_NAME,
  otherField,
  otherText,
  scaleOf,
  pointsOf,
  profileTotals,
  totalScore,
}
