import { z } from 'zod'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { quiz } from './kit/shapes.ts'

const { trash: trashCalls } = calls

/** Calls for the trash of a creator, which `GET /quizzes?trash=1` lists (docs/decisions/081). */
export const trash = group({
  restore: {
    ...trashCalls.restore,
    access: 'quiz_owner',
    answer: z.object({ quiz }),
    summary: 'Sortir un quiz de la corbeille ; un quiz qui n’y est pas ne change pas',
  },
  empty: {
    ...trashCalls.empty,
    access: 'creator',
    answer: z.object({ nb_deleted: z.int() }),
    summary: 'Supprimer définitivement tous les quiz de la corbeille',
  },
})
