import { laterClient } from '#web/later-api/later-client.ts'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { Outcome, Section } from './section.tsx'

const asJson = (data: unknown): Blob =>
  new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })

/** Downloads everything that is stored about the creator. */
export const DataSection = () => {
  const { run, isBusy, done, failed } = useAction('L’export n’a pas pu être préparé')
  const download = (): Promise<void> =>
    run(async () => {
      saveFile('quizaine-mes-donnees.json', asJson(await laterClient.account.exportData()))
      return 'Le fichier est dans vos téléchargements.'
    })
  return (
    <Section title="Mes données">
      <p className="text-ink-2">
        Un fichier JSON avec votre compte, vos quiz et sondages, leurs versions publiées et toutes
        leurs réponses.
      </p>
      <Outcome done={done} failed={failed} />
      <Button busy={isBusy} onClick={download} className="self-start">
        {isBusy ? 'Préparation...' : 'Télécharger mes données'}
      </Button>
    </Section>
  )
}
