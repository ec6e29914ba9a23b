import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { sentenceOf } from '#web/integrations/use-alerted.ts'
import { OutsideLink } from '#web/ui/link-field.tsx'
import { testLinkQuery } from './queries.ts'

const LABEL = 'Répondre en test'

/** Opens the published quiz as a test beside this screen. */
export const TestLink = ({ quizId }: { quizId: string }) => {
  const { data, error } = useQuery(testLinkQuery(quizId))
  // An older one still opens.
  if (error && !data)
    return (
      <p role="alert" className="text-sm text-bad">
        {sentenceOf(error, 'Le lien de test n’a pas pu être créé.')}
      </p>
    )
  if (!data) return <span className="text-sm text-ink-2">{LABEL}…</span>
  return (
    <OutsideLink href={data.url} icon={<FlaskConical aria-hidden="true" />}>
      {LABEL}
    </OutsideLink>
  )
}
