import { readableTextColor } from './colors.ts'
import type { QuizPage } from './quiz.ts'

type QuizImages = Pick<QuizPage, 'welcome_image_id' | 'logo_image_id' | 'background_image_id'>
type MayHaveOne = { image_id?: string | null | undefined }

/** Whatever has pictures: a draft, a snapshot, or what is changed of a draft. */
type Pictures = {
  quiz: { [Name in keyof QuizImages]?: string | null | undefined }
  results: readonly MayHaveOne[]
  questions: readonly (MayHaveOne & { answers?: readonly MayHaveOne[] })[]
  answers?: readonly MayHaveOne[]
}

/** The pictures that something shows, each once: the name of the field that has it, by its id. */
export const imagesOf = ({
  quiz,
  results,
  questions,
  answers = [],
}: Pictures): Map<string, string> => {
  const owners = [
    ...results,
    ...questions,
    ...questions.flatMap((question) => question.answers ?? []),
    ...answers,
  ]
  const { welcome_image_id, logo_image_id, background_image_id } = quiz
  const named = [
    ...owners.map(({ image_id }) => ['image_id', image_id] as const),
    ...Object.entries({ welcome_image_id, logo_image_id, background_image_id }),
  ]
  return new Map(named.flatMap(([field, id]) => (id ? [[id, field]] : [])))
}

/**
 * A picture's id says its size and its colour, so that a page sets its place before it is there, and nothing that
 * shows it has to look them up: a UUID of version 8 (RFC 9562, §5.8), whose first 48 bits are width, height and
 * colour, whose next four say whether it is opaque and dark, whose others are random.
 */

export type Picture = {
  width: number
  height: number
  /** Its average, as #rrggbb: what is seen until it is there. */
  color: string
  /** Whether nothing behind it shows through: what it stands for then has its colour. */
  is_opaque: boolean
}

/** What a picture may be sent as. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** The heaviest file that is taken, in bytes, and the most pixels that it may have. */
export const MAX_IMAGE_FILE_BYTES = 10 * 1_048_576
export const MAX_IMAGE_PIXELS = 40_000_000

export const TOO_HEAVY = 'L’image est trop lourde : 10 Mo au plus.'

/** Widths that are kept of each picture, in pixels; a narrower picture is never enlarged. */
export const IMAGE_SIZES = [400, 800, 1600] as const
export type ImageSize = (typeof IMAGE_SIZES)[number]

/** The heaviest that one size may be, in bytes. */
export const MAX_STORED_IMAGE_BYTES = 400 * 1_024

/** The largest that is kept: what the id has room for. */
export const MAX_IMAGE_DIMENSIONS = { width: 1600, height: 4000 } as const

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const SEE_THROUGH = '1'
/** White reads better on its colour than black. */
const DARK = '2'

/** The id of a new picture; `random` is any UUID, of which the last 70 bits are kept. */
export const imageIdOf = ({ width, height, color, is_opaque }: Picture, random: string): string => {
  const shade = readableTextColor(color) === '#ffffff' ? DARK : '0'
  const said = `${hex(width, 3)}${hex(height, 3)}${color.slice(1)}`
  return `${said.slice(0, 8)}-${said.slice(8)}-8${is_opaque ? shade : SEE_THROUGH}${random.slice(16)}`
}

/** What an id says of its picture, and whether its colour is a dark one; undefined when it is no picture's. */
export const pictureOf = (id: string): (Picture & { is_dark: boolean }) | undefined => {
  const [, width, height, red, others, shade] =
    /^([0-9a-f]{3})([0-9a-f]{3})([0-9a-f]{2})-([0-9a-f]{4})-8([0-2])[0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(
      id,
    ) ?? []
  if (!width || !height) return undefined
  const picture = {
    width: Number.parseInt(width, 16),
    height: Number.parseInt(height, 16),
    color: `#${red}${others}`,
    is_opaque: shade !== SEE_THROUGH,
    is_dark: shade === DARK,
  }
  const { width: widest, height: highest } = MAX_IMAGE_DIMENSIONS
  const isOne = picture.width > 0 && picture.height > 0
  return isOne && picture.width <= widest && picture.height <= highest ? picture : undefined
}

/** The sizes that are kept of a picture of this width: all that are narrower, and the next. */
export const sizesOf = (width: number): ImageSize[] =>
  IMAGE_SIZES.filter((_size, index) => index === 0 || (IMAGE_SIZES[index - 1] ?? 0) < width)

/** Where one size of a picture is. */
export const imageAddress = (id: string, size: ImageSize): string => `/images/${id}/${size}.webp`
