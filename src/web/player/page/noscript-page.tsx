/** @jsxImportSource #web/player */
import { renderToString } from 'react-dom/server'
import { CONSENT_FIELD } from '#domain/questionnaire/consent/consent.ts'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer } from '#domain/questionnaire/snapshot.ts'
import { CORRECTED_FIELD, hasUnseenCorrections } from '#domain/run/corrections/corrections.ts'
import { ASKED_EMAILS_FIELD, withEmailChoices } from '#domain/run/email-choices.ts'
import {
  createIsPageSkipped,
  skippedStepsQuery,
  stepsIn,
  type VisitedSteps,
} from '#domain/run/path.ts'
import { insertionsOf, type RichQuestion } from '#domain/run/rich-text.ts'
import { RUN_SECRET_FIELD } from '#domain/run/run-secret.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { shuffled } from '#domain/run/shuffle.ts'
import { HONEYPOT_FIELD } from '#domain/run/spam-signals.ts'
import { findBlockingQuestions, type SnapshotPage } from '#domain/run/submission-checks.ts'
import { runPathSegment } from '#domain/run/trial-runs.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import { spanOf, stepsTo } from '#domain/statistics/visits.ts'
import { withFrozenReplies } from '#web/player/corrections/freeze-replies.ts'
import { resumeRun } from '#web/player/run/resume-run.ts'
import { firstPageIndex, NEW_RUN, nextPageIndex, type Run } from '#web/player/run/run.ts'
import { MissingReplies } from './noscript-missing.tsx'
import { leadsToEnd } from './page-form.tsx'
import type { NoscriptProps } from './page-props.ts'
import { FORM_ID, type PlayerData } from './player-data.ts'
import { QuizPlayer } from './quiz-player.tsx'

/** A quiz whose pages the server renders for browsers without scripts. */
export type ServedQuiz = Omit<PlayerData, 'is_test' | 'ids'> & {
  is_embedded: boolean
  /** The signed token of a trial run; undefined in a real run. */
  test_token?: string | undefined
  /** Token of an invitation. */
  invitation_token?: string | undefined
}

/** The state of a run on the server; the replies are hidden fields of its form. */
export type ServedRun = {
  replies: Replies
  participant_uuid: string
  /** The secret of the run, which opens its end. */
  run_secret: string
  /** The requested page, from 0; the run stops at the first page that lacks an answer. */
  page_index: number
  /** True if the honeypot field was filled in on any page. */
  is_trapped: boolean
  /** The reason why the last answers were refused. */
  refusal?: string
  /** The query of the address at which the visit began. */
  parameters: string
  /** The counted steps of this visit; undefined if a visit begins, whose steps its first form reports. */
  counted: VisitedSteps | undefined
  /** Numbers of the pages whose corrections were shown, the present page included if it shows them. */
  corrected: readonly number[]
  /** Positions of the email questions about whose address the visitor was asked, also on the present page. */
  asked_emails: readonly number[]
  /** Positions of the email questions that the present page asks about; absent without any. */
  emails_to_ask?: readonly number[]
}

/** The state of a run that its addresses carry from the second page on. */
type EarlierState = { counted: VisitedSteps | undefined } & Pick<ServedRun, 'parameters'>

/**
 * Returns the address that a form posts to: page `page`, or the result when `page` is undefined. The address carries
 * the steps and parameters of `before`.
 */
const addressOf = (quiz: ServedQuiz, before: EarlierState | undefined, page?: number): string => {
  const { counted, parameters } = before ?? {}
  const steps = counted ? `&step=${counted.to}${skippedStepsQuery(counted, '&')}` : ''
  const parameters_query = parameters ? `&came=${encodeURIComponent(parameters)}` : ''
  const { version, is_embedded } = quiz
  const path = `/q/${runPathSegment(quiz)}`
  const query = `version=${version}${is_embedded ? '&embed=1' : ''}${steps}${parameters_query}`
  return page === undefined ? `${path}/resultat?${query}` : `${path}?${query}&page=${page}`
}

const noscriptPropsOf = (
  quiz: ServedQuiz,
  { page_index, replies, locked }: Pick<Run, 'page_index' | 'replies' | 'locked'>,
  before?: EarlierState,
): Omit<NoscriptProps, 'hidden_fields'> => {
  const { snapshot } = quiz
  const pages = groupIntoPages(snapshot)
  const page = pages[page_index]
  // The server shows the corrections of the last page before it takes the answers.
  const isCorrected =
    page !== undefined && hasUnseenCorrections(snapshot.quiz.shows_corrections, page, locked)
  const isLast = page_index === pages.length - 1 && !isCorrected
  return {
    form: {
      id: FORM_ID,
      method: 'post',
      // The server finds the page that follows after the form is posted, because the replies decide it.
      action: addressOf(quiz, before, isLast ? undefined : page_index + 1),
    },
    back:
      page_index === firstPageIndex(quiz.snapshot)
        ? {}
        : {
            type: 'submit',
            formAction: addressOf(
              quiz,
              before,
              nextPageIndex({ snapshot, pages }, { page_index, replies }, -1),
            ),
            formNoValidate: true,
          },
  }
}

/**
 * Returns true if, without scripts, Enter in a field could send the answers before the other fields of the page are
 * filled. The page then has several fields and may be the last of a run.
 */
const sendsBeforeLastField = (page: SnapshotPage, isLast: boolean): boolean => {
  const questions = page.items.flatMap((item) => (item.kind === 'question' ? item.question : []))
  const hasBox = ({ consent, measure }: RichQuestion): boolean => Boolean(consent ?? measure)
  const nb_fields = questions.length + questions.filter(hasBox).length
  return nb_fields > 1 && (isLast || leadsToEnd(page))
}

