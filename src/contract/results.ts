import { z } from 'zod'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { revision } from './drafts.ts'
import { editedId } from './edited-draft.ts'
import { calls } from './kit/calls.ts'
import { group, MAX_SAVE_BODY_BYTES } from './kit/endpoint.ts'
import { optionalFields } from './kit/field-shapes.ts'
import { filledText, text, uuid } from './kit/fields.ts'
import { rank, result, threshold } from './kit/shapes.ts'

const { results: resultCalls } = calls
const oneResult = z.object({ result })
const allResults = z.object({ results: z.array(result) })

const name = filledText(LIMITS.result_name)
const description = text(LIMITS.description).nullish()
const bounds = { min_score: threshold.nullish(), max_score: threshold.nullish() }

/** Result in the list of the results autosave. */
const editedResult = z.object({
  id: editedId.optional(),
  name,
  description,
  priority_order: rank.optional(),
  ...bounds,
  ...optionalFields.ending,
})

/** Calls for the results of a quiz (product 13.1). */
export const results = group({
  list: {
    ...resultCalls.list,
    access: 'quiz_owner',
    answer: allResults,
    summary: 'Les résultats dans leur ordre',
  },
  create: {
    ...resultCalls.create,
    creates: true,
    access: 'quiz_owner',
    body: z.object({
      id: uuid.optional(),
      name,
      description,
      priority_order: rank.optional(),
      ...optionalFields.ending,
    }),
    answer: oneResult,
    summary: 'Ajouter un résultat, en dernier sauf si priority_order en décide autrement',
  },
  update: {
    ...resultCalls.update,
    access: 'result_owner',
    body: z.object({
      name: name.optional(),
      description,
      priority_order: rank.optional(),
      ...bounds,
      ...optionalFields.ending,
    }),
    answer: oneResult,
    summary: 'Changer les champs donnés d’un résultat',
  },
  remove: {
    ...resultCalls.remove,
    access: 'quiz_owner',
    summary: 'Supprimer un résultat et ses associations',
  },
  saveAll: {
    ...resultCalls.saveAll,
    access: 'quiz_owner',
    body: z.object({
      results: z.array(editedResult).max(LIMITS.results),
      based_on: revision.optional(),
    }),
    max_body_bytes: MAX_SAVE_BODY_BYTES,
    answer: allResults.extend({ id_map: z.record(z.string(), uuid) }),
    summary:
      'Remplacer la liste par celle-ci, dans cet ordre ; les résultats absents sont supprimés',
  },
})
