import { useQuery, useQueryClient } from '@tanstack/react-query'
import { auth } from '#web/api/auth-client.ts'
import { authSettingsQuery } from '#web/session/auth-settings.ts'
import { showNumber } from '#web/session/phone-number.ts'
import { dataOf } from '#web/session/use-action.ts'
import { accountQuery } from './account-queries.ts'
import { CodeForm } from './code-form.tsx'
import { Section } from './section.tsx'

/** The phone number of the account; nothing where the installation has no sign-in by phone. */
export const PhoneSection = () => {
  const { data: settings } = useQuery(authSettingsQuery())
  return settings?.hasPhones ? <Phone /> : null
}

const Phone = () => {
  const { data: account } = useQuery(accountQuery())
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries(accountQuery())

  const send = async (phone: string): Promise<string | undefined> => {
    const { user } = await dataOf(auth.updateUser({ phone }))
    await reload()
    return user.new_phone ? phone : undefined
  }
  const verify = async (phone: string, token: string): Promise<void> => {
    await dataOf(auth.verifyOtp({ type: 'phone_change', phone, token }))
    await reload()
  }
  return (
    <Section title="Téléphone">
      {account && (
        <dl className="flex flex-wrap gap-x-3 gap-y-1">
          <dt className="text-ink-2">Numéro</dt>
          <dd>{account.phone ? showNumber(account.phone) : 'Aucun'}</dd>
        </dl>
      )}
      <p className="text-ink-2">Ce numéro sert à vous connecter par un code reçu par SMS.</p>
      <CodeForm
        label={account?.phone ? 'Nouveau numéro' : 'Numéro de téléphone'}
        fallback="Le numéro n’a pas pu être changé"
        send={send}
        verify={verify}
      />
    </Section>
  )
}
