import type { api } from '#contract/api.ts'
import { trimText } from '#domain/blank-text.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import { signalOf } from '#server/http/within.ts'
import { findQuestionType } from '#server/quizzes/draft.store.ts'
import type { BackgroundCounts } from './background-counts.ts'
import type { Counting } from './count-view.ts'
import { searchTexts } from './counters.store.ts'
import { listParticipants, readsAll } from './list-participants.ts'
import { searchMatching } from './matching.store.ts'
import { isFiltered } from './matching.ts'
import { readOverview } from './overview.store.ts'
import { participantOf } from './participant.ts'
import { listOutcomes } from './participant-deliveries.store.ts'
import { createCrosstabs } from './read-crosstab.ts'
import { createKeyFigures } from './read-key-figures.ts'
import type { ReadView } from './read-view.ts'

const MOST_TEXTS = 100

type Dependencies = {
  db: Db
  readView: ReadView
  background: BackgroundCounts
  counting: Counting
}

/** Handlers of contract/statistics.ts. Every figure comes from one state of the database. */
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
      {
        id: quiz_id,
        limit,
        cursor,
        sort,
        order,
        search = '',
        outcomes,
        figures,
        async,
        ...filters
      },
      { id: creator_id },
      request,
    ) => {
      const asked = { quiz_id, creator_id, filters, signal: signalOf(request) }
      const list = { sorting: { sort, order }, search: trimText(search).normalize(), cursor, limit }
      const { view, counted, ...page } = await readView(
        asked,
        async (state, view) => {
          const counted = view.is_large
            ? null
            : await counting.now(state, view, figures !== undefined)
          const { page, next_cursor } = await listParticipants(state, view, list)
          const uuids = page.map(({ participant_uuid }) => participant_uuid)
          const became = outcomes && (await listOutcomes(state, quiz_id, uuids))
          const details = page.map((response) => ({
            ...participantOf(response, view.taken),
            ...(became && {
              score: response.score,
              deliveries: became.get(response.participant_uuid) ?? [],
            }),
          }))
          return { view, counted, details, next_cursor }
        },
        isFiltered(filters) || readsAll(list),
      )
      const known = counted ?? (await counting.large(view, asked, async !== undefined))
      return { ...page, ...known, figures: figures && known.figures }
    },

    texts: async (
      { id: quiz_id, questionId, search: words = '', ...filters },
      { id: creator_id },
      request,
    ) =>
      readView(
        { quiz_id, creator_id, filters, signal: signalOf(request) },
        async (state, { condition, taken }) => {
          const isAsked = taken.some(({ snapshot }) =>
            snapshot.questions.some(({ id }) => id === questionId),
          )
          if (!isAsked && !(await findQuestionType(state, quiz_id, questionId)))
            throw notFound('Question introuvable')
          const most = MOST_TEXTS + 1
          const search = words.normalize()
          const texts = condition
            ? await searchMatching(
                state,
                { quiz_id, condition },
                { question_ids: [questionId], search, most },
              )
            : await searchTexts(state, { quiz_id, question_id: questionId }, { search, most })
          return {
            texts: texts.slice(0, MOST_TEXTS).map(({ text, count }) => ({ text, count })),
            is_complete: texts.length <= MOST_TEXTS,
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
