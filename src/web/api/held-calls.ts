let held: PromiseWithResolvers<boolean> | undefined

/** Holds the calls that find the session ended until `releaseCalls`. */
export const holdCalls = (): void => {
  held ??= Promise.withResolvers<boolean>()
}

/** Releases the held calls: they are sent again when the same account has signed in, and fail otherwise. */
export const releaseCalls = (isSameAccount: boolean): void => {
  held?.resolve(isSameAccount)
  held = undefined
}

/** Whether held calls may be sent again, once that is known; undefined while no call is held. */
export const heldCalls = (): Promise<boolean> | undefined => held?.promise
