import type { api } from '#contract/api.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { percentOf } from '#domain/statistics/participant-columns.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { type Handlers, signalOf } from '#server/http/edge/mount.ts'
import { findQuestionType } from '#server/quizzes/draft.store.ts'
import { searchTexts } from './counters/counters.store.ts'
import type { BackgroundCounts } from './figures/background-counts.ts'
import { searchSelected } from './figures/count-selection.store.ts'
import { readOverview } from './figures/overview.store.ts'
import { createCrosstabs } from './figures/read-crosstab.ts'
import type { ViewCounter } from './figures/read-figures.ts'
import { createKeyFigures } from './figures/read-key-figures.ts'
import type { ReadView } from './figures/read-view.ts'
import {
  describeParticipant,
  listParticipants,
  readSearch,
  readsWholeSelection,
  versionOf,
} from './participants/list-participants.ts'
import { listOutcomes } from './participants/participant.store.ts'
import { isFiltered } from './selection/participant-filters.ts'

const MAX_TEXTS = 100

type Dependencies = {
  db: Db
  readView: ReadView
  background: BackgroundCounts
  counting: ViewCounter
}

/** Handlers of contract/statistics/statistics.ts. All figures of a call come from one database snapshot. */
export const statisticsHandlers = ({
  db,
  readView,
  background,
  counting,
}: Dependencies): Handlers<typeof api.statistics> => {
  const readKeyFigures = createKeyFigures(db, readView, background)
  const readCrosstab = createCrosstabs(readView, background)
  return {
    responses: async (
      { id: quiz_id, limit, cursor, sort, order, search, outcomes, figures, async, ...filters },
      { id: creator_id },
      request,
    ) => {
      const query = { quiz_id, creator_id, filters, signal: signalOf(request) }
      const list = { sorting: { sort, order }, search: readSearch(search), cursor, limit }
      const { view, counted, ...page } = await readView(
        query,
        async (state, view) => {
          const has_figures = figures !== undefined
          const counted = counting.isLarge(view, has_figures)
            ? null
            : await counting.now(state, view, has_figures)
          const { page, next_cursor } = await listParticipants(state, view, list)
          const uuids = page.map(({ participant_uuid }) => participant_uuid)
          const outcomes_by_uuid = outcomes && (await listOutcomes(state, quiz_id, uuids))
          const details = page.map((response) => ({
            ...describeParticipant(response, view.answeredVersions),
            ...(outcomes_by_uuid && {
              score: response.score,
              percent: percentOf(versionOf(response, view.answeredVersions).snapshot, response),
              has_certificate: response.has_certificate,
              deliveries: outcomes_by_uuid.get(response.participant_uuid) ?? [],
            }),
          }))
          return { view, counted, details, next_cursor }
        },
        isFiltered(filters) || readsWholeSelection(list),
      )
      const known = counted ?? (await counting.large(view, query, async !== undefined))
      return { ...page, ...known, figures: figures && known.figures }
    },

    texts: async (
      { id: quiz_id, questionId, search: words = '', ...filters },
      { id: creator_id },
      request,
    ) =>
      readView(
        { quiz_id, creator_id, filters, signal: signalOf(request) },
        async (state, { condition, answeredVersions }) => {
          const isAsked = answeredVersions.some(({ snapshot }) =>
            snapshot.questions.some(({ id }) => id === questionId),
          )
          if (!isAsked && !(await findQuestionType(state, quiz_id, questionId)))
            throw notFound('Question introuvable')
          const limit = MAX_TEXTS + 1
          const search = normalizeText(words)
          const texts = condition
            ? await searchSelected(
                state,
                { quiz_id, condition },
                { question_ids: [questionId], search, limit },
              )
            : await searchTexts(state, { quiz_id, question_id: questionId }, { search, limit })
          return {
            texts: texts.slice(0, MAX_TEXTS).map(({ text, count }) => ({ text, count })),
            is_complete: texts.length <= MAX_TEXTS,
          }
        },
        true,
      ),

    keyFigures: ({ id: quiz_id, async, ...filters }, { id: creator_id }, request) =>
      readKeyFigures(
        { quiz_id, creator_id, filters, signal: signalOf(request) },
        { is_async: async !== undefined },
      ),

    crosstab: ({ id: quiz_id, rows, columns, async, ...filters }, { id: creator_id }, request) =>
      readCrosstab(
        { quiz_id, creator_id, filters, signal: signalOf(request) },
        { rows, columns, is_async: async !== undefined },
      ),

    overview: async (_input, { id: creator_id }) => ({
      quizzes: await readOverview(db, creator_id),
    }),
  }
}
