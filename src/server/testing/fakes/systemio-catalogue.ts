import { isRecord, noteUnknown, parseJsonBody } from './fake-server.ts'
import { findContact, type SystemioHandler, type SystemioSwitches } from './systemio-contacts.ts'
import { listPage, problem, violation } from './systemio-replies.ts'

const MAX_TAG_LENGTH = 64
const MAX_NAME_LENGTH = 255

/** Creates handlers for contact fields. A slug never changes, and is the cursor of pages if fields have pages. */
export const systemioFields = ({ switches }: { switches: SystemioSwitches }) => {
  const list: SystemioHandler = ({ query }, { fields }) => {
    const items = [...fields].map(([slug, fieldName]) => ({ slug, fieldName }))
    if (switches.fields_per_page === null) return { status: 200, body: { items } }
    const after = query.get('startingAfter')
    const start = after === null ? 0 : items.findIndex(({ slug }) => slug === after) + 1
    const end = start + switches.fields_per_page
    return { status: 200, body: { items: items.slice(start, end), hasMore: end < items.length } }
  }
  const create: SystemioHandler = (request, { fields }) => {
    const body = parseJsonBody(request)
    if (!body) return problem(400, 'Syntax error')
    noteUnknown(request, body, ['fieldName', 'slug'])
    const { slug, fieldName } = body
    if (typeof slug !== 'string' || !/^\w+$/.test(slug))
      return violation('slug', 'Cette valeur n’est pas valide.')
    if (typeof fieldName !== 'string' || fieldName === '' || fieldName.length > MAX_NAME_LENGTH)
      return violation('fieldName', 'Cette valeur n’est pas valide.')
    if (fields.has(slug)) return violation('slug', 'Cette valeur est déjà utilisée.')
    if (fields.size >= switches.max_fields)
      return violation('slug', 'Passez à une offre supérieure pour créer d’autres champs.')
    fields.set(slug, fieldName)
    return { status: 201, body: { slug, fieldName } }
  }
  return { list, create }
}

/** Creates handlers for tags and their contacts. */
export const systemioTags = ({
  switches,
  nextId,
}: {
  switches: SystemioSwitches
  nextId: () => number
}) => {
  const list: SystemioHandler = (request, { tags }) => {
    // The search also finds prefixes.
    const query = request.query.get('query')?.toLowerCase() ?? ''
    const found = [...tags]
      .map(([id, name]) => ({ id, name }))
      .filter(({ name }) => name.toLowerCase().startsWith(query))
    return listPage(request, found, (tag) => tag)
  }
  const create: SystemioHandler = (request, { tags }) => {
    const body = parseJsonBody(request)
    if (!body) return problem(400, 'Syntax error')
    const { name } = body
    if (typeof name !== 'string' || name === '' || name.length > MAX_TAG_LENGTH)
      return violation('name', 'Cette valeur est trop longue.')
    if ([...tags.values()].some((known) => known.toLowerCase() === name.toLowerCase()))
      return violation('name', 'Cette valeur est déjà utilisée.')
    if (tags.size >= switches.max_tags)
      return violation('name', 'Passez à une offre supérieure pour créer d’autres tags.')
    const id = nextId()
    tags.set(id, name)
    return { status: 201, body: { id, name } }
  }
  const assign: SystemioHandler = (request, account) => {
    const contact = findContact(account, request.params.id)
    if (!contact) return problem(404, 'Not Found')
    const body = parseJsonBody(request)
    const tagId = isRecord(body) ? body.tagId : undefined
    if (typeof tagId !== 'number') return problem(400, 'tagId must be an integer')
    if (!account.tags.has(tagId)) return violation('tagId', 'Tag inconnu')
    if (contact.tag_ids.includes(tagId))
      return switches.repeated_tag === 'accept'
        ? { status: 204 }
        : violation('tagId', 'Déjà attribué')
    contact.tag_ids.push(tagId)
    return { status: 204 }
  }
  const unassign: SystemioHandler = ({ params }, account) => {
    const contact = findContact(account, params.id)
    const tag = Number(params.tag)
    if (!contact?.tag_ids.includes(tag)) return problem(404, 'Not Found')
    contact.tag_ids = contact.tag_ids.filter((id) => id !== tag)
    return { status: 204 }
  }
  return { list, create, assign, unassign }
}
