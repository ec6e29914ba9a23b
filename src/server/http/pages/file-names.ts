import { cutText } from '#domain/common/text.ts'
import { localDay } from '#domain/common/time-zone.ts'

/** Characters that some file systems refuse or that end a header. */
const FORBIDDEN_CHARACTERS = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}]+/gu
const MAX_TITLE_LENGTH = 80

/** Returns a file name that every file system accepts, with the local day: `Réponses - Mon quiz - 2026-11-23.csv`. */
export const fileName = (
  [what, quiz_name]: [what: string, quiz_name: string],
  extension: string,
  time_zone: string,
): string => {
  const day = localDay(new Date(), time_zone)
  const plain = quiz_name.replaceAll(FORBIDDEN_CHARACTERS, ' ').replaceAll(/\s+/g, ' ').trim()
  const title = cutText(plain, MAX_TITLE_LENGTH)
  return `${what} - ${title} - ${day}.${extension}`
}

/**
 * Returns a Content-Disposition header for a download with this name, in UTF-8 and in plain ASCII for old programs.
 */
export const attachment = (name: string): string => {
  const plain = name.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, '')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
