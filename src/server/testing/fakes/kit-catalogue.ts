import type { Clock } from './clock.ts'
import { noteUnknown, parseJsonBody } from './fake-server.ts'
import {
  findByEmail,
  type KitObject,
  type KitSwitches,
  keyOf,
  type Subscriber,
} from './kit-account.ts'
import { listPage, refuseWith } from './kit-replies.ts'
import { type KitHandler, toWire } from './kit-subscribers.ts'

type Tools = { clock: Clock; switches: KitSwitches; nextId: () => number }

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Creates handlers for custom fields. A new label changes the key; a deletion deletes the values. */
export const kitFields = ({ switches, nextId }: Tools) => {
  const list: KitHandler = (request, { fields }) =>
    listPage(request, 'custom_fields', [...fields.values()])
  const create: KitHandler = (request, { fields }) => {
    const body = parseJsonBody(request) ?? {}
    noteUnknown(request, body, ['label'])
    const label = textOf(body.label)
    if (label === '') return refuseWith(422, 'Label can’t be blank')
    const known = [...fields.values()].find((field) => field.label === label)
    if (known && switches.repeated_label === 'refuse')
      return refuseWith(422, 'Label is already taken')
    if (known) return { status: 200, body: { custom_field: known } }
    if (fields.size >= switches.max_fields) return refuseWith(422, 'Upgrade to add more fields')
    const id = nextId()
    const key = keyOf(label)
    const field = { id, name: `ck_field_${id}_${key}`, key, label }
    fields.set(id, field)
    return { status: 201, body: { custom_field: field } }
  }
  const rename: KitHandler = (request, { fields, subscribers }) => {
    const field = fields.get(Number(request.params.id))
    if (!field) return refuseWith(404, 'Not Found')
    const label = textOf(parseJsonBody(request)?.label)
    if (label === '') return refuseWith(422, 'Label can’t be blank')
    const key = keyOf(label)
    for (const { fields: values } of subscribers.values()) {
      const value = values[field.key]
      delete values[field.key]
      if (value !== undefined) values[key] = value
    }
    Object.assign(field, { label, key, name: `ck_field_${field.id}_${key}` })
    return { status: 200, body: { custom_field: field } }
  }
  const remove: KitHandler = ({ params }, { fields, subscribers }) => {
    const field = fields.get(Number(params.id))
    if (!field) return refuseWith(404, 'Not Found')
    fields.delete(field.id)
    for (const subscriber of subscribers.values()) delete subscriber.fields[field.key]
    return { status: 204 }
  }
  return { list, create, rename, remove }
}

/** Creates handlers for tags and their subscribers. */
export const kitTags = ({ clock, nextId }: Tools) => {
  const listTags: KitHandler = (request, { tags }) => listPage(request, 'tags', [...tags.values()])
  const createTag: KitHandler = (request, { tags }) => {
    const body = parseJsonBody(request) ?? {}
    noteUnknown(request, body, ['name'])
    const name = textOf(body.name)
    if (name === '') return refuseWith(422, 'Name can’t be blank')
    const known = [...tags.values()].find((tag) => tag.name.toLowerCase() === name.toLowerCase())
    if (known) return { status: 200, body: { tag: known } }
    const tag: KitObject = { id: nextId(), name, created_at: new Date(clock.now()).toISOString() }
    tags.set(tag.id, tag)
    return { status: 201, body: { tag } }
  }
  const put = (group: KitObject | undefined, subscriber: Subscriber | undefined) => {
    if (!group || !subscriber) return refuseWith(404, 'Not Found')
    const isNew = !subscriber.tag_ids.includes(group.id)
    if (isNew) subscriber.tag_ids.push(group.id)
    return { status: isNew ? 201 : 200, body: { subscriber: toWire(subscriber) } }
  }
  const tag: KitHandler = ({ params }, { tags, subscribers }) =>
    put(tags.get(Number(params.tag)), subscribers.get(Number(params.id)))
  const tagByEmail: KitHandler = (request, account) => {
    const email = textOf(parseJsonBody(request)?.email_address)
    return put(account.tags.get(Number(request.params.tag)), findByEmail(account, email))
  }
  return { listTags, createTag, tag, tagByEmail }
}
