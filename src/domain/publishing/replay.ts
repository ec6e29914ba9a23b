import { isChoice, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { maxChoicesOf, otherText, scaleNumber } from '#domain/run/replies.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { replyPlaces, type StoredReplies, unpackReply } from '#domain/run/stored-replies.ts'

/**
 * What publishing a draft would change for those who have taken the quiz: the results they would get with the replies
 * that they gave. Nothing stored changes.
 */

type Named = { id: string; name: string }
type Stored = StoredReplies & { result_position: number | null }

/** Of one participant: the result they got and the one they would get, and how many of their replies the draft has no counterpart for. */
export type ReplayOutcome = { before: Named | null; after: Named | null; nb_lost: number }

/** Prepares one stored version, whose participants are then replayed one by one on `next`, the draft's snapshot. */
export const createReplay = (
  taken: Snapshot,
  next: Snapshot,
): ((stored: Stored) => ReplayOutcome) => {
  const asked = new Map(next.questions.map((question) => [question.id, question]))
  const places = replyPlaces(taken).map((place) => ({
    place,
    keep: counterpartsOf(place.question, asked),
  }))
  const results = taken.results.map(({ id, name }) => ({ id, name }))
  // One for all participants, as making thousands of them would take most of the time; '' is no reply.
  const replies: Record<string, Reply> = Object.fromEntries(
    taken.questions.map(({ id }) => [id, '']),
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

const resultOf = (next: Snapshot, replies: Replies): Named | null => {
  const result = computeResult(next, replies, PUBLIC_RULES)
  return result && { id: result.id, name: result.name }
}

/**
 * Of the parts of a reply to a question, those that still say something: its question is there, the answer or the number
 * too, and they are no more than may be chosen.
 */
const counterpartsOf = (
  { id, type }: SnapshotQuestion,
  asked: ReadonlyMap<string, SnapshotQuestion>,
): ((parts: string[]) => string[]) => {
  const question = asked.get(id)
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

/** Participants who got one result and would get another; null is none. */
type Move = { from: Named | null; to: Named | null; count: number }

/** What a draft would change, over the participants that were replayed. */
export type Replay = {
  nb_replayed: number
  /** Null for a sondage, which gives none. Of the moves the most frequent are listed. */
  results: { nb_changed: number; moves: Move[] } | null
  /** Replies that the draft has no question or answer for, or takes no longer, and the participants who gave them. */
  nb_lost_replies: number
  nb_losing: number
}

/** Of the moves, the most frequent: a longer list would be a table of participants. */
const MOST_MOVES = 50

/** Adds participants up, the newest first: a deleted result has the name that it had last. */
export const createReplayTally = (next: Snapshot) => {
  const names = new Map(next.results.map(({ id, name }) => [id, name]))
  const moves = new Map<string, Move>()
  const sum = { nb_replayed: 0, nb_changed: 0, nb_lost_replies: 0, nb_losing: 0 }
  const named = (result: Named | null): Named | null => {
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
      const frequent = [...moves.values()].sort((a, b) => b.count - a.count).slice(0, MOST_MOVES)
      const results = next.quiz.type === 'sondage' ? null : { nb_changed, moves: frequent }
      return { ...others, results }
    },
  }
}
