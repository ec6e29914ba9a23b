/** Outcome of the sign-in that held calls wait for; undefined unless the session has ended. */
let held: PromiseWithResolvers<boolean> | undefined

/** Makes calls that find the session ended wait until `releaseCalls`. */
export const holdCalls = (): void => {
  held ??= Promise.withResolvers<boolean>()
}

/** Releases the waiting calls: they are sent again if the same account has signed in, and fail otherwise. */
export const releaseCalls = (isSameAccount: boolean): void => {
  held?.resolve(isSameAccount)
  held = undefined
}

/**
 * Returns a promise of whether the held calls may be sent again. Undefined while the session has not ended, so that no
 * call is held.
 */
export const heldCalls = (): Promise<boolean> | undefined => held?.promise
