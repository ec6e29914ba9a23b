import { choiceCell, type ExportTable, numberCell } from '#domain/statistics/export-table.ts'
import {
  dimensionOfColumn,
  isFieldColumn,
  type ParticipantColumn,
  yesOrNo,
} from '#domain/statistics/participant-columns.ts'
import { decodeField, FIELDS, type LineWriter, maxSlots, maxTexts } from './copy-pages.ts'
import { type Dialect, formatCsvCell, MAX_CELL_UNITS } from './csv.ts'
import {
  BACKSLASH,
  CAPITAL_N,
  CLOSING_BRACE,
  COMMA,
  isDigit,
  isUnusualEnd,
  isValueEnd,
  KINDS,
  MAX_SPREADSHEET_WORD,
  NEW_LINE,
  NINE,
  PLAIN,
  RETURN,
  TRUE,
  UNUSUAL,
  ZERO,
} from './csv-bytes.ts'
import {
  CELL_OVERHEAD_BYTES,
  type Column,
  MAX_BYTES_PER_BYTE,
  planVersion,
  type VersionPlan,
} from './csv-version-plan.ts'

/** Maximum number of digits of a number that equals its text. */
const MAX_SAFE_DIGITS = 15
/** Length of `2026-03-09 12:05`, and of a time with seconds. */
const MINUTE_LENGTH = 16
const SECOND_LENGTH = 19
/** Id that no participant has. The addresses of all pages have the same length. */
const SAMPLE_UUID = '00000000-0000-0000-0000-000000000000'
/** Initial size of the buffer, in which most pages fit. */
const INITIAL_BUFFER_BYTES = 4 * 1_048_576

/**
 * Creates a writer that converts COPY lines (copy-pages.ts) to CSV lines byte by byte. Plain bytes are copied
 * and repeated cells are encoded once; only unusual cells become strings. The columns must equal those of
 * `lineOf` in export-table.ts, which csv-lines.test.ts verifies.
 */
