import { canonicalEmail, mailboxKeyOf } from '#domain/common/addresses.ts'
import { comparableText } from '#domain/common/comparable-text.ts'
import { normalizeWithin } from '#domain/common/normalize-text.ts'
import { oneLine } from '#domain/common/one-line.ts'
import { cutText, isBlankText, shortenText } from '#domain/common/text.ts'
import { CAMPAIGN_LIMITS } from './campaign.ts'
import {
  fullName,
  type LineProblem,
  PERSON_FIELDS,
  type PeopleColumn,
  type PeopleList,
  type Person,
  type PersonField,
} from './people.ts'

/** Titles of columns, as `comparableText` writes them. */
const TITLES: Record<PersonField, readonly string[]> = {
  email: [
    ...['email', 'e-mail', 'mail', 'mel', 'courriel', 'adresse email', 'adresse e-mail'],
    ...['adresse mail', 'adresse de messagerie', 'adresse electronique', 'adresse courriel'],
    ...['email address', 'e-mail address', 'e-mail 1 - value', 'mail professionnel', 'email pro'],
  ],
  first_name: ['prenom', 'prenoms', 'prenom(s)', 'first name', 'firstname', 'given name'],
  last_name: [
    ...['nom', 'nom de famille', 'last name', 'lastname', 'surname', 'family name'],
    ...['nom complet', 'nom et prenom', 'prenom et nom', 'name', 'full name', 'display name'],
  ],
  group_name: [
    ...['groupe', 'group', 'equipe', 'team', 'service', 'departement', 'department', 'classe'],
    ...['promotion', 'session', 'entite', 'site', 'division', 'unite'],
  ],
}

/** Maximum length of a cell that is read; longer cells are no addresses and no names. */
const MAX_CELL_LENGTH = 1_000
/** Number of rows in which the column of the addresses is searched. */
const SAMPLE_ROWS = 200
/** Length of the text of a refused line, in characters. */
const EXCERPT_LENGTH = 80

/** Returns a cell without the marks with which spreadsheets keep it a text, such as `="lea@exemple.fr"`. */
const cellText = (cell: string): string => {
  const text = oneLine(normalizeWithin(cell, MAX_CELL_LENGTH))
  return text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1) : text
}

/** Returns the address and the name of a cell such as « Léa Martin <lea@exemple.fr> » or `mailto:lea@exemple.fr`. */
const splitAddress = (cell: string): { address: string; name: string } => {
  const opens = cell.lastIndexOf('<')
  const closes = cell.indexOf('>', opens)
  const isNamed = opens >= 0 && closes > opens
  const address = isNamed ? cell.slice(opens + 1, closes) : cell
  const name = isNamed ? cell.slice(0, opens).replaceAll('"', '').trim() : ''
  return { address: address.trim().replace(/^mailto:/i, ''), name }
}

const readEmail = (cell: string): string | null => canonicalEmail(splitAddress(cell).address)

/** Returns the field that a title names; undefined for other titles. */
const fieldOfTitle = (title: string): PersonField | undefined => {
  const name = comparableText(cutText(title, MAX_CELL_LENGTH)).replace(/ ?[:*]$/, '')
  return PERSON_FIELDS.find((field) => TITLES[field].includes(name))
}

/** Returns the index of the column with the most addresses; -1 without addresses. */
const findEmailColumn = (rows: readonly string[][]): number => {
  const nb_emails = new Map<number, number>()
  for (const row of rows.slice(0, SAMPLE_ROWS))
    for (const [index, cell] of row.entries())
      if (readEmail(cellText(cell)) !== null) nb_emails.set(index, (nb_emails.get(index) ?? 0) + 1)
  const [best] = [...nb_emails].toSorted(([, first], [, second]) => second - first)
  return best?.[0] ?? -1
}

/** Returns the columns that a row names; undefined if the row has an address, or names no column. */
const columnsOfTitles = (
  row: readonly string[],
  rows: readonly string[][],
): PeopleColumn[] | undefined => {
  const titles = row.map(cellText)
  if (titles.some((title) => readEmail(title) !== null)) return undefined
  const taken = new Set<PersonField>()
  const columns = titles.map((title): PeopleColumn => {
    const found = fieldOfTitle(title)
    const field = found && !taken.has(found) ? found : null
    if (field) taken.add(field)
    return { title, field }
  })
  const untitled = taken.has('email') ? undefined : columns[findEmailColumn(rows)]
  if (untitled) untitled.field = 'email'
  return taken.size > 0 ? columns : undefined
}

