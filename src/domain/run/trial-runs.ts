/** Hours for which a trial link is valid. */
export const TRIAL_LINK_HOURS = 24

/** Number of trial runs that a quiz keeps; older runs are deleted. */
export const MAX_TRIAL_RUNS = 50
/** Days for which a trial run is kept. */
export const TRIAL_RUN_RETENTION_DAYS = 30

/** Query parameter with the token of a trial run. */
const TRIAL_PARAMETER = 'test'

/** Returns true if a page's query asks for a trial run, with a valid token or not. */
export const isTrialRequest = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && TRIAL_PARAMETER in query

/** Quiz of a page, and the token if the run is a trial or that of an invited person. */
type RunIdentity = {
  quiz_id: string
  test_token?: string | undefined
  invitation_token?: string | undefined
}

/**
 * Returns the path segment of the quiz in API calls of a page. A trial run and the run of an invited person add their
 * token, so that their data cannot be confused with a participant's.
 */
export const runPathSegment = ({ quiz_id, test_token, invitation_token }: RunIdentity): string => {
  if (invitation_token !== undefined) return `${quiz_id}/i/${invitation_token}`
  return test_token === undefined ? quiz_id : `${quiz_id}/test/${test_token}`
}

/** Returns the start page of a run. */
export const runStartPath = ({ test_token, ...run }: RunIdentity): string =>
  test_token === undefined
    ? `/q/${runPathSegment(run)}`
    : `/q/${run.quiz_id}?${TRIAL_PARAMETER}=${test_token}`
