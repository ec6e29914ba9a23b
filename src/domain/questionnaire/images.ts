import { readableTextColor } from '#domain/questionnaire/look/colors.ts'
import type { QuizPage } from '#domain/questionnaire/quiz.ts'

type QuizImages = Pick<QuizPage, 'welcome_image_id' | 'logo_image_id' | 'background_image_id'>
type MayHaveImage = { image_id?: string | null | undefined }

/** Content with images: a draft, a snapshot, or the changed rows of a draft. */
type ContentWithImages = {
  quiz: { [Name in keyof QuizImages]?: string | null | undefined }
  results: readonly MayHaveImage[]
  questions: readonly (MayHaveImage & { answers?: readonly MayHaveImage[] })[]
  answers?: readonly MayHaveImage[]
}

/** Returns the field name of each image id that the content shows. */
export const imagesOf = ({
  quiz,
  results,
  questions,
  answers = [],
}: ContentWithImages): Map<string, string> => {
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

/** Returns the field name of each image id that changes add to the content `before`. */
export const addedImages = (
  before: ContentWithImages,
  changes: ContentWithImages,
): Map<string, string> => {
  const added = imagesOf(changes)
  if (added.size > 0) for (const id of imagesOf(before).keys()) added.delete(id)
  return added
}

/**
 * Properties of an image that its id contains. An id is a UUID of version 8 (RFC 9562, §5.8). The first 48 bits are
 * width, height and average colour, the four after the version say opaque and dark, and the rest is random.
 */
export type ImageProperties = {
  width: number
  height: number
  /** Average colour as #rrggbb, shown until the image has loaded. */
  color: string
  /** True if nothing behind the image shows through, so that the average colour can replace it. */
  is_opaque: boolean
}

/** Media types of uploads. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
] as const
/** Media type of an upload. */
export type ImageType = (typeof IMAGE_TYPES)[number]

/** Maximum size of an uploaded file, in bytes. */
export const MAX_IMAGE_FILE_BYTES = 10 * 1_048_576
/** Maximum number of pixels of an uploaded image. */
export const MAX_IMAGE_PIXELS = 40_000_000

/** Refusal of an upload above MAX_IMAGE_FILE_BYTES. */
export const IMAGE_TOO_LARGE = 'L’image est trop lourde : 10 Mo au plus.'

/** Widths of the stored sizes of an image, in pixels. An image is never enlarged. */
export const IMAGE_SIZES = [400, 800, 1600] as const
/** Width of a stored size, in pixels. */
export type ImageSize = (typeof IMAGE_SIZES)[number]

/** Maximum size of a stored file, in bytes. */
export const MAX_STORED_IMAGE_BYTES = 400 * 1_024

/** Maximum dimensions of a stored image, which its id can express. */
export const MAX_IMAGE_DIMENSIONS = { width: 1600, height: 4000 } as const

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const TRANSPARENT = '1'
/** Flag of an opaque image whose colour needs white text. */
const DARK = '2'

/** Returns the id of a new image. `random` is any UUID, whose last 70 bits are used. */
export const imageIdOf = (
  { width, height, color, is_opaque }: ImageProperties,
  random: string,
): string => {
  const shade = readableTextColor(color) === '#ffffff' ? DARK : '0'
  const digits = `${hex(width, 3)}${hex(height, 3)}${color.slice(1)}`
  return `${digits.slice(0, 8)}-${digits.slice(8)}-8${is_opaque ? shade : TRANSPARENT}${random.slice(16)}`
}

/** Returns the properties in an image id, and true in `is_dark` if its colour is dark. Undefined for other ids. */
export const imagePropertiesOf = (
  id: string,
): (ImageProperties & { is_dark: boolean }) | undefined => {
  const [, width, height, red, others, shade] =
    /^([0-9a-f]{3})([0-9a-f]{3})([0-9a-f]{2})-([0-9a-f]{4})-8([0-2])[0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(
      id,
    ) ?? []
  if (!width || !height) return undefined
  const picture = {
    width: Number.parseInt(width, 16),
    height: Number.parseInt(height, 16),
    color: `#${red}${others}`,
    is_opaque: shade !== TRANSPARENT,
    is_dark: shade === DARK,
  }
  const { width: widest, height: highest } = MAX_IMAGE_DIMENSIONS
  const hasArea = picture.width > 0 && picture.height > 0
  return hasArea && picture.width <= widest && picture.height <= highest ? picture : undefined
}

/** Returns the stored widths of an image: all widths below its own, and the next one. */
export const sizesOf = (width: number): ImageSize[] =>
  IMAGE_SIZES.filter((_size, index) => index === 0 || (IMAGE_SIZES[index - 1] ?? 0) < width)

/** Returns the address of one size of an image. */
export const imageAddress = (id: string, size: ImageSize): string => `/images/${id}/${size}.webp`
