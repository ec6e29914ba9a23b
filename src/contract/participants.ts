import { z } from 'zod'
import type { Explanation } from '#domain/explanation.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { calls } from './calls.ts'
import { group } from './endpoint.ts'
import { quizMode } from './shapes.ts'
import { participant } from './statistics.ts'
import { filledText, uuid } from './text-shapes.ts'

const { participants: at } = calls
const person = z.object({ email: filledText(LIMITS.email) })

const explanation = z.object({
  quiz_mode: quizMode,
  result_name: z.string().nullable(),
  score: z.int().nullable(),
  contributions: z.array(
    z.object({
      question_text: z.string(),
      answer_text: z.string(),
      score: z.int().nullable(),
      points: z.array(z.object({ result_name: z.string(), points: z.int() })),
    }),
  ),
  standings: z.array(
    z.object({
      result_name: z.string(),
      is_reached: z.boolean(),
      points: z.int().nullable(),
      min_score: z.int().nullable(),
      max_score: z.int().nullable(),
      distance: z.int().nullable(),
    }),
  ),
  runner_up: z.object({ result_name: z.string(), margin: z.int() }).nullable(),
  tie: z
    .object({
      result_names: z.array(z.string()),
      settled_by: z.enum(['order', 'question', 'all_shown']),
      question_number: z.int().nullable(),
    })
    .nullable(),
  is_fallback: z.boolean(),
}) satisfies z.ZodType<Explanation>

/** One participant, or everything of one person. */
export const participants = group({
  explain: {
    ...at.explain,
    access: 'creator',
    answer: z.object({ explanation }),
    summary:
      'Why a participant got their result: what each answer brought, and how near the others were',
  },
  remove: {
    ...at.remove,
    access: 'creator',
    summary: 'Delete one participant; every figure is as if they had never come',
  },
  ofPerson: {
    ...at.ofPerson,
    access: 'creator',
    key_scope: 'lecture',
    body: person,
    answer: z.object({
      email: z.string(),
      responses: z.array(
        participant.extend({ quiz_id: uuid, quiz_name: z.string(), score: z.int().nullable() }),
      ),
    }),
    summary: 'Everything that a person gave to the creator’s quizzes, by their address',
  },
  removePerson: {
    ...at.removePerson,
    access: 'creator',
    body: person,
    answer: z.object({ nb_removed: z.int() }),
    summary: 'Delete a person from all of the creator’s quizzes, by their address',
  },
})
