/** How long a link that opens a quiz as a test does so. */
export const TRIAL_LINK_HOURS = 24

/** The test runs that a quiz keeps, the newest, and for how long. */
export const MAX_TRIAL_RUNS = 50
export const TRIAL_RUN_RETENTION_DAYS = 30

/** The parameter of an address that asks for a test. */
const TEST_PARAMETER = 'test'

/** Whether the query of a page's address asks for a test, with a good token or without. */
export const isTrialRequest = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && TEST_PARAMETER in query

/** The quiz of a page, and the token that makes its run a test. */
type Addressed = { quiz_id: string; test_token?: string | undefined }

/**
 * What stands for the quiz in every address that its page calls: its id, and in a test the token behind it, so that
 * nothing that the page sends or keeps can be taken for that of a participant.
 */
export const runAddress = ({ quiz_id, test_token }: Addressed): string =>
  test_token === undefined ? quiz_id : `${quiz_id}/test/${test_token}`

/** Where a run begins, as a test where there is a token. */
export const runPath = ({ quiz_id, test_token }: Addressed): string =>
  test_token === undefined ? `/q/${quiz_id}` : `/q/${quiz_id}?${TEST_PARAMETER}=${test_token}`
