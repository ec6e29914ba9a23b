import { availableParallelism } from 'node:os'
import { MAX_ZIPPED_PARTICIPANTS } from '#domain/reports/document.ts'

/** Maximum numbers of running and queued jobs of a group. Networks are those of visitors; jobs of creators count for none. */
type GroupLimits = {
  max_concurrent_per_owner: number
  max_concurrent_per_network: number
  max_queued: number
  max_queued_per_owner: number
  max_queued_per_network: number
}

/** Groups of jobs whose owners take turns independently of the other groups. */
export const GROUPS = {
  /** Work that visitors wait for on a page that is not cached. Creators' work never takes these slots. */
  visit: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 2,
    max_queued: 200,
    max_queued_per_owner: 50,
    max_queued_per_network: 50,
  },
  /** Work whose caller waits for the result. */
  work: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 1,
    max_queued: 300,
    max_queued_per_owner: 40,
    max_queued_per_network: 20,
  },
  /**
   * Files that are sent while they are made. A slow reader holds a slot for hours, so that further downloads of the owner are
   * refused instead of queued.
   */
  download: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 1,
    max_queued: 0,
    max_queued_per_owner: 0,
    max_queued_per_network: 0,
  },
  /** Documents that are being sent, from their turn until their last byte. Slow readers take no threads and no slots of `work`. */
  sending: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 1,
    max_queued: 300,
    max_queued_per_owner: 40,
    max_queued_per_network: 20,
  },
  /** Long statements of the database. */
  background: {
    max_concurrent_per_owner: 2,
    max_concurrent_per_network: 1,
    max_queued: 60,
    max_queued_per_owner: 20,
    max_queued_per_network: 20,
  },
} as const satisfies Record<string, GroupLimits>

/** Name of a group. */
export type Group = keyof typeof GROUPS

/** Number of threads that compute for creators and for the documents of visitors. */
const NB_THREADS = Math.max(2, availableParallelism())

/** Resources that jobs take, with the maximum number of running jobs: in total and of one owner. */
export const LANES = {
  /** Threads that are reserved for visitors. */
  page: { group: 'visit', max_concurrent: 2, max_concurrent_per_owner: 2 },
  /** One owner never takes all threads, so that the document of another owner starts at once. */
  thread: {
    group: 'work',
    max_concurrent: NB_THREADS,
    max_concurrent_per_owner: Math.min(2, NB_THREADS - 1),
  },
  /** Statements on the connections for heavy reads. */
  statement: { group: 'work', max_concurrent: 3, max_concurrent_per_owner: 2 },
  /** Computations on the event loop that let other calls run in between. */
  event_loop: { group: 'work', max_concurrent: 2, max_concurrent_per_owner: 1 },
  /** Files of creators, which take several times their size in memory. */
  file: { group: 'work', max_concurrent: 2, max_concurrent_per_owner: 1 },
  /** Decoder process, because the largest pictures need a gigabyte. */
  decoder: { group: 'work', max_concurrent: 1, max_concurrent_per_owner: 1 },
  mail: { group: 'work', max_concurrent: 2, max_concurrent_per_owner: 1 },
  download: { group: 'download', max_concurrent: 100, max_concurrent_per_owner: 2 },
  sending: { group: 'sending', max_concurrent: 100, max_concurrent_per_owner: 2 },
  count: { group: 'background', max_concurrent: 1, max_concurrent_per_owner: 1 },
  removal: { group: 'background', max_concurrent: 2, max_concurrent_per_owner: 1 },
} as const satisfies Record<
  string,
  { group: Group; max_concurrent: number; max_concurrent_per_owner: number }
>

/** Name of a resource. */
export type Lane = keyof typeof LANES

/** Limits of a kind of job. */
export type JobLimits = {
  lane: Lane
  /** Maximum time from the start of the job, without the time in the queue. */
  max_ms: number
  /** Maximum heap of the thread that runs the job. */
  max_heap_mb: number
  /** Maximum size of the job, in `unit`. A larger job is refused before it starts. */
  max_size: number
  unit: string
  /** French subject of the sentence with which the job is refused. */
  label: string
}

/**
 * Size (`questionnaireSize`, or letters) up to which the event loop prepares, renders, writes or replays a questionnaire
 * itself, in some milliseconds. Larger ones go to a thread.
 */
export const MAX_QUICK_SIZE = 60_000

const HOUR_MS = 3_600_000
const HEAP_MB = 320
const MIB = 1_048_576
const NO_MAXIMUM = Number.POSITIVE_INFINITY

