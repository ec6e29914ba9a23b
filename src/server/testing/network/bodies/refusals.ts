import assert from 'node:assert/strict'
import { RefusedCall } from '#contract/client/client.ts'

/** Returns the refusal of a call. Fails if the call succeeds. */
export const refusalOf = async (
  call: Promise<unknown>,
  what = 'The call',
): Promise<RefusedCall> => {
  try {
    await call
  } catch (error) {
    assert.ok(error instanceof RefusedCall, String(error))
    return error
  }
  return assert.fail(`${what} succeeded`)
}

/** Fails unless the call is refused with this status and code. */
export const refuses = async (
  call: Promise<unknown>,
  status: number,
  code: string,
): Promise<void> => {
  const refusal = await refusalOf(call)
  assert.deepEqual([refusal.status, refusal.code], [status, code], refusal.message)
}