/** Returns the columns of a list without titles: that of the addresses, and the others in the order of the fields. */
const guessColumns = (rows: readonly string[][]): PeopleColumn[] => {
  const email_index = findEmailColumn(rows)
  const width = Math.max(0, ...rows.slice(0, SAMPLE_ROWS).map(({ length }) => length))
  const others: PersonField[] = email_index < 0 ? [] : ['first_name', 'last_name', 'group_name']
  return Array.from({ length: width }, (_, index) => ({
    title: '',
    field: index === email_index ? 'email' : (others.shift() ?? null),
  }))
}

/** Returns the parts of a cell with several addresses, as mail programs write them; other cells as they are. */
const splitAddresses = (cell: string): string[] =>
  cell.indexOf('@') === cell.lastIndexOf('@') ? [cell] : cell.split(/[,;]/)

/** Returns each address as a row of its own if a list without titles has several addresses in a row. */
const unfoldRows = (rows: readonly string[][]): { cells: string[]; line: number }[] =>
  rows.flatMap((row, index) => {
    const line = index + 1
    const cells = row.flatMap(splitAddresses)
    const addresses = cells.filter((cell) => readEmail(cellText(cell)) !== null)
    return addresses.length > 1 ? cells.map((cell) => ({ cells: [cell], line })) : [{ cells, line }]
  })

const nameValue = (field: Exclude<PersonField, 'email'>, cell: string): string | null => {
  const value = cellText(cell).replaceAll(/\s+/g, ' ')
  return isBlankText(value) ? null : cutText(value, CAMPAIGN_LIMITS[field])
}

/** Returns the person of a row; undefined without a valid address. */
const readPerson = (
  cells: readonly string[],
  columns: readonly PeopleColumn[],
): { person?: Person; isWithoutEmail: boolean } => {
  const cellOf = (field: PersonField): string =>
    cells[columns.findIndex((column) => column.field === field)] ?? ''
  const typed = cellText(cellOf('email'))
  const email = readEmail(typed)
  if (email === null) return { isWithoutEmail: typed === '' }
  const first_name = nameValue('first_name', cellOf('first_name'))
  const last_name = nameValue('last_name', cellOf('last_name'))
  // A list without a column of names takes the name from the cell of the address.
  const beside = first_name === null && last_name === null ? splitAddress(typed).name : ''
  return {
    isWithoutEmail: false,
    person: {
      email,
      first_name,
      last_name: beside === '' ? last_name : nameValue('last_name', beside),
      group_name: nameValue('group_name', cellOf('group_name')),
    },
  }
}

/**
 * Reads the people of a list, by the titles of its first row or by its addresses. `chosen` has the meanings of the columns
 * that the creator chose. Each mailbox is read once; blank rows are skipped but counted in the numbers of lines.
 */
export const readPeople = (
  rows: readonly string[][],
  chosen?: readonly (PersonField | null)[],
): PeopleList => {
  const first = rows.findIndex((row) => !row.every(isBlankText))
  const titled = first < 0 ? undefined : columnsOfTitles(rows[first] ?? [], rows)
  const unfolded = unfoldRows(rows)
  const found = titled ?? guessColumns(unfolded.map(({ cells }) => cells))
  const columns = chosen
    ? found.map(({ title }, index) => ({ title, field: chosen[index] ?? null }))
    : found
  const read: PeopleList = { columns, people: [], refused: [], nb_left_out: 0 }
  const lines = new Map<string, Person & { line: number }>()
  const listed = titled ? rows.map((cells, index) => ({ cells, line: index + 1 })) : unfolded
  for (const { cells, line } of listed) {
    if (cells.every(isBlankText) || (titled && line === first + 1)) continue
    const refuse = (problem: LineProblem): void => {
      const shown = cells.map(cellText).filter((text) => text !== '')
      read.refused.push({ line, text: shortenText(shown.join(' · '), EXCERPT_LENGTH), problem })
    }
    const { person, isWithoutEmail } = readPerson(cells, columns)
    if (!person) {
      refuse({ kind: isWithoutEmail ? 'no_email' : 'invalid_email' })
      continue
    }
    const mailbox = mailboxKeyOf(person.email)
    const earlier = lines.get(mailbox)
    if (earlier) {
      const of_name = fullName(earlier)
      const isShared = of_name !== '' && fullName(person) !== '' && of_name !== fullName(person)
      refuse(
        isShared
          ? { kind: 'shared_mailbox', of_line: earlier.line, of_name }
          : { kind: 'duplicate', of_line: earlier.line },
      )
      continue
    }
    lines.set(mailbox, { ...person, line })
    if (read.people.length < CAMPAIGN_LIMITS.people) read.people.push({ ...person, line })
    else read.nb_left_out++
  }
  return read
}