export const createCsvLines = (
  {
    titles,
    participant_columns,
    versions,
    parameters,
    time_zone,
    pageUrl = () => '',
  }: Pick<
    ExportTable,
    'titles' | 'participant_columns' | 'versions' | 'parameters' | 'time_zone'
  > & { pageUrl?: ExportTable['pageUrl'] },
  dialect: Dialect,
): LineWriter => {
  const first_question = participant_columns.length + 1
  const nb_questions = titles.length - first_question - parameters.length
  const layout = { nb_questions, first_question, dialect }
  const plans = new Map(versions.map((one) => [one.version, planVersion(one, layout)]))
  const noPlan = planVersion({ results: [], dimensions: [], columns: [] }, layout)
  const yes = Buffer.from(yesOrNo(true))
  const no = Buffer.from(yesOrNo(false))
  const separator = dialect.separator.charCodeAt(0)
  const page_bytes = Buffer.byteLength(pageUrl(SAMPLE_UUID))
  const first_parameter = FIELDS.texts + maxTexts(versions)
  const nb_fields = first_parameter + parameters.length
  const starts = new Int32Array(nb_fields + 1)
  const isUnusual = new Uint8Array(nb_fields)
  const choices = new Int16Array(maxSlots(versions))
  let minute: Buffer = Buffer.alloc(0)
  let localMinute = minute
  let input = minute
  let out = minute
  let used = 0

  const endOf = (field: number): number => (starts[field + 1] ?? 0) - 1
  /** Returns true for `\N`. A text that begins with a backslash is written with two. */
  const isNull = (field: number): boolean => {
    const start = starts[field] ?? 0
    return input[start] === BACKSLASH && input[start + 1] === CAPITAL_N
  }

  const readFields = (): void => {
    const { length } = input
    let field = 0
    starts[0] = 0
    isUnusual[0] = 0
    for (let at = 0; at < length; at++) {
      const kind = KINDS[input[at] ?? NEW_LINE]
      if (kind === PLAIN) continue
      if (kind === UNUSUAL) isUnusual[field] = 1
      else {
        starts[++field] = at + 1
        isUnusual[field] = 0
      }
    }
  }
  const readInteger = (field: number): number => {
    let value = 0
    for (let at = starts[field] ?? 0; at < endOf(field); at++)
      value = value * 10 + (input[at] ?? ZERO) - ZERO
    return value
  }
  /** Reads the stored numbers of a line; -1 stands for no reply. */
  const readChoices = (): void => {
    const end = endOf(FIELDS.choices)
    let rank = 0
    let value = 0
    choices.fill(-1)
    for (let at = (starts[FIELDS.choices] ?? 0) + 1; at < end; at++) {
      const byte = input[at] ?? 0
      if (byte >= ZERO && byte <= NINE) value = value * 10 + byte - ZERO
      else if (byte !== COMMA && byte !== CLOSING_BRACE) value = Number.NEGATIVE_INFINITY
      else {
        choices[rank++] = value >= 0 ? value : -1
        value = 0
      }
    }
  }
  const put = (bytes: Buffer, start: number, end: number): void => {
    for (let at = start; at < end; at++) out[used++] = bytes[at] ?? 0
  }
  const putCell = (cell: Buffer | undefined): void => {
    if (cell) put(cell, 0, cell.length)
  }
  const putText = (field: number, is_number: boolean): void => {
    const start = starts[field] ?? 0
    const end = endOf(field)
    if (start === end) return
    const isPlain = is_number ? isPlainNumber(start, end) : isPlainText(field, start, end)
    if (isPlain) put(input, start, end)
    else {
      const text = decodeField(input.toString('utf8', start, end)) ?? ''
      used += out.write(formatCsvCell(is_number ? numberCell(text) : text, dialect), used)
    }
  }
  const putChosen = (column: Column): void => {
    const { slot, nb_slots, text } = column
    const field = FIELDS.texts + (text ?? 0)
    const typed = text === null ? '' : input.toString('utf8', starts[field], endOf(field))
    const numbers = [...choices.subarray(slot, slot + nb_slots)]
    const cell = choiceCell(column, numbers, decodeField(typed) ?? '')
    used += out.write(formatCsvCell(cell, dialect), used)
  }
  const isPlainText = (field: number, start: number, end: number): boolean =>
    isUnusual[field] === 0 &&
    !isUnusualEnd(input[start] ?? 0) &&
    !isUnusualEnd(input[end - 1] ?? 0) &&
    !(dialect.is_for_spreadsheet && (mayBeConverted(start, end) || isLong(start, end)))
  /** Returns true if a text may be too long for a cell; `formatCsvCell` then counts its characters. */
  const isLong = (start: number, end: number): boolean => end - start > MAX_CELL_UNITS
  /**
   * Returns true if a spreadsheet may convert the text to a number, a date or a logical value. `formatCsvCell`
   * then decides.
   */
  const mayBeConverted = (start: number, end: number): boolean => {
    const [first = 0, last = 0] = [input[start], input[end - 1]]
    return (
      end - start <= MAX_SPREADSHEET_WORD ||
      isDigit(first) ||
      isDigit(last) ||
      (isValueEnd(first) && isValueEnd(last))
    )
  }
  const isPlainNumber = (start: number, end: number): boolean => {
    if (end - start > MAX_SAFE_DIGITS || (input[start] === ZERO && end - start > 1)) return false
    for (let at = start; at < end; at++) {
      const byte = input[at] ?? 0
      if (byte < ZERO || byte > NINE) return false
    }
    return true
  }
  const isSameMinute = (): boolean => {
    // Comparison begins at the end, because the last digits change most often.
    for (let at = MINUTE_LENGTH - 1; at >= 0; at--) if (input[at] !== minute[at]) return false
    return true
  }
  /** Writes the local time. Time zone offsets are whole minutes, so the seconds are those of UTC. */
  const putTime = (): void => {
    if (!isSameMinute()) {
      minute = Buffer.from(input.subarray(0, MINUTE_LENGTH))
      const at = `${minute.toString('latin1').replace(' ', 'T')}:00Z`
      localMinute = Buffer.from(dialect.dateOf(at, time_zone).slice(0, MINUTE_LENGTH))
    }
    putCell(localMinute)
    put(input, MINUTE_LENGTH, SECOND_LENGTH)
  }
  const putInteger = (field: number): void => {
    if (!isNull(field)) put(input, starts[field] ?? 0, endOf(field))
  }
  /** Writes the percent of the dimension with this index; nothing if the participant was not shown it. */
  const putPercent = (index: number): void => {
    const field = FIELDS.dimension_percents
    if (index < 0 || isNull(field)) return
    const end = endOf(field)
    let rank = 0
    for (let at = (starts[field] ?? 0) + 1; at < end; at++) {
      const byte = input[at] ?? 0
      if (byte === COMMA) rank++
      else if (rank === index && isDigit(byte)) out[used++] = byte
    }
  }
  const readUuid = (): string =>
    input.toString('latin1', starts[FIELDS.participant_uuid], endOf(FIELDS.participant_uuid))
  const putConsent = (): void => {
    if (!isNull(FIELDS.consent_version)) putCell(readInteger(FIELDS.consent_version) > 0 ? yes : no)
  }
  const putParticipantCell = (
    column: ParticipantColumn,
    { results, dimensions }: Pick<VersionPlan, 'results' | 'dimensions'>,
  ): void => {
    if (!isFieldColumn(column)) {
      putPercent(dimensions.indexOf(dimensionOfColumn(column) ?? ''))
      return
    }
    switch (column) {
      case 'result_position':
        if (!isNull(FIELDS.result_position)) putCell(results[readInteger(FIELDS.result_position)])
        return
      case 'score':
      case 'elapsed_seconds':
        putInteger(FIELDS[column])
        return
      case 'consent_version':
        putConsent()
        return
      case 'result_url':
        used += out.write(formatCsvCell(pageUrl(readUuid()), dialect), used)
        return
      case 'is_suspect':
        putCell(input[starts[FIELDS.is_suspect] ?? 0] === TRUE ? yes : no)
        return
      default:
        if (!isNull(FIELDS[column])) putText(FIELDS[column], false)
    }
  }
  const putLine = (plan: VersionPlan): void => {
    putTime()
    for (const column of participant_columns) {
      out[used++] = separator
      putParticipantCell(column, plan)
    }
    readChoices()
    for (const column of plan.columns) {
      out[used++] = separator
      if (column === null) continue
      if (column.cells) putCell(column.cells[choices[column.slot] ?? -1])
      else if (column.answers) putChosen(column)
      else putText(FIELDS.texts + (column.text ?? 0), column.is_number)
    }
    for (let field = first_parameter; field < nb_fields; field++) {
      out[used++] = separator
      if (!isNull(field)) putText(field, false)
    }
    out[used++] = RETURN
    out[used++] = NEW_LINE
  }
  /** Grows the buffer if the longest possible line does not fit. */
  const makeRoom = (bytes: number): void => {
    if (used + bytes <= out.length) return
    const larger = Buffer.allocUnsafe(Math.max(INITIAL_BUFFER_BYTES, 2 * (used + bytes)))
    out.copy(larger, 0, 0, used)
    out = larger
  }

  return {
    write: (line) => {
      input = line
      readFields()
      const plan = plans.get(readInteger(FIELDS.version)) ?? noPlan
      const texts_bytes = MAX_BYTES_PER_BYTE * line.length + CELL_OVERHEAD_BYTES * titles.length
      makeRoom(plan.most_bytes + page_bytes + texts_bytes)
      putLine(plan)
    },
    take: () => {
      const written = out.subarray(0, used)
      out = Buffer.alloc(0)
      used = 0
      return written
    },
  }
}