const download = { lane: 'download', max_ms: 2 * HOUR_MS, max_heap_mb: HEAP_MB } as const
const short = { max_ms: 30_000, max_heap_mb: HEAP_MB }

/** Kinds of heavy work with their limits. docs/limits.md has this table, and a test compares both. */
export const JOB_LIMITS = {
  version: {
    ...short,
    max_ms: 120_000,
    lane: 'page',
    max_size: 32 * MIB,
    unit: 'bytes',
    label: 'Cette version',
  },
  page: {
    ...short,
    max_ms: 120_000,
    lane: 'page',
    max_size: 32 * MIB,
    unit: 'bytes',
    label: 'Cette page',
  },
  document: { ...short, lane: 'thread', max_size: 10_000, unit: 'parts', label: 'Ce document' },
  publication: {
    ...short,
    lane: 'thread',
    max_size: 32 * MIB,
    unit: 'bytes',
    label: 'Cette publication',
  },
  import: {
    lane: 'file',
    max_ms: 60_000,
    max_heap_mb: HEAP_MB,
    max_size: 32 * MIB,
    unit: 'bytes',
    label: 'Cet import',
  },
  /** Takes a thread before it starts, so that no transaction waits for a thread. */
  replay: {
    lane: 'thread',
    max_ms: 60_000,
    max_heap_mb: HEAP_MB,
    max_size: NO_MAXIMUM,
    unit: 'participants',
    label: 'Ce calcul',
  },
  analysis: {
    lane: 'event_loop',
    max_ms: 60_000,
    max_heap_mb: HEAP_MB,
    max_size: NO_MAXIMUM,
    unit: 'participants',
    label: 'Ce calcul',
  },
  versions: {
    ...short,
    lane: 'event_loop',
    max_size: 100,
    unit: 'versions',
    label: 'Cette liste de versions',
  },
  figures: {
    lane: 'statement',
    max_ms: 60_000,
    max_heap_mb: HEAP_MB,
    max_size: NO_MAXIMUM,
    unit: 'participants',
    label: 'Ce calcul',
  },
  /** Piece of a download, such as a page of participants. */
  piece: { ...short, lane: 'statement', max_size: 1, unit: 'pieces', label: 'Ce téléchargement' },
  picture: { ...short, lane: 'decoder', max_size: 10 * MIB, unit: 'bytes', label: 'Cette image' },
  mail: { ...short, lane: 'mail', max_size: 10 * MIB, unit: 'bytes', label: 'Ce mail' },
  /** Sending of a single PDF; a nested `document` job writes it. */
  sent_document: {
    lane: 'sending',
    max_ms: 1_800_000,
    max_heap_mb: HEAP_MB,
    max_size: 10_000,
    unit: 'parts',
    label: 'Ce document',
  },
  zip: { ...download, max_size: MAX_ZIPPED_PARTICIPANTS, unit: 'participants', label: 'Ce ZIP' },
  /** Quiz as a file, which a thread writes and whose pictures are read one by one. */
  quiz_file: { ...download, max_size: 32 * MIB, unit: 'bytes', label: 'Ce fichier' },
  export: { ...download, max_size: NO_MAXIMUM, unit: 'participants', label: 'Cet export' },
  /** Account export, which has no maximum because a person has a right to all their data. */
  account_export: { ...download, max_size: NO_MAXIMUM, unit: 'quizzes', label: 'Cet export' },
  count: {
    lane: 'count',
    max_ms: 150_000,
    max_heap_mb: HEAP_MB,
    max_size: NO_MAXIMUM,
    unit: 'participants',
    label: 'Ce calcul',
  },
  removal: {
    lane: 'removal',
    max_ms: 900_000,
    max_heap_mb: HEAP_MB,
    max_size: NO_MAXIMUM,
    unit: 'participants',
    label: 'Cette suppression',
  },
} as const satisfies Record<string, JobLimits>

/** Kind of heavy work. */
export type JobKind = keyof typeof JOB_LIMITS

/** Heavy work to schedule. */
export type Job = {
  kind: JobKind
  /** Creator on whose behalf the work is done; for the work of visitors, the creator of the quiz. */
  owner: string
  /** Network of the visitor who asked (`networkKey`); absent if a creator asked. */
  network?: string | undefined
  /** Size known before the start, in the unit of the kind. */
  size: number
  /** Signal that ends the job when its caller leaves. */
  signal?: AbortSignal | undefined
  /** True for work that outlives the job in which it begins, so that it takes a slot of its own. */
  is_apart?: boolean | undefined
}
