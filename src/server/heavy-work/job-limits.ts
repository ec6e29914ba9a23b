import { CAMPAIGN_LIMITS } from '#domain/campaigns/campaign.ts'
import { MAX_ZIPPED_PARTICIPANTS } from '#domain/reports/document.ts'
import type { Resource } from './resources.ts'

/** Limits of a kind of job. */
export type JobLimits = {
  /** Resource that the job holds while it runs. */
  resource: Resource
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
 * Maximum size (`questionnaireSize`, or letters) of a questionnaire that the event loop processes itself, in some
 * milliseconds. A thread processes larger questionnaires.
 */
export const MAX_EVENT_LOOP_SIZE = 60_000

const MINUTE_MS = 60_000
const MIB = 1_048_576
const NO_MAXIMUM = Number.POSITIVE_INFINITY

/** Limits of most kinds. */
const COMMON = { max_ms: 30_000, max_heap_mb: 320 }
const LONG = { ...COMMON, max_ms: MINUTE_MS }
/** Limits of files that are sent while they are made. */
const DOWNLOAD = { ...COMMON, max_ms: 120 * MINUTE_MS, resource: 'download' } as const
/** Size of an upload or of a version. */
const UP_TO_32_MIB = { max_size: 32 * MIB, unit: 'bytes' }
const UP_TO_10_MIB = { max_size: 10 * MIB, unit: 'bytes' }
const ANY_PARTICIPANTS = { max_size: NO_MAXIMUM, unit: 'participants' }
/** Parts of a document, such as questions and replies. */
const DOCUMENT_PARTS = { max_size: 10_000, unit: 'parts' }
/** Pages that visitors wait for, and the compilation of their version. */
const VISIT = { ...COMMON, ...UP_TO_32_MIB, max_ms: 2 * MINUTE_MS, resource: 'page' } as const

/** Kinds of heavy work with their limits. docs/limits.md has this table, and a test compares both. */
export const JOB_LIMITS = {
  version: { ...VISIT, label: 'Cette version' },
  page: { ...VISIT, label: 'Cette page' },
  document: { ...COMMON, ...DOCUMENT_PARTS, resource: 'thread', label: 'Ce document' },
  publication: { ...COMMON, ...UP_TO_32_MIB, resource: 'thread', label: 'Cette publication' },
  import: { ...LONG, ...UP_TO_32_MIB, resource: 'file', label: 'Cet import' },
  /** Takes a thread before it starts, so that no transaction waits for a thread. */
  replay: { ...LONG, ...ANY_PARTICIPANTS, resource: 'thread', label: 'Ce calcul' },
  analysis: { ...LONG, ...ANY_PARTICIPANTS, resource: 'event_loop', label: 'Ce calcul' },
  versions: {
    ...COMMON,
    max_size: 100,
    unit: 'versions',
    resource: 'event_loop',
    label: 'Cette liste de versions',
  },
  figures: { ...LONG, ...ANY_PARTICIPANTS, resource: 'statement', label: 'Ce calcul' },
  /** Piece of a download, such as a page of participants. */
  piece: {
    ...COMMON,
    max_size: 1,
    unit: 'pieces',
    resource: 'statement',
    label: 'Ce téléchargement',
  },
  picture: { ...COMMON, ...UP_TO_10_MIB, resource: 'decoder', label: 'Cette image' },
  mail: { ...COMMON, ...UP_TO_10_MIB, resource: 'mail', label: 'Ce mail' },
  /** Sending of a single PDF; a nested `document` job writes it. */
  sent_document: {
    ...COMMON,
    ...DOCUMENT_PARTS,
    max_ms: 30 * MINUTE_MS,
    resource: 'sending',
    label: 'Ce document',
  },
  zip: { ...DOWNLOAD, max_size: MAX_ZIPPED_PARTICIPANTS, unit: 'participants', label: 'Ce ZIP' },
  /** Quiz as a file, which a thread writes and whose pictures are read one by one. */
  quiz_file: { ...DOWNLOAD, ...UP_TO_32_MIB, label: 'Ce fichier' },
  export: { ...DOWNLOAD, ...ANY_PARTICIPANTS, label: 'Cet export' },
  /** Account export, which has no maximum because a person has a right to all their data. */
  account_export: { ...DOWNLOAD, max_size: NO_MAXIMUM, unit: 'quizzes', label: 'Cet export' },
  count: {
    ...COMMON,
    ...ANY_PARTICIPANTS,
    max_ms: 150_000,
    resource: 'count',
    label: 'Ce calcul',
  },
  removal: {
    ...COMMON,
    ...ANY_PARTICIPANTS,
    max_ms: 15 * MINUTE_MS,
    resource: 'removal',
    label: 'Cette suppression',
  },
  /** File for an audit; nested `document` jobs write its PDF files. */
  evidence: {
    ...COMMON,
    max_ms: 60 * MINUTE_MS,
    max_size: CAMPAIGN_LIMITS.people,
    unit: 'people',
    resource: 'evidence',
    label: 'Ce dossier',
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
  /** True for a job that outlives the job in which it starts, so that it takes a slot of its own. */
  is_detached?: boolean | undefined
}
