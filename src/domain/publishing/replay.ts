import { isChoice, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { maxChoicesOf, otherText, scaleNumber } from '#domain/run/replies.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { replyPlaces, type StoredReplies, unpackReply } from '#domain/run/stored-replies.ts'

/**
 * Replay of stored replies on a draft, which tells what publishing it would change for earlier participants. Nothing
 * is stored.
 */

type NamedResult = { id: string; name: string }
type StoredRun = StoredReplies & { result_position: number | null }

/** Replay of one participant: old and new result, and the number of replies without a counterpart in the draft. */
export type ReplayOutcome = {
  before: NamedResult | null
  after: NamedResult | null
  nb_lost: number
}

/** Returns a function that replays participants of one version on `next`, the draft's snapshot. */
export const createReplay = (
  version: Snapshot,
  next: Snapshot,
): ((stored: StoredRun) => ReplayOutcome) => {
  const nextQuestions = new Map(next.questions.map((question) => [question.id, question]))
  const places = replyPlaces(version).map((place) => ({
    place,
    keep: counterpartsOf(place.question, nextQuestions),
  }))
  const results = version.results.map(({ id, name }) => ({ id, name }))
  // Reused for all participants, because creating thousands would take most of the time. An empty string means no
  // reply.
  const replies: Record<string, Reply> = Object.fromEntries(
    version.questions.map(({ id }) => [id, '']),
  )
  return (stored) => {
    let nb_lost = 0
    for (const { place, keep } of places) {
      const reply = unpackReply(place, stored) ?? ''
      const parts = typeof reply === 'string' ? [reply] : reply
      const given = parts.filter((part) => part !== '')
      const kept = keep(given)
      nb_lost += given.length - kept.length
      replies[place.question.id] = kept.length > 1 ? kept : (kept[0] ?? '')
    }
    const after = resultOf(next, replies)
    const { result_position } = stored
    const before = result_position === null ? null : (results[result_position] ?? null)
    return { before, after, nb_lost }
  }
}

const resultOf = (next: Snapshot, replies: Replies): NamedResult | null => {
  const result = computeResult(next, replies, PUBLIC_RULES)
  return result && { id: result.id, name: result.name }
}

/**
 * Returns a function that keeps the parts of a reply that are still valid. The question, answer or number must exist,
 * and the number of choices must be allowed.
 */
const counterpartsOf = (
  { id, type }: SnapshotQuestion,
  questions: ReadonlyMap<string, SnapshotQuestion>,
): ((parts: string[]) => string[]) => {
  const question = questions.get(id)
  if (!question || question.type !== type) return () => []
  if (type === 'scale')
    return (parts) => parts.filter((part) => scaleNumber(question, { [id]: part }) !== null)
  if (!isChoice(question)) return (parts) => parts
  const answers = new Set(question.answers.map((answer) => answer.id))
  const isThere = (part: string): boolean =>
    otherText(part) === undefined ? answers.has(part) : question.has_other === true
  const most = maxChoicesOf(question)
  return (parts) => parts.filter(isThere).slice(0, most)
}

/** Participants whose result would change from one to another; null means no result. */
type Move = { from: NamedResult | null; to: NamedResult | null; count: number }

/** Effect of a draft on the replayed participants. */
export type Replay = {
  nb_replayed: number
  /** Null for a sondage, which has no results. Only the most frequent moves are listed. */
  results: { nb_changed: number; moves: Move[] } | null
  /** Replies without a valid counterpart in the draft, and the participants who gave them. */
  nb_lost_replies: number
  nb_losing: number
}

/** Maximum number of listed moves, because a longer list would identify participants. */
const MAX_MOVES = 50

/** Returns a tally of replayed participants, to be added from the newest. A deleted result has its latest name. */
export const createReplayTally = (next: Snapshot) => {
  const names = new Map(next.results.map(({ id, name }) => [id, name]))
  const moves = new Map<string, Move>()
  const sum = { nb_replayed: 0, nb_changed: 0, nb_lost_replies: 0, nb_losing: 0 }
  const named = (result: NamedResult | null): NamedResult | null => {
    if (!result) return null
    const name = names.get(result.id) ?? result.name
    names.set(result.id, name)
    return { id: result.id, name }
  }
  return {
    add: ({ before, after, nb_lost }: ReplayOutcome): void => {
      sum.nb_replayed++
      sum.nb_lost_replies += nb_lost
      if (nb_lost > 0) sum.nb_losing++
      if (before?.id === after?.id) return
      sum.nb_changed++
      const key = `${before?.id} ${after?.id}`
      const move = moves.get(key) ?? { from: named(before), to: named(after), count: 0 }
      move.count++
      moves.set(key, move)
    },
    read: (): Replay => {
      const { nb_changed, ...others } = sum
      const frequent = [...moves.values()].sort((a, b) => b.count - a.count).slice(0, MAX_MOVES)
      const results = next.quiz.type === 'sondage' ? null : { nb_changed, moves: frequent }
      return { ...others, results }
    },
  }
}
