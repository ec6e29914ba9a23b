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

/** Returns a promise that tells whether the waiting calls may be sent again; undefined while no call waits. */
export const heldCalls = (): Promise<boolean> | undefined => held?.promise
