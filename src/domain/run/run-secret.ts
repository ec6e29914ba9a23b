/** Form field of a run without scripts that holds the secret of the run. */
export const RUN_SECRET_FIELD = 'run_secret'
