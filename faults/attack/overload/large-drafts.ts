import { randomUUID } from 'node:crypto'
import { assertPrecondition } from '../runner/attack.ts'
import type { Account } from '../runner/measured-site.ts'

/** List of the costliest text to parse, within the limits of a text block. */
export const LONG_LIST = '- a\n'.repeat(480)

/** Draft with as many text blocks as the product accepts. */
export type LargeDraft = {
  id: string
  question_id: string
  nb_blocks: number
  /** Saves the draft again. Returns the status. */
  save: () => Promise<{ status: number }>
}

/**
 * Creates a draft with one question and as many text blocks as the product accepts, trying fewer after each refusal.
 * `contentOf` returns the text of the block with a rank.
 */
export const createLargeDraft = async (
  { client, call }: Account,
  contentOf: (rank: number) => string,
  { first_try = 60, min_blocks = 1, page_number = 2 } = {},
): Promise<LargeDraft> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Listes', type: 'sondage' } })
  const { id } = quiz
  const question_id = randomUUID()
  const saveBlocks = (count: number) =>
    call(`/api/v1/quizzes/${id}/questions/unified/smart`, {
      body: {
        questions: [{ id: question_id, text: 'Et vous ?', type: 'textarea', label: 'p' }],
        text_blocks: Array.from({ length: count }, (_, rank) => ({
          id: randomUUID(),
          content: contentOf(rank),
          page_number,
        })),
      },
    })
  let nb_blocks = first_try
  while (nb_blocks > 0 && (await saveBlocks(nb_blocks)).status !== 200)
    nb_blocks = Math.floor(nb_blocks * 0.8)
  assertPrecondition(nb_blocks >= min_blocks, 'no large draft is accepted')
  return { id, question_id, nb_blocks, save: () => saveBlocks(nb_blocks) }
}

/** Publishes a quiz. Throws if the product refuses. */
export const publish = async ({ call }: Account, quiz_id: string): Promise<void> => {
  const { status } = await call(`/api/v1/quizzes/${quiz_id}/publish`, { method: 'POST' })
  assertPrecondition(status < 300, `a publication is answered ${status}`)
}
