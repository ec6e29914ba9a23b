/** Maximum number of rows of a list that are read; a file of the maximum size may have more. */
export const MAX_ROWS = 100_000

/** Rows of a list of people, or the French reason why the list is not read. */
export type PeopleRows = { rows: string[][]; refusal?: undefined } | { refusal: string }

/** Decompressor of ZIP files (raw deflate). Returns undefined if the data are broken or longer than `max_bytes`. */
export type Inflate = (bytes: Uint8Array, max_bytes: number) => Promise<Uint8Array | undefined>