/**
 * Renders a disabled button before the form of the first page, so that Enter does not send the form without scripts.
 * Returns '' for pages where Enter is harmless.
 */
export const renderEnterGuard = ({ snapshot }: Pick<ServedQuiz, 'snapshot'>): string => {
  const pages = groupIntoPages(snapshot)
  const page = pages[firstPageIndex(snapshot)]
  return page && sendsBeforeLastField(page, pages.length === 1)
    ? `<button form=${FORM_ID} disabled hidden></button>`
    : ''
}

/** Renders the markup of the first page, which the script hydrates. */
export const renderFirstPage = (quiz: ServedQuiz): string => {
  const { snapshot } = quiz
  const first = { ...NEW_RUN, page_index: firstPageIndex(snapshot) }
  const noscript = { ...noscriptPropsOf(quiz, first), hidden_fields: null }
  return renderToString(
    <QuizPlayer
      snapshot={snapshot}
      rules={PUBLIC_RULES}
      run={first}
      form={first}
      noscript={noscript}
    />,
  )
}

/** Renders the current page of a run without scripts, with the replies of the other pages as hidden fields. */
export const renderRun = (
  quiz: ServedQuiz,
  { replies, participant_uuid, page_index, is_trapped, refusal, ...served }: ServedRun,
): { body: string; is_refused: boolean; new_steps: number[] } => {
  const { counted, parameters, corrected, asked_emails, emails_to_ask, run_secret } = served
  const snapshot = emails_to_ask
    ? withEmailChoices(quiz.snapshot, { replies, positions: emails_to_ask })
    : quiz.snapshot
  const pages = groupIntoPages(snapshot)
  const wanted = pages
    .filter(({ number }) => corrected.includes(number))
    .reduce<Run>(withFrozenReplies, { ...NEW_RUN, replies, page_index })
  // Invalid replies are kept here, so that the page can say why the run stops.
  const run = resumeRun({ snapshot, pages, rules: PUBLIC_RULES }, wanted, () => true)
  const page = pages[run.page_index]
  const missing = page ? findBlockingQuestions(page, run.replies, PUBLIC_RULES) : []
  const isIncomplete = run.page_index < page_index && missing.length > 0
  const insertions = insertionsOf(snapshot, run.replies)
  const reason = isIncomplete ? (
    <MissingReplies
      quiz={snapshot.quiz}
      questions={missing}
      replies={run.replies}
      insertions={insertions}
    />
  ) : (
    refusal
  )
  const shown = new Set(
    page?.items.flatMap((item) =>
      item.kind === 'question'
        ? [item.question.id, (item.question.consent ?? item.question.measure) && CONSENT_FIELD]
        : [],
    ),
  )
  // A locked field is disabled, so that browsers do not send it.
  const hidden = Object.entries(run.replies).filter(
    ([id]) => !shown.has(id) || run.locked?.includes(id),
  )
  const hidden_fields = (
    <>
      {page && sendsBeforeLastField(page, run.page_index === pages.length - 1) ? (
        // Enter presses the first button of a form, and does nothing if that button is disabled.
        <button type="submit" hidden disabled />
      ) : (
        run.page_index > firstPageIndex(snapshot) && (
          // The first button of a form must be « Suivant », not « Précédent ».
          <button type="submit" hidden tabIndex={-1}>
            {wordingOf(snapshot.quiz, 'Suivant')}
          </button>
        )
      )}
      <input
        className="q-said"
        name={HONEYPOT_FIELD}
        defaultValue={is_trapped ? HONEYPOT_FIELD : ''}
        autoComplete="off"
        inert
        aria-hidden
      />
      <input type="hidden" name="participant_uuid" value={participant_uuid} />
      <input type="hidden" name={RUN_SECRET_FIELD} value={run_secret} />
      {corrected.length > 0 && (
        <input type="hidden" name={CORRECTED_FIELD} value={corrected.join('.')} />
      )}
      {asked_emails.length > 0 && (
        <input type="hidden" name={ASKED_EMAILS_FIELD} value={asked_emails.join('.')} />
      )}
      {hidden.flatMap(([id, reply]) =>
        [reply]
          .flat()
          .map((part) => <input key={`${id} ${part}`} type="hidden" name={id} value={part} />),
      )}
      {reason && (
        <p className="q-alert" role="alert">
          {reason}
        </p>
      )}
    </>
  )
  // A run begins with its first answer, not with a return to the first page.
  const hasBegun = page_index > 0 || Object.keys(run.replies).length > 0
  const isSkipped = createIsPageSkipped(snapshot.questions, run.replies)
  const steps = stepsTo(run.page_index, hasBegun, (index) => !isSkipped(pages[index]?.number ?? 0))
  const known = counted && stepsIn(counted)
  const new_steps = known ? steps.filter((step) => !known.includes(step)) : []
  const all = known && spanOf([...known, ...new_steps])
  const noscript = { ...noscriptPropsOf(quiz, run, { counted: all, parameters }), hidden_fields }
  return {
    new_steps,
    is_refused: reason !== undefined,
    body: renderToString(
      <QuizPlayer
        snapshot={snapshot}
        rules={PUBLIC_RULES}
        run={run}
        form={{ replies: run.replies }}
        noscript={noscript}
        orderAnswers={createAnswerOrder(quiz, run.page_index, participant_uuid)}
      />,
    ),
  }
}

/**
 * Returns the function that orders the answers on a page without scripts. The first page shows the written order,
 * because all visitors get the same markup. Every other page shuffles for its participant.
 */
const createAnswerOrder =
  ({ snapshot }: ServedQuiz, page_index: number, participant_uuid: string) =>
  (question: RichQuestion): SnapshotAnswer[] =>
    page_index === firstPageIndex(snapshot)
      ? question.answers
      : shuffled(question.answers, participant_uuid, question.id)
