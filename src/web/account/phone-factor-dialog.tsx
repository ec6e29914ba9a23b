import { auth } from '#web/api/auth-client.ts'
import { dataOf } from '#web/session/use-action.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { CodeForm } from './code-form.tsx'

type Sent = { factorId: string; challengeId: string }

/** Sets a phone up as a second factor, by the code that is sent to it. */
export const PhoneFactorDialog = ({ name, onClose }: { name: string; onClose: () => void }) => {
  const send = async (phone: string): Promise<Sent> => {
    const { all } = await dataOf(auth.mfa.listFactors())
    // An enrolment that was not finished still has the name.
    const left = all.find((factor) => factor.friendly_name === name)
    if (left) await dataOf(auth.mfa.unenroll({ factorId: left.id }))
    const begun = await dataOf(auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: name }))
    const { id } = await dataOf(auth.mfa.challenge({ factorId: begun.id }))
    return { factorId: begun.id, challengeId: id }
  }
  const verify = async (sent: Sent, code: string): Promise<void> => {
    await dataOf(auth.mfa.verify({ ...sent, code }))
    onClose()
  }
  return (
    <Dialog title="Ajouter un téléphone" open onClose={onClose}>
      <CodeForm
        label="Numéro de téléphone"
        fallback="Le téléphone n’a pas pu être ajouté"
        send={send}
        verify={verify}
        onCancel={onClose}
      />
    </Dialog>
  )
}
