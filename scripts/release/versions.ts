/** A version of Semantic Versioning 2.0.0 without build metadata: three numbers and the parts of a pre-release. */
type Version = { numbers: number[]; prerelease: string[] }

const NUMBER = '(0|[1-9]\\d{0,8})'
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([0-9A-Za-z.-]{1,50}))?$`)
/** A part of a pre-release: a number without leading zeros, or a word. */
const PART = /^(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)$/
const IS_NUMBER = /^\d+$/

/** Reads a version. Throws if the text is none. */
const readVersion = (text: string): Version => {
  const [, major, minor, patch, prerelease] = VERSION.exec(text) ?? []
  const parts = prerelease?.split('.') ?? []
  if (major === undefined || !parts.every((part) => PART.test(part)))
    throw new Error(`« ${text} » is no version such as 1.2.3 or 1.2.3-rc.1 (https://semver.org)`)
  return { numbers: [major, minor, patch].map(Number), prerelease: parts }
}

const compareParts = (left: string, right: string): number => {
  const [is_left_number, is_right_number] = [IS_NUMBER.test(left), IS_NUMBER.test(right)]
  if (is_left_number && is_right_number) return Number(left) - Number(right)
  if (is_left_number !== is_right_number) return is_left_number ? -1 : 1
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Compares pre-releases by their precedence in the specification. The version without one is the greater. */
const comparePrereleases = (left: string[], right: string[]): number => {
  if (left.length === 0 || right.length === 0) return right.length - left.length
  for (const [index, part] of left.entries()) {
    const other = right[index]
    const order = other === undefined ? 1 : compareParts(part, other)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Returns a negative number if `left` is the earlier version, a positive one if it is the later. Throws if one is none. */
export const compareVersions = (left: string, right: string): number => {
  const [one, other] = [readVersion(left), readVersion(right)]
  for (const [index, number] of one.numbers.entries()) {
    const order = number - (other.numbers[index] ?? 0)
    if (order !== 0) return order
  }
  return comparePrereleases(one.prerelease, other.prerelease)
}

/** Returns the next minor version, such as 1.3.0 after 1.2.3. */
export const nextMinor = (text: string): string => {
  const [major = 0, minor = 0] = readVersion(text).numbers
  return `${major}.${minor + 1}.0`
}
