import { type BrevoHandler, type BrevoSwitches, refused } from './brevo-contacts.ts'
import { type FakeReply, type FakeRequest, isRecord, parseJsonBody } from './fake-server.ts'

const MAX_PER_PAGE = 50
const CATEGORIES = ['normal', 'category', 'transactional'] as const

const labelsOf = (given: unknown): { value: number; label: string }[] =>
  (Array.isArray(given) ? given : [])
    .filter(isRecord)
    .map(({ value, label }) => ({ value: Number(value), label: String(label) }))

/** Creates handlers for attributes, lists and folders. Names of attributes are upper case. */
export const brevoCatalogue = ({
  switches,
  nextId,
}: {
  switches: BrevoSwitches
  nextId: () => number
}) => {
  const listAttributes: BrevoHandler = (_request, { attributes }) => ({
    status: 200,
    body: { attributes: [...attributes.values()] },
  })
  const createAttribute: BrevoHandler = (request, { attributes }) => {
    const category = CATEGORIES.find((known) => known === request.params.category)
    const name = (request.params.name ?? '').toUpperCase()
    const body = parseJsonBody(request)
    if (!body || Object.keys(body).length === 0)
      return refused(400, 'missing_parameter', 'No inputs in the body')
    if (!category || !/^[A-Z0-9_]+$/.test(name))
      return refused(400, 'invalid_parameter', 'Invalid attribute')
    if (attributes.has(name))
      return refused(400, 'invalid_parameter', 'Attribute name must be unique')
    if (attributes.size >= switches.max_attributes)
      return refused(400, 'not_acceptable', 'Your plan has no more attributes')
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
  /** Returns a page of lists or folders, newest first by default. An empty page only has a count. */
  const page = (
    { query }: FakeRequest,
    kind: 'lists' | 'folders',
    named: ReadonlyMap<number, string>,
  ): FakeReply => {
    const limit = Number(query.get('limit') ?? 10)
    const offset = Number(query.get('offset') ?? 0)
    if (!(limit >= 1 && limit <= MAX_PER_PAGE) || !(offset >= 0))
      return refused(400, 'out_of_range', 'Limit exceeds max value')
    const all = [...named].map(([id, name]) => ({ id, name }))
    if (query.get('sort') !== 'asc') all.reverse()
    const found = all.slice(offset, offset + limit)
    return { status: 200, body: { count: all.length, ...(found.length > 0 && { [kind]: found }) } }
  }
  const listLists: BrevoHandler = (request, { lists }) => page(request, 'lists', lists)
  const listFolders: BrevoHandler = (request, { folders }) => page(request, 'folders', folders)
  const createFolder: BrevoHandler = (request, { folders }) => {
    const { name } = parseJsonBody(request) ?? {}
    if (typeof name !== 'string' || name === '')
      return refused(400, 'missing_parameter', 'Folder name is missing')
    const id = nextId()
    folders.set(id, name)
    return { status: 201, body: { id } }
  }
  const createList: BrevoHandler = (request, { lists, folders }) => {
    const { name, folderId } = parseJsonBody(request) ?? {}
    if (typeof name !== 'string' || name === '')
      return refused(400, 'missing_parameter', 'List name is missing')
    if (typeof folderId !== 'number')
      return refused(400, 'missing_parameter', 'Folder id is missing')
    if (!folders.has(folderId)) return refused(400, 'invalid_parameter', 'Folder ID does not exist')
    if (lists.size >= switches.max_lists)
      return refused(400, 'not_acceptable', 'Your plan has no more lists')
    const id = nextId()
    lists.set(id, name)
    return { status: 201, body: { id } }
  }
  return { listAttributes, createAttribute, listLists, createList, listFolders, createFolder }
}
