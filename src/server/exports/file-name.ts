import { parisTime } from '#domain/paris-time.ts'

/** Characters that some file system refuses, or that end a header. */
const REFUSED = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}]+/gu
const LONGEST = 80

/** `attachment` with a name in French, and in plain letters for programs that know no others. */
export const attachment = (quiz_name: string, extension: string, now = new Date()): string => {
  const [day] = parisTime(now.toISOString()).split(' ')
  const title = quiz_name
    .replaceAll(REFUSED, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed()
  const name = `Réponses - ${title} - ${day}.${extension}`
  const plain = name.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, '')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
