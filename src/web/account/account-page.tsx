import { useId } from 'react'
import { useSession } from '#web/session/session.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { useSingleKeysChoice } from '#web/ui/single-keys.ts'

const TITLE = 'Paramètres'

/** The settings of the account (spec §2 « Account settings »). */
const AccountPage = () => {
  const { user } = useSession()
  const id = useId()
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 p-4 sm:p-6">
      <title>{TITLE}</title>
      <h1 className="text-2xl font-semibold tracking-tight">{TITLE}</h1>
      <section
        aria-labelledby={id}
        className="flex flex-col gap-3 rounded-xl border border-line p-4"
      >
        <h2 id={id} className="text-base font-semibold">
          Compte
        </h2>
        <dl className="flex flex-wrap gap-x-3 gap-y-1">
          <dt className="text-ink-2">Adresse e-mail</dt>
          <dd className="wrap-anywhere">{user?.email}</dd>
        </dl>
      </section>
      <KeyboardSettings />
    </div>
  )
}

const KeyboardSettings = () => {
  const { areOn, choose } = useSingleKeysChoice()
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 rounded-xl border border-line p-4">
      <h2 id={id} className="text-base font-semibold">
        Clavier
      </h2>
      <Checkbox
        label="Raccourcis d’une seule touche ( ? N / )"
        checked={areOn}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </section>
  )
}

export default AccountPage
