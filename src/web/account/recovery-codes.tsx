import { useState } from 'react'
import { auth } from '#web/api/auth-client.ts'
import { dataOf, useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Outcome } from './section.tsx'

const groupWithHyphens = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code

/** Recovery codes for a lost factor: generated, shown once, and replaced. */
export const RecoveryCodes = ({ hasCodes, onMade }: { hasCodes: boolean; onMade: () => void }) => {
  const [codes, setCodes] = useState<string[]>([])
  const { run, isBusy, failed } = useAction('Les codes n’ont pas pu être créés')
  const make = (): Promise<void> =>
    run(async () => {
      const { recoveryCodes } = auth.mfa
      const made = await dataOf(hasCodes ? recoveryCodes.regenerate() : recoveryCodes.generate())
      setCodes(made.codes)
      onMade()
      return undefined
    })
  return (
    <div className="flex flex-col items-start gap-3 border-t border-line pt-3">
      <p className="text-ink-2">
        {hasCodes
          ? 'Vous avez des codes de secours. En créer d’autres remplace les anciens.'
          : 'Créez des codes de secours pour le jour où votre second facteur sera perdu.'}
      </p>
      <Outcome failed={failed} />
      {codes.length > 0 && (
        <div role="status" className="flex w-full flex-col gap-2 rounded-lg bg-wash p-3">
          <p>
            Gardez-les en lieu sûr : ils ne seront plus jamais affichés, et chacun sert une fois.
          </p>
          <ul className="grid gap-x-6 gap-y-1 font-mono select-all sm:grid-cols-2">
            {codes.map((code) => (
              <li key={code}>{groupWithHyphens(code)}</li>
            ))}
          </ul>
        </div>
      )}
      <Button busy={isBusy} onClick={make}>
        {hasCodes ? 'Remplacer les codes de secours' : 'Créer des codes de secours'}
      </Button>
    </div>
  )
}
