import { create } from 'content-disposition'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { cutText } from '#domain/common/text.ts'
import { localDay } from '#domain/common/time-zone.ts'

/** Characters that some file systems refuse or that end a header. */
const FORBIDDEN_CHARACTERS = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}]+/gu
const MAX_TITLE_LENGTH = 80

/** Returns a file name that every file system accepts, with the local day: `Réponses - Mon quiz - 2026-11-23.csv`. */
export const fileName = (
  [label, quiz_name]: [label: string, quiz_name: string],
  extension: string,
  time_zone: string,
): string => {
  const day = localDay(new Date(), time_zone)
  return `${plainParts([label, quiz_name])} - ${day}.${extension}`
}

/** Joins parts to the name of a PDF file that every file system accepts: `Rapport - Mon quiz - Léa Martin.pdf`. */
export const documentFileName = (parts: readonly string[]): string => `${plainParts(parts)}.pdf`

const plainParts = (parts: readonly string[]): string =>
  parts.map((part) => cutText(plainTitle(part), MAX_TITLE_LENGTH)).join(' - ')

const plainTitle = (text: string): string =>
  text.replaceAll(FORBIDDEN_CHARACTERS, ' ').replaceAll(/\s+/g, ' ').trim()

/** Returns a Content-Disposition header for a download with this name, and in plain ASCII for old programs (RFC 6266). */
export const attachment = (name: string): string =>
  create(name, { fallback: normalizeText(name, 'NFD').replaceAll(/[^\x20-\x7e]/g, '') })
