import { useQuery } from '@tanstack/react-query'
import { totalsQuery } from './integration-queries.ts'

/** Explains what happens when a tool stops accepting the account, and how the creator is notified. */
export const BlockedNote = () => {
  const { data } = useQuery(totalsQuery())
  if (!data) return null
  return (
    <p className="mt-2 text-ink-2">
      Si un outil refuse votre compte, les participants attendent et aucun n’est perdu.{' '}
      {data.is_told_by_mail
        ? 'Un email vous prévient, une fois par incident.'
        : 'Aucun email ne vous prévient ici : cette page et les envois de chaque quiz le disent.'}
    </p>
  )
}
