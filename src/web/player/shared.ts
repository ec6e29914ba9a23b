import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { isBlankText, trimText } from '#domain/common/text.ts'
import { CONSENT_FIELD } from '#domain/questionnaire/consent/consent.ts'
import { groupIntoPages, linkButtonOf } from '#domain/questionnaire/pages.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { inResultOrder } from '#domain/questionnaire/snapshot.ts'
import { rightAnswersOf } from '#domain/run/corrections/corrections.ts'
import { isRight } from '#domain/run/corrections/is-right.ts'
import { createIsPageSkipped, jumpTargetOf, visitedQuestions } from '#domain/run/path.ts'
import {
  canChooseSeveral,
  chosenAnswers,
  formatReply,
  maxChoicesOf,
  OTHER,
  OTHER_NAME,
  otherField,
  otherText,
  replyFault,
  replyPartsOf,
  replyTo,
  scaleNumber,
  scaleOf,
} from '#domain/run/replies.ts'
import { PUBLIC_RULES, pointsOf, profileTotals, totalScore } from '#domain/run/scoring.ts'
import { PictureSlot } from './content/picture-slot.tsx'
import { CreatorLine, CreatorText } from './content/texts.tsx'
import { ChoiceGroup } from './fields/choices.tsx'
import { describingIds, partId } from './fields/field-props.ts'
import { FieldError, QuestionIntro, QuestionText } from './fields/question-text.tsx'
import { createRenderer, Fragment, jsx, jsxs } from './jsx-runtime.ts'
import { parts } from './parts.ts'
import { nextRun } from './run/run.ts'
import { visibleReplies } from './run/visible-replies.ts'

/**
 * Exports that other bundles take from the script of the page, so that a page never has a rule twice. In other bundles,
 * the build replaces the imports of these names by indexes of this list (scripts/player-bundles.ts).
 */
export const SHARED = [
  Fragment,
  jsx,
  jsxs,
  parts,
  PictureSlot,
  CreatorLine,
  CreatorText,
  ChoiceGroup,
  partId,
  describingIds,
  FieldError,
  QuestionIntro,
  QuestionText,
  tiePunctuation,
  isBlankText,
  trimText,
  CONSENT_FIELD,
  groupIntoPages,
  linkButtonOf,
  isChoice,
  rightAnswersOf,
  inResultOrder,
  createIsPageSkipped,
  jumpTargetOf,
  visitedQuestions,
  canChooseSeveral,
  chosenAnswers,
  formatReply,
  maxChoicesOf,
  OTHER,
  OTHER_NAME,
  otherField,
  otherText,
  replyPartsOf,
  scaleNumber,
  scaleOf,
  isRight,
  pointsOf,
  profileTotals,
  totalScore,
  PUBLIC_RULES,
  replyTo,
  replyFault,
  createRenderer,
  nextRun,
  visibleReplies,
]
