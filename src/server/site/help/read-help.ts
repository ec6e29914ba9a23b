import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ParsedPage, type Picture, parseHelpPage } from './render-markdown.ts'

/** Folder of the texts, with one folder for each subject. */
const PAGES_FOLDER = join(import.meta.dirname, 'pages')
const PICTURES_FOLDER = join(import.meta.dirname, 'pictures')

/** Subjects of the help by their folders, in the order of the contents. */
export const SUBJECTS = {
  'premiers-pas': 'Premiers pas',
  questions: 'Questions',
  resultats: 'Résultats',
  publier: 'Publier et partager',
  outils: 'Outils d’emailing et envois',
  statistiques: 'Statistiques',
  donnees: 'Données, compte et accessibilité',
} as const
/** Folder of a subject. */
type SubjectKey = keyof typeof SUBJECTS

/** A page of the help. */
export type HelpPage = ParsedPage & {
  slug: string
  subject: SubjectKey
  /** Words under which the search also finds the page. */
  keywords: string
}

/** A WebP picture. The digest is that of its bytes. */
type PictureFile = {
  name: string
  bytes: Buffer
  digest: string
  width: number
  height: number
}

/** The whole help. */
export type Help = { pages: HelpPage[]; pictures: Map<string, PictureFile> }

type SourceFile = { slug: string; subject: SubjectKey; text: string }

/** First line of a page: words that people use for its subject. */
const KEYWORDS = /^Mots : (.*)\n/

/** Reads the texts in the order of the contents; the number before a name orders the pages of a subject. */
const readSources = (): SourceFile[] =>
  Object.keys(SUBJECTS).flatMap((subject) =>
    globSync('*.md', { cwd: join(PAGES_FOLDER, subject) })
      .sort()
      .map((file) => ({
        slug: basename(file, '.md').replace(/^\d+-/, ''),
        subject: subject as SubjectKey,
        text: readFileSync(join(PAGES_FOLDER, subject, file), 'utf8'),
      })),
  )

/** Positions in a lossy WebP file (RFC 9649): the name of its format, then 14 bits each of width and height. */
const FORMAT_BYTES = [12, 16] as const
const WIDTH_BYTE = 26
const HEIGHT_BYTE = 28
const SIZE_BITS = 0x3fff

const sizeOf = (name: string, bytes: Buffer): { width: number; height: number } => {
  if (bytes.toString('latin1', ...FORMAT_BYTES) !== 'VP8 ')
    throw new Error(`The picture ${name} is no lossy WebP file without transparency`)
  return {
    width: bytes.readUInt16LE(WIDTH_BYTE) & SIZE_BITS,
    height: bytes.readUInt16LE(HEIGHT_BYTE) & SIZE_BITS,
  }
}

const readPictures = (): Map<string, PictureFile> => {
  const names = globSync('*.webp', { cwd: PICTURES_FOLDER })
  return new Map(
    names.map((name) => {
      const bytes = readFileSync(join(PICTURES_FOLDER, name))
      const digest = createHash('sha256').update(bytes).digest('base64url')
      return [name, { name, bytes, digest, ...sizeOf(name, bytes) }]
    }),
  )
}

/** Ending of the name of a picture in dark mode. */
const DARK = '-sombre.webp'

/** Reads and parses the help. Throws an error if a text or a picture is missing or invalid. */
export const readHelp = (): Help => {
  const pictures = readPictures()
  const pathOf = (name: string): string => `/aide/images/${name}`
  const pictureOf = (name: string): Picture => {
    const picture = pictures.get(name)
    if (!picture) throw new Error(`The help has no picture ${name}`)
    const dark_name = name.replace('.webp', DARK)
    const { width, height } = picture
    return {
      path: pathOf(name),
      dark_path: pictures.has(dark_name) ? pathOf(dark_name) : undefined,
      width,
      height,
    }
  }
  const pages = readSources().map(({ text, ...page }) => {
    const [first = '', keywords] = KEYWORDS.exec(text) ?? []
    if (keywords === undefined) throw new Error(`The page ${page.slug} has no keywords`)
    return { ...page, keywords, ...parseHelpPage(text.slice(first.length), pictureOf) }
  })
  return { pages, pictures }
}
