/** Promise of the outcome of the next sign-in; undefined unless the session has ended. */
let next_sign_in: PromiseWithResolvers<boolean> | undefined

/** Makes calls that find the session ended wait until `resumeCalls`. */
export const pauseCalls = (): void => {
  next_sign_in ??= Promise.withResolvers<boolean>()
}

/** Ends the wait of paused calls: they are sent again if the same account has signed in, and fail otherwise. */
export const resumeCalls = (isSameAccount: boolean): void => {
  next_sign_in?.resolve(isSameAccount)
  next_sign_in = undefined
}

/** Returns a promise that is true if paused calls may be sent again; undefined while the session has not ended. */
export const waitForResume = (): Promise<boolean> | undefined => next_sign_in?.promise
