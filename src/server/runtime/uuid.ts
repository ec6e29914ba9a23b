/** Pattern of a lower-case UUID, for use within regular expressions. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Matches a UUID in upper or lower case. */
export const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i')

/** Matches a UUID in lower case. */
export const LOWER_UUID = new RegExp(`^${UUID_PATTERN}$`)
