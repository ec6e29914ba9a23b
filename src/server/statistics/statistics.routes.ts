import type { api } from '#contract/api.ts'
import { questionStats } from '#domain/statistics.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import { findRows } from '#server/quizzes/changes.store.ts'
import { type Counts, readCounters, searchTexts } from './counters.store.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { createKeptAnswers } from './kept-answers.ts'
import { countMatching, searchMatching } from './matching.store.ts'
import { participantOf } from './participant.ts'
import { type Numbers, readFigures } from './read-figures.ts'
import { createViews } from './read-view.ts'
import { listResponses } from './responses.store.ts'

const MOST_TEXTS = 100
/** Selections whose counts are kept until somebody comes or goes. */
const MOST_KEPT = 200

/** Handlers of contract/statistics.ts. Every figure comes from one state of the database. */
export const statisticsHandlers = ({ db }: { db: Db }): Handlers<typeof api.statistics> => {
  const readView = createViews(db)
  const keptCounts = createKeptAnswers<Counts>(MOST_KEPT)
  const keptNumbers = createKeptAnswers<Numbers>(MOST_KEPT)
  return {
    responses: async ({ id: quiz_id, limit, cursor, figures, ...filters }, { id: creator_id }) => {
      const after = cursor === undefined ? undefined : readCursor(cursor)
      return readView({ quiz_id, creator_id, filters }, async (state, view) => {
        const { condition, taken } = view
        const counts = condition
          ? await keptCounts(view.key, view.stamp, () =>
              countMatching(state, { quiz_id, condition }, taken),
            )
          : await readCounters(state, quiz_id, taken)
        const found = await listResponses(state, quiz_id, { condition, after, limit: limit + 1 })
        const page = found.slice(0, limit)
        const last = page.at(-1)
        return {
          stats: Object.fromEntries(questionStats(counts.versions, counts.choices, counts.texts)),
          details: page.map((response) => participantOf(response, taken)),
          next_cursor: last && found.length > limit ? writeCursor(last) : null,
          ...(figures && { figures: await readFigures(state, view, { counts, keptNumbers }) }),
        }
      })
    },

    texts: async ({ id: quiz_id, questionId, search = '', ...filters }, { id: creator_id }) =>
      readView(
        { quiz_id, creator_id, filters },
        async (state, { condition, taken }) => {
          const isAsked = taken.some(({ snapshot }) =>
            snapshot.questions.some(({ id }) => id === questionId),
          )
          const drafted = await findRows(state, 'questions', { quiz_id, ids: [questionId] })
          if (!isAsked && drafted.size === 0) throw notFound('Question introuvable')
          const most = MOST_TEXTS + 1
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
  }
}
