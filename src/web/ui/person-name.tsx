import { fullNameOf } from '#domain/run/contact/full-name.ts'

type Person = { first_name: string | null; last_name: string | null; email: string | null }

/** Renders the name of a participant with the address below; without a name, the address alone. */
export const PersonName = ({ person }: { person: Person }) => {
  const name = fullNameOf(person)
  if (name === null) return <span dir="auto">{person.email ?? '-'}</span>
  return (
    <>
      <p className="line-clamp-2 font-medium" dir="auto">
        {name}
      </p>
      {person.email !== null && (
        <p className="text-ink-2" dir="auto">
          {person.email}
        </p>
      )}
    </>
  )
}
