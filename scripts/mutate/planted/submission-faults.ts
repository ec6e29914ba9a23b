import type { PlantedFault } from './planted-fault.ts'

/** Faults of submissions and public pages. */
export const SUBMISSION_FAULTS: PlantedFault[] = [
  {
    name: 'a snapshot that a cache marks as weak is always sent again',
    file: 'src/server/responses/responses.routes.ts',
    from: "entry.trim().replace(/^W\\//, '')",
    to: 'entry.trim()',
    test: 'src/server/published-versions/published-versions.test.ts',
  },
  {
    name: 'visits of two versions are counted as those of the first',
    file: 'src/server/responses/visits.ts',
    from: 'const key = `${quiz_id} ${version} ${step}`',
    to: 'const key = `${quiz_id} ${step}`',
    test: 'src/server/public-quiz/visits.test.ts',
  },
  {
    name: 'the limit of typed replies counts characters instead of bytes',
    file: 'src/server/responses/reply-size.ts',
    from: 'sum + Buffer.byteLength(text)',
    to: 'sum + text.length',
  },
  {
    name: 'a visitor without scripts gets an error when the quiz is full',
    file: 'src/server/public-quiz/noscript-runs.ts',
    from: "(error.code === 'quiz_full' || error.code === 'quiz_closed')",
    to: "error.code === 'quiz_closed'",
    test: 'src/server/published-versions/closing.test.ts',
  },
  {
    name: 'a clock that is set back takes away allowed calls',
    file: 'src/server/http/edge/rate-limits.ts',
    from: 'const elapsed_ms = Math.max(0, now - bucket.at)',
    to: 'const elapsed_ms = now - bucket.at',
    test: 'src/server/http/edge/token-bucket.test.ts',
  },
  {
    name: 'the opening of a quiz is announced in the time of Paris',
    file: 'src/server/published-versions/opening.ts',
    from: 'time_zone: zone, time_zone_name',
    to: 'time_zone: DEFAULT_TIME_ZONE, time_zone_name',
  },
]
