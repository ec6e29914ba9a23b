import { type BrevoHandler, refused } from './brevo-contacts.ts'
import { isRecord, jsonOf } from './fake-server.ts'

const CATEGORIES = ['normal', 'category', 'transactional'] as const

const labelsOf = (given: unknown): { value: number; label: string }[] =>
  (Array.isArray(given) ? given : [])
    .filter(isRecord)
    .map(({ value, label }) => ({ value: Number(value), label: String(label) }))

/** Attributes, whose names are in capitals, and lists. */
export const brevoCatalogue = (nextId: () => number) => {
  const listAttributes: BrevoHandler = (_request, { attributes }) => ({
    status: 200,
    body: { attributes: [...attributes.values()] },
  })
  const createAttribute: BrevoHandler = (request, { attributes }) => {
    const category = CATEGORIES.find((known) => known === request.params.category)
    const name = (request.params.name ?? '').toUpperCase()
    const body = jsonOf(request)
    if (!body || Object.keys(body).length === 0)
      return refused(400, 'missing_parameter', 'No inputs in the body')
    if (!category || !/^[A-Z0-9_]+$/.test(name))
      return refused(400, 'invalid_parameter', 'Invalid attribute')
    if (attributes.has(name))
      return refused(400, 'invalid_parameter', 'Attribute name must be unique')
    const enumeration = labelsOf(body.enumeration)
    if (category === 'category' && enumeration.length === 0)
      return refused(400, 'missing_parameter', 'enumeration is missing')
    attributes.set(name, {
      name,
      category,
      ...(typeof body.type === 'string' && { type: body.type }),
      ...(category === 'category' && { enumeration }),
    })
    return { status: 201 }
  }
  const listLists: BrevoHandler = (_request, { lists }) => ({
    status: 200,
    body: { count: lists.size, lists: [...lists].map(([id, name]) => ({ id, name })) },
  })
  const createList: BrevoHandler = (request, { lists }) => {
    const { name } = jsonOf(request) ?? {}
    if (typeof name !== 'string' || name === '')
      return refused(400, 'missing_parameter', 'name is missing')
    const id = nextId()
    lists.set(id, name)
    return { status: 201, body: { id } }
  }
  return { listAttributes, createAttribute, listLists, createList }
}
