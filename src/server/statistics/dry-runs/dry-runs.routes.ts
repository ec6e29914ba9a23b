import type { api } from '#contract/api.ts'
import type { ParticipantFilters } from '#contract/participant-filters.ts'
import {
  type DryRunSubject,
  readDryRunSubject,
  storedMappedValue,
} from '#domain/deliveries/dry-run.ts'
import { fullNameOf } from '#domain/run/contact/full-name.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { type Handlers, signalOf } from '#server/http/edge/mount.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import {
  findDimensionIdsInVersions,
  findQuestionIdsInVersions,
  wasEverPublished,
} from '#server/quizzes/versions.store.ts'
import type { PageUrl } from '#server/reports/report-links.ts'
import {
  type BackgroundCounts,
  createLargeCounts,
} from '#server/statistics/figures/background-counts.ts'
import { createCountCache } from '#server/statistics/figures/count-cache.ts'
import {
  type ReadView,
  recountWithLongerTimeout,
  type View,
} from '#server/statistics/figures/read-view.ts'
import {
  listResponses,
  readCursor,
  type StoredResponse,
  writeCursor,
} from '#server/statistics/selection/responses.store.ts'
import { countMatching, matchingCondition } from './matching-participants.store.ts'

/** Number of participants on a page. */
const PAGE_SIZE = 20

const NO_SUBJECT =
  'Choisissez un résultat, ou une question et une de ses réponses, ou une dimension et un de ses paliers, ou une valeur à envoyer'

/** Returns true if participants can have the subject, because a version of the quiz has it. */
const isInVersions = async (db: Db, quiz_id: string, subject: DryRunSubject): Promise<boolean> => {
  if ('source' in subject) return true
  if (subject.result_id !== null) return wasEverPublished(db, quiz_id, 'result', subject.result_id)
  if (subject.tier_id) {
    const dimensions = await findDimensionIdsInVersions(db, quiz_id, [subject.tier_id])
    return dimensions.get(subject.tier_id) === subject.dimension_id
  }
  const { question_id, answer_id } = subject
  if (answer_id === null) return false
  const questions = await findQuestionIdsInVersions(db, quiz_id, [answer_id])
  return questions.get(answer_id) === question_id && answer_id !== question_id
}

/** Returns the filters of statistics that select the participants of a rule; none for a mapping. */
const filtersOf = (subject: DryRunSubject): ParticipantFilters => {
  if ('source' in subject) return {}
  if (subject.tier_id) return { tier: subject.tier_id }
  if (subject.answer_id !== null) return { answer: subject.answer_id }
  return subject.result_id === null ? {} : { result: subject.result_id }
}

const sumOf = (versions: View['answeredVersions']): number =>
  versions.reduce((sum, { nb_responses }) => sum + nb_responses, 0)

const describeMatching = (
  subject: DryRunSubject,
  { answeredVersions }: View,
  page: readonly StoredResponse[],
  pageUrl: (participant_uuid: string) => string | null,
) => {
  const snapshots = new Map(answeredVersions.map(({ version, snapshot }) => [version, snapshot]))
  return page.map((response) => {
    const { participant_uuid, created_at, email, version } = response
    const snapshot = snapshots.get(version)
    return {
      participant_uuid,
      created_at,
      email: email ?? '',
      name: fullNameOf(response),
      value:
        'source' in subject && snapshot
          ? storedMappedValue(subject, snapshot, {
              ...response,
              result_url: pageUrl(participant_uuid),
            })
          : null,
    }
  })
}

/**
 * Returns the handlers of contract/forwarding/dry-runs.ts. Count and list of a call come from one database snapshot. Large
 * selections are counted in the background (docs/decisions/020).
 */
export const dryRunsHandlers = ({
  db,
  readView,
  background,
  pageUrl,
}: {
  db: Db
  readView: ReadView
  background: BackgroundCounts
  /** Returns the address of the page of a participant. */
  pageUrl?: PageUrl | undefined
}): Handlers<typeof api.dryRuns> => {
  const keptCounts = createCountCache<number>(background.memory, 'dry runs')
  const countsOf = createLargeCounts<number>(background, 'dry runs')
  return {
    get: async ({ id: quiz_id, cursor, async, ...fields }, creator, request) => {
      const { id: creator_id } = creator
      const { quiz } = await loadQuiz(db, { quiz_id, creator_id })
      // API keys get no addresses of pages, because a page can also erase its participant.
      const hasPages = quiz.keeps_page && !creator.is_api_key
      const subject = readDryRunSubject(fields)
      if (!subject) throw invalid(NO_SUBJECT, 'result_id')
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const isKnown = await isInVersions(db, quiz_id, subject)
      const filters = isKnown ? filtersOf(subject) : {}
      const asked = { quiz_id, creator_id, filters, signal: signalOf(request) }
      const count = (state: Db, view: View): Promise<number> =>
        countMatching(state, quiz_id, matchingCondition(subject, view, quiz.consent_mode))
      const keyOf = ({ key }: View): string =>
        JSON.stringify([key, subject, quiz.consent_mode, quiz.keeps_page])
      const { view, nb_matching, ...list } = await readView(
        asked,
        async (state, view) => {
          if (!isKnown) return { view, nb_matching: 0, participants: [], next_cursor: null }
          const condition = matchingCondition(subject, view, quiz.consent_mode)
          const nb_matching = view.is_many
            ? undefined
            : await keptCounts(keyOf(view), view.state_hash, () => count(state, view))
          const limit = PAGE_SIZE + 1
          const rows = await listResponses(state, quiz_id, { condition, after, limit })
          const page = rows.slice(0, PAGE_SIZE)
          const last = page.at(-1)
          return {
            view,
            nb_matching,
            participants: describeMatching(subject, view, page, (participant_uuid) =>
              hasPages ? (pageUrl?.({ quiz_id, participant_uuid }) ?? null) : null,
            ),
            next_cursor: last && rows.length > PAGE_SIZE ? writeCursor(last) : null,
          }
        },
        true,
      )
      const nb_participants = sumOf(view.answeredVersions)
      if (nb_matching !== undefined) return { nb_participants, nb_matching, ...list }
      const { state_hash, removed } = view
      const { value, as_of } = await countsOf(
        keyOf(view),
        { state_hash, removed, creator_id, is_async: async !== undefined },
        (slow) =>
          recountWithLongerTimeout(slow, asked, async (state, view) => ({
            state_hash: view.state_hash,
            removed: view.removed,
            value: await count(state, view),
          })),
      )
      return { nb_participants, nb_matching: value ?? null, ...list, ...(as_of && { as_of }) }
    },
  }
}
