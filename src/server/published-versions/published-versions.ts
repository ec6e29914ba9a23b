import { NO_NOTES, type QuestionNotes } from '#domain/run/question-notes.ts'
import type { Db } from '#server/db/database.ts'
import type { CompiledVersions } from './compiled-versions.ts'
import {
  type CurrentAccess,
  type CurrentVersions,
  createCurrentVersions,
} from './current-versions.ts'
import type { PublishedVersion } from './visitor-version.ts'

/** Version that visitors currently take, with the settings that apply at once. */
export type CurrentPublishedVersion = PublishedVersion & CurrentAccess
/** `version` is the withdrawn version; null if the quiz was never published. */
type UnpublishedQuiz = { is_published: false; version: number | null }

/** Settings that decide what participants are offered: a page of their own, and a mail to confirm the address. */
export type ParticipantOffers = Pick<CurrentAccess, 'keeps_page' | 'confirms_email'>

/** Offers of a quiz that is not published, and of trial runs. */
export const NO_OFFERS: ParticipantOffers = { keeps_page: false, confirms_email: false }

/** Access to the versions of quizzes through a cache. */
export type VersionReader = {
  /** Returns the current version; undefined if the quiz does not exist. */
  current: (
    quiz_id: string,
    signal?: AbortSignal,
  ) => Promise<CurrentPublishedVersion | UnpublishedQuiz | undefined>
  /** Returns the current version without waiting; undefined unless it is cached and known to be current. */
  getCached: (quiz_id: string) => CurrentPublishedVersion | undefined
  /**
   * Returns the settings of the published quiz that decide what its participants are offered. Uses the last known state
   * without a query, because pages and stored participants follow the current settings.
   */
  offersOf: (quiz_id: string) => Promise<ParticipantOffers>
  /** Returns a version without waiting; undefined if it is not cached. */
  getCachedVersion: (quiz_id: string, version: number) => PublishedVersion | undefined
  /** Returns any version by its number. */
  ofVersion: (
    quiz_id: string,
    version: number,
    notes?: QuestionNotes,
    signal?: AbortSignal,
  ) => Promise<PublishedVersion | undefined>
}

/** Creates the access to versions, which are in the store `compiled`. `versions` tells which version is current. */
export const createVersionReader = (
  db: Db,
  {
    compiled,
    versions = createCurrentVersions(db),
  }: { compiled: CompiledVersions; versions?: CurrentVersions },
): VersionReader => {
  const ofVersion: VersionReader['ofVersion'] = async (
    quiz_id,
    version,
    notes = NO_NOTES,
    signal,
  ) => {
    const found = await compiled.find(quiz_id, version, signal)
    return found && compiled.visitorVersionOf(found, notes)
  }

  return {
    ofVersion,
    offersOf: async (quiz_id) => {
      const current = versions.getKnown(quiz_id) ?? (await versions.find(quiz_id))
      if (current.kind !== 'published') return NO_OFFERS
      const { keeps_page, confirms_email } = current
      return { keeps_page, confirms_email }
    },
    getCachedVersion: (quiz_id, version) =>
      compiled.getCachedVisitorVersion(quiz_id, version, NO_NOTES),
    current: async (quiz_id, signal) => {
      const current = await versions.find(quiz_id)
      if (current.kind === 'missing') return undefined
      if (current.kind === 'unpublished') return { is_published: false, version: current.version }
      const { kind: _, version, consent, measure, is_mailed, country, ...access } = current
      const notes = { consent, measure, is_mailed, country }
      const published = await ofVersion(quiz_id, version, notes, signal)
      return published && { ...published, ...access }
    },
    getCached: (quiz_id) => {
      const current = versions.getFresh(quiz_id)
      if (current?.kind !== 'published') return undefined
      const { kind: _, version, consent, measure, is_mailed, country, ...access } = current
      const known = compiled.getCachedVisitorVersion(quiz_id, version, {
        consent,
        measure,
        is_mailed,
        country,
      })
      return known && { ...known, ...access }
    },
  }
}
