import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import type { z } from 'zod'
import type { ErrorBody } from '#contract/api.ts'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import { restoreValue } from '#server/testing/quizzes/accepted-bodies.ts'
import { readRefusal } from './problems.ts'

/** Value of a body or of a query, by field. */
export type Row = Record<string, unknown>

/** Answers to an input whose refused fields were replaced one after another. */
export type SentTexts = {
  /** Last answer. */
  reply: LightMyRequestResponse
  /** Last refusal; undefined if the last input was accepted. */
  refusal: ErrorBody | undefined
  /** Fields whose values were refused, in order. Each refusal named its field. */
  refused_fields: string[]
  /** Input that was sent last. */
  sent: Row
}

/** Checks of the stored rows around each sent input. */
export type StoredRowsGuard = {
  beforeSend: () => Promise<void>
  onAccepted: () => void
  onRefused: (what: string) => Promise<void>
}

/** Replaced fields of one input. No input has as many texts that a call refuses. */
const MAX_REPLACED_FIELDS = 400
/** Refusals of one field, after which the call is given up. */
const MAX_REFUSALS = 2

const keysOf = (path: string): PropertyKey[] =>
  path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))

/** Returns the row that has the last key of a path; undefined if the input has no such row. */
const findRow = (input: Row, keys: readonly PropertyKey[]): Row | undefined => {
  let row: unknown = input
  for (const key of keys.slice(0, -1)) row = (row as Row | undefined)?.[String(key)]
  return typeof row === 'object' && row !== null ? (row as Row) : undefined
}

/**
 * Sends an input until it is accepted. Each field that the server refuses gets its value of `valid`, then a plain text. Fails if
 * an answer is an error of the server or a refusal without French sentences, or if it names a field that was not sent.
 */
export const sendTexts = async (
  what: string,
  {
    input,
    valid,
    send,
    guard,
    shape,
  }: {
    input: Row
    valid: unknown
    send: (input: Row) => Promise<LightMyRequestResponse>
    guard?: StoredRowsGuard
    /** Shape of the input. A value of another shape is refused before the call begins, so that `guard` needs no check. */
    shape?: z.ZodType | undefined
  },
): Promise<SentTexts> => {
  const refused_fields: string[] = []
  for (;;) {
    await guard?.beforeSend()
    const reply = await send(input)
    const about = `${what} ${refused_fields.at(-1) ?? ''}`.trim()
    const refusal = readRefusal(reply, about)
    const answer = { reply, refusal, refused_fields, sent: input }
    if (!refusal) {
      guard?.onAccepted()
      return answer
    }
    if (!shape || shape.safeParse(input).success) await guard?.onRefused(about)
    if (refusal.code === 'changed_elsewhere' && 'replaces' in input) {
      delete input.replaces
      continue
    }
    const { path } = readFieldMessage(refusal.error)
    const nb_refusals = refused_fields.filter((field) => field === path).length
    if (path === undefined || nb_refusals === MAX_REFUSALS) return answer
    assert.ok(refused_fields.length < MAX_REPLACED_FIELDS, about)
    refused_fields.push(path)
    const keys = keysOf(path)
    const row = findRow(input, keys)
    const key = String(keys.at(-1))
    // A required field without a valid value is absent after its first refusal.
    assert.ok(row && (key in row || nb_refusals > 0), `${about}: no field « ${path} » was sent`)
    if (nb_refusals === 0) restoreValue(input, valid, keys)
    else row[key] = 'Texte'
  }
}
