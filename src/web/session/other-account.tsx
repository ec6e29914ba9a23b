import type { User } from '@supabase/auth-js'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import type { OtherAccount } from './mail-link.ts'
import { Notice } from './notice.tsx'
import { showNumber } from './phone-number.ts'

/** The address or phone number of an account. */
const nameOf = ({ email, phone }: User): string => {
  if (email) return email
  return phone ? showNumber(phone) : 'un compte sans adresse'
}

/** Asks before the account of a link replaces the signed-in one. */
export const OtherAccountQuestion = ({ offered, current, accept, decline }: OtherAccount) => {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const stay = async (): Promise<void> => {
    setBusy(true)
    await decline()
    navigate('/dashboard', { replace: true })
  }
  const open = async (): Promise<void> => {
    setBusy(true)
    await accept()
  }
  return (
    <Notice
      title="Changer de compte ?"
      way="Si vous n’avez pas demandé ce lien, restez sur votre compte."
      actions={
        <>
          <Button variant="primary" size="large" busy={isBusy} onClick={stay}>
            Rester sur mon compte
          </Button>
          <Button size="large" busy={isBusy} onClick={open}>
            Ouvrir l’autre compte
          </Button>
        </>
      }
    >
      <p>Ce lien ouvre un autre compte que le vôtre.</p>
      <dl className="flex flex-col gap-2">
        <Account label="Compte du lien" name={nameOf(offered)} />
        <Account label="Vous êtes connecté avec" name={nameOf(current)} />
      </dl>
    </Notice>
  )
}

const Account = ({ label, name }: { label: string; name: string }) => (
  <div className="rounded-md bg-wash px-3 py-2">
    <dt className="text-sm text-ink-2">{label}</dt>
    <dd className="font-medium wrap-anywhere" dir="auto">
      {name}
    </dd>
  </div>
)
