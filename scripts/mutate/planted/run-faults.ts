import type { PlantedFault } from './planted-fault.ts'

/** Faults of paths, conditions and saved runs. */
export const RUN_FAULTS: PlantedFault[] = [
  {
    name: 'an answer on a skipped page leads elsewhere',
    file: 'src/domain/run/path.ts',
    from: 'page_number < before || page_number === decided',
    to: 'page_number === decided',
  },
  {
    name: 'a run without dimensions shows the text for equal dimensions',
    file: 'src/domain/run/text-variants.ts',
    from: 'dimension_scores.map(({ percent }) => percent)).size === 1',
    to: 'dimension_scores.map(({ percent }) => percent)).size <= 1',
  },
  {
    name: 'a reload loses a reply with too many choices',
    file: 'src/web/player/run/resume-run.ts',
    from: "!fault || fault === 'too_many' || fault === 'too_long'",
    to: "!fault || fault === 'too_long'",
  },
  {
    name: 'two quizzes in frames of one page share a saved run',
    file: 'src/web/player/run/saved-run.ts',
    from: "is_framed ? `quizaine:run:${quiz_id}` : 'quizaine:run'",
    to: "is_framed ? 'quizaine:run:framed' : 'quizaine:run'",
  },
  {
    name: 'a page takes the seconds of Retry-After for milliseconds',
    file: 'src/web/player/run/pending-submissions.ts',
    from: '(sending.seconds ?? 0) * 1_000',
    to: 'sending.seconds ?? 0',
  },
]
