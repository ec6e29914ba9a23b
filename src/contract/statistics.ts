import { z } from 'zod'
import { calls } from './calls.ts'
import { group } from './endpoint.ts'
import { uuid } from './shapes.ts'

const { statistics: at } = calls

const DETAILS_PER_PAGE = 100
const MOST_DETAILS_PER_PAGE = 500

const participant = z.object({
  participant_uuid: uuid,
  created_at: z.iso.datetime(),
  email: z.string().nullable(),
  final_result_name: z.string().nullable(),
  answers: z.array(z.object({ question_text: z.string(), answer_text: z.string() })),
})

/** What a creator reads (spec §3 « Statistics response », decisions « Statistics »). */
export const statistics = group({
  responses: {
    ...at.responses,
    access: 'creator',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(MOST_DETAILS_PER_PAGE).default(DETAILS_PER_PAGE),
      cursor: z.string().max(200).optional(),
    }),
    answer: z.object({
      stats: z.record(
        uuid,
        z.object({
          question_text: z.string(),
          answers: z.array(
            z.object({ answer_text: z.string(), count: z.int(), percentage: z.number() }),
          ),
        }),
      ),
      details: z.array(participant),
      next_cursor: z.string().nullable(),
    }),
    summary: 'Counts per question, and participants newest first',
  },
})

export type Participant = z.output<typeof participant>
