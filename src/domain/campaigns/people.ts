/** Person to invite. */
export type Person = {
  email: string
  first_name: string | null
  last_name: string | null
  group_name: string | null
}

/** Meaning of a column of a list of people. */
export const PERSON_FIELDS = ['email', 'first_name', 'last_name', 'group_name'] as const
/** Meaning of a column of a list of people. */
export type PersonField = (typeof PERSON_FIELDS)[number]

/** French names of the columns. */
export const PERSON_FIELD_LABELS: Record<PersonField, string> = {
  email: 'Email',
  first_name: 'Prénom',
  last_name: 'Nom',
  group_name: 'Groupe',
}

/** Column of a list: its title, and its meaning; null for a column that is not read. */
export type PeopleColumn = { title: string; field: PersonField | null }

/** Reasons why a line is left out. */
export type LineProblem =
  | { kind: 'no_email' }
  | { kind: 'invalid_email' }
  /** The mailbox is that of an earlier line, without another name. */
  | { kind: 'duplicate'; of_line: number }
  /** The mailbox is that of an earlier line with another name. */
  | { kind: 'shared_mailbox'; of_line: number; of_name: string }

/** Line that is left out, with its number in the list from 1 and the beginning of its text. */
type RefusedLine = { line: number; text: string; problem: LineProblem }

/** People of a list, and the lines that were left out. */
export type PeopleList = {
  columns: PeopleColumn[]
  people: (Person & { line: number })[]
  refused: RefusedLine[]
  /** Number of further people beyond the limit of a campaign. */
  nb_left_out: number
}

/** Returns the name of a person; '' without one. */
export const fullName = ({
  first_name,
  last_name,
}: Pick<Person, 'first_name' | 'last_name'>): string =>
  [first_name, last_name].filter((part) => part !== null).join(' ')

/** Returns the French reason why a line is left out. */
export const describeProblem = (problem: LineProblem): string => {
  switch (problem.kind) {
    case 'no_email':
      return 'Il manque l’adresse email'
    case 'invalid_email':
      return 'L’adresse email n’est pas valable'
    case 'duplicate':
      return `La même adresse est à la ligne ${problem.of_line}`
    case 'shared_mailbox':
      return `${problem.of_name} a la même adresse, à la ligne ${problem.of_line} : une boîte ne reçoit qu’une invitation`
  }
}
